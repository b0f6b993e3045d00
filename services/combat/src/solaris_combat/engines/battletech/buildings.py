"""Buildings: what it takes to walk through their walls, and what they keep from who is inside.

A 'Mech walks in on the ground through the walls, or jumps on the roof; from a roof into the next building no
way is built. Each hex is a building of its own.
Source: BMR buildings; buildings.yaml enter_or_leave, inside, level_weight.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import Ground

_PASSAGE = table("buildings")["passage"]
_INSIDE: int = table("buildings")["inside"]["divisor"]
ENTERED, LEFT = "entered_building", "left_building"
CAUSES = (ENTERED, LEFT)
SIDE: str = _PASSAGE["side"]
RULE: str = _PASSAGE["source"]


def passage_modifier(ground: Ground, hexes: int) -> int:
    """What type of building and hexes moved add to the roll for going through a wall."""
    steps = zip(_PASSAGE["hexes"], _PASSAGE["modifier"], strict=True)
    by_distance = max(step for step in steps if step[0] <= hexes)[1]
    kind = next(part.key for part in ground.terrain.parts if part.building)
    return int(_PASSAGE[kind] + by_distance)


def passage_damage(factor: int) -> int:
    """Points to who fails the roll, in one hit (BMR)."""
    return -(-factor // int(_PASSAGE["divisor"]))


def passage_loss(tons: int) -> int:
    """What the building loses whenever a 'Mech goes through its wall (BMR)."""
    return -(-tons // int(_PASSAGE["divisor"]))


def absorbed(factor: int, points: int) -> int:
    """What of one hit a building takes for the unit inside it, by its factor at the start of the phase."""
    return min(points, -(-factor // _INSIDE))
