"""The physical attack phase: what was declared with the fire is resolved once the weapons have done theirs.

Numbers and damage are those of the start of the phase, so both sides strike at once; a 'Mech that fell or
lost the limb to the weapons of the turn does not strike. Pushes and charges move 'Mechs when every blow has
landed. Then come consciousness and piloting rolls. Without a declared attack there is no phase.
Source: turn.yaml phases, end_of_physical_attack; physical.yaml kick, push, charge, resolution_order; R 4.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.arcs import attack_side
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.displacement import charge_past, push_away
from solaris_combat.engines.battletech.falling import damage_groups
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.hit_location import locate
from solaris_combat.engines.battletech.injury import go_through, items, settle_phase
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.physical import (
    Blow,
    PhysicalNumber,
    own_through_water,
    through_water,
)
from solaris_combat.engines.battletech.physical_legality import CHARGE, blow_number, fired_locations
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.to_hit import TargetNumber, impossible, roll_succeeds

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
    landed = [one for one in declared if _resolve(play, start, one)]
    for one in declared:
        if one.blow == CHARGE:
            _charge(play, one, landed=one in landed)
    _push(play, [one for one in landed if one.blow.kind == "push"])
    settle_phase(play)


def _charge(play: Play, one: _Declared, landed: bool) -> None:
    """A charge that hit drives the target out of its hex; one that missed carries on past it."""
    resolved = [event for event in play.events if isinstance(event, events.PhysicalResolved)]
    if any(event.side == one.side and event.impossible for event in resolved):
        return
    if landed:
        push_away(play, one.side, one.target)
    else:
        charge_past(play, one.side)


def _declared(play: Play) -> list[_Declared]:
    volleys = [event for event in play.events if isinstance(event, events.FireDeclared)]
    charging = {v.side for v in volleys for strike in v.physical if strike.attack == CHARGE.kind}
    return [
        _Declared(
            volley.side,
            strike.target,
            Blow(strike.attack, None if strike.limb is None else Location(strike.limb)),
            fired_locations(play.unit(volley.side), (shot.weapon for shot in volley.shots)),
            strike.target in charging,
        )
        for volley in volleys
        for strike in volley.physical
    ]


def _resolve(play: Play, start: State, one: _Declared) -> bool:
    """Roll for one blow and let it land; whether it did. All numbers are those of the start of the phase."""
    found = blow_number(start, one.side, one.target, one.blow, one.fired)
    if one.blow.kind == "push" and one.charged:
        found = PhysicalNumber(impossible("target charges"))
    event = _event(play, one, found.number)
    if not found.number.possible:
        play.emit(event)
        return False
    roll = play.dice.roll(2, 6, "to hit")
    hit = roll_succeeds(found.number.value, roll.total)
    causes = CAUSES["hit" if hit else "miss"]
    depth = _depth(start, one.side)
    points = through_water(found.damage, one.blow, depth) if hit else 0
    own = own_through_water(found.own_damage, depth) if hit else 0
    play.emit(
        replace(
            event,
            hit=hit,
            damage=points,
            own_damage=own,
            target_cause=causes.get(f"{one.blow.kind}_target", ""),
            own_cause=causes.get(f"{one.blow.kind}_own", ""),
            rolls=(roll,),
        )
    )
    groups = damage_groups(points) if one.blow == CHARGE else (points,) * (points > 0)
    _land(play, one.target, found.number.side, found.number.table, groups)
    _land(play, one.side, _side_towards(start, one), "normal", damage_groups(own))
    return hit


def _land(play: Play, side: str, struck_side: str, hit_table: str, groups: tuple[int, ...]) -> None:
    """Each group of points strikes a location by the table."""
    for points in groups:
        hit = locate(struck_side, hit_table, play.dice, ruleset().rules)
        unit = play.unit(side)
        submerged = submerged_locations(unit, _depth(play.state, side))
        go_through(play, take_hit(unit, hit, points, play.dice, submerged))


def _side_towards(state: State, one: _Declared) -> str:
    """The attacker's side that faces the target."""
    attacker, there = state.units[one.side], state.units[one.target].position
    assert attacker.position is not None
    assert there is not None
    return str(attack_side(attacker.position, attacker.facing, there))


def _depth(state: State, side: str) -> int:
    """Depth of the water a unit stands in; below 1 for none."""
    position = state.units[side].position
    assert position is not None
    return state.board.depths[state.board.index(position)]


def _push(play: Play, pushes: list[_Declared]) -> None:
    """Who was pushed moves, and the pusher after him; two that push each other stay where they are."""
    if len(pushes) == 1:
        push_away(play, pushes[0].side, pushes[0].target)


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
