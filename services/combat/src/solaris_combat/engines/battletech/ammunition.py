"""Ammunition: which bins can feed a weapon, and which one heat sets off (BMR, ammunition explosions).

Source: BMR ammunition and ammunition explosions; ammo.yaml, critical_hits.yaml heat_explosion_choice.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.critical_hits import explode_bin
from solaris_combat.engines.battletech.harm import Chain
from solaris_combat.engines.battletech.mech import AmmoBin
from solaris_combat.engines.battletech.unit import Unit, bin_usable
from solaris_combat.engines.dice import Dice


def usable_bins(unit: Unit, ammunition: str) -> tuple[AmmoBin, ...]:
    """Bins of a kind of ammunition that can still feed a weapon, in the order of the record sheet."""
    return tuple(
        ammo for ammo in unit.design.bins if ammo.ammunition == ammunition and bin_usable(unit, ammo.id)
    )


def explosive_bins(unit: Unit) -> tuple[AmmoBin, ...]:
    """Bins that can explode: explosive rounds left, slot not hit, location there."""
    return tuple(ammo for ammo in unit.design.bins if ammo.damage and bin_usable(unit, ammo.id))


def worst_bin(unit: Unit) -> AmmoBin | None:
    """The bin that heat sets off: most damage in one round, then most in all, then first on the sheet."""
    bins = explosive_bins(unit)
    if not bins:
        return None
    return max(bins, key=lambda ammo: (ammo.damage, ammo.damage * len(unit.belts[ammo.id])))


def explode_worst_bin(chain: Chain, dice: Dice) -> None:
    """Heat sets off the worst bin."""
    ammo = worst_bin(chain.unit)
    if ammo is not None:
        explode_bin(chain, ammo.id, "heat", dice)
