"""Hidden traps of an arena: where they may lie, what springs, and who springs them (A).

What they are is rolled only when a unit comes into their hex (A). Where they lie, and every roll that shows
nothing, is private.
Source: A, traps; A, FAQ 1, 6, 8 to 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from solaris_combat.engines.battletech.mines import Minefield
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import Ground

_TABLE = table("traps")
DICE: int = _TABLE["placing"]["dice"]
_PER_HEX: int = _TABLE["placing"]["per_hex"]
_BY_DIE: list[str] = _TABLE["kinds"]["by_die"]
MINES = Minefield(_TABLE["mines"]["damage"])
TURRETS = ("laser", "missiles")

Place = TypeVar("Place")


def may_hold(ground: Ground, held: int = 0, start: bool = False) -> bool:
    """Whether a hex may hold a trap: no wall, no water, no start in use, and one a hex (A, FAQ 6, 8)."""
    terrain = ground.terrain
    fit = not (terrain.raised or terrain.closed) and terrain.depth < 0
    return fit and held < _PER_HEX and not start


def kind_of(die: int) -> str:
    """What a hex holds: "mines", "laser", "missiles", "quicksand" or "nothing" (A)."""
    return _BY_DIE[die - 1]


def comes_upon(way: Sequence[Place], hidden: Iterable[Place]) -> tuple[Place, ...]:
    """The hidden hexes that a way comes into or flies over, the start not counted (A, FAQ 1)."""
    places = set(hidden)
    return tuple(here for here in way[1:] if here in places)
