"""Displacement: a 'Mech is moved out of its hex by another one (BMR, displacement, domino effect).

One hex straight away. Ground that rises too far holds it where it is, and so does the arena's edge; whoever
stands in that hex is moved on in the same direction first, and if he cannot be, nobody is. Down a drop it
falls: onto somebody as an accidental fall from above. Who enters water rolls for it like one that walks in.
Source: BMR displacement, pushes, domino effect; physical.yaml push, charge; movement.yaml displacement_order;
falling.yaml accidental_fall_from_above; psr.yaml. The edge is PROPOSED (tables/physical.toml).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.arrival import arrive
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.fall_from_above import fall_upon
from solaris_combat.engines.battletech.hex import Hex, direction, neighbour, turned
from solaris_combat.engines.battletech.injury import fall
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.tables import table

_FIGURES = table("physical")["displacement"]
RISES_TOO_FAR: int = _FIGURES["blocked_by_levels_up"]
FALLS_DOWN: int = _FIGURES["falls_by_levels_down"]
TO_THE_RIGHT: int = _FIGURES["missed_charge_right_up_to"]
WATER_CAUSES: tuple[str, ...] = tuple(_FIGURES["water_causes"])
ORDER: tuple[int, ...] = tuple(_FIGURES["order"])
DOMINO: str = _FIGURES["domino_cause"]


def can_be_moved(board: Board, start: Hex, goal: Hex) -> bool:
    """Whether the ground lets a 'Mech be moved to a neighbouring hex: on the board and not up a wall."""
    return (
        goal in board
        and board.index(goal) not in board.closed
        and floor(board, goal) - floor(board, start) < RISES_TOO_FAR
    )


def floor(board: Board, where: Hex) -> int:
    """The level a 'Mech stands on in a hex."""
    return board.floors[board.index(where)]


def occupant(play: Play, where: Hex, *but: str) -> str | None:
    """Who stands or lies in a hex, of those in the fight."""
    there = (side for side in play.state.active if side not in but and play.unit(side).hex == where)
    return next(there, None)


def can_be_displaced(play: Play, side: str, way: int, *gone: str) -> bool:
    """Whether a unit can be moved one hex, whoever stands there being moved on; `gone` leave their hexes."""
    start = play.unit(side).hex
    goal = neighbour(start, way)
    if not can_be_moved(play.board, start, goal):
        return False
    other = occupant(play, goal, side, *gone)
    return other is None or can_be_displaced(play, other, way, side, *gone)


def push_away(play: Play, side: str, target: str) -> bool:
    """The target of a push or charge goes one hex straight away, and the attacker into the hex it left."""
    left = play.unit(target).hex
    way = direction(play.unit(side).hex, left)
    if not can_be_displaced(play, target, way, side):
        return False
    displace_along(play, target, way, side)
    follow(play, side, left)
    return True


def follow(play: Play, side: str, goal: Hex, *, jumped: bool = False) -> None:
    """The attacker goes into the hex that his target left, if nobody else is there by now."""
    if play.unit(side).destroyed is None and occupant(play, goal, side) is None:
        displace(play, side, goal, side, rolled=not jumped, drops=not jumped)


def displace_along(play: Play, side: str, way: int, by: str, cause: str = "") -> None:
    """Move a unit one hex in a direction it can be moved in, whoever stands there first (domino effect)."""
    start = play.unit(side).hex
    goal = neighbour(start, way)
    other = occupant(play, goal, side)
    if other is not None and drop(play.board, start, goal) >= FALLS_DOWN and not play.unit(side).prone:
        fall_upon(play, side, other, drop(play.board, start, goal), push_out)
        return
    if other is not None:
        displace_along(play, other, way, side, DOMINO)
    displace(play, side, goal, by, cause=cause)


def drop(board: Board, start: Hex, goal: Hex) -> int:
    """Levels that it goes down from one hex to another; 0 if it does not."""
    return max(floor(board, start) - floor(board, goal), 0)


def charge_past(play: Play, side: str) -> None:
    """Who misses with a charge ends in one of the two hexes beside the target, the higher one, else by lot.

    On a die of 1 to 3 it is the one to the right. If he can go to neither, he stays where he is.
    """
    unit, board = play.unit(side), play.board
    here = unit.hex
    right, left = (neighbour(here, turned(unit.facing, way)) for way in (1, -1))
    ways = sorted(
        (goal for goal in (right, left) if is_free(play, side, goal)), key=lambda goal: -floor(board, goal)
    )
    rolls: events.Rolls = ()
    if len(ways) > 1 and floor(board, right) == floor(board, left):
        rolls = (play.dice.roll(1, 6, "way past the target"),)
        ways = [right if rolls[0].total <= TO_THE_RIGHT else left]
    if ways:
        displace(play, side, ways[0], side, rolls)


def is_free(play: Play, side: str, goal: Hex) -> bool:
    """Whether a unit can be moved to a neighbouring hex in which nobody is."""
    return can_be_moved(play.board, play.unit(side).hex, goal) and occupant(play, goal, side) is None


def ways_out(play: Play, side: str, way: int, *gone: str) -> Iterator[Hex]:
    """Neighbouring hexes to which a unit can go, those in a direction first (displacement order).

    Those in which nobody is; `gone` are sides that leave theirs.
    """
    start = play.unit(side).hex
    for goal in (neighbour(start, turned(way, offset)) for offset in ORDER):
        if can_be_moved(play.board, start, goal) and occupant(play, goal, side, *gone) is None:
            yield goal


def push_out(play: Play, side: str, way: int, by: str, cause: str) -> bool:
    """Move a unit out of its hex, straight away if it can be; False if there is no way out of it at all."""
    free = next(ways_out(play, side, way), None)
    if free is not None:
        displace(play, side, free, by, cause=cause)
        return True
    for offset in ORDER:
        if can_be_displaced(play, side, turned(way, offset)):
            displace_along(play, side, turned(way, offset), by, cause)
            return True
    return False


def displace(
    play: Play,
    side: str,
    goal: Hex,
    by: str,
    rolls: events.Rolls = (),
    *,
    cause: str = "",
    rolled: bool = True,
    drops: bool = True,
) -> None:
    """Move a unit to a hex it can be moved to; a drop lets it fall at once, unless it jumped (not `drops`).

    `cause` of a piloting roll for the displacement itself: water has its own. Not `rolled`: it asks for none.
    """
    unit = play.unit(side)
    start = unit.hex
    down = drop(play.board, start, goal) if drops else 0
    steady = unit.prone or not rolled
    causes: Sequence[str] = [one for one in ("" if steady else water_cause(play.board, goal), cause) if one]
    first, also = [*causes, "", ""][:2]
    play.emit(events.UnitDisplaced(play.turn, side, by, str(start), str(goal), down, first, rolls, also))
    if down >= FALLS_DOWN and not unit.prone:
        fall(play, side, (), down, goal)
    arrive(play, side, goal, lambda: None)


def water_cause(board: Board, where: Hex) -> str:
    """The cause of a roll for entering the water of a hex, or ""."""
    depth = board.depths[board.index(where)]
    return WATER_CAUSES[min(depth, len(WATER_CAUSES)) - 1] if depth > 0 else ""
