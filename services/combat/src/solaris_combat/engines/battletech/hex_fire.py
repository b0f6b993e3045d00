"""Shots at hexes and into the air, resolved: fires are set, woods and mines cleared, walls and turrets hit.

Source: D, fires, clearing woods and mines; A, FAQ 22 to 24; buildings.yaml attack_building; C-36, C-37.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from solaris_combat.engines.battletech import clearing, events, ground_events, ignition, mines
from solaris_combat.engines.battletech.burning import set_alight
from solaris_combat.engines.battletech.collapse import batter
from solaris_combat.engines.battletech.ground_target import sees_top, with_inferno
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.mishap import at_the_gun
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.rules import MASTER_RULES
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.shooting import Shot, fire, heat_of
from solaris_combat.engines.battletech.shot_events import resolved, shot_event
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import TargetNumber
from solaris_combat.engines.battletech.walls import inferno_hex, side_of_fire
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.frozen import replace


@dataclass(frozen=True, slots=True)
class At:
    """A shot at a hex that hit: by whom, with what, where, the points it does, and whether it is Inferno."""

    side: str
    weapon: Weapon
    index: int
    points: int
    inferno: bool


def fire_at_nothing(
    play: Play, declared: State, side: str, shot: events.DeclaredShot, weapon: Weapon
) -> None:
    """Into the air or the ground: the belt advances and the weapon makes its heat (C-37)."""
    event = shot_event(declared, side, shot)
    play.emit(replace(event, heat=heat_of(weapon, shot.mode)))


def fire_at_hex(
    play: Play,
    declared: State,
    side: str,
    shot: events.DeclaredShot,
    weapon: Weapon,
    number: TargetNumber,
) -> None:
    """A shot at a hex; a miss does nothing by itself (FIR4).

    Before any attempt to clear woods they may catch fire by accident, whatever becomes of the shot (D).
    """
    event = shot_event(declared, side, shot, number)
    if not number.possible:
        play.emit(event)
        return
    index = play.board.index(Hex.parse(shot.hex))
    burnt = shot.intent == "clear" and _clearing_lights(play, side, index)
    result = _rolled(play, declared, side, shot, weapon, number)
    event = resolved(event, result, weapon)
    play.emit(event)
    at_the_gun(play, event, result)
    if result.hit and not burnt:
        at = At(side, weapon, index, sum(result.groups), with_inferno(shot.salvos))
        _strike(play, at, shot.intent)


def _rolled(
    play: Play,
    declared: State,
    side: str,
    shot: events.DeclaredShot,
    weapon: Weapon,
    number: TargetNumber,
) -> Shot:
    """The roll; a wall, building or turret in the next hex is hit whatever the dice show (BMR)."""
    rules = ruleset().rules
    near = distance(declared.units[side].hex, Hex.parse(shot.hex)) == 1
    if shot.intent == "building" and near:
        number, rules = replace_value(number, 2), MASTER_RULES
    return fire(number, weapon, play.dice, rules, mode=shot.mode, salvos=shot.salvos)


def replace_value(number: TargetNumber, value: int) -> TargetNumber:
    """The number with another value; its summands stay as they were."""
    return number._replace(value=value)


def _strike(play: Play, at: At, intent: str) -> None:
    """What a hit does to its hex; Inferno burns whatever it was fired for (D)."""
    if at.inferno:
        _burn(play, at)
    elif intent in _DONE:
        _DONE[intent](play, at)


def _burn(play: Play, at: At) -> None:
    """Inferno on a hex; on the side of a wall it burns before it (A, FAQ 23, 24)."""
    attacker, where = play.unit(at.side), play.board.hex_at(at.index)
    if play.board.ground_at(at.index).terrain.solid:
        where = inferno_hex(attacker.hex, where, side_of_fire(sees_top(play.state, attacker, where)))
    set_alight(play, play.board.index(where), "inferno", inferno=True)


def _ignite(play: Play, at: At) -> None:
    number = ignition.ignition_number(at.weapon, play.board.ground_at(at.index).terrain)
    if number is None or at.index in play.state.ground.fires:
        return
    roll = play.dice.roll(2, 6, "setting fire")
    _light(play, at.side, at.index, "intent", number, ignition.lights(number, roll.total), (roll,))


def _light(
    play: Play, side: str, index: int, cause: str, number: int, burns: bool, rolls: events.Rolls
) -> None:
    where = str(play.board.hex_at(index))
    play.emit(ground_events.IgnitionRolled(play.turn, where, cause, number, burns, rolls, side=side))
    if burns:
        set_alight(play, index, cause)


def _clearing_lights(play: Play, side: str, index: int) -> bool:
    """Whether woods that are to be cleared burn instead, rolled before the shot (D, accidental fires)."""
    if not clearing.can_be_cleared(play.board.ground_at(index).terrain):
        return False
    roll = play.dice.roll(2, 6, "accidental fire")
    burns = ignition.clearing_lights(roll.total)
    _light(play, side, index, "clearing", ignition.CLEARING_AT_OR_BELOW, burns, (roll,))
    return burns


def _clear(play: Play, at: At) -> None:
    """A hit on woods that did not burn instead: whether they are cleared (D)."""
    terrain = play.board.ground_at(at.index).terrain
    if not clearing.can_be_cleared(terrain):
        return
    roll = play.dice.roll(clearing.DICE, 6, "clearing woods")
    done = clearing.clears(roll.total, at.points)
    where = str(play.board.hex_at(at.index))
    play.emit(ground_events.ClearingRolled(play.turn, at.side, where, at.points, done, (roll,)))
    if done:
        after = clearing.cleared(terrain)
        play.emit(ground_events.TerrainChanged(play.turn, where, terrain.key, after.key, "cleared"))
        if at.index in play.state.ground.fires and not after.burns:
            play.emit(ground_events.FireOut(play.turn, where))


def _batter(play: Play, at: At) -> None:
    batter(play, at.index, at.points)


def _sweep(play: Play, at: At) -> None:
    """Mines are cleared, if there are any: the dice are the same either way (D; MIN3)."""
    roll = play.dice.roll(2, 6, "clearing mines")
    done = mines.clears(at.weapon.key, True, roll.total)
    where = str(play.board.hex_at(at.index))
    play.emit(ground_events.MinesSwept(play.turn, at.side, where, done, (roll,)))


_DONE: Mapping[str, Callable[[Play, At], None]] = {
    "ignite": _ignite,
    "clear": _clear,
    "building": _batter,
    "mines": _sweep,
}
