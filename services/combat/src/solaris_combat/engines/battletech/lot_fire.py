"""What a pilot of level 0 fires: any pose, of each weapon whether, at what and how it fires, and any blow.

Each question is drawn for itself: does the weapon fire, at an enemy, at a hex or into the air, fed from which
bin, in which mode. A draw that cannot hit is no shot; of hexes a few are tried.
Source: R 4.6; BMR, weapon and physical attacks; D (fire at hexes, clubs); the rules are those of `legality`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from solaris_combat.engines.battletech.ammunition import usable_bins
from solaris_combat.engines.battletech.blows_at_ground import blows_at
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.chance import heads, number, one_of
from solaris_combat.engines.battletech.club_search import clubs_here
from solaris_combat.engines.battletech.declaration import declare, number_of, posed, spotters
from solaris_combat.engines.battletech.firing_modes import modes_of
from solaris_combat.engines.battletech.ground_target import hex_intents
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.indirect_fire import FAMILY
from solaris_combat.engines.battletech.mech import ARMS, Location, WeaponMount, can_flip_arms
from solaris_combat.engines.battletech.munitions import Belt, family
from solaris_combat.engines.battletech.orders import Fire, Shot, Strike
from solaris_combat.engines.battletech.physical_legality import blow_number, fired_locations, offered
from solaris_combat.engines.battletech.shooting import rounds_of
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import aims_by_computer, cannot_fire
from solaris_combat.engines.battletech.unit import Unit, can_twist, immobile
from solaris_combat.engines.battletech.weapons import WEAPONS, Weapon
from solaris_combat.engines.dice import Dice
from solaris_combat.engines.frozen import replace

TWISTS = (0, -1, 1)
AIMS: tuple[Location | None, ...] = (None, *Location)
TRIES = 4
"""Hexes that are drawn for a shot before it is left out."""
Ground = Sequence[tuple[Hex, tuple[str, ...]]]


def fire_by_lot(state: State, side: str, dice: Dice) -> Fire:
    """Pose, shots and blows, or a club to look for, of a unit that can act."""
    unit = state.units[side]
    twist = one_of(TWISTS, dice) if can_twist(unit) else 0
    flipped = not unit.prone and can_flip_arms(unit.design) and heads(dice)
    fire = Fire(twist, flip_arms=flipped)
    club = one_of(("", *clubs_here(state, side)), dice)
    if club:
        return replace(fire, pick_up=club)
    turned = replace(state, units={**state.units, side: posed(unit, fire)})
    shots = tuple(_shots(turned, side, dice))
    return replace(fire, shots=shots, physical=_blows(turned, side, shots, dice))


def _shots(state: State, side: str, dice: Dice) -> Iterator[Shot]:
    """Of each weapon whether and how it fires; a prone 'Mech fires the weapons of one arm only."""
    unit = state.units[side]
    left = dict(unit.belts)
    arm = None
    for mount in unit.design.mounts:
        barred = unit.prone and mount.location in ARMS and arm not in (None, mount.location)
        if barred or heads(dice) or cannot_fire(unit, mount):
            continue
        shot = _shot(state, side, mount, left, dice)
        if shot is not None:
            arm = mount.location if mount.location in ARMS else arm
            yield shot


def _shot(state: State, side: str, mount: WeaponMount, left: dict[str, Belt], dice: Dice) -> Shot | None:
    """A shot with this weapon that can hit what was drawn; its rounds are taken from what is `left`."""
    unit, weapon = state.units[side], WEAPONS[mount.weapon]
    fed = _fed(unit, weapon, mount, left, state.terms.fight_class, dice)
    for shot in _goals(state, side, weapon, fed, dice):
        belts = dict(left)
        declared = declare(unit, shot, belts)
        if weapon.ammunition and not declared.salvos:
            return None
        if number_of(state, side, declared).possible:
            left.update(belts)
            return replace(shot, bin=declared.bin)
    return None


