"""Ammunition: which bins can feed a weapon, and which one heat sets off (BMR, ammunition explosions).

Source: BMR ammunition and ammunition explosions; ammo.yaml, critical_hits.yaml heat_explosion_choice.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.critical_hits import explode_bin, explosive_bins
from solaris_combat.engines.battletech.harm import Chain
from solaris_combat.engines.battletech.inferno import KEY as INFERNO
from solaris_combat.engines.battletech.mech import AmmoBin
from solaris_combat.engines.battletech.munitions import munition
from solaris_combat.engines.battletech.salvo import points_inside
from solaris_combat.engines.battletech.unit import Unit, bin_usable
from solaris_combat.engines.dice import Dice

OTHER = "other"


def usable_bins(unit: Unit, ammunition: str) -> tuple[AmmoBin, ...]:
    """Bins of a kind of ammunition that can still feed a weapon, in the order of the record sheet."""
    return tuple(
        ammo for ammo in unit.design.bins if ammo.ammunition == ammunition and bin_usable(unit, ammo.id)
    )


def worst_bin(unit: Unit, kind: str = "") -> AmmoBin | None:
    """The bin that heat sets off: most damage in one round, then most in all, then first on the sheet.

    `kind`: only bins with Inferno aboard, or with anything else ("inferno" or "other"; "" for all).
    """
    bins = [ammo for ammo in explosive_bins(unit) if not kind or kind in kinds_of(unit, ammo)]
    if not bins:
        return None
    points = {ammo.id: [points_inside(ammo, salvo) for salvo in unit.belts[ammo.id]] for ammo in bins}
    return max(bins, key=lambda ammo: (max(points[ammo.id]), sum(points[ammo.id])))


def kinds_of(unit: Unit, ammo: AmmoBin) -> set[str]:
    """Whether a bin holds Inferno, other ammunition, or both: "inferno", "other"."""
    return {INFERNO if munition(salvo) == INFERNO else OTHER for salvo in unit.belts[ammo.id]}


def explode_worst_bin(chain: Chain, dice: Dice, kind: str = "") -> None:
    """Heat sets off the worst bin (of those with a kind of ammunition)."""
    ammo = worst_bin(chain.unit, kind)
    if ammo is not None:
        explode_bin(chain, ammo.id, "heat", dice)
