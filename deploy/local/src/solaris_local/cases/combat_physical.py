"""Operations of the league's cases about clubs and swords."""

from collections.abc import Mapping
from typing import Any

from solaris_combat.engines.battletech.club import girder_number
from solaris_combat.engines.battletech.construction import piece_half_tons
from solaris_combat.engines.battletech.equipment import EQUIPMENT, pieces_slots
from solaris_combat.engines.battletech.physical import BASE, damage_points


def _find_club(given: Mapping[str, Any]) -> dict[str, Any]:
    needed = girder_number(given["rubble_of"])
    if needed is None:
        return {"refused": True}
    return {"needed": needed}


def _sword(given: Mapping[str, Any]) -> dict[str, Any]:
    tons, sword = given["tons"], EQUIPMENT["sword"]
    slots = pieces_slots(sword, tons)
    return {
        "damage": damage_points("sword", tons),
        "weight_tons": piece_half_tons(sword, tons, slots) / 2,
        "criticals": slots,
        "base_to_hit": BASE["sword"].value,
    }


OPS = {"combat.find_club": _find_club, "combat.physical.sword": _sword}
