"""Tandem charges: a missile that goes through the armour, without a critical hit (R 4.6.6.6).

Source: R 4.6.6.6; solaris7-tables 2.3; tables/munition_effects.toml [tandem_charge].
"""

from __future__ import annotations

from solaris_combat.engines.battletech.tables import table

KEY = "tandem-charge"
_TABLE = table("munition_effects")["tandem_charge"]
ARMOR: int = _TABLE["armor"]
STRUCTURE: int = _TABLE["structure"]
IN_EXPLODING_BIN: int = _TABLE["in_exploding_bin"]


def pierces(armor: int) -> bool:
    """Whether a missile works as a tandem charge: while armour is left; without, it is a normal one."""
    return armor > 0
