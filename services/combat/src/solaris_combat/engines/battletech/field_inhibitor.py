"""The field inhibitor of a PPC switched off: no minimum range, at the risk of feedback (R 4.5.4).

Source: R 4.5.4; solaris7-tables 2.2, C-12; tables/level3.toml [field_inhibitor].
"""

from __future__ import annotations

from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.frozen import replace

_TABLE = table("level3")["field_inhibitor"]
SAFE_ON: tuple[int, ...] = tuple(_TABLE["safe_on"])
WEAPONS_WITH_ONE: tuple[str, ...] = tuple(_TABLE["weapons"])
DAMAGE: int = _TABLE["explosion"]["damage"]


def allowed(weapon: Weapon) -> bool:
    """Whether a weapon has an inhibitor to switch off."""
    return weapon.key in WEAPONS_WITH_ONE


def safe_on(distance: int) -> int:
    """2D6 needed against the feedback of a shot over so many hexes, whether it hits or not."""
    return SAFE_ON[min(max(distance, 1), len(SAFE_ON)) - 1]


def without_minimum(weapon: Weapon) -> Weapon:
    """The PPC as it fires with its inhibitor off."""
    return replace(weapon, minimum=0)
