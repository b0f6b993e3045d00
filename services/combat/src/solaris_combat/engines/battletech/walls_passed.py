"""A 'Mech goes through the wall of a building, and fire at one that is inside, in play (BMR, buildings).

Source: BMR buildings; buildings.yaml enter_or_leave, inside.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import buildings
from solaris_combat.engines.battletech.collapse import weaken
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.hit_location import weapon_location
from solaris_combat.engines.battletech.injury import go_through, roll_piloting
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.movement import Check
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.weapons import Weapon


def pass_wall(play: Play, side: str, index: int, check: Check) -> None:
    """The roll, the damage of one that fails (he does not fall), and what the building loses."""
    factor = play.board.ground_at(index).construction_factor
    value = check.modifier or 0
    extra = (Modifier(value, "building and hexes moved", buildings.RULE),) if value else ()
    unit = play.unit(side)
    if not roll_piloting(play, unit, check.cause, piloting_number(unit, check.cause, extra=extra)):
        hit = weapon_location(buildings.SIDE, play.dice, ruleset().rules)
        go_through(play, take_hit(play.unit(side), hit, buildings.passage_damage(factor), play.dice))
    weaken(play, index, buildings.passage_loss(unit.design.tons), "passage")


def is_inside(play: Play, side: str) -> bool:
    """Whether a unit is inside a building, not on its roof."""
    unit = play.unit(side)
    return play.board.ground_at(play.board.index(unit.hex)).terrain.building and not unit.roof


def shielded(play: Play, side: str, points: int) -> int:
    """What is left of a hit on a unit once the building around it has taken its part."""
    index = play.board.index(play.unit(side).hex)
    factor = play.state.ground.at_phase.ground_at(index).construction_factor
    taken = buildings.absorbed(factor, points)
    weaken(play, index, taken, "shot")
    return points - taken


def miss_in_building(play: Play, side: str, weapon: Weapon) -> None:
    """A shot that misses a unit inside a building strikes the building with all it has (BMR)."""
    if is_inside(play, side):
        index = play.board.index(play.unit(side).hex)
        weaken(play, index, weapon.damage * max(weapon.rack, 1), "shot")
