"""Inferno missiles: heat that lasts, hexes that burn, ammunition that heat sets off early (D, Inferno).

Source: D, Inferno; solaris7-tables 2.7, C-07, C-08, C-09, C-38; tables/munition_effects.toml [inferno].
"""

from __future__ import annotations

from solaris_combat.engines.battletech.tables import table

KEY = "inferno"
_TABLE = table("munition_effects")["inferno"]
HEAT: int = _TABLE["heat"]
TURNS_PER_MISSILE: int = _TABLE["turns_per_missile"]
EXPLOSION_HEAT: int = _TABLE["explosion"]["added_heat"]
_AVOID = tuple(zip(_TABLE["explosion"]["heat"], _TABLE["explosion"]["avoid"], strict=True))


def burns_until(turn: int, missiles: int, until: int = 0) -> int:
    """Last turn of the heat after so many hits in a turn, when it was to last `until` another one.

    Hits add up in time, never in heat (D).
    """
    return max(turn - 1, until) + missiles * TURNS_PER_MISSILE


def heat_in(turn: int, until: int) -> int:
    """Heat that Inferno adds in a turn."""
    return HEAT if turn <= until else 0


def explosion_number(heat: int) -> int | None:
    """2D6 against an explosion of Inferno ammunition at this heat; None below its first step."""
    reached = [avoid for start, avoid in _AVOID if heat >= start]
    return reached[-1] if reached else None
