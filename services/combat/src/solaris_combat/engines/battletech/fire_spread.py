"""Fire spreads downwind and makes smoke there; who stands in it or leaves it gets hot (D, fire and smoke).

The wind blows towards its direction, 1 = north (D). Internally directions are 0 to 5.
Source: D, spread of fires, smoke, heat; fire_smoke.yaml league_text, league tables 4.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import turned
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.tables import table

_TABLE = table("fire")
_SPREAD = _TABLE["spread"]
DOWNWIND: int = _SPREAD["downwind"]
BESIDE: int = _SPREAD["beside"]
BEYOND: int = _SPREAD["beyond"]
WIND_DIE: int = _TABLE["wind"]["die"]


@dataclass(frozen=True, slots=True)
class Chance:
    """A hex that a fire may spread to, and what it takes on 2D6."""

    to: int
    number: int


def spread_chances(board: Board, fire: int, wind: int) -> Iterator[Chance]:
    """Where a fire in the hex with an index may spread, in the order of the rolls (D, spread of fires)."""
    ahead = board.step(fire, wind)
    if burns(board, ahead):
        yield Chance(ahead, DOWNWIND)
    for way in (-1, 1):
        beside = board.step(fire, turned(wind, way))
        if burns(board, beside):
            yield Chance(beside, BESIDE)
    if board.grounds[ahead] is not None and not burns(board, ahead):
        beyond = board.step(ahead, wind)
        if burns(board, beyond):
            yield Chance(beyond, BEYOND)


def burns(board: Board, index: int) -> bool:
    """Whether fire can spread to a hex: woods and buildings (D, what can burn)."""
    ground = board.grounds[index]
    return ground is not None and ground.terrain.burns


def smoke_of(board: Board, fires: Iterable[int], wind: int) -> frozenset[int]:
    """The hexes in the smoke of all fires: of each the one downwind and the two beside it (D, smoke).

    A fire's own hex is in smoke only where another one lies upwind.
    """
    ways = [turned(wind, way) for way in (-1, 0, 1)]
    every = (board.step(fire, way) for fire in fires for way in ways)
    return frozenset(index for index in every if board.grounds[index] is not None)


def fire_heat(in_fire: bool, hexes_left: int) -> tuple[Modifier, ...]:
    """Heat of standing in a burning hex in the heat phase, and of each burning hex left in movement (D)."""
    figures = _TABLE["heat"]
    source = figures["source"]
    items = (
        Modifier(figures["in_fire"] * in_fire, "standing in fire", source),
        Modifier(figures["per_hex_left"] * hexes_left, "left burning hexes", source),
    )
    return tuple(item for item in items if item.value)
