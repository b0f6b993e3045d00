"""Hot loading: long-range missiles armed before the fight, salvo by salvo (R 4.5.3).

They have no minimum range, hit with the two lowest of three dice, and go up when their launcher is hit.
Source: R 4.5.3, R 4.6.6.5 (Dead-Fire); solaris7-tables C-13, C-31; tables/level3.toml [hot_loading].
"""

from __future__ import annotations

from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.frozen import replace

_TABLE = table("level3")["hot_loading"]
CLUSTER_DICE: int = _TABLE["cluster_dice"]
DICE_KEPT: int = _TABLE["dice_kept"]
BIN_SAFE_ON: int = _TABLE["launcher_critical"]["bin_safe_on"]
DEAD_FIRE = Modifier(_TABLE["dead_fire_to_hit"], "hot-loaded Dead-Fire", "R 4.6.6.5")


def without_minimum(weapon: Weapon) -> Weapon:
    """The launcher as it fires a hot-loaded salvo: no minimum range."""
    return replace(weapon, minimum=0)


def bin_explodes(total: int) -> bool:
    """Whether a bin of the launcher's location goes up with the salvo (2D6)."""
    return total < BIN_SAFE_ON
