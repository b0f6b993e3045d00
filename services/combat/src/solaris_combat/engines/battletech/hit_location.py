"""Where a hit lands: weapon, punch and kick tables by the side struck (BMR, hit location tables; R 4.5.1).

Source: BMR hit location tables; hit_locations.yaml, league tables 6.2, 6.3; R 4.5.1 (floating critical).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.rules import MASTER_RULES, Rules
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.dice import Dice, Roll
from solaris_combat.engines.frozen import replace

_TABLE = table("hit_locations")
CRITICAL_ROLL: int = _TABLE["critical"]["roll"]
AIMED_ON: tuple[int, ...] = tuple(table("to_hit")["aimed_shot"]["strikes_on"])


@dataclass(frozen=True, slots=True)
class HitLocation:
    """Where a hit lands. `critical`: it rolls for critical hits whatever the armour (`floating`: R 4.5.1).

    `rear`: it came from behind, so torsos take it on their rear armour.
    """

    location: Location
    rear: bool
    critical: bool
    rolls: tuple[Roll, ...]
    floating: bool = False


class SideUnknown(ValueError):
    """There is no column for this side; the message names it and those there are."""


def _column(columns: Mapping[str, tuple[Location, ...]], side: str) -> tuple[Location, ...]:
    """The locations by roll for a side struck."""
    if side not in columns:
        raise SideUnknown(f"no side {side!r}: a hit strikes {', '.join(columns)}")
    return columns[side]


def _sides(section: Mapping[str, Any]) -> Mapping[str, tuple[Location, ...]]:
    return {side: tuple(map(Location, section[side])) for side in ("front", "rear", "left", "right")}


WEAPON = _sides(_TABLE["weapon"])
PUNCH = _sides(_TABLE["punch"])
KICK = _sides(_TABLE["kick"])


def _inwards(section: Mapping[str, Any]) -> Mapping[Location, Location]:
    return {Location(a): Location(section[a]) for a in section if a in Location.__members__}


TRANSFER = _inwards(_TABLE["transfer"])
"""Where damage goes on when a location is gone; head and centre torso pass nothing on."""
DEPENDENT = _inwards(_TABLE["dependent"])
"""The arm that goes with a side torso."""


def weapon_location(side: str, dice: Dice, rules: Rules = MASTER_RULES) -> HitLocation:
    """Location of a weapon hit on a side ("front", "rear", "left", "right").

    A 2 strikes the torso shown and rolls for a critical hit. With floating criticals (R 4.5.1) the location
    is rolled again first; the critical goes along, and a second 2 strikes the torso without another one.
    """
    column, rear = _column(WEAPON, side), side == "rear"
    roll = dice.roll(2, 6, "hit location")
    if roll.total != CRITICAL_ROLL or not rules.floating_critical:
        critical = roll.total == CRITICAL_ROLL
        return HitLocation(column[roll.total - 2], rear, critical, (roll,))
    again = dice.roll(2, 6, "floating critical")
    return HitLocation(column[again.total - 2], rear, True, (roll, again), floating=True)


def punch_location(side: str, dice: Dice) -> HitLocation:
    """Location on the punch table: targets in partial cover, punches. It holds no critical hits."""
    column = _column(PUNCH, side)
    roll = dice.roll(1, 6, "punch location")
    return HitLocation(column[roll.total - 1], side == "rear", False, (roll,))


def kick_location(side: str, dice: Dice) -> HitLocation:
    """Location on the kick table: kicks and mines."""
    column = _column(KICK, side)
    roll = dice.roll(1, 6, "kick location")
    return HitLocation(column[roll.total - 1], side == "rear", False, (roll,))


def aimed_location(
    aimed_at: Location, side: str, hit_table: str, dice: Dice, rules: Rules = MASTER_RULES
) -> HitLocation:
    """Location of a hit aimed at an immobile target: on 6 to 8 of 2D6 the one named, else by the table."""
    roll = dice.roll(2, 6, "aimed shot")
    if roll.total in AIMED_ON:
        return HitLocation(aimed_at, side == "rear", False, (roll,))
    other = locate(side, hit_table, dice, rules)
    return replace(other, rolls=(roll, *other.rolls))


def locate(side: str, hit_table: str, dice: Dice, rules: Rules = MASTER_RULES) -> HitLocation:
    """Location by the table that a to-hit number named: "normal", "punch" or "kick"."""
    if hit_table == "normal":
        return weapon_location(side, dice, rules)
    return punch_location(side, dice) if hit_table == "punch" else kick_location(side, dice)
