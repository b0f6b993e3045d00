"""The board as shapes for SVG and as rows of text: where each hex lies, what stands in it, who may go there.

Columns and rows as printed: flat-topped hexes, even columns half a hex lower; facing 1 is north, clockwise.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

SIZE: Final = 40.0
"""Half the width of a hex."""
HEIGHT: Final = SIZE * math.sqrt(3)
STEP: Final = SIZE * 1.5
MARGIN: Final = 8.0
MARKS: Final = ("fire", "smoke", "turret", "mines")
"""What comes up during a fight and lies on the terrain."""
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tile:
    """One hex. `glyphs` are symbols that tell the terrain without colour; `cost` its cheapest MP, if any.

    `height` and `factor` are those of a wall or building; `marks` what is there besides: MARKS.
    """

    name: str
    x: float
    y: float
    terrain: str
    level: int
    depth: int
    glyphs: int
    chosen: bool = False
    cost: int | None = None
    modes: tuple[str, ...] = ()
    height: int = 0
    factor: int = 0
    marks: tuple[str, ...] = ()

    @property
    def plain(self) -> bool:
        """Whether there is nothing to say of it: clear ground at level 0."""
        return self.terrain == "clear" and not (self.level or self.marks)

    @property
    def points(self) -> str:
        """The corners, for a polygon around (x, y)."""
        half = HEIGHT / 2
        corners = (
            (-SIZE, 0),
            (-SIZE / 2, -half),
            (SIZE / 2, -half),
            (SIZE, 0),
            (SIZE / 2, half),
            (-SIZE / 2, half),
        )
        return " ".join(f"{self.x + dx:.1f},{self.y + dy:.1f}" for dx, dy in corners)

    @property
    def shade(self) -> str:
        """Class name of its height."""
        return f"low{-self.level}" if self.level < 0 else f"high{min(self.level, 4)}"


@dataclass(frozen=True, slots=True)
class Token:
    """A 'Mech on the board: its facing and where its torso points, in degrees clockwise from north."""

    side: str
    name: str
    model: str
    hex: str
    x: float
    y: float
    turn: int
    torso: int
    mine: bool
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the template draws."""

    width: float
    height: float
    tiles: tuple[Tile, ...]
    tokens: tuple[Token, ...] = ()
    arrows: tuple[tuple[float, float, float, float, str], ...] = ()
    reach: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    wind: int | None = None

    @property
    def terrains(self) -> frozenset[str]:
        """What there is on it."""
        return frozenset(kind for tile in self.tiles for kind in tile.terrain.split("+"))

    @property
    def marks(self) -> tuple[str, ...]:
        """Every mark on it, each once."""
        return tuple(mark for mark in MARKS if any(mark in tile.marks for tile in self.tiles))


def centre(name: str) -> tuple[float, float]:
    """Middle of a hex by its printed number."""
    column, row = int(name[:2]), int(name[2:])
    drop = HEIGHT / 2 if column % 2 == 0 else 0.0
    x = MARGIN + SIZE + (column - 1) * STEP
    return round(x, 1), round(MARGIN + HEIGHT / 2 + (row - 1) * HEIGHT + drop, 1)


def draw(
    arena: Json,
    game: Json | None,
    *,
    mine: str = "",
    reach: Json | None = None,
    chosen: str = "",
    before: Json | None = None,
) -> Board:
    """The board with its units; `reach` offers hexes to go to, `before` is the game one step earlier."""
    offered = cheapest(reach or {})
    ground = (game or {}).get("ground") or {}
    marks = _marks(ground)
    tiles = tuple(
        _tile(name, hex_, offered, chosen, marks.get(name, ())) for name, hex_ in hexes(arena, ground).items()
    )
    width = 2 * MARGIN + STEP * (arena["width"] - 1) + 2 * SIZE
    height = 2 * MARGIN + HEIGHT * (arena["height"] + 0.5)
    return Board(
        round(width, 1),
        round(height, 1),
        tiles,
        tuple(_tokens(game, mine)),
        tuple(_arrows(before, game)),
        offered,
        ground.get("wind"),
    )


def hexes(arena: Json, ground: Json) -> dict[str, Json]:
    """The hexes as they are now: as drawn, but for what has changed (only water is deep)."""
    now = {name: {"depth": 0, **hex_} for name, hex_ in ground.get("changed", {}).items()}
    return {name: {**hex_, **now.get(name, {})} for name, hex_ in arena["hexes"].items()}


def _marks(ground: Json) -> dict[str, tuple[str, ...]]:
    """Hex -> what lies on it."""
    found: dict[str, tuple[str, ...]] = {}
    for mark, key in zip(MARKS, ("fires", "smoke", "turrets", "mines"), strict=True):
        for name in ground.get(key, ()):
            found[name] = (*found.get(name, ()), mark)
    return found


def cheapest(modes: Json) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Hex -> fewest MP of any mode, and the modes that reach it."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for mode, offer in modes.items():
        for entry in offer["reach"]:
            cost, known = found.get(entry["hex"], (99, ()))
            found[entry["hex"]] = (min(cost, entry["mp"]), known if mode in known else (*known, mode))
    return found


TREES = {"light_woods": 1, "heavy_woods": 2}


def _tile(
    name: str,
    hex_: Json,
    offered: Mapping[str, tuple[int, tuple[str, ...]]],
    chosen: str,
    marks: tuple[str, ...],
) -> Tile:
    x, y = centre(name)
    cost, modes = offered.get(name, (None, ()))
    level, depth = hex_["level"], hex_["depth"]
    kinds = ["water" if depth and kind.startswith("water") else kind for kind in hex_["terrain"].split("+")]
    glyphs = next((TREES[kind] for kind in kinds if kind in TREES), max(depth, 1))
    height, factor = hex_.get("height", 0), hex_.get("construction_factor", 0)
    terrain = "+".join(kinds)
    return Tile(name, x, y, terrain, level, depth, glyphs, name == chosen, cost, modes, height, factor, marks)


def _tokens(game: Json | None, mine: str) -> Iterable[Token]:
    for side, unit in (game or {}).get("sides", {}).items():
        if not unit["hex"]:
            continue
        x, y = centre(unit["hex"])
        turn = (unit["facing"] - 1) * 60
        flags = tuple(name for name in ("prone", "shutdown", "out") if unit[name])
        yield Token(
            side,
            unit["name"],
            unit["model"],
            unit["hex"],
            x,
            y,
            turn,
            turn + unit["twist"] * 60,
            side == mine,
            flags,
        )


def _arrows(before: Json | None, after: Json | None) -> Iterable[tuple[float, float, float, float, str]]:
    """Where each unit came from."""
    for side, unit in (before or {}).get("sides", {}).items():
        there = (after or {}).get("sides", {}).get(side, {}).get("hex")
        if unit["hex"] and there and unit["hex"] != there:
            yield (*centre(unit["hex"]), *centre(there), side)
