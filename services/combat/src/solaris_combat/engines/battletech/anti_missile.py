"""Anti-missile systems: how many missiles they shoot down and what that costs (D, sistema antimisiles).

Source: D; ams.yaml league_text; solaris7-tables C-26, C-39; tables/anti_missile.toml.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mech import Gear, WeaponMount
from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.to_hit import in_weapon_arc
from solaris_combat.engines.battletech.unit import Unit, bin_usable, gear_works

KEY = "ams"
_SYSTEM = table("anti_missile")["system"]
DICE: int = _SYSTEM["dice"]
SIDES: int = _SYSTEM["sides"]
HEAT: int = _SYSTEM["heat"]
ROUNDS_PER_TURN: int = table("anti_missile")["loading"]["rounds_per_turn"]
ON_AT_FIRST: bool = table("anti_missile")["first_turn"]["on"]
SHOT_AT = ("missile", "streak", "beacon")
"""Kinds of weapons whose salvoes are shot at."""


@dataclass(frozen=True, slots=True)
class Defence:
    """What the systems aimed at one salvo do: missiles left of those that hit, heat, rounds used and left."""

    fires: int
    missiles_left: int
    heat: int
    rounds_spent: int
    rounds_after: int


def shoot_down(missiles: int, dice: Sequence[int], rounds: int, *, fired_at: bool = True) -> Defence:
    """What systems with these dice do to a salvo of which so many missiles hit.

    With one round left every system fires and its die counts in full; without a salvo (a streak launcher that
    did not lock on) none does.
    """
    if not fired_at or not rounds:
        return Defence(0, missiles, 0, 0, rounds)
    shown = sum(dice)
    spent = min(shown, rounds)
    return Defence(len(dice), max(missiles - shown, 0), HEAT * len(dice), spent, rounds - spent)


def systems(unit: Unit) -> tuple[Gear, ...]:
    """The anti-missile systems of a 'Mech, working or not."""
    return tuple(gear for gear in unit.design.gear if gear.key == KEY)


def works(unit: Unit, gear: Gear) -> bool:
    """Whether a system can fire now: it has power, is not hit, and the 'Mech has a round for it."""
    return not unit.shutdown and gear_works(unit, gear) and rounds_left(unit) > 0


def rounds_left(unit: Unit) -> int:
    """Rounds in all bins that can feed the systems."""
    return sum(map(len, _belts(unit).values()))


def _belts(unit: Unit) -> Mapping[str, Belt]:
    return {
        ammo.id: unit.belts[ammo.id]
        for ammo in unit.design.bins
        if ammo.ammunition == KEY and bin_usable(unit, ammo.id)
    }


def rounds_taken(unit: Unit, rounds: int) -> dict[str, int]:
    """From which bins so many rounds come: the first of the sheet, then the next, as far as there are any."""
    taken: dict[str, int] = {}
    for name, belt in _belts(unit).items():
        taken[name] = min(len(belt), rounds)
        rounds -= taken[name]
    return {name: count for name, count in taken.items() if count}


def covers(unit: Unit, gear: Gear, attacker: Hex) -> bool:
    """Whether a salvo from a hex comes in through the arc of a system, with the torso as it is twisted."""
    return in_weapon_arc(unit, WeaponMount(gear.id, gear.key, gear.location), attacker)
