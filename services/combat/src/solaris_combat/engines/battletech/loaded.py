"""A weapon as the salvo loaded into it makes it (BMR, LB-X autocannon; R 4.6.6).

Source: BMR LB-X autocannon; ammo.yaml special_effects.cluster; gauss_and_special_weapons.yaml lbx.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solaris_combat.engines.battletech.munitions import Belt, munition
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.frozen import replace

_PELLETS = table("weapon_modes")["pellets"]


def pellets(weapon: Weapon) -> Weapon:
    """An LB-X gun with cluster rounds: as many pellets as its calibre, each strikes on its own."""
    return replace(
        weapon,
        kind="pellets",
        rack=weapon.damage,
        damage=_PELLETS["damage"],
        group=_PELLETS["group"],
        to_hit=weapon.to_hit + _PELLETS["to_hit"],
    )


_AS_LOADED: Mapping[str, Callable[[Weapon], Weapon]] = {"cluster": pellets}


def as_loaded(weapon: Weapon, salvos: Belt) -> Weapon:
    """The weapon that fires these salvoes; as it stands in the table without any or with normal ones."""
    change = _AS_LOADED.get(munition(salvos[0])) if salvos else None
    return change(weapon) if change else weapon
