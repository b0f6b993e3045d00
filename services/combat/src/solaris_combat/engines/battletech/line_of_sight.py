"""Line of sight: does it exist, which woods lie on it, who has partial cover.

Levels: a standing 'Mech reaches one level above what it stands on, a prone one none. A hex between both ends
is judged against a limit: the higher of both 'Mechs, or the one it is adjacent to. Units never block.
Source: BMRr line of sight; los.yaml, whose row numbers (L1 ...) the functions name.
"""

from functools import lru_cache
from typing import NamedTuple

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.ray import BY_BOTH, BY_END, BY_STARTS, Ray, ray_of_offset
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.frozen import replace

_FIGURES = table("line_of_sight")
STANDING_HEIGHT: int = _FIGURES["standing_height"]
PRONE_HEIGHT: int = _FIGURES["prone_height"]
WOODS_LIMIT: int = _FIGURES["woods_limit"]
PARTIAL_COVER: int = _FIGURES["partial_cover"]
LIGHT_WOODS: int = _FIGURES["light_woods"]
HEAVY_WOODS: int = _FIGURES["heavy_woods"]


_HEAVY, _SMOKE = 8, 16
_MANY = 0xFF
_COUNTED = (0, 1, 1 << _HEAVY, (1 << _HEAVY) + (1 << _SMOKE))
"""Woods of a board (none, light, heavy, smoke) as counts of light, heavy and smoke in one integer."""


class LineOfSight(NamedTuple):
    """A line of sight. `blocked_by` is "" while it exists, else "terrain", "woods" or "water".

    Counts are of woods hexes between both ends, smoke among the heavy ones; of a blocked line they are not
    complete. `attacker_cover` forbids the attacker's leg weapons (L12).
    """

    blocked_by: str = ""
    light_woods: int = 0
    heavy_woods: int = 0
    target_cover: bool = False
    attacker_cover: bool = False
    smoke: int = 0

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
_BY_WOODS = LineOfSight("woods")
_BY_WATER = LineOfSight("water")


class _Ends(NamedTuple):
    """The level that limits the view for each place on the line, and who can have cover by what top."""

    limits: tuple[int, int, int, int]
    target_covered_at: int | None
    attacker_covered_at: int | None


def line_of_sight(
    board: Board, attacker: Hex, target: Hex, attacker_prone: bool = False, target_prone: bool = False
) -> LineOfSight:
    """The line between two 'Mechs on different hexes of the board (los.yaml L1 to L22)."""
    stride, cells = board.stride, board.cells
    (col, row), (to_col, to_row) = attacker, target
    way = ray_of_offset(stride, col & 1, to_col - col, to_row - row)
    start = row * stride + col
    here, there = cells[start], cells[to_row * stride + to_col]
    a = here.floor + (PRONE_HEIGHT if attacker_prone else STANDING_HEIGHT)
    t = there.floor + (PRONE_HEIGHT if target_prone else STANDING_HEIGHT)
    if board.houses and _both_inside(board, start, to_row * stride + to_col):
        return line_of_sight(_without_house(board, start), attacker, target, attacker_prone, target_prone)
    if here.depth > 0 or there.depth > 0:
        a_under, t_under = a < here.level, t < there.level
        if a_under or t_under:
            both_wet = here.depth > 0 and there.depth > 0
            return _under_water(board, start, a, t, way) if both_wet else _BY_WATER
    lower = a if a < t else t
    for offset in way.between:
        if cells[start + offset][0] >= lower:
            covered = t if a <= t and not target_prone else None, a if a >= t and not attacker_prone else None
            return _over_land(board, start, way, _Ends((t if a < t else a, a, t, lower), *covered))
    return OPEN


def _both_inside(board: Board, start: int, end: int) -> bool:
    """Whether both ends are inside the same building, not on its roof (L23)."""
    indoors = all(board.cells[at].floor < board.cells[at].top for at in (start, end))
    return indoors and end in board.house(start)


@lru_cache(maxsize=64)
def _without_house(board: Board, index: int) -> Board:
    """The board as those inside a building see it: its own hexes hide nothing (L23)."""
    cells = list(board.cells)
    for at in board.house(index):
        cells[at] = cells[at]._replace(peak=cells[at].level, top=cells[at].level)
    return replace(board, cells=tuple(cells), houses={})


