"""HEAP rounds: harder to hit with, each hit may do critical damage through the armour (R 4.6.6.8).

Source: R 4.6.6.8; solaris7-tables 2.6; tables/munition_effects.toml [heap].
"""

from __future__ import annotations

from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.tables import table

KEY = "heap"
_TABLE = table("munition_effects")["heap"]
TO_HIT = Modifier(_TABLE["to_hit"], "HEAP rounds", "R 4.6.6.8")


def critical_modifier(weapon: str, structure_damaged: bool) -> int | None:
    """Modifier of the extra critical roll of a hit; None where structure damage brings the usual one."""
    return None if structure_damaged else int(_TABLE["critical"][weapon])
