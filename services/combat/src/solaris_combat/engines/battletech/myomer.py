"""Triple-strength myomer and MASC: what they need to work, what they add, how MASC fails (BMR, myomer).

Source: BMR, triple-strength myomer, MASC; equipment.yaml tsm, masc; heat.yaml tsm; movement.yaml masc.
"""

from __future__ import annotations

from collections.abc import Iterator

from solaris_combat.engines.battletech.mech import Location, slot_numbers
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, legs, lost, slot_working

_HOT = table("physical")["myomer"]
_MASC = table("movement")["masc"]
HOT_FROM: int = _HOT["heat"]
WALK_MORE: int = table("movement")["myomer"]["walk"]
FAILS_AT: tuple[int, ...] = tuple(_MASC["fails_at_or_below"])
MASC = "masc"


def strong(unit: Unit) -> bool:
    """Whether triple-strength myomer works: hot enough, and none of its slots hit."""
    if unit.heat < HOT_FROM:
        return False
    slots = [(place, n) for place in Location for n in slot_numbers(unit.design, place, "tsm")]
    return bool(slots) and not unit.hits.intersection(slots)


def masc_slots(unit: Unit) -> tuple[tuple[Location, int], ...]:
    """The slots of the MASC; none without one."""
    return tuple((at, n) for at in Location for n in slot_numbers(unit.design, at, "other", MASC))


def masc_works(unit: Unit) -> bool:
    """Whether a MASC is aboard and whole."""
    slots = masc_slots(unit)
    return bool(slots) and all(slot_working(unit, *slot) for slot in slots)


def masc_number(unit: Unit) -> int:
    """2D6 at or below which the MASC fails when it is used now, the higher the longer it has been in use."""
    return FAILS_AT[min(unit.masc, len(FAILS_AT) - 1)]


def struck_by_failure(unit: Unit) -> Iterator[tuple[Location, int, str, str]]:
    """The slots that a failing MASC takes: the hips of both legs (all four of a quad), and its own (BMR)."""
    for leg in legs(unit.design):
        for number in slot_numbers(unit.design, leg, "hip"):
            if not lost(unit, leg) and (leg, number) not in unit.hits:
                yield leg, number, "hip", ""
    for place, number in masc_slots(unit):
        if (place, number) not in unit.hits:
            yield place, number, "other", MASC
