"""Firing arcs, and the side on which an attack strikes.

Both compare bearings in 24ths of a turn (`hex.bearing`), so a border is exact. Source: BMRr firing arcs and
attack direction; to_hit.yaml firing_arcs, attack_side.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from solaris_combat.engines.battletech.hex import Hex, bearing
from solaris_combat.engines.battletech.tables import table


class Arc(StrEnum):
    """A firing arc. Head, torso and arm weapons count from the torso's facing, leg weapons from the legs'."""

    FORWARD = "forward"
    LEFT_ARM = "left_arm"
    RIGHT_ARM = "right_arm"
    REAR = "rear"


class Side(StrEnum):
    """The side of a 'Mech that an attack strikes."""

    FRONT = "front"
    RIGHT = "right"
    REAR = "rear"
    LEFT = "left"


def _within(row: Mapping[str, Any]) -> frozenset[int]:
    """The bearings (24ths of a turn) between two angles in degrees, clockwise, borders as the row says."""
    start, end = row["from"] // 15, row["to"] // 15
    inside = {(start + n) % 24 for n in range(1, (end - start) % 24)}
    borders = {"both": {start, end}, "from": {start}, "to": {end}, "none": set()}
    return frozenset(inside | borders[row["with"]])


def _sides(rows: Mapping[str, Mapping[str, Any]]) -> dict[int, Side]:
    """The side by bearing; ValueError unless each bearing belongs to just one."""
    found = [(seen, Side(name)) for name, row in rows.items() for seen in _within(row)]
    if sorted(seen for seen, _ in found) != list(range(24)):
        raise ValueError("the sides of a 'Mech overlap or leave a gap")
    return dict(found)


_ARCS = {Arc(name): _within(row) for name, row in table("arcs")["firing"].items()}
_SIDES = _sides(table("arcs")["side"])


def bearings_in(arc: Arc) -> frozenset[int]:
    """The bearings from the facing, in 24ths of a turn, that lie in an arc."""
    return _ARCS[arc]


def in_arc(arc: Arc, origin: Hex, facing: int, other: Hex) -> bool:
    """Whether a hex lies in an arc of a unit that faces so (to_hit.yaml firing_arcs); never its own hex."""
    return origin != other and bearing_in_arc(arc, facing, bearing(origin, other))


def bearing_in_arc(arc: Arc, facing: int, seen: int) -> bool:
    """Whether a bearing (24ths of a turn) lies in an arc of a unit that faces so."""
    return (seen - 4 * facing) % 24 in _ARCS[arc]


def attack_side(target: Hex, facing: int, attacker: Hex) -> Side:
    """Side of a target that is struck from a hex, by the facing of its legs (to_hit.yaml attack_side)."""
    return side_struck(facing, bearing(target, attacker))


def side_struck(facing: int, seen: int) -> Side:
    """Side of a target with this facing that is struck from a bearing (24ths of a turn)."""
    return _SIDES[(seen - 4 * facing) % 24]
