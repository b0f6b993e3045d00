"""A unit comes into a hex: what lies hidden there springs, mines go off, walls bear it or not (A; D, mines).

What shows nothing leaves no trace: neither another event nor another stretch of the movement (MIN3).
Source: A, traps, mines, turrets, quicksand; A, FAQ 1, 27; D, mines and vibrabombs (C-23, C-24).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from solaris_combat.engines.battletech import ground_events, mines, vibrabombs
from solaris_combat.engines.battletech.collapse import tread
from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, distance, neighbour
from solaris_combat.engines.battletech.hit_location import locate
from solaris_combat.engines.battletech.injury import go_through
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.traps import TURRETS, comes_upon, kind_of, may_hold
from solaris_combat.engines.dice import Roll

Tell = Callable[[], None]
"""Tells the stretch moved so far, before something shows."""


def fly_over(play: Play, way: Sequence[Hex]) -> None:
    """A jump wakes the hidden turrets that it passes; mines and quicksand wait for who lands (A, FAQ 1)."""
    numbers = [play.board.index(h) for h in way]
    for index in comes_upon(numbers, play.state.hidden.traps):
        _roll_trap(play, index, _nothing)


def arrive(play: Play, side: str, where: Hex, tell: Tell) -> bool:
    """A unit has come into a hex on its feet or its jets; True if the ground gave way and it fell."""
    index = play.board.index(where)
    if index in play.state.hidden.traps:
        _roll_trap(play, index, tell)
    if play.state.hidden.mines:
        _vibrate(play, side, where, tell)
        _tread_on_mines(play, side, index, tell)
    if index in play.state.hidden.quicksand:
        tell()
        before = play.board.ground_at(index).terrain.key
        play.emit(ground_events.TerrainChanged(play.turn, str(where), before, "quicksand", "trap"))
    if not (play.board.ground_at(index).terrain.solid or play.unit(side).roof):
        return False
    tell()
    return tread(play, side)


def _nothing() -> None:
    return None


def _roll_trap(play: Play, index: int, tell: Tell) -> None:
    """What a hidden hex holds, by 1D6 in private; a turret shows itself (A)."""
    roll = play.dice.roll(1, 6, "trap")
    kind = kind_of(roll.total)
    play.emit(ground_events.TrapRolled(play.turn, str(play.board.hex_at(index)), kind, (roll,)))
    if kind in TURRETS:
        _raise_turret(play, index, kind, tell)


def _raise_turret(play: Play, trap: int, kind: str, tell: Tell) -> None:
    """It comes up in a hex beside the trap, by lot among those that can hold it; none if none can (A)."""
    place = play.board.hex_at(trap)
    if not any(_can_rise(play, neighbour(place, way)) for way in DIRECTIONS):
        return
    tell()
    rolls: list[Roll] = []
    while not rolls or not _can_rise(play, neighbour(place, rolls[-1].total - 1)):
        rolls.append(play.dice.roll(1, len(DIRECTIONS), "hex of the turret"))
    where = neighbour(place, rolls[-1].total - 1)
    play.emit(ground_events.TurretRose(play.turn, str(place), str(where), kind, tuple(rolls)))


def _can_rise(play: Play, where: Hex) -> bool:
    """On the board, no water, wall or other turret, and no unit in the way (A, turrets; A, FAQ 6)."""
    if where not in play.board or play.board.index(where) in play.board.closed:
        return False
    taken = any(play.unit(side).position == where for side in play.state.units)
    return may_hold(play.board.ground(where)) and not taken


def _tread_on_mines(play: Play, side: str, index: int, tell: Tell) -> None:
    """Conventional mines: tried in private; who treads on one is hurt before he goes on (D)."""
    field = play.state.hidden.mines.get(index)
    if field is None or field.setting is not None:
        return
    roll = play.dice.roll(2, 6, "mines")
    where, went_off = str(play.board.hex_at(index)), mines.explodes(roll.total)
    play.emit(ground_events.MinesTested(play.turn, side, where, mines.NUMBER, went_off, (roll,)))
    if went_off:
        tell()
        play.emit(ground_events.MineExploded(play.turn, side, where, field.damage))
        _hurt(play, side, field.damage)


def _vibrate(play: Play, side: str, here: Hex, tell: Tell) -> None:
    """Vibrabombs that feel this 'Mech go off, and hurt who stands on them (D; C-24)."""
    tons = play.unit(side).design.tons
    for index, field in sorted(play.state.hidden.mines.items()):
        where = play.board.hex_at(index)
        if field.setting is None or not vibrabombs.goes_off(field.setting, tons, distance(here, where)):
            continue
        tell()
        play.emit(ground_events.MineExploded(play.turn, side, str(where), vibrabombs.DAMAGE, vibrabomb=True))
        for other in play.state.active:
            for points in vibrabombs.damage_groups(distance(play.unit(other).hex, where)):
                _hurt(play, other, points)


def _hurt(play: Play, side: str, points: int) -> None:
    """Damage of a mine: the front, by the kick table (D)."""
    hit = locate(mines.SIDE, mines.TABLE, play.dice)
    go_through(play, take_hit(play.unit(side), hit, points, play.dice))
