"""Orders by lot: the house pilot of level 0, who takes any legal orders with equal chance for each part.

It draws from what its side may order and looks at nothing else: any twist, of each weapon and target whether
and how it fires, any physical attack on an enemy, any mode of movement, and of all hexes and facings in its
reach one. It enumerates nothing that it does not need, so whole fights are quick. Fire at hexes, clubs and
MASC are left to better pilots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.declaration import declare, number_of
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, distance
from solaris_combat.engines.battletech.legality import PARTS, unit_after_fire
from solaris_combat.engines.battletech.mech import ARMS
from solaris_combat.engines.battletech.movement import Allowance, allowance
from solaris_combat.engines.battletech.orders import (
    Fire,
    Initial,
    Movement,
    Orders,
    Recovery,
    Shot,
    Strike,
    WayOut,
)
from solaris_combat.engines.battletech.physical import Blow
from solaris_combat.engines.battletech.physical_legality import blow_number, fired_locations, offered
from solaris_combat.engines.battletech.reach import Reach, jump_reach, run_reach, walk_reach
from solaris_combat.engines.battletech.reach_way import jump_path, steps_to
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.contract import Question
from solaris_combat.engines.dice import Dice
from solaris_combat.engines.frozen import replace

T = TypeVar("T")
TWISTS = (0, -1, 1)


def orders_by_lot(state: State, side: str, dice: Dice) -> Orders:
    """Any legal orders for what is asked of a side; ValueError if nothing is."""
    wanted = state.wanted
    if wanted is None:
        raise ValueError("nothing is asked")
    parts = PARTS[wanted.kind]
    if "initial" in parts:
        nonce = bytes(face - 1 for face in dice.roll(32, 256, "nonce").faces)
        return Orders(wanted.turn, initial=Initial(nonce))
    fire = _fire(state, side, dice) if "fire" in parts else None
    unit = unit_after_fire(state, side, fire)
    move = _movement(state.board, unit, dice) if "movement" in parts else None
    return Orders(wanted.turn, fire=fire, movement=move)


def answer_by_lot(question: Question, dice: Dice) -> Orders:
    """Any legal answer: of a side that fell how often it tries to stand up, of one leapt at a way out."""
    if question.kind == "way_out":
        way = _one_of(question.options["ways"], dice)
        return Orders(question.turn, answers=(WayOut(Hex.parse(way["hex"])),))
    most = question.options["recovery"]["attempts_at_most"]
    return Orders(question.turn, answers=(Recovery(_number(most + 1, dice)),))


def _number(below: int, dice: Dice) -> int:
    """A number from 0, each with the same chance."""
    if below <= 1:
        return 0
    if below <= 256:
        return dice.roll(1, below, "choice").total - 1
    limit = 65536 - 65536 % below
    while True:
        high, low = dice.roll(2, 256, "choice").faces
        drawn = (high - 1) * 256 + low - 1
        if drawn < limit:
            return drawn % below


def _one_of(things: Sequence[T], dice: Dice) -> T:
    return things[_number(len(things), dice)]


def _fire(state: State, side: str, dice: Dice) -> Fire:
    unit = state.units[side]
    if unit.shutdown or not unit.conscious:
        return Fire()
    twist = 0 if unit.prone else _one_of(TWISTS, dice)
    turned = replace(state, units={**state.units, side: replace(unit, twist=twist)})
    shots = tuple(_shots(turned, side, dice))
    fired = fired_locations(unit, (shot.weapon for shot in shots))
    blows = [
        (foe, blow)
        for foe in _beside(state, side)
        for blow in offered(state, side)
        if blow_number(turned, side, foe, blow, fired).number.possible
    ]
    return Fire(twist, shots, _strikes(blows, dice))


def _shots(state: State, side: str, dice: Dice) -> Iterator[Shot]:
    """Of each weapon whether it fires, at whom and how; a prone 'Mech fires the weapons of one arm only."""
    unit, foes = state.units[side], state.foes(side)
    left = dict(unit.belts)
    arm = None
    for mount in unit.design.mounts:
        barred = unit.prone and mount.location in ARMS and arm not in (None, mount.location)
        if not foes or barred or dice.roll(1, 2, "fire or not").total == 2:
            continue
        weapon = WEAPONS[mount.weapon]
        shot = Shot(mount.id, _one_of(foes, dice), mode=_one_of(("", *weapon.modes), dice))
        belts = dict(left)
        declared = declare(unit, shot, belts)
        fed = not weapon.ammunition or declared.salvos
        if fed and number_of(state, side, declared).possible:
            left = belts
            arm = mount.location if mount.location in ARMS else arm
            yield replace(shot, bin=declared.bin)


def _beside(state: State, side: str) -> list[str]:
    here = state.units[side].hex
    return [foe for foe in state.foes(side) if distance(here, state.units[foe].hex) == 1]


def _strikes(blows: Sequence[tuple[str, Blow]], dice: Dice) -> tuple[Strike, ...]:
    """None, any one of the possible blows, or a punch with each arm."""
    if not blows:
        return ()
    each = [(Strike(blow.kind, foe, blow.limb),) for foe, blow in blows]
    punches = {blow.limb: Strike(blow.kind, foe, blow.limb) for foe, blow in blows if blow.kind == "punch"}
    both = [tuple(punches.values())] if len(punches) > 1 else []
    return _one_of(((), *each, *both), dice)


def _movement(board: Board, unit: Unit, dice: Dice) -> Movement:
    """Any mode of movement, and any of the hexes and facings in its reach; standing still is a mode."""
    allowed = allowance(unit)
    modes = [mode for mode in REACHES if getattr(allowed, mode)]
    mode = _one_of(("stand", *modes), dice)
    if mode == "stand":
        return Movement()
    reach = REACHES[mode](board, unit, allowed)
    size = reach.size
    return _to(unit, mode, reach, _number(size, dice)) if size else Movement()


REACHES: Mapping[str, Callable[[Board, Unit, Allowance], Reach]] = {
    "walk": walk_reach,
    "run": run_reach,
    "jump": jump_reach,
}


def _to(unit: Unit, mode: str, reach: Reach, number: int) -> Movement:
    index, facing, mp = reach.nth(number)
    if mode != "jump":
        return Movement(mode, steps=steps_to(reach, unit, index, facing, mp))
    assert facing in DIRECTIONS
    return Movement(mode, path=jump_path(reach, unit, index, mp), facing=facing)
