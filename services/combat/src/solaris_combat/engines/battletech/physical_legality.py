"""Which physical attacks a side may declare with its fire of the turn (R 4.6; BMR, physical attacks).

They are checked against what both sides know when fire is ordered. Whether they are still possible once the
weapons of the turn have done their work is seen in the physical phase.
Source: R 4.6 (declared like fire, one kind a turn); BMR, physical attacks; physical.yaml per_turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.movement import Progress, advance, allowance
from solaris_combat.engines.battletech.orders import Fire, Strike
from solaris_combat.engines.battletech.physical import Blow, PhysicalNumber, blows, physical_number
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import impossible
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.contract import Violation

RULE = "BMR, physical attacks"
CHARGE = Blow("charge")
NOT_PLAYED = {
    "club": "no club can be picked up in this release",
    "death_from_above": "deaths from above are not played by this release",
}
"""Why an attack that the rules know is refused."""


def blow_of(strike: Strike) -> Blow:
    """The blow that an order names."""
    return Blow(strike.attack, strike.limb)


def offered(state: State, side: str) -> tuple[Blow, ...]:
    """Every blow of a side's 'Mech; the charge where the movement ended in a contest."""
    built = blows(state.units[side])
    return (*built, CHARGE) if state.contests else built


def hex_won(state: State, side: str, target: str) -> str:
    """The hex that both wanted, that initiative gave the target first, and before which the side stopped."""
    won = (c.hex for c in state.contests if side in c.stopped and c.loser == target)
    return next(won, "")


def cannot_charge(state: State, side: str, target: str) -> str:
    """Why a side may not charge another in this turn, or "" (R 4.6; D; C-03, C-04).

    Both must have wanted one hex: the loser of initiative keeps it, the winner stopped before it and may
    charge him there, walking or running forward, if his MP pay for that hex too.
    """
    unit, there = state.units[side], state.units[target].position
    wanted = hex_won(state, side, target)
    if not wanted:
        return "no hex won by initiative"
    if side in state.backed:
        return "moved backward"
    if unit.position is None or unit.moved.mode not in ("walk", "run") or str(there) != wanted:
        return "not before the contested hex"
    here = state.board.index(unit.position)
    moved = Progress(
        unit.moved.mode, here, unit.facing, unit.facing, mp=unit.moved.mp, hexes=unit.moved.hexes, steps=1
    )
    after = advance(state.board, allowance(unit), moved, "F")
    if isinstance(after, Violation):
        return "too few MP for the charge"
    return "" if str(state.board.hex_at(after.index)) == wanted else "not before the contested hex"


def blow_number(
    state: State, side: str, target: str, blow: Blow, fired: frozenset[Location] = frozenset()
) -> PhysicalNumber:
    """What a blow of a side needs now, with its twist as it stands."""
    refused = cannot_charge(state, side, target) if blow == CHARGE else ""
    if state.units[target].destroyed is not None:
        refused = "target out of the fight"
    if refused:
        return PhysicalNumber(impossible(refused))
    return physical_number(blow, state.units[side], state.units[target], state.board, fired)


def fired_locations(unit: Unit, weapons: Iterable[str]) -> frozenset[Location]:
    """Where the weapons with these ids sit: a limb whose weapon fires does not strike in that turn."""
    known = {mount.id: mount.location for mount in unit.design.mounts}
    return frozenset(known[weapon] for weapon in weapons if weapon in known)


def barred_by(blow: Blow, unit: Unit) -> tuple[Location, ...]:
    """Locations whose weapons must hold their fire for this blow, of those that hold any."""
    armed = {mount.location for mount in unit.design.mounts}
    if blow == CHARGE:
        return ()
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
    elif strike.target not in state.foes(side):
        yield Violation("unknown-target", f"{strike.target!r} cannot be attacked", f"{at}/target")
    elif (blow := blow_of(strike)) not in offered(state, side):
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
