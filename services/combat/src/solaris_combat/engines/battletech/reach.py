"""Which hexes a unit can reach, with which facings and for how many MP, when every piloting roll succeeds.

A set of hexes is one integer, bit n for the hex with index n; moving a whole set one hex is a mask and a
shift. The masks are geometry of the board, prepared once. The rules are those of `movement.advance` and
`jumping`, and a test holds both against each other. Source: BMRr movement; movement.yaml.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, turned
from solaris_combat.engines.battletech.jumping import ceiling, usable_jump_mp
from solaris_combat.engines.battletech.movement import (
    COST,
    MAX_LEVELS,
    Allowance,
    barred_by_roof,
    into_water,
    stand_up_cost,
    step_cost,
)
from solaris_combat.engines.battletech.unit import Unit

Layers = list[list[int]]
Way = tuple[int, int, int]
"""MP, the hexes from which it leads on, the index difference to where it leads."""
Ways = tuple[tuple[Way, ...], ...]
"""The ways by the direction or facing they belong to."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What can be reached: `layers[mp][facing]` is the set of hexes first reached for so many MP.

    `ways` are those on the ground by facing, of a jump those of every facing. `size` counts hexes with
    facings, the start not among them. `flown` are the hexes a jump of so many hexes comes to, those too where
    it cannot end among them.
    """

    board: Board
    layers: Layers
    ways: Ways
    flown: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many states can be reached."""
        return sum([hexes.bit_count() for layer in self.layers[1:] for hexes in layer])

    def nth(self, number: int) -> tuple[int, int, int]:
        """Index of the hex, facing and MP of the state with a number below `size`, the cheapest first."""
        for mp, layer in enumerate(self.layers[1:], 1):
            for facing, hexes in enumerate(layer):
                count = hexes.bit_count()
                if number < count:
                    return next(islice(_bits(hexes), number, None)), facing, mp
                number -= count
        raise IndexError(number)

    def states(self) -> Iterator[tuple[Hex, int, int]]:
        """Each reachable hex and facing 0..5 with its cheapest MP, the cheapest first.

        A prone unit reaches what it does after standing up.
        """
        places = self.board.places
        for mp, layer in enumerate(self.layers):
            for facing, hexes in enumerate(layer):
                for index in _bits(hexes):
                    yield places[index], facing, mp

    def cheapest(self) -> dict[Hex, int]:
        """Cheapest MP to each reachable hex, whatever the facing."""
        found: dict[Hex, int] = {}
        for hex_, _, mp in self.states():
            found.setdefault(hex_, mp)
        return found

    def by_facing(self) -> dict[Hex, dict[int, int]]:
        """Cheapest MP to each reachable hex by facing 0..5."""
        found: dict[Hex, dict[int, int]] = {}
        for hex_, facing, mp in self.states():
            found.setdefault(hex_, {})[facing] = mp
        return found


def _bits(hexes: int) -> Iterator[int]:
    while hexes:
        lowest = hexes & -hexes
        yield lowest.bit_length() - 1
        hexes ^= lowest


def _set(board: Board, hexes: Iterable[Hex]) -> int:
    return sum(1 << board.index(h) for h in hexes if h in board)


@dataclass(frozen=True, slots=True)
class _Geometry:
    """Ways by facing: onto dry ground or fords, into deeper water, back on the level; and all neighbours."""

    dry: Ways
    wet: Ways
    forward: Ways
    with_back: Ways
    neighbours: tuple[Way, ...]


@lru_cache(maxsize=64)
def _geometry(board: Board) -> _Geometry:
    kinds: dict[str, list[dict[tuple[int, int], int]]] = {
        name: [{} for _ in DIRECTIONS] for name in ("dry", "wet", "back")
    }
    for start, direction, to in _adjacent(board):
        levels = abs(board.floors[to] - board.floors[start])
        if levels > MAX_LEVELS or to in board.closed or barred_by_roof(board, start, to):
            continue
        way = step_cost(board, start, to), to - start
        kind = "wet" if into_water(board, start, to) else "dry"
        _note(kinds[kind][direction], way, start)
        if not levels:
            _note(kinds["back"][turned(direction, 3)], way, start)
    dry, wet, back = (_ways(kinds[name]) for name in ("dry", "wet", "back"))
    forward = tuple(d + w for d, w in zip(dry, wet, strict=True))
    with_back = tuple(f + b for f, b in zip(forward, back, strict=True))
    anywhere: dict[tuple[int, int], int] = {}
    for start, _, to in _adjacent(board):
        _note(anywhere, (COST["jump_hex"], to - start), start)
    return _Geometry(dry, wet, forward, with_back, _ways([anywhere])[0])


def _adjacent(board: Board) -> Iterator[tuple[int, int, int]]:
    for hex_ in board.hexes():
        start = board.index(hex_)
        for direction in DIRECTIONS:
            to = board.step(start, direction)
            if board.grounds[to] is not None:
                yield start, direction, to


