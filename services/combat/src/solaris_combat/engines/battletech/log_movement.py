"""The log's sentences about movement: a stretch walked or flown, and movements that are void.

`log` looks up the phrases.
"""

from __future__ import annotations

from collections.abc import Iterable

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.tongue import Facts, Tongue


def moved(event: ev.UnitMoved, t: Tongue) -> Facts:
    """A stretch of movement; what was walked before in the same turn stands in its sums."""
    facts = {
        "who": t.who(event.side),
        "mode": t.word("mode." + event.mode),
        "way": _way(event, t),
        "hex": event.hex,
        "facing": event.facing,
        "hexes": t.count(event.hexes, "hex-entered"),
        "mp": event.mp,
        "mp_available": event.mp_available,
        "stopped": _stopped(event, t),
    }
    return _variant(event), facts


def _variant(event: ev.UnitMoved) -> str:
    """Standing, declared in vain, halted on the way, or a stretch after others ("on")."""
    if not event.steps:
        begun = event.mp or event.hexes
        return "halted" if begun else "vain" if event.stopped else "stand"
    return "on" if event.mp > sum(step.mp for step in event.steps) else ""


def _stopped(event: ev.UnitMoved, t: Tongue) -> str:
    """Why no more was walked, and how many steps were left out."""
    if not event.stopped:
        return ""
    left = f" ({t.count(event.left_out, 'step-left-out')})" if event.left_out else ""
    return f" {t.word('stopped.' + event.stopped)}{left}."


def _way(event: ev.UnitMoved, t: Tongue) -> str:
    """Hexes and turns: "0507 → 0506 → turns to 2 → 0605"."""
    said, here = [event.start], event.start
    for step in event.steps:
        if step.hex == here and step.step in ("L", "R"):
            said.append(f"{t.word('turns-to')} {step.facing}")
        elif step.hex != here:
            back = f" ({t.word('backward')})" if step.step == "B" else ""
            said.append(step.hex + back)
        here = step.hex
    return " → ".join(_turns_joined(said, t.word("turns-to")))


def _turns_joined(said: list[str], turns: str) -> list[str]:
    """Of several turns on the spot only the last is told."""
    kept = [
        one
        for one, after in zip(said, [*said[1:], ""], strict=True)
        if not (one.startswith(turns) and after.startswith(turns))
    ]
    return kept


def voided(event: ev.MovementVoided, t: Tongue) -> Facts:
    """Movements that are asked again, because of one 'Mech or of several."""

    def names(sides: Iterable[str]) -> str:
        return f" {t.word('and')} ".join(t.who(side) for side in sides)

    facts = {"fallen": names(event.fallen), "displaced": names(event.displaced), "turn": event.turn}
    cause, sides = ("fallen", event.fallen) if event.fallen else ("displaced", event.displaced)
    return f"{cause}.many" if len(sides) > 1 else cause, facts
