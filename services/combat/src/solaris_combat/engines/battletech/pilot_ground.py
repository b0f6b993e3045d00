"""The ground as it will probably be in the turn to come: what has changed on it, and the smoke of its fires.

All of it is public: a fire smokes downwind at the end of each turn (D, smoke).
"""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.board import Board, arena, arena_ids, overlaid
from solaris_combat.engines.battletech.fire_spread import smoke_of
from solaris_combat.engines.battletech.hex import Hex, internal_facing
from solaris_combat.engines.battletech.terrain import Ground, terrain_of
from solaris_combat.engines.frozen import replace

Json = dict[str, Any]


def ground_ahead(view: Json) -> Board | None:
    """The board of the arena with everything that has changed on it; None for an arena nobody knows."""
    if view["arena"] not in arena_ids():
        return None
    board, ground = arena(view["arena"]).board, view["ground"]
    changed = {_index(board, name): _ground(board, name, now) for name, now in ground["changed"].items()}
    fires = [_index(board, name) for name in sorted(still_burning(view))]
    smoke = smoke_of(board, fires, internal_facing(ground["wind"]))
    return overlaid(board, changed, smoke, frozenset(_index(board, name) for name in ground["turrets"]))


def still_burning(view: Json) -> frozenset[str]:
    """The hexes whose fires still burn in the next turn."""
    fires = view["ground"]["fires"]
    return frozenset(
        name for name, fire in fires.items() if fire["until"] is None or fire["until"] > view["turn"]
    )


def _index(board: Board, name: str) -> int:
    return board.index(Hex.parse(name))


def _ground(board: Board, name: str, now: Json) -> Ground:
    before = board.ground(Hex.parse(name))
    figures = {key: now[key] for key in ("level", "height", "construction_factor")}
    return replace(before, terrain=terrain_of(now["terrain"], before.terrain.depth), **figures)
