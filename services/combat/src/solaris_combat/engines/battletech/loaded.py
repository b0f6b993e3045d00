"""A weapon as the salvo loaded into it makes it (BMR, LB-X autocannon; R 4.6.6, R 4.5.3).

Source: BMR LB-X autocannon; ammo.yaml special_effects.cluster; gauss_and_special_weapons.yaml lbx; R 4.6.6,
R 4.5.3; solaris7-tables 2.3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solaris_combat.engines.battletech import dead_fire, hot_loading, inferno
from solaris_combat.engines.battletech.munitions import Belt, is_hot, munition
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


def harmless(weapon: Weapon) -> Weapon:
    """A launcher with Inferno: its missiles burn and do no points of damage (D)."""
    return replace(weapon, damage=0)


_AS_LOADED: Mapping[str, Callable[[Weapon], Weapon]] = {
    "cluster": pellets,
    dead_fire.KEY: dead_fire.as_loaded,
    inferno.KEY: harmless,
}
"""What each munition makes of a weapon; those not named change no figure of it."""


def as_loaded(weapon: Weapon, salvos: Belt) -> Weapon:
    """The weapon that fires these salvoes; as it stands in the table without any or with normal ones."""
    if not salvos:
        return weapon
    change = _AS_LOADED.get(munition(salvos[0]))
    loaded = change(weapon) if change else weapon
    return hot_loading.without_minimum(loaded) if is_hot(salvos[0]) else loaded
