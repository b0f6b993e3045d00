"""Line of sight: does it exist, which woods lie on it, who has partial cover.

Levels: a standing 'Mech reaches one level above what it stands on, a prone one none. A hex between both ends
is judged against a limit: the higher of both 'Mechs, or the one it is adjacent to. Units never block.
Source: BMRr line of sight; los.yaml, whose row numbers (L1 ...) the functions name.
"""

from functools import cache
from typing import NamedTuple

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex, Line, distance, line_of_offset
from solaris_combat.engines.battletech.tables import table

_FIGURES = table("line_of_sight")
STANDING_HEIGHT: int = _FIGURES["standing_height"]
PRONE_HEIGHT: int = _FIGURES["prone_height"]
WOODS_LIMIT: int = _FIGURES["woods_limit"]
PARTIAL_COVER: int = _FIGURES["partial_cover"]
LIGHT_WOODS: int = _FIGURES["light_woods"]
HEAVY_WOODS: int = _FIGURES["heavy_woods"]

_BETWEEN, _BY_ATTACKER, _BY_TARGET, _BY_BOTH = range(4)

_Places = tuple[tuple[int, int], ...]
_Pairs = tuple[tuple[tuple[int, int], tuple[int, int]], ...]


class LineOfSight(NamedTuple):
    """A line of sight. `blocked_by` is "" while it exists, else "terrain", "woods" or "water".

    Counts are of woods hexes between both ends; of a blocked line they are not complete. `attacker_cover`
    forbids the attacker's leg weapons (L12).
    """

    blocked_by: str = ""
    light_woods: int = 0
    heavy_woods: int = 0
    target_cover: bool = False
    attacker_cover: bool = False

    @property
    def possible(self) -> bool:
        """Whether there is a line of sight."""
        return not self.blocked_by

    @property
    def modifiers(self) -> tuple[tuple[str, int], ...]:
        """The terrain modifiers of the line that are not 0, by reason (to_hit.yaml terrain)."""
        every = (
            ("intervening_light_woods", LIGHT_WOODS * self.light_woods),
            ("intervening_heavy_woods", HEAVY_WOODS * self.heavy_woods),
            ("partial_cover", PARTIAL_COVER * self.target_cover),
        )
        return tuple(modifier for modifier in every if modifier[1])


OPEN = LineOfSight()
_BY_TERRAIN = LineOfSight("terrain")
_BY_WATER = LineOfSight("water")


class _Ends(NamedTuple):
    """Levels of both ends, the limit for each place on the line, and who can have cover."""

    attacker: int
    target: int
    limits: tuple[int, int, int, int]
    target_covered_at: int | None
    attacker_covered_at: int | None


def line_of_sight(
    board: Board, attacker: Hex, target: Hex, attacker_prone: bool = False, target_prone: bool = False
) -> LineOfSight:
    """The line between two 'Mechs on different hexes of the board (los.yaml L1 to L22)."""
    start, end = board.index(attacker), board.index(target)
    a = board.floors[start] + (PRONE_HEIGHT if attacker_prone else STANDING_HEIGHT)
    t = board.floors[end] + (PRONE_HEIGHT if target_prone else STANDING_HEIGHT)
    dcol, drow = target.col - attacker.col, target.row - attacker.row
    near, pairs = _places(board.stride, attacker.col % 2, dcol, drow)
    if board.depths[start] > 0 or board.depths[end] > 0:
        a_under, t_under = a < board.levels[start], t < board.levels[end]
        if a_under or t_under:
            both_wet = board.depths[start] > 0 and board.depths[end] > 0
            return _under_water(board, start, a, t, (*near, *_flat(pairs))) if both_wet else _BY_WATER
    ends = _Ends(
        a,
        t,
        (max(a, t), a, t, min(a, t)),
        t if a <= t and not target_prone else None,
        a if a >= t and not attacker_prone else None,
    )
    return _over_land(board, start, near, pairs, ends)


def _over_land(board: Board, start: int, near: _Places, pairs: _Pairs, ends: _Ends) -> LineOfSight:
    """The line over all hexes between; those lower than both ends cannot do anything to it."""
    los, peaks, lower = OPEN, board.peaks, ends.limits[_BY_BOTH]
    for offset, place in near:
        if peaks[start + offset] >= lower:
            los = _sum(los, _effect(board, start + offset, place, ends))
            if los.blocked_by:
                return los
    for left, right in pairs:
        los = _sum(los, _worse(board, start, left, right, ends))
        if los.blocked_by:
            return los
    return los


def _effect(board: Board, index: int, place: int, ends: _Ends) -> LineOfSight:
    """What one hex between both ends does to the line (L1 to L6, L11, L12); OPEN itself if nothing."""
    limit = ends.limits[place]
    top = board.tops[index]
    if top > limit:
        return _BY_TERRAIN
    woods = board.woods[index] if board.canopies[index] > limit else 0
    target_cover = place >= _BY_TARGET and top == ends.target_covered_at
    attacker_cover = place % 2 == 1 and top == ends.attacker_covered_at
    if not (woods or target_cover or attacker_cover):
        return OPEN
    return LineOfSight("", int(woods == 1), int(woods == 2), target_cover, attacker_cover)


def _sum(los: LineOfSight, effect: LineOfSight) -> LineOfSight:
    """The line with one hex more; too many woods block it (L7)."""
    if effect is OPEN or effect.blocked_by:
        return los if effect is OPEN else effect
    light, heavy = los.light_woods + effect.light_woods, los.heavy_woods + effect.heavy_woods
    return LineOfSight(
        "woods" if light + 2 * heavy > WOODS_LIMIT else "",
        light,
        heavy,
        los.target_cover or effect.target_cover,
        los.attacker_cover or effect.attacker_cover,
    )


def _worse(
    board: Board, start: int, left: tuple[int, int], right: tuple[int, int], ends: _Ends
) -> LineOfSight:
    """The hex of a pair that is worse for the attacker: blocked, else the higher modifier (L15)."""
    one = _effect(board, start + left[0], left[1], ends)
    other = _effect(board, start + right[0], right[1], ends)
    return one if _badness(one) > _badness(other) else other


def _badness(effect: LineOfSight) -> tuple[bool, int, bool]:
    return (not effect.possible, sum(value for _, value in effect.modifiers), effect.attacker_cover)


def _under_water(board: Board, start: int, a: int, t: int, places: _Places) -> LineOfSight:
    """A line with an end under water: every hex between needs water, its bottom not above both (L17)."""
    limits = (max(a, t), a, t, min(a, t))
    for offset, place in places:
        index = start + offset
        if board.depths[index] < 1 or board.floors[index] > limits[place]:
            return _BY_WATER
    return OPEN


def _flat(pairs: _Pairs) -> _Places:
    return tuple(place for pair in pairs for place in pair)


@cache
def _places(stride: int, parity: int, dcol: int, drow: int) -> tuple[_Places, _Pairs]:
    """The line of this difference as (index difference, place) of its hexes and of its pairs."""
    line: Line = line_of_offset(parity, dcol, drow)
    start, end = Hex(parity, 0), Hex(parity + dcol, drow)

    def place(offset: tuple[int, int]) -> tuple[int, int]:
        here = Hex(parity + offset[0], offset[1])
        kind = (distance(start, here) == 1) + 2 * (distance(here, end) == 1)
        return offset[1] * stride + offset[0], kind

    near = tuple(place(offset) for offset in line.near)
    return near, tuple((place(left), place(right)) for left, right in line.pairs)
