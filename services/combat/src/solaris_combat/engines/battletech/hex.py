"""Hex geometry of the printed maps: numbers, directions, distance, bearings and lines.

Columns and rows are counted from 1 as printed ("0507"); even columns sit half a hex lower. Directions and
facings are 0..5 here, 0 = north, clockwise; people and public JSON use 1..6 (`league_facing`). All geometry
is exact integer arithmetic: bearings are compared by cross products, never by degrees.

Source: BMR "Maps"; rules/battletech/boards-format.md section 2 and los.yaml (distance, divided_line_test).
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

DIRECTIONS = range(6)
_STEPS_ODD = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_STEPS_EVEN = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
_HALF_AXES = ((0, -2), (1, -3), (1, -1), (1, 0), (1, 1), (1, 3))  # 0, 30, 60 ... 150 degrees, as `_offset`


class Hex(NamedTuple):
    """A hex by its printed column and row, both counted from 1; ``str`` gives the printed number.

    Counts below 1 lie off every board; they print without a leading zero.
    """

    col: int
    row: int

    @classmethod
    def parse(cls, number: str) -> "Hex":
        """The hex with a printed number of four digits; ValueError for anything else."""
        return _parsed(number)

    def __str__(self) -> str:
        col, row = self
        if col > 0 and row > 0:
            return f"{col:02d}{row:02d}"
        return "".join(f"{n:02d}" if n > 0 else str(n) for n in self)


@lru_cache(maxsize=10_000)
def _parsed(number: str) -> Hex:
    """See `Hex.parse`."""
    if not (len(number) == 4 and number.isascii() and number.isdigit()):
        raise ValueError(f"not a hex number: {number!r}")
    return Hex(int(number[:2]), int(number[2:]))


def league_facing(facing: int) -> int:
    """The number 1..6 that players use for an internal facing 0..5."""
    return facing + 1


def internal_facing(number: int) -> int:
    """The internal facing 0..5 for the number 1..6 that players use; ValueError outside."""
    if not 1 <= number <= 6:
        raise ValueError(f"not a facing of 1 to 6: {number}")
    return number - 1


def turned(facing: int, hexsides: int) -> int:
    """A facing after turning some hexsides clockwise (negative: counter-clockwise)."""
    return (facing + hexsides) % 6


def steps(col: int) -> tuple[tuple[int, int], ...]:
    """Column and row differences to the six neighbours of a hex in this column, by direction."""
    return _STEPS_ODD if col % 2 else _STEPS_EVEN


def neighbour(hex_: Hex, direction: int) -> Hex:
    """The adjacent hex in a direction (it may lie off the board)."""
    dcol, drow = steps(hex_.col)[direction]
    return Hex(hex_.col + dcol, hex_.row + drow)


def neighbours(hex_: Hex) -> tuple[Hex, ...]:
    """The six adjacent hexes by direction."""
    return tuple(Hex(hex_.col + dcol, hex_.row + drow) for dcol, drow in steps(hex_.col))


def distance(a: Hex, b: Hex) -> int:
    """Hexes from a to b; adjacent hexes are at distance 1 (los.yaml: distance)."""
    dq = b.col - a.col
    dr = (b.row - (b.col - 1) // 2) - (a.row - (a.col - 1) // 2)
    return max(abs(dq), abs(dr), abs(dq + dr))


def _offset(a: Hex, b: Hex) -> tuple[int, int]:
    """Difference of the centres: x in units of one column, y in half hexes southwards."""
    return b.col - a.col, 2 * (b.row - a.row) + (a.col % 2) - (b.col % 2)


def _bearing(x: int, y: int) -> int:
    """See `bearing`, for an offset."""
    half_turn = 0
    if x < 0 or (x == 0 and y > 0):
        x, y, half_turn = -x, -y, 12
    after = 0
    for twelfth, (u, v) in enumerate(_HALF_AXES):
        cross = u * y - v * x
        if cross == 0:
            return half_turn + 2 * twelfth
        if cross > 0:
            after = twelfth
    return half_turn + 2 * after + 1


@cache
def _bearing_of_offset(x: int, y: int) -> int:
    return _bearing(x, y)


def bearing(a: Hex, b: Hex) -> int:
    """Bearing of b from a in 24ths of a turn, clockwise from north; a and b must differ.

    Even values are exact multiples of 30 degrees (2 = exactly 30); an odd value lies strictly between them.
    """
    if a == b:
        raise ValueError(f"no bearing from {a} to itself")
    return _bearing_of_offset(*_offset(a, b))


def direction(a: Hex, b: Hex) -> int:
    """Direction 0..5 nearest to the bearing of b from a; exactly between two it is the clockwise one."""
    return (bearing(a, b) + 2) // 4 % 6


def along_hex_edge(a: Hex, b: Hex) -> bool:
    """Whether the line runs between hexes, 30 degrees off a direction (los.yaml divided_line_test)."""
    return a != b and bearing(a, b) % 4 == 2


class Line(NamedTuple):
    """The way of a straight line from one hex centre to another.

    ``near``: offsets (columns, rows) of the hexes between both ends that the line crosses or touches at a
    corner, in order; of a divided line only those it crosses in the middle. ``pairs``: for a divided line the
    two hexes beside each stretch along an edge, left and right.
    """

    near: tuple[tuple[int, int], ...]
    pairs: tuple[tuple[tuple[int, int], tuple[int, int]], ...]


def line_hexes(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """All hexes on the line with both ends, and both hexes of each pair it runs between (los.yaml L15)."""
    if a == b:
        return (a,)
    line = line_between(a, b)
    offsets = (*line.near, *(offset for pair in line.pairs for offset in pair))
    between = [Hex(a.col + dcol, a.row + drow) for dcol, drow in offsets]
    return (a, *sorted(between, key=lambda h: _along(a, b, h)), b)


def line_between(a: Hex, b: Hex) -> Line:
    """The line as offsets from a; depends only on the difference and on whether a's column is even."""
    return line_of_offset(a.col % 2, b.col - a.col, b.row - a.row)


