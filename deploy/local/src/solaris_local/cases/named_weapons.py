"""Weapons by the names that the league's cases use."""

from solaris_combat.engines.battletech.order_words import phrase_of, phrases
from solaris_combat.engines.battletech.weapons import WEAPONS, Weapon
from solaris_local.cases.agreement import NotBuilt


def weapon_of(name: str) -> Weapon:
    """A weapon by its key or by a name that the text of orders knows."""
    key = name.lower().replace("/", "-").replace(" ", "-")
    if key not in WEAPONS:
        key = phrases("weapon").get(phrase_of(name), "")
    if key not in WEAPONS:
        raise NotBuilt(name)
    return WEAPONS[key]
