"""The weapon fire phase: everything is declared, then resolved as if at once (turn.yaml simultaneity).

Numbers to hit are those of the moment of declaration; rounds are spent when declared; a unit destroyed by an
earlier shot of the phase still fires, and a weapon hit in the phase still does. Then come the damage check,
consciousness and piloting rolls of the phase.
Source: BMR weapon attacks; turn.yaml declaration, simultaneity.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solaris_combat.engines.battletech import events, fire_events, inferno
from solaris_combat.engines.battletech.burning import miss_in_woods, set_alight
from solaris_combat.engines.battletech.club_search import seek_clubs
from solaris_combat.engines.battletech.declaration import (
    declared_shots,
    hits_nothing,
    number_of,
    target_of,
    weapon_fired,
)
from solaris_combat.engines.battletech.ground_target import with_inferno
from solaris_combat.engines.battletech.guidance import BONUS, guide
from solaris_combat.engines.battletech.hex_fire import fire_at_hex, fire_at_nothing
from solaris_combat.engines.battletech.impact import land
from solaris_combat.engines.battletech.injury import settle_phase
from solaris_combat.engines.battletech.mech import mount
from solaris_combat.engines.battletech.mishap import at_the_gun
from solaris_combat.engines.battletech.missile_defence import Guards, Salvo, aim_systems, shoot
from solaris_combat.engines.battletech.orders import Fire, Orders
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.shooting import Shot, fire, thinned
from solaris_combat.engines.battletech.shot_events import resolved, shot_event
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import TargetNumber, impossible
from solaris_combat.engines.battletech.turret_fire import fire_turrets
from solaris_combat.engines.battletech.unit import can_twist
from solaris_combat.engines.battletech.walls_passed import miss_in_building
from solaris_combat.engines.battletech.weapons import WEAPONS, Weapon
from solaris_combat.engines.frozen import replace

NO_AMMUNITION = "no ammunition"
SPOTTER_ATTACKS = "spotter attacks"


def play_weapon_fire(play: Play, orders: Mapping[str, Orders]) -> None:
    """Declare, resolve, and make the rolls at the end of the phase."""
    play.emit(events.PhaseBegan(play.turn, "weapon_fire"))
    for side in play.state.active:
        play.emit(_declaration(play.state, side, orders[side].fire or Fire()))
    seek_clubs(play, orders)
    declared = play.state
    shots = [event for event in play.events if isinstance(event, events.FireDeclared)]
    volleys = shots[-len(declared.active) :]
    attacking = frozenset(volley.side for volley in volleys if volley.shots or volley.physical)
    phase = _Phase(declared, aim_systems(play, declared, volleys), attacking)
    for volley in volleys:
        for shot in volley.shots:
            _resolve(play, phase, volley, shot)
    fire_turrets(play, declared)
    settle_phase(play)


@dataclass(frozen=True, slots=True)
class _Phase:
    """What holds for every shot of the phase: the state when all was declared, the anti-missile systems aimed
    at salvoes, and the sides that attack at all and so spot for nobody."""

    declared: State
    guards: Guards
    attacking: frozenset[str]


def _declaration(state: State, side: str, ordered: Fire) -> events.FireDeclared:
    """What a side fires, with the bin that feeds each weapon; a 'Mech out of action fires nothing."""
    unit = state.units[side]
    if unit.shutdown or not unit.conscious:
        return events.FireDeclared(state.turn, side, 0, ())
    twist = ordered.twist if can_twist(unit) else 0
    strikes = tuple(events.DeclaredStrike(s.attack, s.limb, s.target) for s in ordered.physical)
    shots = tuple(declared_shots(unit, ordered.shots))
    flipped = ordered.flip_arms and not unit.prone
    return events.FireDeclared(state.turn, side, twist, shots, strikes, flipped)


def _resolve(play: Play, phase: _Phase, volley: events.FireDeclared, shot: events.DeclaredShot) -> None:
    """Roll for one shot and let its hits take effect one after the other."""
    declared, side = phase.declared, volley.side
    weapon = weapon_fired(declared.units[side], shot)
    if hits_nothing(shot):
        fire_at_nothing(play, declared, side, shot, weapon)
        return
    number = _number(phase, volley, shot)
    if shot.hex:
        fire_at_hex(play, declared, side, shot, weapon, number)
        return
    event = shot_event(declared, side, shot, number)
    if not number.possible:
        play.emit(event)
        return
    launcher = mount(declared.units[side].design, shot.weapon)
    guided = guide(declared, side, shot.target, launcher, shot.salvos, direct=shot.spotter is None)
    result = fire(number, weapon, play.dice, ruleset().rules, BONUS[guided], shot.mode, shot.salvos)
    defended = _shot_at(play, phase.guards, (side, shot.weapon), result)
    down = sum(one.shot_down for one in defended)
    result = thinned(result, weapon, down)
    event = replace(resolved(event, result, weapon, guided), shot_down=down)
    play.emit(event)
    for one in defended:
        play.emit(one)
    _follow(play, event, weapon, result)
    if not result.hit:
        miss_in_woods(play, side, shot.target, weapon)
        miss_in_building(play, shot.target, weapon)
    land(play, event, number)
    if with_inferno(shot.salvos):
        _burn(play, shot.target, result)


def _number(phase: _Phase, volley: events.FireDeclared, shot: events.DeclaredShot) -> TargetNumber:
    """What the shot needs, if it has the ammunition, and whoever spots for it does not attack."""
    if (
        WEAPONS[mount(phase.declared.units[volley.side].design, shot.weapon).weapon].ammunition
        and not shot.bin
    ):
        return impossible(NO_AMMUNITION)
    if shot.spotter in phase.attacking:
        return impossible(SPOTTER_ATTACKS)
    return number_of(phase.declared, volley.side, shot, tuple(filter(None, map(target_of, volley.shots))))


def _shot_at(play: Play, guards: Guards, salvo: Salvo, result: Shot) -> list[fire_events.AmsFired]:
    """What the systems aimed at a salvo do: hit or miss, but not if it was never launched (D)."""
    return shoot(play, guards.get(salvo, ()), salvo, result.missiles or 0) if result.spent else []


def _burn(play: Play, target: str, result: Shot) -> None:
    """Inferno at a unit: missiles that hit stick, its hex burns hit or miss, unless all were shot down."""
    if result.hit and not result.missiles_left:
        return
    unit = play.unit(target)
    if result.missiles_left:
        until = inferno.burns_until(play.turn, result.missiles_left, unit.inferno_until)
        play.emit(fire_events.InfernoStuck(play.turn, target, result.missiles_left, until))
    set_alight(play, play.board.index(unit.hex), "inferno", inferno=True)


def _follow(play: Play, event: events.ShotResolved, weapon: Weapon, result: Shot) -> None:
    """What a shot does besides damage: a gun that jams or bursts, feedback, a beacon that sticks."""
    at_the_gun(play, event, result)
    if weapon.kind == "beacon" and result.hit and result.missiles_left:
        play.emit(fire_events.BeaconAttached(play.turn, event.target, event.side, event.weapon))
