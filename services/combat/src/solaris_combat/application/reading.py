"""The fight as it is now, folded from its stream; and its public facts, the same ones the bus carries."""

from typing import Any

from solaris_combat.application.fights import stream_of
from solaris_combat.application.memory import FightMemory
from solaris_combat.application.publish import instant
from solaris_combat.domain.fight import Fight
from solaris_combat.engines.contract import Json
from solaris_shared.errors import NotFound
from solaris_shared.log.unit_of_work import Store


async def read_fight(store: Store, memory: FightMemory, fight_id: str) -> Fight:
    """The fight as it is now; NotFound if there is none."""
    async with store.connection() as conn:
        loaded = await memory.load(conn, store.log, stream_of(fight_id))
    if loaded.state is None:
        raise NotFound("fight-unknown", "there is no such fight")
    return loaded.state


async def public_events(store: Store, fight_id: str) -> list[Json]:
    """Every public fact of a fight in order, numbered among the public ones only; or NotFound."""
    stream = stream_of(fight_id)
    async with store.connection() as conn:
        stored = await store.log.load(conn, stream)
    if not stored:
        raise NotFound("fight-unknown", "there is no such fight")
    facts = [(event, store.log.publish(event.event, stream)) for event in stored]
    shown = [(event, fact) for event, fact in facts if fact is not None]
    return [
        {"number": number, "type": fact.type, "time": instant(event.recorded_at), "data": _data(fact)}
        for number, (event, fact) in enumerate(shown, 1)
    ]


def _data(fact: Any) -> Json:
    return dict(fact.data)
