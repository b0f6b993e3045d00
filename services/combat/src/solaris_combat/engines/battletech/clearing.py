"""Clearing woods with weapons: heavy woods become light, light woods rough (D, clearing woods).

Source: D, clearing woods and terrain conversion; fire_smoke.yaml league_text, league tables 4.3.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.ignition import clearing_lights
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import TERRAINS, Terrain

_BECOMES = {
    TERRAINS[before]: TERRAINS[after]
    for before, after in table("clearing")["becomes"].items()
    if before in TERRAINS
}
DICE: int = table("clearing")["clearing"]["dice"]


def can_be_cleared(terrain: Terrain) -> bool:
    """Whether there are woods to clear."""
    return terrain in _BECOMES


def cleared(terrain: Terrain) -> Terrain:
    """What terrain becomes with one success; KeyError where there is nothing to clear."""
    return _BECOMES[terrain]


def clears(total: int, damage: int) -> bool:
    """Whether 2D6 clear the woods: at or below the damage of the whole attack (D)."""
    return total <= damage


def attempt(terrain: Terrain, damage: int, fire_total: int, clear_total: int) -> tuple[Terrain, bool]:
    """A hit on woods to clear them: the terrain after it, and whether it burns instead."""
    if clearing_lights(fire_total):
        return terrain, True
    return (cleared(terrain) if clears(clear_total, damage) else terrain), False
