"""Boards and 'Mechs drawn by lot, the same for the same number: for benches and long tests."""

from collections.abc import Sequence
from itertools import islice
from random import Random

from solaris_combat.engines.battletech.board import Arena, Board, board_from_drawing
from solaris_combat.engines.battletech.catalogue import NOT_PLAYED
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex
from solaris_combat.engines.battletech.start_places import nearest

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


def arena(random: Random, seats: int = 2) -> Arena:
    """An arena on such a board, its starts on dry ground with room for a team beside them."""
    field = board(random)
    fit = [h for h in field.hexes() if field.depths[field.index(h)] <= 0 and _room(field, h)]
    places: Sequence[Hex] = random.sample(fit, seats)
    starts = tuple((place, random.choice(DIRECTIONS)) for place in places)
    return Arena("lot", "Lot", "Lote", "", "", field, starts)


def _room(field: Board, place: Hex) -> bool:
    return len(list(islice(nearest(field, place), LARGEST_TEAM * 2))) == LARGEST_TEAM * 2


def models(random: Random, count: int = 2) -> tuple[str, ...]:
    """Models of the catalogue that fights can be played with."""
    playable = sorted(name for name, reasons in NOT_PLAYED.items() if not reasons)
    return tuple(random.choice(playable) for _ in range(count))
