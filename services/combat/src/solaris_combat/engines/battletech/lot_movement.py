"""Where a pilot of level 0 goes: any mode, and any of the hexes and facings in its reach.

Standing still is a mode, a run with MASC is another. Of a mode, each hex with each facing has the same
chance, and so has leaving the 'Mech.
Source: R 4.6; BMR, movement, MASC; the rules are those of `movement` and `jumping`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.chance import heads, number, one_of
from solaris_combat.engines.battletech.ejection import can_eject
from solaris_combat.engines.battletech.hex import DIRECTIONS
from solaris_combat.engines.battletech.movement import (
    COST,
    Allowance,
    allowance,
    begin,
    follow,
    stand_up_cost,
    with_masc,
)
from solaris_combat.engines.battletech.myomer import masc_works
from solaris_combat.engines.battletech.orders import Movement, Recovery
from solaris_combat.engines.battletech.reach import Reach, jump_reach, run_reach, walk_reach
from solaris_combat.engines.battletech.reach_way import jump_path, steps_to
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.dice import Dice
from solaris_combat.engines.frozen import replace

REACHES: Mapping[str, Callable[[Board, Unit, Allowance], Reach]] = {
    "walk": walk_reach,
    "run": run_reach,
    "jump": jump_reach,
}
STAND, MASC, LIE, EJECT = Movement(), "masc", "D", Movement("eject")
POSES = len(DIRECTIONS) + 1
"""At the end of a way a 'Mech faces one of six sides, or lies down."""


def movement_by_lot(board: Board, unit: Unit, dice: Dice) -> Movement:
    """Any movement of a unit, and what it does if it falls."""
    allowed = allowance(unit)
    modes = [mode for mode in REACHES if getattr(allowed, mode)]
    if allowed.run and masc_works(unit):
        modes.append(MASC)
    mode = one_of(("stand", *modes), dice)
    if mode == "stand":
        return STAND
    move = _by(mode, board, unit, allowed, dice)
    fallen = move.mode in REACHES and heads(dice)
    return replace(move, if_fallen=Recovery(number(3, dice))) if fallen else move


def _by(mode: str, board: Board, unit: Unit, allowed: Allowance, dice: Dice) -> Movement:
    """A movement in a mode, any of its ends with the same chance."""
    if unit.prone and mode == "walk" and heads(dice):
        return _turn_lying(allowed, dice)
    masc = mode == MASC
    mode, allowed = ("run", with_masc(allowed)) if masc else (mode, allowed)
    reach = REACHES[mode](board, unit, allowed)
    drawn = number(reach.size + can_eject(unit), dice)
    if drawn == reach.size:
        return EJECT if can_eject(unit) else STAND
    index, facing, mp = reach.nth(drawn)
    if mode == "jump":
        return Movement(mode, path=jump_path(reach, unit, index, mp), facing=facing)
    steps = steps_to(reach, unit, index, facing, mp)
    return Movement(mode, _varied(board, unit, allowed, mode, steps, dice), masc=masc)


def _varied(
    board: Board, unit: Unit, allowed: Allowance, mode: str, steps: tuple[str, ...], dice: Dice
) -> tuple[str, ...]:
    """The steps with any number of tries to stand up, and one time in seven with lying down at their end."""
    if number(POSES, dice) == 0:
        lying = (*steps, LIE)
        if follow(board, allowed, begin(board, unit, mode), lying).violation is None:
            steps = lying
    if steps[:1] == ("U",):
        most = (allowed.run if mode == "run" else allowed.walk) // stand_up_cost(allowed)
        steps = ("U",) * number(most, dice) + steps
    return steps


def _turn_lying(allowed: Allowance, dice: Dice) -> Movement:
    """A prone 'Mech that stays down and turns, as far as its MP go."""
    sides = number(min(allowed.walk // COST["facing"], len(DIRECTIONS) // 2), dice) + 1
    return Movement("walk", (one_of(("L", "R"), dice),) * sides)
