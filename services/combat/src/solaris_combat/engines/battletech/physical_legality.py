"""Which physical attacks a side may declare with its fire of the turn (R 4.6; BMR, physical attacks).

They are checked against what both sides know when fire is ordered. Whether they are still possible once the
weapons of the turn have done their work is seen in the physical phase.
Source: R 4.6 (declared like fire, one kind a turn); BMR, physical attacks; physical.yaml per_turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from solaris_combat.engines.battletech.blows_at_ground import cannot_batter, is_hex
from solaris_combat.engines.battletech.club import CLUB
from solaris_combat.engines.battletech.club_search import check_pick_up
from solaris_combat.engines.battletech.declaration import posed
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.movement import Progress, advance, allowance
from solaris_combat.engines.battletech.orders import Fire, Strike
from solaris_combat.engines.battletech.physical import Blow, PhysicalNumber, blows, physical_number
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import impossible
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.contract import Violation
from solaris_combat.engines.frozen import replace

RULE = "BMR, physical attacks"
CHARGE = Blow("charge")
LEAP = Blow("death_from_above")
RUNS = {"walk", "run"}


def blow_of(strike: Strike) -> Blow:
    """The blow that an order names."""
    return Blow(strike.attack, strike.limb)


def offered(state: State, side: str) -> tuple[Blow, ...]:
    """Every blow of a side's 'Mech; charge and death from above where it wanted a hex as others did."""
    built = blows(state.units[side])
    if state.units[side].club:
        built = (*built, CLUB)
    if any(side in (contest.loser, *contest.stopped) for contest in state.contests):
        built = (*built, LEAP if state.units[side].moved.mode == "jump" else CHARGE)
    return built


def lost_initiative(state: State, side: str, target: str) -> bool:
    """Whether a charge or leap of a side at another would lapse: it kept the hex both wanted (C-04)."""
    return any(c.loser == side and target in c.stopped for c in state.contests)


def _wanted(state: State, side: str, target: str) -> bool:
    """Whether both wanted one hex, which one of them has, and none of two that stopped before it."""
    there = str(state.units[target].position)
    won = any(side in c.stopped and c.loser == target and c.hex == there for c in state.contests)
    return won or lost_initiative(state, side, target)


def cannot_charge(state: State, side: str, target: str) -> str:
    """Why a side may not charge another in this turn, or "" (R 4.6; D; C-03, C-04).

    Both must have wanted one hex: the loser of initiative keeps it, the winner stopped before it and may
    charge him there, walking or running forward, if his MP pay for that hex too.
    """
    unit, there = state.units[side], state.units[target].position
    if not _wanted(state, side, target):
        return "no hex both wanted"
    if side in state.backed:
        return "moved backward"
    if unit.position is None or unit.moved.mode not in RUNS:
        return "not before the contested hex"
    here = state.board.index(unit.position)
    moved = Progress(
        unit.moved.mode, here, unit.facing, unit.facing, mp=unit.moved.mp, hexes=unit.moved.hexes, steps=1
    )
    after = advance(state.board, allowance(unit), moved, "F")
    if isinstance(after, Violation):
        return "too few MP for the charge"
    return "" if state.board.hex_at(after.index) == there else "not before the contested hex"


def cannot_leap(state: State, side: str, target: str) -> str:
    """Why a side may not leap onto another in this turn, or "" (R 4.6; D; C-03, C-04): as for charges."""
    unit, there = state.units[side], state.units[target].position
    if not _wanted(state, side, target):
        return "no hex both wanted"
    if unit.position is None or there is None or distance(unit.position, there) != 1:
        return "not before the contested hex"
    return "too few MP for the leap" if allowance(unit).jump <= unit.moved.mp else ""


_AFTER_A_CONTEST: Mapping[Blow, Callable[[State, str, str], str]] = {CHARGE: cannot_charge, LEAP: cannot_leap}


def blow_number(
    state: State, side: str, target: str, blow: Blow, fired: frozenset[Location] = frozenset()
) -> PhysicalNumber:
    """What a blow of a side needs now, with its twist as it stands."""
    refused = _AFTER_A_CONTEST[blow](state, side, target) if blow in _AFTER_A_CONTEST else ""
    if state.units[target].destroyed is not None:
        refused = "target out of the fight"
    if refused:
        return PhysicalNumber(impossible(refused))
    return physical_number(blow, state.units[side], state.units[target], state.board, fired)


def fired_locations(unit: Unit, weapons: Iterable[str]) -> frozenset[Location]:
    """Where the weapons with these ids sit: a limb whose weapon fires does not strike in that turn."""
    known = {mount.id: (mount.location, mount.also) for mount in unit.design.mounts}
    return frozenset(place for weapon in weapons for place in known.get(weapon, ()) if place)


def barred_by(blow: Blow, unit: Unit) -> tuple[Location, ...]:
    """Locations whose weapons must hold their fire for this blow, of those that hold any."""
    armed = {mount.location for mount in unit.design.mounts}
    if blow in (CHARGE, LEAP):
        return ()
    limbs = (blow.limb,) if blow.limb else (Location.RA, Location.LA)
    return tuple(limb for limb in limbs if limb in armed)


def check_physical(state: State, side: str, fire: Fire) -> Iterator[Violation]:
    """What is illegal about the physical attacks of an order."""
    unit = posed(state.units[side], fire)
    turned = replace(state, units={**state.units, side: unit})
    fired = fired_locations(unit, (shot.weapon for shot in fire.shots))
    for number, strike in enumerate(fire.physical):
        yield from _check_one(turned, side, strike, f"/fire/physical/{number}", fired)
    yield from _check_together(fire.physical)
    yield from check_pick_up(state, side, fire)


def _check_one(
    state: State, side: str, strike: Strike, at: str, fired: frozenset[Location]
) -> Iterator[Violation]:
    if is_hex(strike.target):
        yield from _check_thing(state, side, strike, at, fired)
    elif strike.target not in state.foes(side):
        yield Violation("unknown-target", f"{strike.target!r} cannot be attacked", f"{at}/target")
    elif (blow := blow_of(strike)) in _AFTER_A_CONTEST and blow not in offered(state, side):
        detail = f"no hex that two wanted lets this 'Mech make a {strike.attack}"
        yield Violation("charge-not-available", detail, f"{at}/attack", "R 4.6")
    elif blow not in offered(state, side):
        detail = f"this 'Mech has no {strike.attack} with {strike.limb or 'the whole Mech'}"
        yield Violation("no-such-attack", detail, f"{at}/limb", RULE)
    else:
        number = blow_number(state, side, strike.target, blow, fired).number
        if not number.possible:
            detail = f"{strike.attack} cannot hit {strike.target}: {number.reason}"
            yield Violation("attack-impossible", detail, at, RULE)


def _check_thing(
    state: State, side: str, strike: Strike, at: str, fired: frozenset[Location]
) -> Iterator[Violation]:
    """A blow at a turret, wall or building in the next hex (A, FAQ 7)."""
    refused = cannot_batter(state, side, Hex.parse(strike.target), blow_of(strike), fired)
    if refused:
        detail = f"{strike.attack} cannot hit {strike.target}: {refused}"
        yield Violation("attack-impossible", detail, at, RULE)


def _check_together(strikes: tuple[Strike, ...]) -> Iterator[Violation]:
    """One physical attack a turn; two punches, one with each arm, are one."""
    punches = {strike.limb for strike in strikes if strike.attack == "punch"}
    if len(strikes) > 1 and len(punches) < len(strikes):
        detail = "one physical attack a turn, or a punch with each arm"
        yield Violation("one-physical-attack", detail, "/fire/physical", "R 4.6")
