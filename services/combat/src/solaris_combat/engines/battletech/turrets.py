"""Turrets that come up from the ground: they fire by themselves at who is nearest (A, turrets).

Source: A, turrets; A, FAQ 3 to 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solaris_combat.engines.battletech.tables import table

_TABLE = table("traps")["turret"]
ARMOR: int = _TABLE["armor"]
GUNNERY: int = _TABLE["gunnery"]
LEVELS: int = _TABLE["levels"]
BLOCKS_SIGHT: bool = _TABLE["blocks_sight"]
ARC: int = _TABLE["arc"]
PHASE = "weapon"
"""The phase in which a turret fires, hidden before or known (A, FAQ 3, 4)."""


@dataclass(frozen=True, slots=True)
class Turret:
    """A turret that stands: "laser" or "missiles", its armour, and salvoes left (None without end)."""

    kind: str
    armor: int = ARMOR
    salvoes: int | None = None


def fresh_turret(kind: str) -> Turret:
    """A turret as it comes up."""
    return Turret(kind, salvoes=_TABLE["salvoes"][kind] or None)


def weapon_of(kind: str) -> str:
    """Key of its weapon."""
    return str(_TABLE["weapon"][kind])


def nearest(distances: Mapping[str, int]) -> tuple[str, ...]:
    """Whom a turret fires at: the nearest; of several equally near one is drawn by lot (A, turrets)."""
    least = min(distances.values(), default=0)
    return tuple(target for target, distance in distances.items() if distance == least)
