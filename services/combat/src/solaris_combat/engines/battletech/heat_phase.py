"""The heat phase of both sides, in the order of heat.yaml order_in_phase.

Source: BMR heat phase; heat.yaml order_in_phase, shutdown, restart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solaris_combat.engines.battletech import events, heat, piloting
from solaris_combat.engines.battletech.fire_heat import heat_of_fires
from solaris_combat.engines.battletech.injury import (
    fall,
    go_through,
    roll_piloting,
    settle_phase,
    stay_conscious,
)
from solaris_combat.engines.battletech.item import items
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.play import Play

SHUTDOWN_CAUSE = "reactor_shutdown"


def play_heat(play: Play, orders: Mapping[str, Orders]) -> None:
    """Heat comes in and goes out, then reactor, ammunition and mechwarrior bear what is left."""
    shots = [event for event in play.events if isinstance(event, events.ShotResolved)]
    play.emit(events.PhaseBegan(play.turn, "heat"))
    fired = [event for event in play.events if isinstance(event, events.AmsFired)]
    for side in play.state.active:
        _settle(play, side, shots, fired)
    for side in play.state.active:
        _check_reactor(play, side)
        _check_ammunition(play, side)
        go_through(play, heat.heat_wounds(play.unit(side)))
        stay_conscious(play, side)
    settle_phase(play)


def _settle(play: Play, side: str, shots: list[events.ShotResolved], fired: list[events.AmsFired]) -> None:
    """Heat of movement, weapons and engine hits, less what the sinks take."""
    unit = play.unit(side)
    assert unit.position is not None
    depth = play.board.depths[play.board.index(unit.position)]
    fires = heat_of_fires(play.state, side)
    other = (*heat.movement_heat(unit.moved), *heat.engine_heat(unit), *fires)
    settled = heat.settle_heat(unit, other, depth)
    every = (
        *items(heat.movement_heat(unit.moved)),
        *_of_weapons(shots, side),
        *(events.Item(one.heat, "ams", "D, anti-missile system") for one in fired if one.side == side),
        *items(heat.engine_heat(unit)),
        *items(fires),
    )
    play.emit(events.HeatApplied(play.turn, side, settled.before, every, settled.capacity, settled.after))


def _of_weapons(shots: list[events.ShotResolved], side: str) -> Iterator[events.Item]:
    """Heat of the weapons a side has fired, then of flamers fired at it."""
    for shot in shots:
        if shot.side == side and shot.heat:
            yield events.Item(shot.heat, shot.name, "BMR, heat")
    warmed = sum(shot.target_heat for shot in shots if shot.target == side)
    if warmed:
        yield events.Item(warmed, "hit by flamers", "BMR, flamers")


def _check_reactor(play: Play, side: str) -> None:
    """Shutdown or restart; who shuts down rolls not to fall, with the reactor counted as still running."""
    unit = play.unit(side)
    check = heat.check_reactor(unit, play.dice)
    if check is None:
        return
    if check.rolls:
        number = check.number or 0
        play.emit(
            events.HeatCheckMade(play.turn, side, check.kind, check.heat, number, check.running, check.rolls)
        )
    if check.running and unit.shutdown:
        play.emit(events.ReactorRestarted(play.turn, side, check.heat))
    elif not check.running and not unit.shutdown:
        play.emit(events.ReactorShutDown(play.turn, side, check.heat))
        needed = piloting.piloting_number(unit, SHUTDOWN_CAUSE)
        if not unit.prone and not roll_piloting(play, unit, SHUTDOWN_CAUSE, needed):
            fall(play, side, (SHUTDOWN_CAUSE,))


def _check_ammunition(play: Play, side: str) -> None:
    unit = play.unit(side)
    check = heat.check_ammunition(unit, play.dice)
    if check is None:
        return
    play.emit(
        events.HeatCheckMade(
            play.turn, side, "ammunition", check.heat, check.number, check.success, check.rolls
        )
    )
    if not check.success:
        go_through(play, heat.explode_by_heat(unit, play.dice))
