"""Heat-seeking missiles: the hotter the target, the easier it is hit (R 4.6.6.7).

Source: R 4.6.6.7; solaris7-tables 2.5; tables/munition_effects.toml [heat_seeking].
"""

from __future__ import annotations

from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit

KEY = "heat-seeking"
_TABLE = table("munition_effects")["heat_seeking"]
_STEPS = tuple(zip(_TABLE["heat"], _TABLE["modifier"], strict=True))
_FIRE = _TABLE["burning_hex"]


BURNING_COUNTS: bool = _FIRE["on"]
"""Whether a burning hex in the line, or that of the target, counts (PROPOSED)."""
AT_START: bool = _TABLE["when"]["start_of_phase"]


def heat_of(target: Unit) -> int:
    """The heat of a target that counts: that of the start of the phase (PROPOSED)."""
    return target.heat if AT_START else target.heat + target.heat_built


def modifier(target_heat: int, fire_in_line: bool = False) -> Modifier:
    """What the target's heat does to the number, and a fire in the line where that switch is on."""
    value = [step for start, step in _STEPS if target_heat >= start][-1]
    if fire_in_line and BURNING_COUNTS:
        value += _FIRE["modifier"]
    return Modifier(value, "heat-seeking missiles", "R 4.6.6.7")
