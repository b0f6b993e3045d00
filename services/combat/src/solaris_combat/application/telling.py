"""A fight told from its public facts: each in words with its numbers and dice, and the view after each.

Only what is public is told, numbered as in the list of public facts, so nothing here can say more than the
bus does.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from solaris_combat.application.fights import stream_of
from solaris_combat.application.publish import instant
from solaris_combat.domain.events import AllOrdersSealed
from solaris_combat.domain.fight import Fight, evolve
from solaris_combat.engines.canonical import plain
from solaris_combat.engines.contract import Json
from solaris_combat.engines.registry import AnyEngine, Registry
from solaris_shared.errors import NotFound
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Store

WORDS: Final = tomllib.loads(files(__package__).joinpath("telling.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class PublicStep:
    """One event of the stream that the world may see, with its number among those."""

    number: int
    stored: Stored


async def load_stream(store: Store, fight_id: str) -> tuple[list[Stored], list[PublicStep]]:
    """Everything of a fight, and what of it is public; NotFound if there is no such fight."""
    stream = stream_of(fight_id)
    async with store.connection() as conn:
        stored = await store.log.load(conn, stream)
    if not stored:
        raise NotFound("fight-unknown", "there is no such fight")
    shown = [one for one in stored if store.log.publish(one.event, stream) is not None]
    return stored, [PublicStep(number, one) for number, one in enumerate(shown, 1)]


def tell(fight: Fight, steps: Sequence[PublicStep], language: str) -> Iterator[Json]:
    """Each fact that has something to say: its turn and phase, its sentence, numbers and dice."""
    if fight.engine is None:
        return
    names = {seat.unit.side: seat.unit.name for seat in fight.terms.seats}
    words, turn, phase = fight.engine.words(language), 0, "initial"
    for step in steps:
        event = step.stored.event
        if hasattr(event, "phase") and hasattr(event, "turn"):
            turn, phase = event.turn, event.phase
        text = _sentence(fight.engine, event, language, names)
        if text:
            place = {"number": step.number, "turn": turn, "phase": phase}
            yield place | _said(step, text) | _numbers(event, words)


def _sentence(engine: AnyEngine, event: object, language: str, names: dict[str, str]) -> str:
    """The engine's own words; of the fight's own facts, that somebody sent no orders."""
    if isinstance(event, AllOrdersSealed) and event.missing:
        return WORDS["missing"][language].format(names=", ".join(names[side] for side in event.missing))
    known = type(event) in engine.event_types.values()
    return engine.describe(event, language, names) if known else ""


def _said(step: PublicStep, text: str) -> Json:
    """`detail`: a consequence of the sentence before it."""
    side = getattr(step.stored.event, "side", None)
    detail = text.startswith(" ")
    time = instant(step.stored.recorded_at)
    return {"type": step.stored.type, "time": time, "side": side, "text": text.strip(), "detail": detail}


def _numbers(event: Any, words: Any) -> Json:
    """What had to be rolled and why, and every die."""
    items = getattr(event, "modifiers", ()) or getattr(event, "items", ())
    rolls = getattr(event, "rolls", ())
    return {
        "needed": getattr(event, "number", None),
        "items": [
            {"value": one.value, "reason": words.get(one.reason, one.reason), "rule": one.rule}
            for one in items
        ],
        "rolls": [plain(roll) | {"total": roll.total} for roll in rolls],
    }


def view_after(
    registry: Registry, stored: Sequence[Stored], steps: Sequence[PublicStep], number: int
) -> Json:
    """The game as a spectator saw it after public fact `number`; None before there is one."""
    if not 1 <= number <= len(steps):
        raise NotFound("step-unknown", f"the fight has {len(steps)} public facts")
    last = steps[number - 1].stored.version
    fight: Fight | None = None
    for one in stored:
        if one.version > last:
            break
        fight = evolve(registry, fight, one.event)
    game = fight.engine.view(fight.game, None) if fight and fight.engine and fight.game else None
    return {"number": number, "facts": len(steps), "game": game}
