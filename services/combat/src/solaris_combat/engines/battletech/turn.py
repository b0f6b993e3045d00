"""The order of a turn: which phases a set of orders sets going, and what is wanted next (R 4.6).

initial -> movement 1 -> [fire N with movement N+1] ... -> fire of the last turn. A fall in fire N voids all
movements N+1, and every side is asked for movement N+1 alone. The fight ends with the phase that leaves no
two teams with a unit in action, or with the last turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solaris_combat.engines.battletech import events, ruling_events
from solaris_combat.engines.battletech.end_phase import play_end_of_turn
from solaris_combat.engines.battletech.heat_phase import play_heat
from solaris_combat.engines.battletech.movement_phase import play_movement
from solaris_combat.engines.battletech.opening import play_initial
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.physical_phase import play_physical
from solaris_combat.engines.battletech.play import AnswerNeeded, Play
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.rulings import duel_ended, level, overtime
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.weapon_phase import play_weapon_fire
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import Dice


def decide(state: State, orders: Mapping[str, Orders], dice: Dice) -> tuple[object, ...] | Asked:
    """Carry out the orders of all sides; ValueError if the fight is over.

    Asked if a unit fell while moving and its side has not said what then: no event counts, and the caller
    keeps its dice where they were.
    """
    if state.wanted is None:
        raise ValueError("the fight is over: nothing can be carried out")
    play = Play(state, dice)
    try:
        _CARRY_OUT[state.wanted.kind](play, orders)
    except AnswerNeeded as needed:
        return Asked({needed.side: needed.question})
    return tuple(play.events)


def withheld(decided: tuple[object, ...]) -> tuple[str, ...]:
    """The movement, where it was voided and is asked again: "En ningún caso se facilitará información de los
    contrincantes" (R 4.6)."""
    return ("movement",) if any(isinstance(event, events.MovementVoided) for event in decided) else ()


def _movement(play: Play, orders: Mapping[str, Orders]) -> None:
    assert play.state.wanted is not None
    play_movement(play, play.state.wanted.turn, orders)
    _want_fire(play)


def _fire_and_movement(play: Play, orders: Mapping[str, Orders]) -> None:
    _fire_phases(play, orders)
    turn = play.turn + 1
    if play.state.ended:
        return
    rules = ruleset().table
    fallen = _sides(play, events.UnitFell) if rules["fall_by_fire"]["asks_both_again"] else ()
    displaced = _sides(play, events.UnitDisplaced) if rules["push_voids_movement"]["on"] else ()
    if fallen or displaced:
        play.emit(events.MovementVoided(turn, fallen, displaced))
        play.emit(events.Asking(turn, "movement"))
        return
    play_movement(play, turn, orders)
    _want_fire(play)


def _fire(play: Play, orders: Mapping[str, Orders]) -> None:
    """The last fire; a fight that was prolonged, or is for permanence and level, goes on (R 4.2, R 4.3)."""
    _fire_phases(play, orders)
    if play.state.ended:
        return
    turn = play.turn
    further = overtime(ruleset(), turn, level=level(play.state)) if play.state.terms.permanence else None
    if further is not None and turn >= play.state.turns:
        play.emit(ruling_events.OvertimeGranted(turn, further))
    if turn < play.state.turns:
        play.emit(events.Asking(turn + 1, "movement"))
    else:
        _end(play, "turn-limit")


def _fire_phases(play: Play, orders: Mapping[str, Orders]) -> None:
    """Weapon fire, physical attacks, heat and end of turn."""
    for phase in (play_weapon_fire, play_physical, play_heat, play_end_of_turn):
        phase(play, orders)
        if _end_if_out(play):
            return


def _sides(play: Play, kind: type[events.UnitFell] | type[events.UnitDisplaced]) -> tuple[str, ...]:
    """The sides to whose unit this happened in the phases of fire."""
    those = {event.side for event in play.events if isinstance(event, kind)}
    return tuple(side for side in play.state.units if side in those)


def _want_fire(play: Play) -> None:
    """After movement: the fight is over, or fire is wanted, with the next movement unless it is the last."""
    if not _end_if_out(play):
        last = play.turn >= play.state.turns
        play.emit(events.Asking(play.turn, "fire" if last else "fire_and_movement"))


def _end_if_out(play: Play) -> bool:
    """The fight ends with the phase that leaves no two teams with a unit in action."""
    if len({play.state.team(side) for side in play.state.active}) < 2:
        _end(play, "out-of-action")
    return play.state.ended is not None


def _end(play: Play, ended_by: str) -> None:
    play.emit(duel_ended(play.state, ended_by))


_CARRY_OUT: Mapping[str, Callable[[Play, Mapping[str, Orders]], None]] = {
    "initial": play_initial,
    "movement": _movement,
    "fire_and_movement": _fire_and_movement,
    "fire": _fire,
}
