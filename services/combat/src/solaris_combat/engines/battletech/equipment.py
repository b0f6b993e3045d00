"""Equipment that is no weapon: what it weighs, where it stands, and whether fights can be played with it.

Source: BMR weapons and equipment table, construction rules; equipment.yaml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.tables import table


@dataclass(frozen=True, slots=True)
class Equipment:
    """A kind of equipment. Meaning of the fields: head of tables/equipment.toml.

    `slots` 0: as many as the tons that `weight` comes to (construction.py).
    """

    key: str
    name: str
    kind: str
    half_tons: int = 0
    slots: int = 0
    weight: str = ""
    spread: bool = False
    where: tuple[str, ...] = ()
    ammunition: str = ""
    not_played: str = ""


def _from(key: str, facts: Mapping[str, Any]) -> Equipment:
    return Equipment(key=key, **{**facts, "where": tuple(facts.get("where", ()))})


EQUIPMENT: Mapping[str, Equipment] = {
    key: _from(key, facts) for key, facts in table("equipment")["equipment"].items()
}
"""Every kind of equipment by key."""


def pieces_slots(item: Equipment, tons: int) -> int:
    """Slots of one piece in a 'Mech of some tons: 1 for what is spread, 0 where the weapons decide."""
    if item.spread:
        return 1
    fifteenths = -(-tons // 15)
    formulas = {"tons/20": (tons + 10) // 20, "tons/15": fifteenths, "tons/20 halves": fifteenths}
    return item.slots or formulas.get(item.weight, 0)