def _over_land(board: Board, start: int, way: Ray, ends: _Ends) -> LineOfSight:
    """The line over all hexes between; those lower than both ends cannot do anything to it."""
    limits, target_at, attacker_at = ends
    cells, lower = board.cells, limits[BY_BOTH]
    woods_seen = 0
    target_cover = attacker_cover = False
    for offset, place in way.near:
        peak, top, canopy, woods, *_ = cells[start + offset]
        if peak < lower:
            continue
        limit = limits[place]
        if top > limit:
            return _BY_TERRAIN
        if canopy > limit:
            woods_seen += _COUNTED[woods]
        target_cover |= top == target_at and place >= BY_END
        attacker_cover |= top == attacker_at and place in BY_STARTS
    los = _open(woods_seen, target_cover, attacker_cover)
    return _beside(board, start, way, ends, los) if way.pairs else los


def _beside(board: Board, start: int, way: Ray, ends: _Ends, los: LineOfSight) -> LineOfSight:
    """A divided line with the worse hex of each pair (L15).

    Nothing is worse for the attacker than no line at all: where the woods of some choice block it, it is
    blocked, and so it is from both ends.
    """
    woods = _density(los)
    for left, right in way.pairs:
        one = _effect(board, start + left[0], left[1], ends)
        other = _effect(board, start + right[0], right[1], ends)
        woods += max(_density(one), _density(other))
        los = _sum(los, one if _badness(one) > _badness(other) else other)
    return los if los.blocked_by or woods <= WOODS_LIMIT else _BY_WOODS


def _density(effect: LineOfSight) -> int:
    """What woods count for when a line may be blocked (L7)."""
    return effect.light_woods + 2 * effect.heavy_woods


def _open(woods: int, target_cover: bool, attacker_cover: bool) -> LineOfSight:
    """The line with these woods (summed up from _COUNTED) and covers on it; too many woods block it (L7)."""
    if not (woods or target_cover or attacker_cover):
        return OPEN
    light, heavy = woods & _MANY, woods >> _HEAVY & _MANY
    if light + 2 * heavy > WOODS_LIMIT:
        return _BY_WOODS
    return LineOfSight("", light, heavy, target_cover, attacker_cover, woods >> _SMOKE)


def _effect(board: Board, index: int, place: int, ends: _Ends) -> LineOfSight:
    """What one hex beside a divided line does to it (L1 to L6, L11, L12), as if it were on it."""
    limit, cell = ends.limits[place], board.cells[index]
    if cell.top > limit:
        return _BY_TERRAIN
    woods = _COUNTED[cell.woods] if cell.canopy > limit else 0
    target_cover = place >= BY_END and cell.top == ends.target_covered_at
    attacker_cover = place in BY_STARTS and cell.top == ends.attacker_covered_at
    return _open(woods, target_cover, attacker_cover)


def _sum(los: LineOfSight, effect: LineOfSight) -> LineOfSight:
    """The line with one effect more."""
    if los.blocked_by or effect.blocked_by:
        return los if los.blocked_by else effect
    woods = sum(
        (one.smoke << _SMOKE) + (one.heavy_woods << _HEAVY) + one.light_woods for one in (los, effect)
    )
    target_cover = los.target_cover or effect.target_cover
    return _open(woods, target_cover, los.attacker_cover or effect.attacker_cover)


def _badness(effect: LineOfSight) -> tuple[bool, int, bool]:
    """How bad a hex is for the attacker: blocked, else by its modifiers."""
    return (not effect.possible, sum(value for _, value in effect.modifiers), effect.attacker_cover)


def _under_water(board: Board, start: int, a: int, t: int, way: Ray) -> LineOfSight:
    """A line with an end under water: every hex between needs water, its bottom not above both (L17)."""
    limits = (max(a, t), a, t, min(a, t))
    for offset, place in (*way.near, *(one for pair in way.pairs for one in pair)):
        cell = board.cells[start + offset]
        if cell.depth < 1 or cell.floor > limits[place]:
            return _BY_WATER
    return OPEN
