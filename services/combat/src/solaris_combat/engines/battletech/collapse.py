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
from solaris_combat.engines.battletech.terrain import Ground


def weaken(play: Play, index: int, points: int, cause: str) -> None:
    """A wall or building loses points of its factor; at 0, or when it bears too much, it comes down.

    A building of several hexes has one factor (BMR): all of them lose, and come down together.
    """
    after = walls.struck(play.board.ground_at(index), points)
    if not after.terrain.raised:
        bring_down(play, index, "factor")
        return
    house = play.board.house(index)
    for at in house:
        where = str(play.board.hex_at(at))
        play.emit(ground_events.FactorReduced(play.turn, where, points, after.construction_factor, cause))
    on_top = filter(None, (_who_stands_there(play, at) for at in house))
    if any(_too_heavy(play, side, after) for side in on_top):
        bring_down(play, index, "weight")


def _too_heavy(play: Play, side: str, ground: Ground) -> bool:
    """Whether a 'Mech on a wall or roof is more than it bears; the ground floor bears everything."""
    unit = play.unit(side)
    return (ground.terrain.solid or unit.roof) and unit.design.tons > ground.construction_factor


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
    """A 'Mech has stepped or landed on a wall or roof: whether it comes down under it (A, FAQ 27)."""
    index = play.board.index(play.unit(side).hex)
    if not _too_heavy(play, side, play.board.ground_at(index)):
        return False
    bring_down(play, index, "weight")
    return True


def bring_down(play: Play, index: int, cause: str) -> None:
    """It is rubble, all of it; who stood on it falls its levels and is hurt by the collapse (A, FAQ 27)."""
    for at in play.board.house(index):
        _bring_down(play, at, cause)


def _bring_down(play: Play, index: int, cause: str) -> None:
    before = play.board.ground_at(index)
    where, there = str(play.board.hex_at(index)), _who_stands_there(play, index)
    on_roof = there is not None and play.unit(there).roof
    factor, levels = before.construction_factor, before.height
    play.emit(ground_events.Collapsed(play.turn, where, factor, levels, cause))
    if there is None:
        return
    if before.terrain.solid or on_roof:
        fall(play, there, (), levels)
    spared = on_roof or (before.terrain.solid and not walls.ON_TOP)
    _bury(play, there, () if spared else walls.collapse_damage(play.state.ground.at_phase.ground_at(index)))


def _bury(play: Play, on_top: str, groups: tuple[int, ...]) -> None:
    """What comes down on a unit, by the factor at the start of the phase; on a roof nothing was above it."""
    for points in groups:
        hit = weapon_location(walls.SIDE, play.dice, ruleset().rules)
        go_through(play, take_hit(play.unit(on_top), hit, points, play.dice))


def _who_stands_there(play: Play, index: int) -> str | None:
    place = play.board.hex_at(index)
    return next((side for side in play.state.active if play.unit(side).position == place), None)
