"""Conventional mines: who enters the hex may set them off, and missiles clear them (D, mines; C-23, C-36).

Source: D, mines; mines.yaml league_text, league tables 7 (C-23, C-36).
"""

from __future__ import annotations

from dataclasses import dataclass

from solaris_combat.engines.battletech.tables import table

_CONVENTIONAL = table("mines")["conventional"]
_CLEARING = table("mines")["clearing"]
DAMAGE: int = _CONVENTIONAL["damage"]
NUMBER: int = _CONVENTIONAL["number"]
TABLE: str = _CONVENTIONAL["table"]
SIDE: str = _CONVENTIONAL["side"]
CLEARED_ON: int = _CLEARING["number"]


@dataclass(frozen=True, slots=True)
class Minefield:
    """Mines in a hex and the points they do; with a `setting` in tons it is a vibrabomb."""

    damage: int = DAMAGE
    setting: int | None = None


def explodes(total: int) -> bool:
    """Whether the unit that enters treads on a mine; the field stays where it is (D)."""
    return total >= NUMBER


def can_clear(weapon: str) -> bool:
    """Whether a weapon can clear mines (C-36)."""
    return weapon in _CLEARING["weapons"]


def clears(weapon: str, hit: bool, total: int) -> bool:
    """Whether a shot at the hex clears its mines: a hit, then 2D6 (D, clearing mines)."""
    return can_clear(weapon) and hit and total >= CLEARED_ON
