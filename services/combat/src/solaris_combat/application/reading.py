"""The fight as it is now, folded from its stream; and its public facts, the same ones the bus carries."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from solaris_combat.application.fights import stream_of
from solaris_combat.application.publish import instant
from solaris_combat.domain.fight import Fight, evolve
from solaris_combat.engines.contract import Json
from solaris_combat.engines.registry import Registry
from solaris_shared.errors import NotFound
from solaris_shared.log.unit_of_work import Store

KEPT = 200


@dataclass(slots=True)
class FightReader:
    """Folds streams; keeps the last folded fights and reads only what was appended since."""

    registry: Registry
    _kept: OrderedDict[str, tuple[int, Fight]] = field(default_factory=OrderedDict)

    async def fight(self, store: Store, fight_id: str) -> Fight:
        """The fight after everything committed; NotFound if there is none."""
        stream = stream_of(fight_id)
        version, fight = self._kept.get(stream, (0, None))
        async with store.connection() as conn:
            news = await store.log.load(conn, stream, after=version)
        for stored in news:
            fight, version = evolve(self.registry, fight, stored.event), stored.version
        if fight is None:
            raise NotFound("fight-unknown", "there is no such fight")
        self._keep(stream, version, fight)
        return fight

    def _keep(self, stream: str, version: int, fight: Fight) -> None:
        if version >= self._kept.get(stream, (0, None))[0]:
            self._kept[stream] = (version, fight)
        self._kept.move_to_end(stream)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)


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