@cache
def line_of_offset(parity: int, dcol: int, drow: int) -> Line:
    """See `line_between`: from a column of this parity (1 = odd) to a hex this far away."""
    start, end = Hex(parity, 0), Hex(parity + dcol, drow)
    if start == end:
        return Line((), ())
    if along_hex_edge(start, end):
        return _divided_line(start, end)
    crossed = sorted(_crossed(start, end), key=lambda h: _along(start, end, h))
    return Line(tuple((h.col - start.col, h.row - start.row) for h in crossed), ())


def _divided_line(start: Hex, end: Hex) -> Line:
    """Edge, hex, edge, hex ...: between two hexes on the line lies one pair, left and right of it."""

    def offset(place: Hex) -> tuple[int, int]:
        return place.col - start.col, place.row - start.row

    left = (bearing(start, end) - 2) // 4
    near, pairs, here = [], [], start
    while here != end:
        beside = neighbour(here, left), neighbour(here, turned(left, 1))
        pairs.append((offset(beside[0]), offset(beside[1])))
        here = neighbour(beside[0], turned(left, 1))
        near.append(offset(here))
    return Line(tuple(near[:-1]), tuple(pairs))


def _along(start: Hex, end: Hex, other: Hex) -> int:
    """Place of a hex along the line (the dot product, scaled to integers: 3 x x' + y y')."""
    (x, y), (u, v) = _offset(start, end), _offset(start, other)
    return 3 * x * u + y * v


def _crossed(start: Hex, end: Hex) -> Iterator[Hex]:
    """Hexes between both ends that the straight line crosses or touches."""
    x, y = _offset(start, end)
    for h in _box(start, end):
        between = 0 < _along(start, end, h) < _along(start, end, end)
        if between and h not in (start, end) and _meets(x, y, *_offset(start, h)):
            yield h


def _box(start: Hex, end: Hex) -> Iterator[Hex]:
    for col in range(min(start.col, end.col), max(start.col, end.col) + 1):
        for row in range(min(start.row, end.row) - 1, max(start.row, end.row) + 2):
            yield Hex(col, row)


def _meets(x: int, y: int, u: int, v: int) -> bool:
    """Whether the line through 0 and (x, y) has a corner of the hex with centre (u, v) on it or on each side.

    Cross products with the corners, seen from the centre, at (2/3, 0) and (1/3, 1) and so on; scaled by 3.
    """
    centre = 3 * (x * v - y * u)
    reach = max(abs(2 * y), abs(3 * x - y), abs(3 * x + y))
    return abs(centre) <= reach
