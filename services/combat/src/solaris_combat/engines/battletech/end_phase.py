"""The end of a turn: unconscious mechwarriors try to wake up, and what counts per turn is over.

Anti-missile systems are switched here for the next turn, as the orders of this one say (D).
Source: BMR end phase; turn.yaml end_phase, pilot.yaml unconscious; ams.yaml switched_on.
"""

from __future__ import annotations

from collections.abc import Mapping

from solaris_combat.engines.battletech import events, fire_events, pilot
from solaris_combat.engines.battletech.anti_missile import systems
from solaris_combat.engines.battletech.burning import play_fires
from solaris_combat.engines.battletech.injury import go_through
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.play import Play


def play_end_of_turn(play: Play, orders: Mapping[str, Orders]) -> None:
    """Wake-up rolls of those who passed out in an earlier turn (pilot.yaml), fires, the end of the turn."""
    play.emit(events.PhaseBegan(play.turn, "end_of_turn"))
    for side in play.state.active:
        unit = play.unit(side)
        if not unit.conscious and play.state.passed_out.get(side, play.turn) < play.turn:
            go_through(play, pilot.wake_up(unit, play.dice))
    for side in play.state.active:
        if systems(play.unit(side)):
            fire = orders[side].fire
            play.emit(fire_events.AmsSet(play.turn + 1, side, fire.ams if fire else ()))
    play_fires(play)
    play.emit(events.TurnEnded(play.turn))
