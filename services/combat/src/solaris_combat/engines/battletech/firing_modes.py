"""Ways of firing that only some classes play: double rate and the field inhibitor off (R 4.5.2, 4.5.4).

Those of the weapon itself (Ultra autocannon, flamers) stand in tables/weapons.toml.
Source: R 4.5, R 4.5.2, R 4.5.4; solaris7-tables 1.9, C-12.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solaris_combat.engines.battletech import double_rate, field_inhibitor
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.weapons import Weapon

DOUBLE, INHIBITOR_OFF = "double", "inhibitor_off"
_BY_CLASS: Mapping[str, tuple[str, Callable[[Weapon], bool]]] = {
    DOUBLE: ("double_rate", double_rate.allowed),
    INHIBITOR_OFF: ("field_inhibitor", field_inhibitor.allowed),
}
"""Mode -> the rule of the ruleset that names its classes, and which weapons have it."""


def level3_modes(weapon: Weapon) -> tuple[str, ...]:
    """Ways of firing a weapon that the higher classes add to its own."""
    return tuple(mode for mode, (_, has_it) in _BY_CLASS.items() if has_it(weapon))


def modes_of(weapon: Weapon, fight_class: int) -> tuple[str, ...]:
    """Every way of firing a weapon in a class but the usual one."""
    rules = ruleset()
    added = (mode for mode in level3_modes(weapon) if rules.plays(_BY_CLASS[mode][0], fight_class))
    return (*weapon.modes, *added)


def refusal(weapon: Weapon, mode: str, fight_class: int) -> tuple[str, str] | None:
    """Why a weapon may not be fired so in a class, as code and text; None if it may."""
    if mode in modes_of(weapon, fight_class):
        return None
    if mode in level3_modes(weapon):
        return "mode-not-in-class", f"{mode!r} is not played in Class {fight_class}"
    return "mode-unknown", f"{weapon.name} cannot fire {mode!r}"
