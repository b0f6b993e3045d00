"""What changes a fight beside the orders: its length agreed, overtime, a side that gives up, a correction.

Each is a fact with its reason; none rolls. Lengths: R 4.2 (8 turns; in Class 5 more by agreement, later only
with everybody's consent) and C-10. Overtime of a permanence fight: R 4.3. Giving up: solaris7-tables 1.7.
Source: R 4.2, R 4.3; solaris7-tables 1.7, C-10, C-27.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solaris_combat.engines.battletech import events, ruling_events, victory
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.ruleset import Ruleset, ruleset
from solaris_combat.engines.battletech.state import CORRECTED_FLAGS, GAVE_UP, State, evolve
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.contract import Json, OrdersInvalid, Violation

LONGEST_REASON = 1000
COUNTS = {"heat": 99, "wounds": 6}


def act(state: State, name: str, data: Json) -> tuple[object, ...]:
    """The facts of an act; OrdersInvalid where it is not allowed."""
    if state.ended is not None:
        _refuse("fight-over", "the fight is over", "")
    if name not in _ACTS:
        _refuse("act-unknown", f"no act {name!r}; there are: {', '.join(_ACTS)}", "/name")
    return _ACTS[name](state, data)


def _refuse(code: str, detail: str, pointer: str, rule: str = "") -> None:
    raise OrdersInvalid(Violation(code, detail, pointer, rule))


def agreed_length(rules: Ruleset, fight_class: int, turns: int) -> Violation | None:
    """What is wrong with a length: 8 turns, in Class 5 up to 14 by agreement (R 4.2, C-10)."""
    longest = rules.longest if fight_class in rules.length_by_agreement else rules.turns
    if rules.turns <= turns <= longest:
        return None
    most = f"{rules.turns}" if longest == rules.turns else f"{rules.turns} to {longest}"
    return Violation(
        "turns-not-allowed",
        f"a fight in Class {fight_class} lasts {most} turns, not {turns}",
        "/turns",
        "R 4.2",
    )


def overtime(rules: Ruleset, turn: int, *, level: bool) -> int | None:
    """Last turn of the extra time of a permanence fight that is level after `turn`; None where it ends."""
    if not level or turn >= rules.overtime_limit:
        return None
    return min(turn + rules.overtime_turns, rules.overtime_limit)


def level(state: State) -> bool:
    """Whether the fight is drawn as it stands."""
    results = victory.results(ruleset().scoring, state.units, points(state), state.terms.teams)
    return set(results.values()) == {"draw"}


def points(state: State) -> dict[str, int]:
    """Victory points of each side."""
    return {side: state.points(side) for side in state.units}


def duel_ended(state: State, ended_by: str) -> events.DuelEnded:
    """The end of the fight as it stands."""
    results = victory.results(ruleset().scoring, state.units, points(state), state.terms.teams)
    return events.DuelEnded(state.turn, ended_by, results, points(state))


def _lengthen(state: State, data: Json) -> tuple[object, ...]:
    turns = data.get("turns")
    if not isinstance(turns, int) or isinstance(turns, bool) or turns <= state.turns:
        _refuse("turns-not-allowed", f"a fight of {state.turns} turns is only prolonged", "/turns", "R 4.2")
    assert isinstance(turns, int)
    if found := agreed_length(ruleset(), state.terms.fight_class, turns):
        raise OrdersInvalid(found)
    return (ruling_events.LengthSet(turns, state.turns),)


def _give_up(state: State, data: Json) -> tuple[object, ...]:
    side, how = data.get("side"), data.get("how")
    if side not in state.active:
        _refuse("side-not-in-action", f"side {side!r} is not in the fight", "/side")
    if how not in GAVE_UP:
        _refuse("how-unknown", f"a side gives up by {' or '.join(GAVE_UP)}", "/how", "solaris7-tables 1.7")
    assert isinstance(side, str) and isinstance(how, str)
    yielded = ruling_events.SideYielded(state.turn, side, how)
    after = evolve(state, yielded)
    if len({after.team(one) for one in after.active}) < 2:
        return yielded, duel_ended(after, "yielded")
    return (yielded,)


def _correct(state: State, data: Json) -> tuple[object, ...]:
    side, reason, changes = data.get("side"), data.get("reason"), data.get("changes")
    if side not in state.active:
        _refuse("side-not-in-action", f"side {side!r} is not in the fight", "/side")
    if not isinstance(reason, str) or not 0 < len(reason) <= LONGEST_REASON:
        _refuse("reason-missing", f"a reason of at most {LONGEST_REASON} characters", "/reason")
    if not isinstance(changes, dict) or not changes:
        _refuse("changes-missing", "at least one change", "/changes")
    assert isinstance(side, str) and isinstance(reason, str) and isinstance(changes, dict)
    found = [wrong for name in changes if (wrong := _wrong(state, side, name, changes[name]))]
    if found:
        raise OrdersInvalid(*found)
    return (ruling_events.UnitCorrected(state.turn, side, changes, reason),)


def _wrong(state: State, side: str, name: str, value: Any) -> Violation | None:
    """What is wrong with one change of a correction."""
    unit = state.units[side]
    fits = _FITS.get(name)
    if fits is None:
        known = ", ".join(_FITS)
        return Violation("change-unknown", f"what may be corrected: {known}", f"/changes/{name}")
    if fits(state, unit, value):
        return None
    return Violation("change-impossible", f"{value!r} is no {name} of this unit", f"/changes/{name}")


def _count(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most


def _armor(state: State, unit: Unit, value: Any) -> bool:
    return isinstance(value, dict) and all(_plates(unit, at, plates) for at, plates in value.items())


def _plates(unit: Unit, at: str, plates: Any) -> bool:
    if at not in unit.armor or not isinstance(plates, list) or len(plates) != 2:
        return False
    return all(
        _count(plate, most) for plate, most in zip(plates, unit.design.armor[Location(at)], strict=True)
    )


def _structure(state: State, unit: Unit, value: Any) -> bool:
    return isinstance(value, dict) and all(
        at in unit.structure and _count(left, unit.design.structure[Location(at)]) and left > 0
        for at, left in value.items()
    )


def _hex(state: State, unit: Unit, value: Any) -> bool:
    try:
        where = Hex.parse(value if isinstance(value, str) else "")
    except ValueError:
        return False
    taken = {other.position for other in state.units.values() if other.side != unit.side}
    return where in state.board and where not in taken


def _belts(state: State, unit: Unit, value: Any) -> bool:
    """Rounds left: a bin is only ever emptied from the front."""
    return isinstance(value, dict) and all(
        name in unit.belts and _count(left, len(unit.belts[name])) for name, left in value.items()
    )


_FITS: Mapping[str, Callable[[State, Unit, Any], bool]] = {
    "armor": _armor,
    "structure": _structure,
    "hex": _hex,
    "facing": lambda state, unit, value: _count(value, 6) and value > 0,
    "rounds": _belts,
    **{
        name: lambda state, unit, value, most=most: _count(value, most)  # type: ignore[misc]
        for name, most in COUNTS.items()
    },
    **dict.fromkeys(CORRECTED_FLAGS, lambda state, unit, value: isinstance(value, bool)),
}

CORRECTED = tuple(_FITS)
"""What a correction may change."""

_ACTS: Mapping[str, Callable[[State, Json], tuple[object, ...]]] = {
    "lengthen": _lengthen,
    "yield": _give_up,
    "correct": _correct,
}
