"""Boards and 'Mechs drawn by lot, the same for the same number: for benches and long tests."""

from collections.abc import Sequence
from random import Random

from solaris_combat.engines.battletech.board import Arena, Board, board_from_drawing
from solaris_combat.engines.battletech.catalogue import NOT_PLAYED
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex

MARKS = ("", "", "", "", "1", "1", "2", "1w", "w", "w", "W", "W", "r", "~1", "~2")
"""Terrain by chance: half of the hexes clear, hills up to two levels, woods, rough ground, water."""
TOP = {"": "."}


def board(random: Random, width: int = 16, height: int = 17) -> Board:
    """A board as wild as its figures let it be."""
    rows = (" ".join(_mark(random) for _ in range(width)) for _ in range(height))
    return board_from_drawing("\n".join(rows))


def _mark(random: Random) -> str:
    mark = random.choice(MARKS)
    return TOP.get(mark, mark)


def arena(random: Random, seats: int = 2) -> Arena:
    """An arena on such a board, its starts on dry ground apart from each other."""
    field = board(random)
    dry = [h for h in field.hexes() if field.depths[field.index(h)] <= 0]
    places: Sequence[Hex] = random.sample(dry, seats)
    starts = tuple((place, random.choice(DIRECTIONS)) for place in places)
    return Arena("lot", "Lot", "Lote", "", "", field, starts)


def models(random: Random, count: int = 2) -> tuple[str, ...]:
    """Models of the catalogue that fights can be played with."""
    playable = sorted(name for name, reasons in NOT_PLAYED.items() if not reasons)
    return tuple(random.choice(playable) for _ in range(count))
