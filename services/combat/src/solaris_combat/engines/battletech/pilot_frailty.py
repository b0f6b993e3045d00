"""How near a 'Mech is to being lost, side by side: what makes a point of damage worth more than a point.

Read from the record sheet, which everybody sees: the chance that a hit on a side strikes a location, and how
little armour and structure is left there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solaris_combat.engines.battletech.hit_location import WEAPON
from solaris_combat.engines.battletech.pilot_odds import ODDS, ROLLS
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS

Json = dict[str, Any]

TORSO = ("CT", "RT", "LT")
"""Locations with armour behind."""
WHOLE = 100
"""What a point is worth on a 'Mech that nothing threatens, in hundredths."""
ENOUGH: int = WEIGHTS["frailty"]["enough"]
PERIL: Mapping[str, int] = WEIGHTS["frailty"]["peril"]
CHANCES = tuple(
    ODDS[total] - (ODDS[total + 1] if total + 1 < len(ODDS) else 0) for total in range(2, len(ODDS))
)
"""Ways out of 36 of each total of 2D6 from 2 on."""


def frailty(side: Json) -> dict[str, int]:
    """What a point that strikes each side is worth, in hundredths."""
    return {struck: WHOLE + _peril(side, struck) for struck in WEAPON}


def armor_on(side: Json, name: str, struck: str) -> int:
    """Armour left on a location against what strikes a side of the 'Mech."""
    behind = struck == "rear" and name in TORSO
    return int(side["locations"][name]["rear" if behind else "armor"])


def _peril(side: Json, struck: str) -> int:
    """What a usual hit on a side puts at risk besides its points."""
    total = 0
    for ways, location in zip(CHANCES, WEAPON[struck], strict=True):
        at = side["locations"][str(location)]
        if at["structure"] > 0:
            gone = max(0, ENOUGH - armor_on(side, str(location), struck) - at["structure"])
            total += ways * PERIL[str(location)] * gone // ENOUGH
    return total // ROLLS
