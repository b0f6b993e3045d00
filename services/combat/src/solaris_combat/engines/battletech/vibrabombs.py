"""Vibrabombs: set to a weight, they feel heavy 'Mechs from afar (D, vibrabombs; C-24).

Source: D, vibrabombs; mines.yaml league_text, league tables 7 (C-24).
"""

from __future__ import annotations

from solaris_combat.engines.battletech.tables import table

_FIGURES = table("mines")["vibrabomb"]
DAMAGE: int = _FIGURES["damage"]
GROUP: int = _FIGURES["group"]


def felt_at(setting: int, tons: int) -> int | None:
    """The distance in hexes at which a 'Mech sets the bomb off; None if it never does (C-24)."""
    over = tons - setting
    if over <= -_FIGURES["quiet"]:
        return None
    return over // int(_FIGURES["per_hex"]) if over > _FIGURES["near"] else 0


def goes_off(setting: int, tons: int, distance: int) -> bool:
    """Whether a 'Mech that comes as near as this sets the bomb off."""
    felt = felt_at(setting, tons)
    return felt is not None and distance <= felt


def damage_groups(distance: int) -> tuple[int, ...]:
    """What it does to a 'Mech so far away: only its own hex is struck, in groups of five points (D)."""
    if distance:
        return ()
    whole, rest = divmod(DAMAGE, GROUP)
    return (GROUP,) * whole + ((rest,) if rest else ())
