"""Which physical attacks a side may declare with its fire of the turn (R 4.6; BMR, physical attacks).

They are checked against what both sides know when fire is ordered. Whether they are still possible once the
weapons of the turn have done their work is seen in the physical phase.
Source: R 4.6 (declared like fire, one kind a turn); BMR, physical attacks; physical.yaml per_turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Fire, Strike
from solaris_combat.engines.battletech.physical import Blow, PhysicalNumber, blows, physical_number
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.contract import Violation

RULE = "BMR, physical attacks"
PLAYED = ("punch", "kick", "push", "hatchet", "sword")
NOT_PLAYED = {
    "club": "no club can be picked up in this release",
    "charge": "charges are not played by this release",
    "death_from_above": "deaths from above are not played by this release",
}
"""Why an attack that the rules know is refused."""


def blow_of(strike: Strike) -> Blow:
    """The blow that an order names."""
    return Blow(strike.attack, strike.limb)


def blow_number(
    state: State, side: str, target: str, blow: Blow, fired: frozenset[Location] = frozenset()
) -> PhysicalNumber:
    """What a blow of a side needs now, with its twist as it stands."""
    return physical_number(blow, state.units[side], state.units[target], state.arena.board, fired)


def fired_locations(unit: Unit, weapons: Iterable[str]) -> frozenset[Location]:
    """Where the weapons with these ids sit: a limb whose weapon fires does not strike in that turn."""
    known = {mount.id: mount.location for mount in unit.design.mounts}
    return frozenset(known[weapon] for weapon in weapons if weapon in known)


def barred_by(blow: Blow, unit: Unit) -> tuple[Location, ...]:
    """Locations whose weapons must hold their fire for this blow, of those that hold any."""
    armed = {mount.location for mount in unit.design.mounts}
    limbs = (blow.limb,) if blow.limb else (Location.RA, Location.LA)
    return tuple(limb for limb in limbs if limb in armed)


def check_physical(state: State, side: str, fire: Fire) -> Iterator[Violation]:
    """What is illegal about the physical attacks of an order."""
    unit = replace(state.units[side], twist=fire.twist)
    turned = replace(state, units={**state.units, side: unit})
    fired = fired_locations(unit, (shot.weapon for shot in fire.shots))
    for number, strike in enumerate(fire.physical):
        yield from _check_one(turned, side, strike, f"/fire/physical/{number}", fired)
    yield from _check_together(fire.physical)


def _check_one(
    state: State, side: str, strike: Strike, at: str, fired: frozenset[Location]
) -> Iterator[Violation]:
    if strike.attack in NOT_PLAYED:
        yield Violation("attack-not-played", NOT_PLAYED[strike.attack], f"{at}/attack", RULE)
    elif strike.target != state.rival(side):
        yield Violation("unknown-target", f"{strike.target!r} cannot be attacked", f"{at}/target")
    elif (blow := blow_of(strike)) not in blows(state.units[side]):
        detail = f"this 'Mech has no {strike.attack} with {strike.limb or 'the whole Mech'}"
        yield Violation("no-such-attack", detail, f"{at}/limb", RULE)
    else:
        number = blow_number(state, side, strike.target, blow, fired).number
        if not number.possible:
            detail = f"{strike.attack} cannot hit {strike.target}: {number.reason}"
            yield Violation("attack-impossible", detail, at, RULE)


def _check_together(strikes: tuple[Strike, ...]) -> Iterator[Violation]:
    """One physical attack a turn; two punches, one with each arm, are one."""
    punches = {strike.limb for strike in strikes if strike.attack == "punch"}
    if len(strikes) > 1 and len(punches) < len(strikes):
        detail = "one physical attack a turn, or a punch with each arm"
        yield Violation("one-physical-attack", detail, "/fire/physical", "R 4.6")
