"""Where a pilot of level 0 goes: any mode, and any of the hexes and facings in its reach.

Standing still is a mode, and a run may use MASC. Of a mode, each hex with each facing has the same
chance; leaving the 'Mech is one more choice beside so many.
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
STAND, LIE, EJECT = Movement(), "D", Movement("eject")
ENDS = 256
"""About as many ends as the ways of a 'Mech have."""
POSES = len(DIRECTIONS) + 1
"""At the end of a way a 'Mech faces one of six sides, or lies down."""


def movement_by_lot(board: Board, unit: Unit, dice: Dice) -> Movement:
    """Any movement of a unit, and what it does if it falls."""
    if number(ENDS, dice) == 0 and can_eject(unit):
        return EJECT
    allowed = allowance(unit)
    modes = [mode for mode in REACHES if getattr(allowed, mode)]
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
    masc = mode == "run" and masc_works(unit) and heads(dice)
    allowed = with_masc(allowed) if masc else allowed
    reach = REACHES[mode](board, unit, allowed)
    if not reach.size:
        return STAND
    index, facing, mp = reach.nth(number(reach.size, dice))
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
