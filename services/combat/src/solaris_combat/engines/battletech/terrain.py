"""Terrain of one hex: the kinds of tables/terrain.toml, mixtures of them, their text forms, what is refused.

Source: BMRr, movement costs and line of sight tables (movement.yaml, los.yaml, boards-format.md).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from solaris_combat.engines.battletech.tables import table

DEEPEST = 3
"""Water of this depth or more is all alike (movement.yaml terrain_cost_per_hex, psr.yaml causes)."""

_WALL = table("buildings")["wall"]
_MIXTURES = table("terrain_mixtures")
_TOKEN = re.compile(r"(?P<level>-?\d+)?(?P<marks>\D.*)?")
_MARK = re.compile(r"(?P<letter>[.a-zA-Z]|~(?P<depth>\d)|#(?P<height>\d)?|=(?P<sides>\d{1,2})?)")
AND = "+"
"""Joins the kinds of a mixture, in its key and where it is drawn."""
ALL_SIDES = 0b111111


class TerrainRefused(ValueError):
    """A terrain that this engine does not play; it is never approximated."""


@dataclass(frozen=True, slots=True)
class Terrain:
    """A kind of terrain, or several in one hex: then `mixed` are the kinds, and the fields are of all.

    Meaning of the fields: head of tables/terrain.toml; `depth` is -1 without water.
    """

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
    road: bool = False
    fights: bool = False
    mixed: tuple["Terrain", ...] = ()

    @property
    def raised(self) -> bool:
        """Whether it has a height of its own: a building or a wall."""
        return self.building or self.solid

    @property
    def parts(self) -> tuple["Terrain", ...]:
        """The kinds in the hex: itself, or those it is mixed of."""
        return self.mixed or (self,)

    @property
    def checks(self) -> tuple[str, ...]:
        """Causes of the piloting rolls for entering, one for each kind that asks for one."""
        return tuple(part.check for part in self.parts if part.check)

    @property
    def road_cost(self) -> int:
        """MP to enter along a road or over pavement, where only walls count (movement.yaml road)."""
        return 1 + sum(part.cost - 1 for part in self.parts if part.building)


TERRAINS = {key: Terrain(key=key, **row) for key, row in table("terrain").items()}
CLEAR = TERRAINS["clear"]
RUBBLE = TERRAINS["rubble"]
WALL = TERRAINS["wall"]
WALL_LEVELS: int = _WALL["levels"]
_BY_TEXT = {terrain.text: terrain for terrain in TERRAINS.values()} | {
    text: TERRAINS[key] for text, key in _MIXTURES["read_as"].items()
}
_BY_LETTER = {terrain.letter: terrain for terrain in TERRAINS.values() if terrain.letter}


@dataclass(frozen=True, slots=True)
class Ground:
    """What one hex holds. `level` is the ground, of water its surface; `height` in levels is a building's.

    A wall is solid: who is in its hex stands on it, as high as it is (A, walls). Bit n of `road` says that
    the road leads out by side n, None that it does to every road and pavement beside it; `joined` are the
    sides by which a building goes on.
    """

    level: int = 0
    terrain: Terrain = CLEAR
    height: int = 0
    construction_factor: int = 0
    road: int | None = None
    joined: int = 0

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


def mixture(kinds: Iterable[Terrain]) -> Terrain:
    """Several kinds in one hex; TerrainRefused for what no rule says together.

    What each costs more than clear ground adds up, woods hide and rolls are asked for as alone
    (tables/terrain_mixtures.toml).
    """
    found = sorted(set(kinds) - {CLEAR}, key=_place)
    if any(kind.closed for kind in found):
        found = [kind for kind in found if kind.closed or kind.key not in _MIXTURES["nothing_under_closed"]]
    if len(found) <= 1:
        return found[0] if found else CLEAR
    return _mixed(tuple(found))


def _place(kind: Terrain) -> int:
    return tuple(TERRAINS).index(kind.key)


@lru_cache(maxsize=1024)
def _mixed(kinds: tuple[Terrain, ...]) -> Terrain:
    refused = _not_together(kinds)
    if refused:
        raise TerrainRefused(f"no rule for these in one hex: {refused}")
    return Terrain(
        key=AND.join(kind.key for kind in kinds),
        cost=1 + sum(kind.cost - 1 for kind in kinds),
        text=";".join(kind.text for kind in kinds),
        woods=max(kind.woods for kind in kinds),
        canopy=max(kind.canopy for kind in kinds),
        depth=max(kind.depth for kind in kinds),
        paved=any(kind.paved for kind in kinds),
        building=any(kind.building for kind in kinds),
        burns=any(kind.burns for kind in kinds),
        mire=next((kind.mire for kind in kinds if kind.mire), ""),
        wading=max(kind.wading for kind in kinds),
        road=any(kind.road for kind in kinds),
        fights=all(kind.fights for kind in kinds),
        mixed=kinds,
    )


def _not_together(kinds: tuple[Terrain, ...]) -> str:
    """The kinds that cannot share a hex, or ""."""
    keys = [kind.key for kind in kinds]
    for group in _MIXTURES["one_of"].values():
        several = [key for key in keys if key in group]
        if len(several) > 1:
            return " and ".join(several)
    for key in keys:
        others = [other for other in keys if other != key]
        if key in _MIXTURES["alone"]["kinds"]:
            return " and ".join((key, *others))
        if TERRAINS[key].building and not set(others) <= set(_MIXTURES["with_building"]["kinds"]):
            return " and ".join((key, *others))
    return ""


def terrain_of(key: str, depth: int = -1) -> Terrain:
    """The terrain with a key, mixtures too; `depth` of the water in it, where it is deeper than its kind."""
    kinds = (TERRAINS[part] for part in key.split(AND))
    return mixture(water(depth) if kind.depth >= 0 and depth > kind.depth else kind for kind in kinds)


def ground_from_text(level: int, text: str) -> Ground:
    """The hex that a level and a terrain text such as "water:2" describe; TerrainRefused if not built.

    Parts are joined by ";", a third figure is the mask of its sides (boards-format.md section 1).
    """
    found = [_terrain_part(part) for part in text.split(";") if part]
    values = {name: value for name, value, _ in found}
    if len(values) < len(found):
        raise TerrainRefused(f"one terrain twice in a hex: {text}")
    height, factor = values.pop("bldg_elev", 0), values.pop("bldg_cf", 0)
    terrain = mixture(_terrain(name, value) for name, value in values.items())
    if terrain.raised != (height > 0) or (factor and not terrain.raised):
        raise TerrainRefused(f"a building needs a height, and only a building has one: {text}")
    sides = {name: mask for name, _, mask in found if mask is not None}
    joined = sides.get("building", 0) if terrain.building else 0
    return Ground(level, terrain, height, factor, sides.get("road") if terrain.road else None, joined)


def _terrain_part(part: str) -> tuple[str, int, int | None]:
    """Name, level and sides of one terrain."""
    name, _, rest = part.partition(":")
    value, _, sides = rest.partition(":")
    if not re.fullmatch(r"-?\d{1,3}", value) or not re.fullmatch(r"\d{0,2}", sides):
        raise TerrainRefused(f"terrain not supported: {part}")
    return name, int(value), int(sides) & ALL_SIDES if sides else None


def _terrain(name: str, value: int) -> Terrain:
    if name == "water":
        return water(value)
    terrain = _BY_TEXT.get(f"{name}:{value}")
    if terrain is None:
        raise TerrainRefused(f"terrain not supported: {name}:{value}")
    return terrain


def ground_from_token(token: str) -> Ground:
    """A hex as drawn: its level unless 0, then the marks of its terrain, several joined by "+"; "." is clear.

    A mark is a letter, "~" and a depth, "#" a wall and its height, "=" a road and its sides.
    """
    match = _TOKEN.fullmatch(token)
    marks = [_MARK.fullmatch(mark) for mark in (match["marks"] or ".").split(AND)] if match else []
    if not token or not marks or None in marks:
        raise TerrainRefused(f"not a drawn hex: {token!r}")
    assert match is not None
    level = int(match["level"] or 0)
    drawn = [mark for mark in marks if mark]
    if drawn[0]["letter"].startswith(WALL.letter) and len(drawn) == 1:
        return wall(level, int(drawn[0]["height"] or _WALL["levels"]))
    terrain = mixture(map(_marked, drawn))
    sides = next((int(mark["sides"]) for mark in drawn if mark["sides"]), None)
    return Ground(level, terrain, road=sides)


def _marked(mark: re.Match[str]) -> Terrain:
    """The kind of terrain of one mark."""
    if mark["depth"] is not None:
        return water(int(mark["depth"]))
    letter = "=" if mark["letter"].startswith("=") else mark["letter"]
    if letter not in _BY_LETTER:
        raise TerrainRefused(f"terrain not supported: {letter}")
    return _BY_LETTER[letter]


def token(ground: Ground) -> str:
    """The drawn form, inverse of `ground_from_token`; buildings have none."""
    if ground.terrain.building:
        raise TerrainRefused("buildings cannot be drawn")
    if ground.terrain.solid and (
        ground.construction_factor != _WALL["construction_factor"] or ground.height > 9
    ):
        raise TerrainRefused("only walls of the usual construction factor can be drawn")
    return marks_of(ground)


def marks_of(ground: Ground) -> str:
    """Level and marks of a hex; "b" and its height for a building."""
    marks = AND.join(_marks(ground))
    level = str(ground.level) if ground.level else ""
    return level if level and marks == CLEAR.letter else level + marks


def _marks(ground: Ground) -> Iterator[str]:
    for part in ground.terrain.parts:
        if part.depth >= 0:
            yield f"~{part.depth}"
        elif part.building:
            yield f"b{ground.height}"
        elif part.solid:
            yield part.letter + ("" if ground.height == WALL_LEVELS else str(ground.height))
        elif part.road:
            yield part.letter + ("" if ground.road is None else str(ground.road))
        else:
            yield part.letter
