"""The physical attack phase: what was declared with the fire is resolved once the weapons have done theirs.

Numbers and damage are those of the start of the phase, so both sides strike at once; a 'Mech that fell or
lost the limb to the weapons of the turn does not strike. Pushes and charges move 'Mechs when every blow has
landed. Then come consciousness and piloting rolls. Without a declared attack there is no phase.
Source: turn.yaml phases, end_of_physical_attack; physical.yaml kick, push, charge, resolution_order; R 4.6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solaris_combat.engines.battletech import death_from_above, events, fire_events
from solaris_combat.engines.battletech.arcs import attack_side
from solaris_combat.engines.battletech.blows_at_ground import is_hex, strike_ground
from solaris_combat.engines.battletech.club import CLUB, breaks
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.displacement import charge_past, follow, push_away
from solaris_combat.engines.battletech.falling import damage_groups
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.hit_location import locate
from solaris_combat.engines.battletech.injury import go_through, settle_phase
from solaris_combat.engines.battletech.item import items
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.physical import (
    Blow,
    PhysicalNumber,
    own_through_water,
    through_water,
)
from solaris_combat.engines.battletech.physical_legality import (
    CHARGE,
    LEAP,
    blow_number,
    fired_locations,
    lost_initiative,
)
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.to_hit import TargetNumber, impossible, roll_succeeds
from solaris_combat.engines.battletech.walls_passed import is_inside, shielded
from solaris_combat.engines.frozen import replace

PHASE = "physical_attack"
CAUSES: Mapping[str, Mapping[str, str]] = table("physical")["piloting"]


@dataclass(frozen=True, slots=True)
class _Declared:
    """A blow of a side on another, where its weapons fired, and whether it is charged by that other."""

    side: str
    target: str
    blow: Blow
    fired: frozenset[Location]
    charged: bool


def play_physical(play: Play, orders: Mapping[str, Orders]) -> None:
    """Resolve every declared blow, move who was pushed, and make the rolls at the end of the phase."""
    declared = _declared(play)
    if not declared:
        return
    play.emit(events.PhaseBegan(play.turn, PHASE))
    start = play.state
    for one in declared:
        if is_hex(one.target):
            strike_ground(play, start, one.side, one.target, one.blow, one.fired)
    declared = [one for one in declared if not is_hex(one.target)]
    landed = {one: _resolve(play, start, one) for one in declared}
    for one, hit in landed.items():
        if hit is not None and one.blow in (CHARGE, LEAP):
            _drive_out(play, start, one, hit, orders)
    _push(play, start, [one for one, hit in landed.items() if hit and one.blow.kind == "push"])
    settle_phase(play)


def _drive_out(play: Play, start: State, one: _Declared, hit: bool, orders: Mapping[str, Orders]) -> None:
    """Where both end after a charge or a death from above: in or beside the hex where the target stood."""
    if play.unit(one.side).destroyed is not None:
        return
    place = start.units[one.target].hex
    if one.blow == LEAP:
        leap = death_from_above.land_upon if hit else death_from_above.miss
        leap(play, one.side, one.target, place, orders)
    elif not hit:
        charge_past(play, one.side)
    elif play.unit(one.target).hex != place or play.unit(one.target).destroyed is not None:
        follow(play, one.side, place)
    else:
        push_away(play, one.side, one.target)


def _declared(play: Play) -> list[_Declared]:
    volleys = [event for event in play.events if isinstance(event, events.FireDeclared)]
    driven = (CHARGE.kind, LEAP.kind)
    charging = {v.side for v in volleys for strike in v.physical if strike.attack in driven}
    return [
        _Declared(
            volley.side,
            strike.target,
            Blow(strike.attack, None if strike.limb is None else Location(strike.limb)),
            fired_locations(play.unit(volley.side), (shot.weapon for shot in volley.shots))
            | _defended(play, volley.side),
            strike.target in charging,
        )
        for volley in volleys
        for strike in volley.physical
    ]


def _defended(play: Play, side: str) -> frozenset[Location]:
    """Where anti-missile systems of a side have fired: such a limb does not strike (D, C-39)."""
    fired = {
        event.ams for event in play.events if isinstance(event, fire_events.AmsFired) and event.side == side
    }
    return frozenset(gear.location for gear in play.unit(side).design.gear if gear.id in fired)


def _resolve(play: Play, start: State, one: _Declared) -> bool | None:
    """Roll for one blow and let it land; whether it did, None if it was not made.

    All numbers are those of the start of the phase.
    """
    found = _found(start, one)
    event = _event(play, one, found.number)
    if not found.number.possible:
        play.emit(event)
        return None
    roll = play.dice.roll(2, 6, "to hit")
    hit = roll_succeeds(found.number.value, roll.total)
    causes = CAUSES["hit" if hit else "miss"]
    depth = _depth(start, one.side)
    points = through_water(found.damage, one.blow, depth) if hit else 0
    own = own_through_water(found.own_damage, one.blow, depth) if hit else 0
    play.emit(
        replace(
            event,
            hit=hit,
            damage=points,
            own_damage=own,
            target_cause=causes.get(f"{one.blow.kind}_target", ""),
            own_cause=causes.get(f"{one.blow.kind}_own", ""),
            club_broken=hit and one.blow == CLUB and breaks(start.units[one.side].club),
            rolls=(roll,),
        )
    )
    groups = damage_groups(points) if one.blow in (CHARGE, LEAP) else (points,) * (points > 0)
    _land(play, one.target, found.number.side, found.number.table, groups)
    side, hit_table = _own_side(start, one)
    _land(play, one.side, side, hit_table, damage_groups(own))
    return hit


def _found(start: State, one: _Declared) -> PhysicalNumber:
    """The number of a blow; none for a push at who charges, or a charge of who lost initiative (C-04)."""
    if one.blow.kind == "push" and one.charged:
        return PhysicalNumber(impossible("target charges"))
    if one.blow in (CHARGE, LEAP) and lost_initiative(start, one.side, one.target):
        return PhysicalNumber(impossible("initiative lost"))
    return blow_number(start, one.side, one.target, one.blow, one.fired)


def _land(play: Play, side: str, struck_side: str, hit_table: str, groups: tuple[int, ...]) -> None:
    """Each group of points strikes a location by the table."""
    for whole in groups:
        points = shielded(play, side, whole) if is_inside(play, side) else whole
        if not points:
            continue
        hit = locate(struck_side, hit_table, play.dice, ruleset().rules)
        unit = play.unit(side)
        submerged = submerged_locations(unit, _depth(play.state, side))
        go_through(play, take_hit(unit, hit, points, play.dice, submerged))


def _own_side(state: State, one: _Declared) -> tuple[str, str]:
    """Side and table of what the attacker takes: the side that faces the target; a leap hurts the legs."""
    if one.blow == LEAP:
        return "front", "kick"
    attacker, there = state.units[one.side], state.units[one.target].position
    assert attacker.position is not None
    assert there is not None
    return str(attack_side(attacker.position, attacker.facing, there)), "normal"


def _depth(state: State, side: str) -> int:
    """Depth of the water a unit stands in; below 1 for none."""
    position = state.units[side].position
    assert position is not None
    return state.board.depths[state.board.index(position)]


def _push(play: Play, start: State, pushes: Sequence[_Declared]) -> None:
    """Who was pushed moves, and the pusher after him; two that push each other stay where they are.

    A push is lost on one who has been driven out of his hex by another attack before.
    """
    pairs = {(one.side, one.target) for one in pushes}
    for one in pushes:
        there = all(play.unit(side).hex == start.units[side].hex for side in (one.side, one.target))
        standing = all(play.unit(side).destroyed is None for side in (one.side, one.target))
        if there and standing and (one.target, one.side) not in pairs:
            push_away(play, one.side, one.target)


def _event(play: Play, one: _Declared, number: TargetNumber) -> events.PhysicalResolved:
    return events.PhysicalResolved(
        turn=play.turn,
        side=one.side,
        target=one.target,
        attack=one.blow.kind,
        limb=one.blow.limb,
        struck_side=number.side,
        table=number.table,
        number=number.value if number.possible else None,
        modifiers=items(number.modifiers),
        impossible=number.reason,
    )