def _fed(
    unit: Unit, weapon: Weapon, mount: WeaponMount, left: Mapping[str, Belt], fight_class: int, dice: Dice
) -> Shot:
    """A shot at nothing yet: any way of firing, from any bin."""
    mode = one_of(("", *modes_of(weapon, fight_class)), dice)
    if not weapon.ammunition:
        return Shot(mount.id, "", mode=mode)
    bins = (None, *(ammo.id for ammo in usable_bins(unit, weapon.ammunition) if left[ammo.id]))
    second = one_of(bins, dice) if rounds_of(mode) > 1 else None
    return Shot(mount.id, "", one_of(bins, dice), mode=mode, second_bin=second)


def _goals(state: State, side: str, weapon: Weapon, shot: Shot, dice: Dice) -> Iterator[Shot]:
    """The shot at what is drawn for it: an enemy, else a hex (several, one after the other), else the air."""
    foes = state.foes(side)
    if foes and heads(dice):
        yield _at_enemy(state, side, weapon, replace(shot, target=one_of(foes, dice)), dice)
    elif heads(dice):
        yield from _at_hexes(state, side, weapon, shot, dice)
    elif heads(dice):
        yield shot
    else:
        yield replace(shot, hex=_any_hex(state.board, dice), intent="ground")


def _at_enemy(state: State, side: str, weapon: Weapon, shot: Shot, dice: Dice) -> Shot:
    """Aimed or not, with the computer or not, seen by a friend or not, as far as it may be."""
    unit, target = state.units[side], state.units[shot.target]
    if aims_by_computer(unit, weapon) and heads(dice):
        shot = replace(shot, computer=True, aim=one_of(AIMS, dice))
    elif immobile(target):
        shot = replace(shot, aim=one_of(AIMS, dice))
    if len(state.units) == 2 or shot.aim or family(weapon.ammunition) != FAMILY:
        return shot
    friends = spotters(state, side, declare(unit, shot, dict(unit.belts)))
    return replace(shot, spotter=one_of(friends, dice)) if friends else shot


def _at_hexes(state: State, side: str, weapon: Weapon, shot: Shot, dice: Dice) -> Iterator[Shot]:
    """Hexes within range for what may be done to them."""
    ground, here = tuple(hex_intents(state)), state.units[side].hex
    for _ in range(TRIES if ground else 0):
        where, intents = one_of(ground, dice)
        if 0 < distance(here, where) <= weapon.long:
            yield replace(shot, hex=where, intent=one_of(intents, dice))


def _any_hex(board: Board, dice: Dice) -> Hex:
    return Hex(1 + number(board.width, dice), 1 + number(board.height, dice))


def _blows(state: State, side: str, shots: Sequence[Shot], dice: Dice) -> tuple[Strike, ...]:
    """None, any one of the possible blows at an enemy or a thing beside it, or a punch with each arm."""
    fired = fired_locations(state.units[side], (shot.weapon for shot in shots))
    strikes = [*_at_foes(state, side, fired), *_at_things(state, side, fired)]
    if not strikes:
        return ()
    punches = {strike.limb: strike for strike in strikes if strike.attack == "punch"}
    both = [tuple(punches.values())] if len(punches) > 1 else []
    return one_of(((), *((strike,) for strike in strikes), *both), dice)


def _at_foes(state: State, side: str, fired: frozenset[Location]) -> Iterator[Strike]:
    here = state.units[side].hex
    for foe in state.foes(side):
        if distance(here, state.units[foe].hex) == 1:
            for blow in offered(state, side):
                if blow_number(state, side, foe, blow, fired).number.possible:
                    yield Strike(blow.kind, foe, blow.limb)


def _at_things(state: State, side: str, fired: frozenset[Location]) -> Iterator[Strike]:
    for where, blow in blows_at(state, side, fired):
        yield Strike(blow.kind, str(where), blow.limb)
