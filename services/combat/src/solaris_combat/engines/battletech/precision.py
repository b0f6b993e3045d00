"""Precision rounds: the target's movement helps it less (R 4.6.6.9).

Source: R 4.6.6.9; solaris7-tables 2.3; tables/munition_effects.toml [precision].
"""

from __future__ import annotations

from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.tables import table

KEY = "precision"
REDUCES: int = table("munition_effects")["precision"]["reduces"]


def modifier(target_movement: int) -> Modifier | None:
    """What comes off a number for the target's movement modifier, which does not fall below 0."""
    less = min(max(target_movement, 0), REDUCES)
    return Modifier(-less, "Precision rounds", "R 4.6.6.9") if less else None
