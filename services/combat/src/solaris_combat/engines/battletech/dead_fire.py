"""Dead-Fire missiles: no guidance, more explosive, shorter ranges (R 4.6.6.5).

Source: R 4.6.6.5; solaris7-tables 2.3, 2.4, C-13; tables/munition_effects.toml [dead_fire].
"""

from __future__ import annotations

from solaris_combat.engines.battletech.munitions import family
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.frozen import replace

KEY = "dead-fire"
_TABLE = table("munition_effects")["dead_fire"]
CLUSTER_DICE: int = _TABLE["cluster_dice"]
DICE_KEPT: int = _TABLE["dice_kept"]


def as_loaded(weapon: Weapon) -> Weapon:
    """The launcher as it fires Dead-Fire: its ranges, points of a missile and groups."""
    figures = _TABLE[family(weapon.ammunition)]
    minimum, short, medium, long = figures["ranges"]
    return replace(
        weapon,
        minimum=minimum,
        short=short,
        medium=medium,
        long=long,
        damage=figures["damage"],
        group=figures["group"],
        group_points=figures["group_points"],
    )
