"""Clearing woods with weapons: heavy woods become light, light woods rough (D, clearing woods).

Source: D, clearing woods and terrain conversion; fire_smoke.yaml league_text, league tables 4.3.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import TERRAINS, Terrain, mixture

_BECOMES = {
    TERRAINS[before]: TERRAINS[after]
    for before, after in table("clearing")["becomes"].items()
    if before in TERRAINS
}
ONE_STEP: bool = table("clearing")["success"]["one_step"]
DICE: int = table("clearing")["clearing"]["dice"]


def can_be_cleared(terrain: Terrain) -> bool:
    """Whether there are woods to clear."""
    return any(part in _BECOMES for part in terrain.parts)


def cleared(terrain: Terrain) -> Terrain:
    """What terrain becomes with one success; KeyError where there is nothing to clear."""
    if not can_be_cleared(terrain):
        raise KeyError(terrain.key)
    return mixture(_become(part) for part in terrain.parts)


def _become(part: Terrain) -> Terrain:
    """One kind after a success: what is no woods stays."""
    after = _BECOMES.get(part, part)
    while not ONE_STEP and after in _BECOMES:
        after = _BECOMES[after]
    return after


def clears(total: int, damage: int) -> bool:
    """Whether 2D6 clear the woods: at or below the damage of the whole attack (D)."""
    return total <= damage
