"""Boards and 'Mechs drawn by lot, the same for the same number: for benches and long tests."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

from solaris_combat.engines.battletech.battlefield import Battlefield, Fire, untouched
from solaris_combat.engines.battletech.board import Arena, Board, board_from_drawing, board_of, smoked
from solaris_combat.engines.battletech.catalogue import NOT_PLAYED
from solaris_combat.engines.battletech.fire_spread import smoke_of
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, distance
from solaris_combat.engines.battletech.start_places import nearest
from solaris_combat.engines.battletech.terrain import Ground, TerrainRefused, ground_from_text
from solaris_combat.engines.frozen import replace

MARKS = (
    *("", "", "", "", "1", "1", "2", "1w", "w", "w", "W", "W", "r", "~1", "~2"),
    *("", "", "", "", "1", "", "2", "1w", "w", "r", "W", "u", "r", "~1", "#"),
)
"""Terrain by chance: hills up to two levels, woods, rough ground, rubble, water, walls."""
TOP = {"": "."}
LARGEST_TEAM = 4


def board(random: Random, width: int = 16, height: int = 17) -> Board:
    """A board as wild as its figures let it be."""
    rows = (" ".join(_mark(random) for _ in range(width)) for _ in range(height))
    return board_from_drawing("\n".join(rows))


def _mark(random: Random) -> str:
    mark = random.choice(MARKS)
    return TOP.get(mark, mark)


TERRAINS = (
    *("", "", "", "woods:1", "woods:1", "woods:2", "rough:1", "rubble:1", "pavement:1", "pavement:1"),
    *("swamp:1", "water:0", "water:1", "water:2", "water:3", "impassable:1"),
    *("building:1", "building:2", "building:3", "building:4", "building:5"),
)
LEVELS = (0, 0, 0, 0, 1, 1, 2, 3, -1)
SMALLEST, WIDEST, HIGHEST = 8, 17, 4
MIXED, LIT = 0.15, 0.2
"""Share of the hexes of a wild board with two terrains, where these go together, and of those that burn."""


def wild(random: Random) -> Board:
    """A board of any size, more or less open, with every terrain played and buildings of any height."""
    width, height = (random.randint(SMALLEST, WIDEST) for _ in range(2))
    every = [Hex(col, row) for col in range(1, width + 1) for row in range(1, height + 1)]
    open_ground = random.random()
    rough = [place for place in every if random.random() > open_ground]
    return board_of(width, height, {place: _ground(random) for place in rough})


def _ground(random: Random) -> Ground:
    level, text = random.choice(LEVELS), _terrain(random)
    if random.random() < MIXED:
        with suppress(TerrainRefused):
            return ground_from_text(level, ";".join(filter(None, (text, _terrain(random)))))
    return ground_from_text(level, text)


def _terrain(random: Random) -> str:
    text = random.choice(TERRAINS)
    if not text.startswith("building"):
        return text
    return f"{text};bldg_elev:{random.randint(1, HIGHEST)};bldg_cf:{random.randint(1, 150)}"


def arena(random: Random, teams: int = 2) -> Arena:
    """An arena on such a board with anything hidden, its starts with room for a team beside them."""
    fit: Sequence[Hex] = ()
    while len(fit) < teams:
        field = wild(random)
        fit = [h for h in field.hexes() if _fit(field, field.index(h)) and _room(field, h)]
    starts = tuple((place, random.choice(DIRECTIONS)) for place in _places(random, fit, teams))
    hidden: dict[str, Any] = {
        "traps": random.random() < 0.5,
        "mines": random.choice((0, 0, 5, 20)),
        "vibrabombs": random.choice((0, 0, 5)),
        "setting": random.randrange(20, 101, 5),
    }
    return Arena("lot", "Lot", "Lote", "", "", field, starts, **hidden)


def _places(random: Random, fit: Sequence[Hex], teams: int) -> Sequence[Hex]:
    """So many of the hexes, every other time close together."""
    first = random.choice(fit)
    near = sorted((place for place in fit if place != first), key=lambda place: distance(first, place))
    return first, *random.sample(near[: random.choice((teams * 6, len(near)))], teams - 1)


def _fit(field: Board, index: int) -> bool:
    ground = field.ground_at(index)
    return field.depths[index] <= 0 and not (ground.terrain.closed or ground.terrain.building)


def _room(field: Board, place: Hex) -> bool:
    around = (h for h in nearest(field, place) if field.index(h) not in field.closed)
    return len(list(islice(around, LARGEST_TEAM * 2))) == LARGEST_TEAM * 2


def ground(random: Random, field: Board) -> Battlefield:
    """The ground of a board, in one of two fights with fires and their smoke on it."""
    lit = [n for n, g in enumerate(field.grounds) if g and g.terrain.burns and random.random() < LIT]
    if random.random() < 0.5 or not lit:
        return untouched(field)
    smoke = smoke_of(field, lit, random.randrange(len(DIRECTIONS)))
    fires = {index: Fire(0) for index in lit}
    return replace(untouched(field), fires=fires, smoke=smoke, board=smoked(field, smoke))


def models(random: Random, count: int = 2) -> tuple[str, ...]:
    """Models of the catalogue that fights can be played with."""
    playable = sorted(name for name, reasons in NOT_PLAYED.items() if not reasons)
    return tuple(random.choice(playable) for _ in range(count))
