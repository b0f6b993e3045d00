"""A jump carried out: the flight, the landing and its rolls. Who falls on landing lies there for the turn.

Source: BMR movement, jumping; movement.yaml mode.jump, psr.yaml when_checked.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.arrival import arrive, fly_over
from solaris_combat.engines.battletech.getting_stuck import sinks_in
from solaris_combat.engines.battletech.hex import Hex, league_facing
from solaris_combat.engines.battletech.injury import fall, roll_piloting
from solaris_combat.engines.battletech.jumping import (
    chosen_route,
    follow_jump,
    landing_checks,
    usable_jump_mp,
)
from solaris_combat.engines.battletech.mires import CAUSES
from solaris_combat.engines.battletech.movement import Allowance, allowance
from solaris_combat.engines.battletech.orders import Movement
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.walk import Bars
from solaris_combat.engines.frozen import replace


def jump(play: Play, side: str, move: Movement, bars: Bars) -> tuple[Hex, ...]:
    """Jump as far along the path as the 'Mech can; it never lands where the rival is."""
    unit = play.unit(side)
    assert unit.position is not None
    allowed = allowance(unit)
    move = replace(move, path=chosen_route(unit.position, move.path))
    flown = follow_jump(play.board, unit, allowed, move.path)
    path = move.path[: flown.mp]
    stopped = _why_short(move, path)
    closed = bars.way | bars.rest
    while path and path[-1] in closed:
        path, stopped = path[:-1], bars.reason
    _fly(play, side, move, path, stopped)
    fly_over(play, (unit.position, *path[:-1]))
    if path:
        _land(play, side, allowed)
    return (unit.position, *path)


def _why_short(move: Movement, path: tuple[Hex, ...]) -> str:
    return "movement-points" if len(path) < len(move.path) else ""


def _fly(play: Play, side: str, move: Movement, path: tuple[Hex, ...], stopped: str) -> None:
    unit = play.unit(side)
    facing = league_facing(unit.facing if move.facing is None else move.facing)
    available = usable_jump_mp(play.board, unit, allowance(unit))
    play.emit(
        events.UnitMoved(
            turn=play.turn,
            side=side,
            mode="jump" if move.path else "stand",
            start=str(unit.position),
            steps=tuple(events.Stepped("J", str(h), facing, 1) for h in path),
            hex=str(path[-1] if path else unit.position),
            facing=facing,
            hexes=len(path),
            mp=len(path),
            mp_available=available,
            stopped=stopped,
            left_out=len(move.path) - len(path),
            roof=bool(path) and play.board.ground(path[-1]).terrain.building,
        )
    )


def _land(play: Play, side: str, allowed: Allowance) -> None:
    """What lies there, then rolls on landing, each for its own cause; the first that fails ends in a fall."""
    position = play.unit(side).position
    assert position is not None
    if arrive(play, side, position, lambda: None):
        return
    for check in landing_checks(play.board, allowed, position):
        unit = play.unit(side)
        if check.cause in CAUSES:
            sinks_in(play, side, check.cause, position, jumped=True)
        elif not roll_piloting(play, unit, check.cause, piloting_number(unit, check.cause)):
            fall(play, side, (check.cause,))
            return
