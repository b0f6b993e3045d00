"""Physical attacks on what stands in the next hex: turrets, walls and buildings (A, FAQ 7; BMR, buildings).

They hit without a roll, if limbs and levels let them; the points go to the turret's armour or to the factor.
Source: A, FAQ 7; buildings.yaml attack_building; league tables 3.1, 3.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from solaris_combat.engines.battletech import events, turrets
from solaris_combat.engines.battletech.collapse import batter
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.physical import (
    Blow,
    ahead,
    blows,
    cannot_strike,
    damage,
    reaches_level,
)
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State

KINDS = ("punch", "kick", "club", "hatchet", "sword")
"""Blows that hurt a thing: none that only drives away, none of the whole 'Mech."""
DIGITS = 4


def is_hex(target: str) -> bool:
    """Whether a target is the number of a hex and not a side."""
    return len(target) == DIGITS and target.isdigit()


def cannot_batter(
    state: State, side: str, where: Hex, blow: Blow, fired: frozenset[Location] = frozenset()
) -> str:
    """Why a blow does not reach what stands in a hex, or "" (A, FAQ 7)."""
    unit = state.units[side]
    levels = _levels(state, where)
    if blow.kind not in KINDS:
        return "not against things"
    if not levels:
        return "no wall, building or turret there"
    refused = cannot_strike(blow, unit, fired)
    if refused or distance(unit.hex, where) != 1:
        return refused or "target not adjacent"
    if not ahead(blow, unit, where):
        return "target not in arc"
    feet, ground = state.board.floors[state.board.index(unit.hex)], state.board.ground(where).level
    return "" if reaches_level(blow.kind, feet, ground, levels) else "target level out of reach"


def _levels(state: State, where: Hex) -> int:
    """Levels of the turret, wall or building in a hex; 0 where there is none."""
    if where not in state.board:
        return 0
    standing = state.board.index(where) in state.ground.turrets
    return turrets.LEVELS if standing else state.board.ground(where).height


def blows_at(state: State, side: str, fired: frozenset[Location] = frozenset()) -> Iterator[tuple[Hex, Blow]]:
    """Every blow that reaches a turret, wall or building around a side's 'Mech."""
    unit, board, turrets = state.units[side], state.board, state.ground.turrets
    here = board.index(unit.hex)
    for index in (board.step(here, way) for way in range(6)):
        if board.tops[index] > board.levels[index] or index in turrets:
            where = board.hex_at(index)
            for blow in blows(unit):
                if not cannot_batter(state, side, where, blow, fired):
                    yield where, blow


def strike_ground(
    play: Play, start: State, side: str, target: str, blow: Blow, fired: frozenset[Location]
) -> None:
    """Carry out a blow at a hex, by the state of the start of the phase."""
    where = Hex.parse(target)
    refused = cannot_batter(start, side, where, blow, fired)
    points = 0 if refused else damage(blow, start.units[side])
    play.emit(
        events.PhysicalResolved(
            turn=play.turn,
            side=side,
            target="",
            attack=blow.kind,
            limb=blow.limb,
            struck_side="",
            table="",
            number=None,
            modifiers=(),
            impossible=refused,
            hit=not refused,
            damage=points,
            hex=target,
        )
    )
    if points:
        batter(play, play.board.index(where), points)
