"""Cases of hexes, arcs, sides and lines of sight."""

from collections.abc import Mapping
from typing import Any

from solaris_combat.engines.battletech import hex as hexes
from solaris_combat.engines.battletech.arcs import Arc, attack_side, in_arc
from solaris_combat.engines.battletech.board import Board, board_from_texts, overlaid
from solaris_combat.engines.battletech.board_file import DRAWING
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.line_of_sight import LineOfSight, line_of_sight
from solaris_combat.engines.battletech.terrain import TerrainRefused
from solaris_local.cases import agreement
from solaris_local.cases.agreement import NotBuilt

Row = Mapping[str, Any]


NO_EFFECT = DRAWING | {"fire", "smoke", "elevator", "bldg_basement_type"}
"""Codes that change no number of a row: it shows one moment, and smoke is laid over the board."""


def board_of_case(board: Row) -> Board:
    """The board of a scenario, with its smoke; NotBuilt names terrain that no function takes."""
    codes = {number: h.get("terrain", "").split(";") for number, h in board["hexes"].items()}
    texts = {
        number: (h.get("level", 0), ";".join(code for code in codes[number] if _name(code) not in NO_EFFECT))
        for number, h in board["hexes"].items()
    }
    try:
        bare = board_from_texts(board["width"], board["height"], texts)
    except TerrainRefused as refused:
        raise NotBuilt(str(refused)) from refused
    smoky = (number for number, found in codes.items() if "smoke" in map(_name, found))
    return overlaid(bare, {}, frozenset(bare.index(Hex.parse(number)) for number in smoky), frozenset())


def _name(code: str) -> str:
    return code.partition(":")[0]


def sight_of_case(board: Board, attacker: Row, target: Row) -> Row:
    """The entry `los` of a scenario; all smoke is of one kind and counts like heavy woods (los.yaml L8)."""
    los = line_of_sight(
        board,
        Hex.parse(attacker["hex"]),
        Hex.parse(target["hex"]),
        attacker.get("prone", False),
        target.get("prone", False),
    )
    return {
        "light_woods": los.light_woods,
        "heavy_woods": los.heavy_woods - los.smoke,
        "light_smoke": 0,
        "heavy_smoke": los.smoke,
        "target_cover": los.target_cover,
        "attacker_cover": los.attacker_cover,
        "modifiers": _roll_of_line(los),
    }


def _roll_of_line(los: LineOfSight) -> Row:
    if not los.possible:
        return {"possible": False, "reason": los.blocked_by}
    modifiers = [(value, reason) for reason, value in los.modifiers]
    return {"possible": True, "value": sum(value for value, _ in modifiers), "modifiers": modifiers}


def line_of_case(a: Hex, b: Hex) -> Row:
    """Distance and line of two hexes."""
    return {
        "distance": hexes.distance(a, b),
        "along_hex_edge": hexes.along_hex_edge(a, b),
        "line_hexes": [str(h) for h in hexes.line_hexes(a, b)],
    }


def _hexdistance(row: Row) -> tuple[Any, Any]:
    a, b = Hex.parse(row["from"]), Hex.parse(row["to"])
    got = {
        **line_of_case(a, b),
        "neighbours_by_direction": [str(h) for h in hexes.neighbours(a)],
        "arcs_facing_0": {str(arc): in_arc(arc, a, 0, b) for arc in Arc},
    }
    if a != b:
        got["direction"] = hexes.direction(a, b)
    return agreement.pair(agreement.hexdistance, got, row)


def _attack_side(row: Row) -> tuple[Any, Any]:
    target, attacker = Hex.parse(row["target"]), Hex.parse(row["attacker"])
    side = attack_side(target, row["facing"], attacker)
    got = {"distance": hexes.distance(target, attacker), "side": str(side)}
    return agreement.pair(agreement.attack_side, got, row)


def _los(row: Row) -> tuple[Any, Any]:
    given = row["input"]
    attacker, target = given["attacker"], given["target"]
    a, b = Hex.parse(attacker["hex"]), Hex.parse(target["hex"])
    got = {
        **line_of_case(a, b),
        "attack_side": str(attack_side(b, target["facing"], a)),
        "los": sight_of_case(board_of_case(given["board"]), attacker, target),
    }
    return agreement.pair(agreement.los, got, row["result"])


KINDS = {"hexdistance": _hexdistance, "attack_side": _attack_side, "los": _los}
