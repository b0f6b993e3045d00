"""Orders by lot: the house pilot of level 0, who takes any legal orders with equal chance for each part.

It draws from what its side may order and looks at nothing else; nothing is enumerated that is not needed, so
whole fights are quick. What it asks of each part stands in `lot_loading`, `lot_fire` and `lot_movement`.
"""

from __future__ import annotations

from collections.abc import Iterator

from solaris_combat.engines.battletech.ams_orders import launchers
from solaris_combat.engines.battletech.anti_missile import systems
from solaris_combat.engines.battletech.chance import heads, nonce, number, one_of
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.legality import PARTS, unit_after_fire
from solaris_combat.engines.battletech.lot_fire import fire_by_lot
from solaris_combat.engines.battletech.lot_loading import bins_by_lot
from solaris_combat.engines.battletech.lot_movement import movement_by_lot
from solaris_combat.engines.battletech.orders import AmsOn, Fire, Initial, Orders, Recovery, WayOut
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.contract import Question
from solaris_combat.engines.dice import Dice
from solaris_combat.engines.frozen import replace


def orders_by_lot(state: State, side: str, dice: Dice) -> Orders:
    """Any legal orders for what is asked of a side; ValueError if nothing is."""
    wanted = state.wanted
    if wanted is None:
        raise ValueError("nothing is asked")
    parts = PARTS[wanted.kind]
    if "initial" in parts:
        return Orders(wanted.turn, initial=_initial(state, side, dice))
    fire = _fire(state, side, dice) if "fire" in parts else None
    move = None
    if "movement" in parts:
        move = movement_by_lot(state.board, unit_after_fire(state, side, fire), dice)
    return Orders(wanted.turn, fire=fire, movement=move)


def answer_by_lot(question: Question, dice: Dice) -> Orders:
    """Any legal answer: of a side that fell how often it tries to stand up, of one leapt at a way out."""
    if question.kind == "way_out":
        way = one_of(question.options["ways"], dice)
        return Orders(question.turn, answers=(WayOut(Hex.parse(way["hex"])),))
    most = question.options["recovery"]["attempts_at_most"]
    return Orders(question.turn, answers=(Recovery(number(most + 1, dice)),))


def _initial(state: State, side: str, dice: Dice) -> Initial:
    bins = bins_by_lot(state.units[side].design, state.terms, dice)
    usual = heads(dice)
    return Initial(nonce(dice), bins, heads(dice), None if usual else tuple(_systems(state, side, dice)))


def _fire(state: State, side: str, dice: Dice) -> Fire:
    unit = state.units[side]
    able = unit.conscious and not unit.shutdown
    fire = fire_by_lot(state, side, dice) if able else Fire()
    return replace(fire, ams=tuple(_systems(state, side, dice))) if unit.conscious else fire


def _systems(state: State, side: str, dice: Dice) -> Iterator[AmsOn]:
    """Of each anti-missile system whether it is on, and at which enemy's launcher it shoots, if at one."""
    for gear in systems(state.units[side]):
        if heads(dice):
            enemy = one_of((None, *state.foes(side)), dice)
            named = one_of((None, *launchers(state, side, enemy)), dice)
            yield AmsOn(gear.id, named, enemy)
