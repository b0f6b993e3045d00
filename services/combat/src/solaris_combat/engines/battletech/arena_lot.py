"""What the dice settle about an arena before the first turn: the wind, and what lies hidden (D; A).

Where traps and mines lie is private: no view, no event that anybody sees, no letter tells it.
Source: D, direction of the wind and mines; A, traps.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import ground_events, traps
from solaris_combat.engines.battletech.fire_spread import WIND_DIE
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mines import DAMAGE
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.vibrabombs import DAMAGE as VIBRABOMB
from solaris_combat.engines.dice import Roll


def draw_wind(play: Play) -> None:
    """The wind blows one way during the whole fight; 1 is north (D)."""
    roll = play.dice.roll(1, WIND_DIE, "direction of the wind")
    play.emit(ground_events.WindDrawn(roll.total, (roll,)))


def hide_things(play: Play) -> None:
    """Traps, mines and vibrabombs of the arena, each in a hex of its own drawn by lot (A; D)."""
    arena = play.state.arena
    taken: set[Hex] = {unit.hex for unit in play.state.units.values()}
    if arena.traps:
        number = play.dice.roll(traps.DICE, 6, "number of traps")
        places, rolls = _draw(play, number.total, taken)
        play.emit(ground_events.TrapsHidden(places, (number, *rolls)))
    if arena.mines:
        places, rolls = _draw(play, arena.mines, taken)
        play.emit(ground_events.MinesLaid(places, DAMAGE, None, rolls))
    if arena.vibrabombs:
        places, rolls = _draw(play, arena.vibrabombs, taken)
        play.emit(ground_events.MinesLaid(places, VIBRABOMB, arena.setting, rolls))


def _draw(play: Play, number: int, taken: set[Hex]) -> tuple[tuple[str, ...], tuple[Roll, ...]]:
    """So many hexes by column and row; one that cannot hold a trap is drawn again, `taken` grows by them."""
    board, rolls = play.board, []
    free = [h for h in board.hexes() if h not in taken and traps.may_hold(board.ground(h))]
    places: list[Hex] = []
    while len(places) < min(number, len(free)):
        column = play.dice.roll(1, board.width, "column of a trap") if board.width > 1 else None
        row = play.dice.roll(1, board.height, "row of a trap") if board.height > 1 else None
        rolls += [roll for roll in (column, row) if roll]
        place = Hex(column.total if column else 1, row.total if row else 1)
        if place in free and place not in places:
            places.append(place)
    taken |= set(places)
    return tuple(map(str, places)), tuple(rolls)
