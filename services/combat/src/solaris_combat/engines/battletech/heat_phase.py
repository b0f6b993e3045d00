"""The heat phase of both sides, in the order of heat.yaml order_in_phase.

Source: BMR heat phase; heat.yaml order_in_phase, shutdown, restart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solaris_combat.engines.battletech import events, fire_events, heat, heat_events, piloting
from solaris_combat.engines.battletech.ammunition import OTHER, worst_bin
from solaris_combat.engines.battletech.burning import set_alight
from solaris_combat.engines.battletech.fire_heat import heat_of_fires
from solaris_combat.engines.battletech.inferno import KEY as INFERNO
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
from solaris_combat.engines.battletech.structure import beyond_repair

SHUTDOWN_CAUSE = "reactor_shutdown"
SUBMERGED = 2
CHECKS = {OTHER: "ammunition", INFERNO: "inferno"}
"""How the log names the rolls for each kind of ammunition."""


def play_heat(play: Play, orders: Mapping[str, Orders]) -> None:
    """Heat comes in and goes out, then reactor, ammunition and mechwarrior bear what is left."""
    shots = [event for event in play.events if isinstance(event, events.ShotResolved)]
    play.emit(events.PhaseBegan(play.turn, "heat"))
    fired = [event for event in play.events if isinstance(event, fire_events.AmsFired)]
    for side in play.state.active:
        _wash(play, side)
        _settle(play, side, shots, fired)
    for side in play.state.active:
        _check_reactor(play, side)
        _check_ammunition(play, side)
        go_through(play, heat.heat_wounds(play.unit(side)))
        stay_conscious(play, side)
    settle_phase(play)


def _wash(play: Play, side: str) -> None:
    """Inferno goes off in water of depth 2, and prone in depth 1; the surface burns then (D, C-38)."""
    unit = play.unit(side)
    depth = play.board.depths[play.board.index(unit.hex)]
    if play.turn <= unit.inferno_until and (depth >= SUBMERGED or (unit.prone and depth == 1)):
        play.emit(fire_events.InfernoWashedOff(play.turn, side, str(unit.hex)))
        set_alight(play, play.board.index(unit.hex), "inferno", inferno=True)


def _settle(
    play: Play, side: str, shots: list[events.ShotResolved], fired: list[fire_events.AmsFired]
) -> None:
    """Heat of movement, weapons and engine hits, less what the sinks take."""
    unit = play.unit(side)
    assert unit.position is not None
    depth = play.board.depths[play.board.index(unit.position)]
    outside = (*heat.inferno_heat(unit, play.turn), *heat_of_fires(play.state, side))
    other = (*heat.movement_heat(unit.moved), *heat.engine_heat(unit), *outside)
    settled = heat.settle_heat(unit, other, depth)
    every = (
        *items(heat.movement_heat(unit.moved)),
        *_of_weapons(shots, side),
        *(events.Item(one.heat, "ams", "D, anti-missile system") for one in fired if one.side == side),
        *items(heat.engine_heat(unit)),
        *items(outside),
    )
    play.emit(
        heat_events.HeatApplied(play.turn, side, settled.before, every, settled.capacity, settled.after)
    )


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
            heat_events.HeatCheckMade(
                play.turn, side, check.kind, check.heat, number, check.running, check.rolls
            )
        )
    if check.running and unit.shutdown:
        play.emit(heat_events.ReactorRestarted(play.turn, side, check.heat))
    elif not check.running and not unit.shutdown:
        play.emit(heat_events.ReactorShutDown(play.turn, side, check.heat))
        needed = piloting.piloting_number(unit, SHUTDOWN_CAUSE)
        if not unit.prone and not roll_piloting(play, unit, SHUTDOWN_CAUSE, needed):
            fall(play, side, (SHUTDOWN_CAUSE,))


def _check_ammunition(play: Play, side: str) -> None:
    """A roll for each kind of ammunition that its heat endangers; the worst bin of that kind goes up."""
    for kind, number in heat.ammunition_checks(play.unit(side)):
        unit = play.unit(side)
        if beyond_repair(unit) or worst_bin(unit, kind) is None:
            continue
        check = heat.roll_ammunition(unit.heat, kind, number, play.dice)
        play.emit(
            heat_events.HeatCheckMade(
                play.turn, side, CHECKS[kind], check.heat, check.number, check.success, check.rolls
            )
        )
        if not check.success:
            go_through(play, heat.explode_by_heat(unit, play.dice, kind))
