"""Walls and buildings lose their factor and come down, with whoever stands on them (A, FAQ 21, 27; BMR).

Source: A, walls; A, FAQ 21, 27; buildings.yaml collapse; league tables 7 (C-25).
"""

from __future__ import annotations

from solaris_combat.engines.battletech import ground_events, walls
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.hit_location import weapon_location
from solaris_combat.engines.battletech.injury import fall, go_through
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.ruleset import ruleset


def weaken(play: Play, index: int, points: int, cause: str) -> None:
    """A wall or building loses points of its factor; at 0, or when it bears too much, it comes down."""
    before = play.board.ground_at(index)
    after = walls.struck(before, points)
    where = str(play.board.hex_at(index))
    if not after.terrain.raised:
        bring_down(play, index, "factor")
        return
    play.emit(ground_events.FactorReduced(play.turn, where, points, after.construction_factor, cause))
    on_top = _who_stands_there(play, index)
    if on_top is not None and not walls.bears(after, play.unit(on_top).design.tons):
        bring_down(play, index, "weight")


def batter(play: Play, index: int, points: int) -> None:
    """Points to the armour of a turret, or to the factor of a wall or building."""
    turret = play.state.ground.turrets.get(index)
    if turret is not None:
        left = max(turret.armor - points, 0)
        where = str(play.board.hex_at(index))
        play.emit(ground_events.TurretDamaged(play.turn, where, turret.armor - left, left))
    elif play.board.ground_at(index).terrain.raised:
        weaken(play, index, points, "shot")


def tread(play: Play, side: str) -> bool:
    """A 'Mech has stepped or landed on a wall: whether it comes down under it (A, FAQ 27)."""
    unit = play.unit(side)
    index = play.board.index(unit.hex)
    if walls.bears(play.board.ground_at(index), unit.design.tons):
        return False
    bring_down(play, index, "weight")
    return True


def bring_down(play: Play, index: int, cause: str) -> None:
    """It is rubble; who stood on it falls its levels and takes the damage of the collapse (A, FAQ 27)."""
    before = play.board.ground_at(index)
    where, on_top = str(play.board.hex_at(index)), _who_stands_there(play, index)
    factor, levels = before.construction_factor, before.height
    play.emit(ground_events.Collapsed(play.turn, where, factor, levels, cause))
    if on_top is None:
        return
    if play.unit(on_top).prone:
        levels = 0
    fall(play, on_top, (), levels)
    for points in walls.collapse_damage(before):
        hit = weapon_location(walls.SIDE, play.dice, ruleset().rules)
        go_through(play, take_hit(play.unit(on_top), hit, points, play.dice))


def _who_stands_there(play: Play, index: int) -> str | None:
    place = play.board.hex_at(index)
    return next((side for side in play.state.active if play.unit(side).position == place), None)
