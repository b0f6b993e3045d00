"""The straight way from one hex to another as a board needs it: prepared once for each difference of hexes.

Hot geometry and nothing else: no level, no unit and no rule stands here, so it is the same for every fight.
Source: los.yaml (distance, intervening, divided_line_test).
"""

from functools import cache
from typing import NamedTuple

from solaris_combat.engines.battletech.hex import Hex, bearing, distance, line_of_offset

BETWEEN, BY_START, BY_END, BY_BOTH = range(4)
"""Places of a hex on a ray: adjacent to neither end, to the start, to the end, to both."""
BY_STARTS = (BY_START, BY_BOTH)

Place = tuple[int, int]
"""A hex on a ray: its index difference from the start, and where it lies (BETWEEN ...)."""


class Ray(NamedTuple):
    """A straight way: `span` in hexes, `bearing` in 24ths of a turn (0 without a way).

    `near`: the hexes between both ends; `pairs`: the two beside each stretch along an edge; `between`: index
    differences of all of them.
    """

    span: int
    bearing: int
    near: tuple[Place, ...]
    pairs: tuple[tuple[Place, Place], ...]
    between: tuple[int, ...]


@cache
def ray_of_offset(stride: int, parity: int, dcol: int, drow: int) -> Ray:
    """The way on a board with this stride, from a column of this parity (1 = odd) to a hex this far away."""
    start, end = Hex(parity, 0), Hex(parity + dcol, drow)
    line = line_of_offset(parity, dcol, drow)

    def place(offset: tuple[int, int]) -> Place:
        here = Hex(parity + offset[0], offset[1])
        kind = BY_START * (distance(start, here) == 1) + BY_END * (distance(here, end) == 1)
        return offset[1] * stride + offset[0], kind

    near = tuple(map(place, line.near))
    pairs = tuple((place(left), place(right)) for left, right in line.pairs)
    every = (*near, *(one for pair in pairs for one in pair))
    seen = bearing(start, end) if start != end else 0
    return Ray(distance(start, end), seen, near, pairs, tuple(offset for offset, _ in every))
