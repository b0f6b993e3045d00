"""Terrain of one hex: the kinds of tables/terrain.toml, their text forms, and what is refused.

Source: BMRr, movement costs and line of sight tables (movement.yaml, los.yaml, boards-format.md).
"""

import re
from dataclasses import dataclass, replace

from solaris_combat.engines.battletech.tables import table

DEEPEST = 3
"""Water of this depth or more is all alike (movement.yaml terrain_cost_per_hex, psr.yaml causes)."""

_WALL = table("buildings")["wall"]
_TOKEN = re.compile(r"(?P<level>-?\d+)?(?P<mark>[.a-zA-Z]|~(?P<depth>\d)|#(?P<height>\d)?)?")


_UNDER_CLOSED = ("pavement", "rough", "rubble")
"""Terrain without an effect in a hex that nobody may enter."""


class TerrainRefused(ValueError):
    """A terrain that this engine does not play; it is never approximated."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """A kind of terrain. Meaning of the fields: head of tables/terrain.toml; `depth` is -1 without water."""

    key: str
    cost: int
    letter: str = ""
    text: str = ""
    woods: int = 0
    canopy: int = 0
    check: str = ""
    depth: int = -1
    paved: bool = False
    building: bool = False
    solid: bool = False
    closed: bool = False
    burns: bool = False
    mire: str = ""
    wading: int = -1
    fights: bool = False

    @property
    def raised(self) -> bool:
        """Whether it has a height of its own: a building or a wall."""
        return self.building or self.solid


TERRAINS = {key: Terrain(key=key, **row) for key, row in table("terrain").items()}
CLEAR = TERRAINS["clear"]
RUBBLE = TERRAINS["rubble"]
WALL = TERRAINS["wall"]
WALL_LEVELS: int = _WALL["levels"]
_BY_TEXT = {terrain.text: terrain for terrain in TERRAINS.values()}
_BY_LETTER = {terrain.letter: terrain for terrain in TERRAINS.values() if terrain.letter}


@dataclass(frozen=True, slots=True)
class Ground:
    """What one hex holds. `level` is the ground, of water its surface; `height` in levels is a building's.

    A wall is solid: who is in its hex stands on it, as high as it is (A, walls).
    """

    level: int = 0
    terrain: Terrain = CLEAR
    height: int = 0
    construction_factor: int = 0

    @property
    def floor(self) -> int:
        """Level of what a 'Mech stands on: the bottom of water (boards-format.md: bed = level - depth)."""
        return self.level + (self.height if self.terrain.solid else -max(self.terrain.depth, 0))


def wall(level: int, height: int = _WALL["levels"], factor: int = _WALL["construction_factor"]) -> Ground:
    """A wall on the ground of a level, by default as high and strong as those of A."""
    return Ground(level, WALL, height, factor)


def water(depth: int) -> Terrain:
    """Water of a depth in levels; its table row is that of the deepest kind not deeper."""
    if depth < 0:
        raise TerrainRefused(f"water of depth {depth}")
    return replace(_BY_TEXT[f"water:{min(depth, DEEPEST)}"], depth=depth)


def ground_from_text(level: int, text: str) -> Ground:
    """The hex that a level and a terrain text such as "water:2" describe; TerrainRefused if not built.

    Parts are joined by ";" (boards-format.md section 1). One terrain a hex: mixtures are refused.
    """
    values = dict(_terrain_part(part) for part in text.split(";") if part)
    height, factor = values.pop("bldg_elev", 0), values.pop("bldg_cf", 0)
    if values.get("impassable") == 1:
        values = {name: value for name, value in values.items() if name not in _UNDER_CLOSED}
    if len(values) > 1:
        raise TerrainRefused(f"more than one terrain in a hex: {text}")
    terrain = _terrain(*next(iter(values.items()))) if values else CLEAR
    if terrain.raised != (height > 0) or (factor and not terrain.raised):
        raise TerrainRefused(f"a building needs a height, and only a building has one: {text}")
    return Ground(level, terrain, height, factor)


def _terrain_part(part: str) -> tuple[str, int]:
    name, _, value = part.partition(":")
    if not re.fullmatch(r"-?\d+", value):
        raise TerrainRefused(f"terrain not supported: {part}")
    return name, int(value)


def _terrain(name: str, value: int) -> Terrain:
    if name == "water":
        return water(value)
    terrain = _BY_TEXT.get(f"{name}:{value}")
    if terrain is None:
        raise TerrainRefused(f"terrain not supported: {name}:{value}")
    return terrain


def ground_from_token(token: str) -> Ground:
    """A hex as drawn: its level unless 0, then the letter of its terrain or "~" and a depth; "." is clear."""
    match = _TOKEN.fullmatch(token)
    if not match or not token:
        raise TerrainRefused(f"not a drawn hex: {token!r}")
    level = int(match["level"] or 0)
    if match["depth"] is not None:
        return Ground(level, water(int(match["depth"])))
    mark = match["mark"] or "."
    if mark.startswith(WALL.letter):
        return wall(level, int(match["height"] or _WALL["levels"]))
    if mark not in _BY_LETTER:
        raise TerrainRefused(f"terrain not supported: {mark}")
    return Ground(level, _BY_LETTER[mark])


def token(ground: Ground) -> str:
    """The drawn form, inverse of `ground_from_token`; buildings have none."""
    terrain = ground.terrain
    if terrain.building:
        raise TerrainRefused("buildings cannot be drawn")
    mark = f"~{terrain.depth}" if terrain.depth >= 0 else terrain.letter
    if terrain.solid:
        if ground.construction_factor != _WALL["construction_factor"] or ground.height > 9:
            raise TerrainRefused("only walls of the usual construction factor can be drawn")
        mark += "" if ground.height == _WALL["levels"] else str(ground.height)
    level = str(ground.level) if ground.level else ""
    return level if level and mark == CLEAR.letter else level + mark
