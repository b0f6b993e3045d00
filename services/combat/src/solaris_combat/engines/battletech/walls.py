"""Walls and other ground with a construction factor: what they bear, what fire does to them.

Source: A, walls; A, FAQ 16 to 28; buildings.yaml collapse, attack_building, league tables 7 (C-25).
"""

from __future__ import annotations

from solaris_combat.engines.battletech.hex import Hex, line_hexes
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import RUBBLE, Ground
from solaris_combat.engines.frozen import replace

_COLLAPSE = table("buildings")["collapse"]
GROUP: int = _COLLAPSE["group"]
ON_TOP: bool = _COLLAPSE["on_top"]["as_at_the_foot"]
SIDE: str = _COLLAPSE["side"]
BURNT_PER_TURN: int = table("buildings")["burning"]["factor_per_turn"]


def bears(ground: Ground, tons: int) -> bool:
    """Whether a wall holds a 'Mech that stands on it: up to its construction factor in tons (A, C-25)."""
    return not ground.terrain.solid or tons <= ground.construction_factor


def struck(ground: Ground, points: int) -> Ground:
    """What is left of a wall or building after so many points: at 0 it is rubble (A, FAQ 21; BLD1)."""
    left = ground.construction_factor - points
    return fallen(ground) if left <= 0 else replace(ground, construction_factor=left)


def fallen(ground: Ground) -> Ground:
    """The rubble of a wall or building, on the level of the ground (A, walls; BMR, collapse)."""
    return Ground(ground.level, RUBBLE)


def collapse_damage(ground: Ground) -> tuple[int, ...]:
    """Points that the collapse does to who stood there, in groups, rounded up (BMR; A, FAQ 27)."""
    points = -(-ground.construction_factor * ground.height // _COLLAPSE["divisor"])
    whole, rest = divmod(points, GROUP)
    return (GROUP,) * whole + ((rest,) if rest else ())


def side_of_fire(sees_top: bool) -> str:
    """Where fire at a wall lands: on its top where that is seen, else on its side (A, FAQ 22)."""
    return "top" if sees_top else "side"


def inferno_hex(attacker: Hex, target: Hex, aim: str) -> Hex:
    """The hex that burns: the wall's own top, or the one before the wall on the line (A, FAQ 23, 24)."""
    return target if aim == "top" else line_hexes(attacker, target)[-2]
