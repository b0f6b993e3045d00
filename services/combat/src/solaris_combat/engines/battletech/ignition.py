"""Setting fire to a hex: on purpose with a weapon, and by accident (D, fire; BMR, fire).

Source: D, fires (deliberate and accidental); fire_smoke.yaml league_text, league tables 4.1, 4.2.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import Terrain
from solaris_combat.engines.battletech.weapons import Weapon

_TABLE = table("fire")
_IGNITION = _TABLE["ignition"]
_ACCIDENT = _TABLE["accident"]
INFERNO: int = _IGNITION["inferno"]
CLEARING_AT_OR_BELOW: int = _ACCIDENT["clearing_at_or_below"]
MISS_AT_OR_BELOW: int = _ACCIDENT["miss_at_or_below"]
TURNS_AFTER: int = _TABLE["inferno"]["turns_after"]


def can_ignite(weapon: Weapon) -> bool:
    """Whether a weapon can set anything on fire (D, Fire Table)."""
    return weapon.key not in _IGNITION["never"]["weapons"] and weapon.kind in _IGNITION["kind"]


def ignition_number(weapon: Weapon, terrain: Terrain, inferno: bool = False) -> int | None:
    """What a hit needs on 2D6 to set a hex on fire; None where it cannot (D, Fire Table).

    Inferno burns anywhere and needs no roll, which is a number that every roll reaches.
    """
    if inferno:
        return INFERNO
    if not terrain.burns or not can_ignite(weapon):
        return None
    by_weapon: int | None = _IGNITION["weapon"].get(weapon.key)
    base = _IGNITION["kind"][weapon.kind] if by_weapon is None else by_weapon
    fuel = next(part.key for part in terrain.parts if part.burns)
    return int(base + _IGNITION["terrain"][fuel])


def lights(number: int | None, total: int, burning: bool = False) -> bool:
    """Whether a roll sets fire to the hex; one that burns already cannot be lit again (D, fires)."""
    return number is not None and total >= number and not burning


def clearing_lights(total: int) -> bool:
    """Whether the roll before an attempt to clear woods sets them on fire instead (D, accidental fires)."""
    return total <= CLEARING_AT_OR_BELOW


def miss_lights(total: int) -> bool:
    """Whether a shot that missed a unit in woods sets them on fire (D, accidental fires)."""
    return total <= MISS_AT_OR_BELOW


def accident_possible(weapon: Weapon, terrain: Terrain) -> bool:
    """Whether a miss can set fire to a hex by accident: woods only, with what can start fires at all."""
    return terrain.woods > 0 and can_ignite(weapon)
