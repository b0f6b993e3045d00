"""Indirect fire: long-range missiles at a target that only a spotter of the team sees.

The numbers are those of the launcher, with the line of the spotter and what its movement adds. A spotter
makes no attack of its own in that turn. In a duel there is nobody to spot.
Source: BMR (level 2) indirect LRM fire; to_hit.yaml indirect_lrm; bmr-vs-total-warfare.md 1 (spotting).
"""

from __future__ import annotations

from solaris_combat.engines.battletech.events import DeclaredShot
from solaris_combat.engines.battletech.line_of_sight import LineOfSight, line_of_sight
from solaris_combat.engines.battletech.munitions import family
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import ATTACKER_MOVED, INDIRECT, TargetNumber
from solaris_combat.engines.battletech.unit import Moved, Unit, immobile
from solaris_combat.engines.battletech.weapons import Weapon

SPOTTER = "spotter moved"
FAMILY = "lrm"


def sight(state: State, attacker: Unit, target: Unit) -> LineOfSight:
    """The line of sight between two units on different hexes."""
    return line_of_sight(state.board, attacker.hex, target.hex, attacker.prone, target.prone)


def line_used(state: State, side: str, shot: DeclaredShot) -> LineOfSight:
    """The line whose terrain counts: that of the spotter where there is one."""
    seer = side if shot.spotter is None else shot.spotter
    los = sight(state, state.units[seer], state.units[shot.target])
    return los if shot.spotter is None else los._replace(attacker_cover=False)


def cannot_spot(state: State, side: str, shot: DeclaredShot, weapon: Weapon) -> str:
    """Why a shot cannot be fired indirectly with this spotter, or ""."""
    spotter = shot.spotter
    if spotter is None or spotter == side or spotter not in state.active:
        return "nobody to spot"
    if state.team(spotter) != state.team(side):
        return "spotter of another team"
    if family(weapon.ammunition) != FAMILY:
        return "only long-range missiles fire indirectly"
    if shot.aim is not None:
        return "indirect fire is not aimed"
    seen = state.units[spotter]
    if immobile(seen) or seen.hex == state.units[shot.target].hex:
        return "spotter out of action"
    if sight(state, state.units[side], state.units[shot.target]).possible:
        return "target in sight, no indirect fire"
    return ""


def indirect(number: TargetNumber, moved: Moved) -> TargetNumber:
    """A number with what indirect fire and the movement of the spotter add."""
    if not number.possible:
        return number
    walked = ATTACKER_MOVED[moved.mode]
    added = tuple(filter(None, (INDIRECT, walked and walked._replace(reason=SPOTTER))))
    value = number.value + sum(modifier.value for modifier in added)
    return number._replace(value=value, modifiers=(*number.modifiers, *added))
