"""Fire in play: hexes are lit, fires spread and go out, smoke drifts, and burning buildings weaken (D, fire).

Source: D, fires, spread, smoke, Inferno; fire_smoke.yaml league_text; league tables 4.1 to 4.2, C-09.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import ground_events, ignition
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.collapse import weaken
from solaris_combat.engines.battletech.fire_spread import Chance, smoke_of, spread_chances
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.walls import BURNT_PER_TURN
from solaris_combat.engines.battletech.weapons import Weapon


def set_alight(play: Play, index: int, cause: str, *, inferno: bool = False) -> None:
    """A hex begins to burn; Inferno on ground that does not burn lasts, and adds, a few turns (C-09)."""
    before = play.state.ground.fires.get(index)
    if before is not None and (before.until is None or not inferno):
        return
    until = None
    if inferno and not play.board.ground_at(index).terrain.burns:
        until = (play.turn if before is None else before.until or play.turn) + ignition.TURNS_AFTER
    play.emit(ground_events.FireLit(play.turn, name_of(play.board, index), cause, until))


def name_of(board: Board, index: int) -> str:
    """Printed number of a hex."""
    return str(board.hex_at(index))


def miss_in_woods(play: Play, side: str, target: str, weapon: Weapon) -> None:
    """A shot that missed a unit in woods may set fire to them (D, accidental fires)."""
    index = play.board.index(play.unit(target).hex)
    terrain = play.board.ground_at(index).terrain
    if index in play.state.ground.fires or not ignition.accident_possible(weapon, terrain):
        return
    roll = play.dice.roll(2, 6, "accidental fire")
    burns = ignition.miss_lights(roll.total)
    where = name_of(play.board, index)
    play.emit(
        ground_events.IgnitionRolled(
            play.turn, where, "miss", ignition.MISS_AT_OR_BELOW, burns, (roll,), side=side
        )
    )
    if burns:
        set_alight(play, index, "miss")


def play_fires(play: Play) -> None:
    """The end of a turn: every fire may spread, some go out, smoke drifts (D)."""
    burning = sorted(play.state.ground.fires)
    for index in burning:
        for chance in spread_chances(play.board, index, play.state.ground.wind):
            if chance.to not in play.state.ground.fires:
                _spread(play, index, chance)
    for house in sorted({play.board.house(index) for index in burning}):
        if play.board.ground_at(house[0]).terrain.building:
            weaken(play, house[0], BURNT_PER_TURN, "fire")
    for index, fire in sorted(play.state.ground.fires.items()):
        if fire.until is not None and fire.until <= play.turn:
            play.emit(ground_events.FireOut(play.turn, name_of(play.board, index)))
    _drift(play)


def _spread(play: Play, source: int, chance: Chance) -> None:
    roll = play.dice.roll(2, 6, "spread of fire")
    burns = ignition.lights(chance.number, roll.total)
    places = name_of(play.board, chance.to), name_of(play.board, source)
    play.emit(
        ground_events.IgnitionRolled(
            play.turn, places[0], "spread", chance.number, burns, (roll,), source=places[1]
        )
    )
    if burns:
        set_alight(play, chance.to, "spread")


def _drift(play: Play) -> None:
    ground = play.state.ground
    smoke = smoke_of(play.board, ground.fires, ground.wind)
    if smoke != ground.smoke:
        places = tuple(sorted(name_of(play.board, index) for index in smoke))
        play.emit(ground_events.SmokeDrifted(play.turn, places))