def _note(ways: dict[tuple[int, int], int], way: tuple[int, int], start: int) -> None:
    ways[way] = ways.get(way, 0) | 1 << start


def _ways(noted: list[dict[tuple[int, int], int]]) -> Ways:
    return tuple(tuple((mp, mask, shift) for (mp, shift), mask in sorted(way.items())) for way in noted)


def walk_reach(
    board: Board, unit: Unit, allowed: Allowance, occupied: Iterable[Hex] = (), backward: bool = True
) -> Reach:
    """Reach of a walk, with steps backward or without (movement.yaml mode.walk, backward)."""
    geometry = _geometry(board.clear)
    ways = geometry.with_back if backward else geometry.forward
    always = geometry.forward if allowed.run == 0 else None
    return _spread(board, unit, allowed, allowed.walk, ways, always, occupied)


def run_reach(board: Board, unit: Unit, allowed: Allowance, occupied: Iterable[Hex] = ()) -> Reach:
    """Reach of a run: never backward, into water only as the first step and no further (mode.run)."""
    geometry = _geometry(board.clear)
    return _spread(board, unit, allowed, allowed.run, geometry.dry, geometry.forward, occupied)


def _spread(
    board: Board,
    unit: Unit,
    allowed: Allowance,
    limit: int,
    ways: Ways,
    always: Ways | None,
    occupied: Iterable[Hex],
) -> Reach:
    """All states within the MP. `always`: ways of the first hex, which is allowed whatever it costs."""
    start = 1 << board.index(unit.hex)
    free = ~_set(board, occupied)
    pending: Layers = [[0] * 6 for _ in range(limit + 1)]
    if unit.prone:
        _stand_up(pending, start, allowed)
    else:
        pending[0][unit.facing] = start
    layers = _expand(pending, ways, free)
    if always and limit and not unit.prone:
        _add_first_hex(layers, always[unit.facing], start, unit.facing, free)
    return Reach(board, layers, ways)


def _stand_up(pending: Layers, start: int, allowed: Allowance) -> None:
    """A prone unit goes on after standing up at the first attempt, facing as it likes (stand_up)."""
    cost = stand_up_cost(allowed)
    if allowed.can_stand_up and cost < len(pending):
        pending[cost] = [start] * 6


def _expand(pending: Layers, ways: Ways, free: int) -> Layers:
    """From the states of each layer that are new go the turns and the ways; gives the new states by layer."""
    seen = [0] * 6
    limit = len(pending) - 1
    turn = COST["facing"]
    for mp, layer in enumerate(pending):
        after = pending[mp + turn] if mp + turn <= limit else [0] * 6
        for facing, reached in enumerate(layer):
            new = layer[facing] = reached & ~seen[facing]
            if not new:
                continue
            seen[facing] |= new
            after[facing - 1] |= new
            after[facing - 5] |= new
            for cost, mask, shift in ways[facing]:
                leaving = new & mask
                if leaving and mp + cost <= limit:
                    arriving = leaving << shift if shift > 0 else leaving >> -shift
                    pending[mp + cost][facing] |= arriving & free
    return pending


def _moved(hexes: int, shift: int) -> int:
    return hexes << shift if shift > 0 else hexes >> -shift


def _add_first_hex(layers: Layers, ways: tuple[Way, ...], start: int, facing: int, free: int) -> None:
    """Add the hex ahead where it is not reached anyhow, as an end (movement.yaml minimum_movement)."""
    for cost, mask, shift in ways:
        ahead = _moved(start & mask, shift) & free
        layers.extend([0] * 6 for _ in range(cost + 1 - len(layers)))
        if ahead and not any(layer[facing] & ahead for layer in layers[: cost + 1]):
            layers[cost][facing] |= ahead


def jump_reach(board: Board, unit: Unit, allowed: Allowance, occupied: Iterable[Hex] = ()) -> Reach:
    """Reach of a jump: by shortest ways over hexes low enough, any facing (movement.yaml mode.jump)."""
    mp = usable_jump_mp(board, unit, allowed)
    top = ceiling(board, unit, mp)
    low = _low(board.clear, top)
    free = ~_set(board, occupied) & ~sum(1 << index for index in board.closed)
    within = front = 1 << board.index(unit.hex)
    layers: Layers = [[0] * 6]
    flown = [front]
    ways = _geometry(board.clear).neighbours
    for _ in range(mp):
        ring = _all_moved(within, ways) & ~within
        within |= ring
        front = _all_moved(front, ways) & ring & low
        layers.append([front & free] * 6)
        flown.append(front)
    return Reach(board, layers, (ways,), tuple(flown))


@lru_cache(maxsize=256)
def _low(board: Board, top: int) -> int:
    """The hexes over which a jump leads that may rise so high."""
    return sum(1 << index for index, height in enumerate(board.tops) if height <= top)


def _all_moved(hexes: int, ways: tuple[Way, ...]) -> int:
    moved = 0
    for _, mask, shift in ways:
        moved |= _moved(hexes & mask, shift)
    return moved
