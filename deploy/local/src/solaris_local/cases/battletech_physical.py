"""Cases of physical attacks."""

from collections.abc import Mapping
from typing import Any

from solaris_combat.engines.battletech.arcs import attack_side
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.physical import WEAPONS_IN_HAND, Blow, kicking_legs, physical_number
from solaris_combat.engines.battletech.unit import Unit
from solaris_local.cases import agreement
from solaris_local.cases.agreement import NotBuilt
from solaris_local.cases.battletech_attack import placed, roll
from solaris_local.cases.battletech_geometry import board_of_case
from solaris_local.cases.battletech_units import location_of

Row = Mapping[str, Any]

_WHOLE = {"push": "push", "charge": "charge", "death_from_above": "death_from_above"}


def _physical(row: Row) -> tuple[Any, Any]:
    given = row["input"]
    attacker, target = placed(given["attacker"], "A"), placed(given["target"], "B")
    board = board_of_case(given["board"])
    assert attacker.position is not None
    assert target.position is not None
    got = {
        "attack_side": str(attack_side(target.position, target.facing, attacker.position)),
        "physical": {
            name: _attack(_blow(name, attacker, given["attacker"]["unit"]), attacker, target, board)
            for name in row["result"]["physical"]
        },
    }
    return agreement.pair(agreement.physical, got, row["result"])


def _blow(name: str, attacker: Unit, facts: Row) -> Blow:
    """The blow a row names; its `club` is the hatchet or the sword of the 'Mech."""
    if name == "club":
        held = next((kind for kind in WEAPONS_IN_HAND if facts.get(kind)), None)
        if held is None:
            raise NotBuilt("a club that is neither hatchet nor sword")
        return Blow(held, location_of(facts[held][0]))
    if name in _WHOLE:
        return Blow(_WHOLE[name])
    kind, _, hand = name.partition("_")
    right, left = kicking_legs(attacker) if kind == "kick" else (Location.RA, Location.LA)
    return Blow(kind, right if hand == "right" else left)


def _attack(blow: Blow, attacker: Unit, target: Unit, board: Board) -> Row:
    found = physical_number(blow, attacker, target, board)
    hurts = {"damage": found.damage} if blow.kind not in ("push", "charge") else {}
    return {**roll(found.number), **hurts, "damage_to_attacker": found.own_damage}


KINDS = {"physical": _physical}
