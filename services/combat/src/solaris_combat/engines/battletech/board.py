"""The board of a fight: its hexes as flat tuples, with one ring of nothing around them.

A hex has the index ``row * stride + column``. The ring makes every neighbour and every line of a hex a
plain index difference, so the hot loops of movement and line of sight need no bounds check. Only geometry is
prepared here; nothing of a fight is remembered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.hex import Hex, steps
from solaris_combat.engines.battletech.tables import names, table
from solaris_combat.engines.battletech.terrain import (
    ALL_SIDES,
    Ground,
    TerrainRefused,
    ground_from_text,
    ground_from_token,
    token,
)
from solaris_combat.engines.frozen import replace

LARGEST = 50
"""Columns and rows of the largest board; printed numbers have two digits each."""

FAR_BELOW = -1000
"""Level of the ring: it hides nothing, and no 'Mech can step or jump there."""


class Cell(NamedTuple):
    """What lines and numbers to hit ask of a hex, at once; equal hexes share one. See Board for the names."""

    peak: int
    top: int
    canopy: int
    woods: int
    floor: int
    depth: int
    level: int
    wading: int


_RING = Cell(FAR_BELOW, FAR_BELOW, FAR_BELOW, 0, FAR_BELOW, -1, FAR_BELOW, -1)


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A board, compared by identity; build it with `board_of`. All tuples go by hex index.

    `stride`: index difference of a hex to the one below it. `grounds` None marks the ring. `levels`: of the
    ground or water's surface. `tops`: the same, or of the roof. `floors`: what a 'Mech stands on. `woods`: 1
    light, 2 heavy, 3 smoke. `canopies`: level up to which woods obscure. `peaks`: the higher of both tops.
    `costs`: MP to enter on the level. `depths`: of water, -1 without. `wading`: the depth that counts in
    attacks and for jump jets. `closed`: hexes nobody may enter. `cells`: several of these at once. `roads`:
    the sides by which a road or pavement leads out, bit n for side n; none on a board where no road leads
    through anything that costs more than clear ground. `houses`: the hexes of every building of several, by
    each of them. `beneath`: the board under smoke.
    """

    width: int
    height: int
    stride: int
    grounds: tuple[Ground | None, ...] = field(repr=False)
    levels: tuple[int, ...] = field(repr=False)
    tops: tuple[int, ...] = field(repr=False)
    floors: tuple[int, ...] = field(repr=False)
    woods: tuple[int, ...] = field(repr=False)
    canopies: tuple[int, ...] = field(repr=False)
    peaks: tuple[int, ...] = field(repr=False)
    costs: tuple[int, ...] = field(repr=False)
    depths: tuple[int, ...] = field(repr=False)
    wading: tuple[int, ...] = field(repr=False)
    closed: frozenset[int] = field(repr=False)
    places: tuple[Hex, ...] = field(repr=False)
    cells: tuple[Cell, ...] = field(repr=False)
    roads: tuple[int, ...] = field(repr=False)
    houses: Mapping[int, tuple[int, ...]] = field(repr=False)
    beneath: Board | None = field(default=None, repr=False)

    @property
    def clear(self) -> Board:
        """The same board without smoke; ways of movement are prepared for that one."""
        return self.beneath or self

    def __contains__(self, hex_: Hex) -> bool:
        return 1 <= hex_.col <= self.width and 1 <= hex_.row <= self.height

    def index(self, hex_: Hex) -> int:
        """Index of a hex on the board or on the ring."""
        return hex_.row * self.stride + hex_.col

    def hex_at(self, index: int) -> Hex:
        """The hex with an index."""
        return self.places[index]

    def ground(self, hex_: Hex) -> Ground:
        """What a hex holds; KeyError if it is not on the board."""
        if hex_ not in self:
            raise KeyError(f"{hex_} is not on the board")
        return self.ground_at(self.index(hex_))

    def ground_at(self, index: int) -> Ground:
        """What the hex with an index holds; KeyError on the ring."""
        found = self.grounds[index]
        if found is None:
            raise KeyError(f"{self.hex_at(index)} is not on the board")
        return found

    def hexes(self) -> tuple[Hex, ...]:
        """All hexes, column by column."""
        return tuple(Hex(c, r) for c in range(1, self.width + 1) for r in range(1, self.height + 1))

    def house(self, index: int) -> tuple[int, ...]:
        """All hexes of the building in a hex; only that one where it is a building of its own, or none."""
        return self.houses.get(index, (index,))

    def step(self, index: int, direction: int) -> int:
        """Index of the neighbour of a hex on the board; it may lie on the ring."""
        dcol, drow = steps(index % self.stride)[direction]
        return index + drow * self.stride + dcol


def board_of(width: int, height: int, grounds: Mapping[Hex, Ground]) -> Board:
    """A board of a size; hexes that are not named are clear ground on level 0. ValueError if it cannot be."""
    if not (1 <= width <= LARGEST and 1 <= height <= LARGEST):
        raise ValueError(f"a board of {width} x {height} hexes is not possible (1 to {LARGEST})")
    stray = [str(h) for h in grounds if not (1 <= h.col <= width and 1 <= h.row <= height)]
    if stray:
        raise ValueError(f"hexes off the board: {', '.join(stray)}")
    flat: list[Ground | None] = [None] * ((width + 2) * (height + 2))
    for col in range(1, width + 1):
        for row in range(1, height + 1):
            flat[row * (width + 2) + col] = grounds.get(Hex(col, row)) or Ground()
    return _with_tables(width, height, tuple(flat))


def _roads(stride: int, flat: tuple[Ground | None, ...]) -> tuple[int, ...]:
    """By which sides roads and pavement lead out of each hex; see Board."""
    eased = (g.terrain.paved and g.terrain.cost != g.terrain.road_cost for g in flat if g)
    return tuple(_ways_out(stride, flat, n) for n in range(len(flat))) if any(eased) else ()


def _ways_out(stride: int, flat: tuple[Ground | None, ...], index: int) -> int:
    """Pavement leads out everywhere, a road by its sides if given, else to roads and pavement beside it."""
    ground = flat[index]
    if ground is None or not ground.terrain.paved:
        return 0
    if any(part.paved and not part.road for part in ground.terrain.parts):
        return ALL_SIDES
    if ground.road is not None:
        return ground.road
    beside = (flat[index + drow * stride + dcol] for dcol, drow in steps(index % stride))
    return sum(1 << way for way, other in enumerate(beside) if other and other.terrain.paved)


def _houses(stride: int, flat: tuple[Ground | None, ...]) -> Mapping[int, tuple[int, ...]]:
    """The hexes of each building that goes on into the next hex, by every one of them; see Board."""
    joined = {n: ground.joined for n, ground in enumerate(flat) if ground and ground.joined}
    found: dict[int, tuple[int, ...]] = {}
    for start in joined:
        if start not in found:
            house = _house(stride, joined, start)
            found.update(dict.fromkeys(house, house))
    return {index: house for index, house in found.items() if len(house) > 1}


def _house(stride: int, joined: Mapping[int, int], start: int) -> tuple[int, ...]:
    """All hexes that hang together with one: each is joined to the next, and that one to it."""
    house, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for way, (dcol, drow) in enumerate(steps(here % stride)):
            there = here + drow * stride + dcol
            both = joined[here] >> way & 1 and joined.get(there, 0) >> (way + 3) % 6 & 1
            if both and there not in house:
                house.add(there)
                waiting.append(there)
    return tuple(sorted(house))


def _with_tables(width: int, height: int, flat: tuple[Ground | None, ...]) -> Board:
    return Board(
        width=width,
        height=height,
        stride=width + 2,
        grounds=flat,
        levels=tuple(g.level if g else FAR_BELOW for g in flat),
        tops=tuple(g.level + g.height if g else FAR_BELOW for g in flat),
        floors=tuple(g.floor if g else FAR_BELOW for g in flat),
        woods=tuple(g.terrain.woods if g else 0 for g in flat),
        canopies=tuple(g.level + g.terrain.canopy if g else FAR_BELOW for g in flat),
        peaks=tuple(g.level + max(g.height, g.terrain.canopy) if g else FAR_BELOW for g in flat),
        costs=tuple(g.terrain.cost if g else 0 for g in flat),
        places=_places(width + 2, len(flat)),
        depths=tuple(g.terrain.depth if g else -1 for g in flat),
        cells=tuple(_cell(g) if g else _RING for g in flat),
        wading=tuple(max(g.terrain.depth, g.terrain.wading) if g else -1 for g in flat),
        closed=frozenset(n for n, g in enumerate(flat) if g and g.terrain.closed),
        roads=_roads(width + 2, flat),
        houses=_houses(width + 2, flat),
    )


@lru_cache(maxsize=64)
def _places(stride: int, count: int) -> tuple[Hex, ...]:
    """The hexes by index, one tuple for all boards of a size."""
    return tuple(Hex(n % stride, n // stride) for n in range(count))


SMOKE = 3
"""What smoke counts as in `woods`: as much as heavy woods, under its own name."""
_SMOKE_LEVELS: int = table("fire")["smoke"]["levels"]


def overlaid(
    base: Board,
    grounds: Mapping[int, Ground],
    smoke: frozenset[int],
    closed: frozenset[int],
    roofs: frozenset[int] = frozenset(),
) -> Board:
    """A board with other ground in some hexes, smoke over others, and hexes that nobody may enter.

    `roofs` are buildings on which somebody stands: then their floor is the roof.
    """
    if not (grounds or closed or roofs):
        return smoked(base, smoke)
    return smoked(_changed(base, frozenset(grounds.items()), closed, roofs), smoke)


@lru_cache(maxsize=64)
def _changed(
    base: Board, grounds: frozenset[tuple[int, Ground]], closed: frozenset[int], roofs: frozenset[int]
) -> Board:
    """A board made once for all who fold the same events."""
    flat = list(base.grounds)
    for index, ground in grounds:
        flat[index] = ground
    board = _with_tables(base.width, base.height, tuple(flat)) if grounds else base
    cells, floors = list(board.cells), list(board.floors)
    for index in roofs:
        floors[index] = cells[index].top
        cells[index] = cells[index]._replace(floor=floors[index])
    return replace(board, floors=tuple(floors), cells=tuple(cells), closed=board.closed | closed)


def smoked(board: Board, smoke: frozenset[int]) -> Board:
    """The board with smoke over these hexes alone; ways over it stay as they are.

    It hides what is up to two levels above the ground, the water or the wall (D; A, FAQ 25).
    """
    clear = board.clear
    if not smoke:
        return clear
    cells, woods = list(clear.cells), list(clear.woods)
    canopies, peaks = list(clear.canopies), list(clear.peaks)
    for index in smoke:
        cells[index] = cell = _smoky(cells[index])
        woods[index], canopies[index], peaks[index] = cell.woods, cell.canopy, cell.peak
    return replace(
        clear,
        woods=tuple(woods),
        canopies=tuple(canopies),
        peaks=tuple(peaks),
        cells=tuple(cells),
        beneath=clear,
    )


@lru_cache(maxsize=4096)
def _cell(ground: Ground) -> Cell:
    level, terrain = ground.level, ground.terrain
    top, canopy = level + ground.height, level + terrain.canopy
    wading = max(terrain.depth, terrain.wading)
    return Cell(max(top, canopy), top, canopy, terrain.woods, ground.floor, terrain.depth, level, wading)


def _smoky(cell: Cell) -> Cell:
    top = cell.top + _SMOKE_LEVELS
    return cell._replace(woods=SMOKE, canopy=max(top, cell.canopy), peak=max(top, cell.peak))


def laid_bare(board: Board, where: Hex, level: int) -> Board:
    """The board with one hex clear ground on a level, as far as lines and numbers to hit ask for it."""
    index = board.index(where)
    bare = _cell(Ground(level))
    return replace(board, cells=(*board.cells[:index], bare, *board.cells[index + 1 :]))


def board_from_texts(width: int, height: int, hexes: Mapping[str, tuple[int, str]]) -> Board:
    """A board from level and terrain text by printed hex number; TerrainRefused names what is not built."""
    return board_of(width, height, {Hex.parse(n): ground_from_text(*hexes[n]) for n in hexes})


def draw(board: Board) -> str:
    """The board as text: a line a row, a mark a hex, blanks between; `board_from_drawing` reads it back."""
    rows = range(1, board.height + 1)
    cells = [[token(board.ground(Hex(c, r))) for c in range(1, board.width + 1)] for r in rows]
    size = max(len(cell) for row in cells for cell in row)
    return "\n".join(" ".join(cell.ljust(size) for cell in row).rstrip() for row in cells) + "\n"


def board_from_drawing(drawing: str) -> Board:
    """The board that `draw` would draw so; TerrainRefused or ValueError if it cannot be read."""
    rows = [line.split() for line in drawing.splitlines() if line.strip()]
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        raise ValueError("a drawn board needs rows of equal length")
    grounds = {Hex(c, r): ground_from_token(t) for r, row in enumerate(rows, 1) for c, t in enumerate(row, 1)}
    return board_of(widths.pop(), len(rows), grounds)


@dataclass(frozen=True, slots=True)
class Arena:
    """A project-owned arena: a board on which every rule is built, with its names and where sides begin.

    What lies hidden in it is drawn for each fight: `traps` by the rules of A, `mines` and `vibrabombs`,
    which go off at a `setting` in tons. `initiative`: it is rolled for before the start places (A).
    """

    id: str
    name: str
    name_es: str
    description: str
    description_es: str
    board: Board
    starts: tuple[tuple[Hex, int], ...]
    traps: bool = False
    mines: int = 0
    vibrabombs: int = 0
    setting: int = 0
    initiative: bool = False


def arena_ids() -> tuple[str, ...]:
    """Ids of all arenas, sorted."""
    return tuple(name.partition("/")[2] for name in names("arenas"))


@cache
def arena(arena_id: str) -> Arena:
    """The arena with an id; KeyError if there is none, TerrainRefused if fights cannot be played on it.

    Every fight in an arena shares its board, whose geometry is prepared once.
    """
    if arena_id not in arena_ids():
        raise KeyError(f"no arena {arena_id!r}; there are: {', '.join(arena_ids())}")
    return arena_from(table(f"arenas/{arena_id}"))


def arena_from(data: Mapping[str, Any]) -> Arena:
    """An arena from its TOML data; ValueError, KeyError or TerrainRefused say what is wrong with it."""
    board = board_from_drawing(data["map"])
    refuse_unplayable(board)
    starts = tuple((Hex.parse(start["hex"]), start["facing"] - 1) for start in data["starts"])
    if any(h not in board or not 0 <= facing < 6 for h, facing in starts) or len({h for h, _ in starts}) < 2:
        raise ValueError("an arena needs two or more different start hexes on the board, facing 1 to 6")
    return Arena(
        id=data["id"],
        name=data["name"]["en"],
        name_es=data["name"]["es"],
        description=data["description"]["en"],
        description_es=data["description"]["es"],
        board=board,
        starts=starts,
        initiative=data.get("initiative", False),
        **data.get("hidden", {}),
    )


def refuse_unplayable(board: Board) -> None:
    """TerrainRefused if a hex holds terrain for which not every rule of a fight is built."""
    refused = {g.terrain.key for g in board.grounds if g and not g.terrain.fights}
    if refused:
        raise TerrainRefused(f"terrain not built for fights: {', '.join(sorted(refused))}")
