"""Displacement: a 'Mech is moved out of its hex by another one (BMR, displacement; physical.yaml push).

One hex straight away. Ground that rises too far holds it where it is, and so does the arena's edge; down a
drop it falls. Who enters water rolls for it like one that walks in.
Source: BMR displacement, pushes; physical.yaml push; psr.yaml. The edge is PROPOSED (tables/physical.toml).
"""

from __future__ import annotations

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex, neighbour, turned
from solaris_combat.engines.battletech.injury import fall
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit

_FIGURES = table("physical")["displacement"]
RISES_TOO_FAR: int = _FIGURES["blocked_by_levels_up"]
FALLS_DOWN: int = _FIGURES["falls_by_levels_down"]
TO_THE_RIGHT: int = _FIGURES["missed_charge_right_up_to"]
WATER_CAUSES: tuple[str, ...] = tuple(_FIGURES["water_causes"])


def can_be_moved(board: Board, start: Hex, goal: Hex) -> bool:
    """Whether a 'Mech can be moved from a hex to its neighbour: on the board and not up a wall."""
    return goal in board and floor(board, goal) - floor(board, start) < RISES_TOO_FAR


def floor(board: Board, where: Hex) -> int:
    """The level a 'Mech stands on in a hex."""
    return board.floors[board.index(where)]


def push_away(play: Play, side: str, target: str) -> None:
    """The target of a push or charge goes one hex straight away, and the attacker into the hex it left."""
    left = _place(play.unit(target))
    goal = neighbour(left, play.unit(side).facing)
    if not can_be_moved(play.board, left, goal):
        return
    displace(play, target, goal, side)
    displace(play, side, left, side)


def charge_past(play: Play, side: str) -> None:
    """Who misses with a charge ends in one of the two hexes beside the target, the higher one, else by lot.

    On a die of 1 to 3 it is the one to the right. If he can go to neither, he stays where he is.
    """
    unit, board = play.unit(side), play.board
    here = _place(unit)
    right, left = (neighbour(here, turned(unit.facing, way)) for way in (1, -1))
    ways = sorted(
        (goal for goal in (right, left) if can_be_moved(board, here, goal)),
        key=lambda goal: -floor(board, goal),
    )
    rolls: events.Rolls = ()
    if len(ways) > 1 and floor(board, right) == floor(board, left):
        rolls = (play.dice.roll(1, 6, "way past the target"),)
        ways = [right if rolls[0].total <= TO_THE_RIGHT else left]
    if ways:
        displace(play, side, ways[0], side, rolls)


def displace(play: Play, side: str, goal: Hex, by: str, rolls: events.Rolls = ()) -> None:
    """Move a unit to a hex it can be moved to; a drop lets it fall at once."""
    unit = play.unit(side)
    start = _place(unit)
    down = floor(play.board, start) - floor(play.board, goal)
    cause = "" if unit.prone else water_cause(play.board, goal)
    play.emit(events.UnitDisplaced(play.turn, side, by, str(start), str(goal), max(down, 0), cause, rolls))
    if down >= FALLS_DOWN and not unit.prone:
        fall(play, side, (), down, goal)


def water_cause(board: Board, where: Hex) -> str:
    """The cause of a roll for entering the water of a hex, or ""."""
    depth = board.depths[board.index(where)]
    return WATER_CAUSES[min(depth, len(WATER_CAUSES)) - 1] if depth > 0 else ""


def _place(unit: Unit) -> Hex:
    assert unit.position is not None
    return unit.position
