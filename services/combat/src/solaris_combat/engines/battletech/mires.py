"""Ground in which a 'Mech gets stuck: swamp and quicksand (BMR, swamp; A, quicksand).

A roll on entering says whether it gets stuck; a stuck one rolls in its next movement before it moves and else
stays where it is. For who is stuck in quicksand fire counts as in water of depth 1 (to_hit.wading).
Source: movement.yaml swamp, psr.yaml; A, quicksand; A, FAQ 11 to 15.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.terrain import TERRAINS

CAUSES = {terrain.check: terrain.mire for terrain in TERRAINS.values() if terrain.mire}
"""The piloting roll that decides whether a 'Mech gets stuck, and in what."""
PHASE = "movement"
"""Where the roll to get free is made; movement is ordered before it (A, FAQ 13)."""


def escape_cause(mire: str) -> str:
    """The piloting roll to get free."""
    return f"escaped_{mire}"


def may_leave(stuck: str, mode: str) -> bool:
    """Whether a way of moving can lead out: stuck in quicksand nobody jumps (A, FAQ 12, 15)."""
    return mode != "jump" or stuck != "quicksand"


def moves(ordered: bool, freed: bool) -> bool:
    """Whether a stuck 'Mech moves: as ordered if its roll succeeds, else not at all (A, FAQ 13)."""
    return ordered and freed
