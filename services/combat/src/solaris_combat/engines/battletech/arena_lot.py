"""What the dice settle about an arena before the first turn: the wind, and what lies hidden (D; A).

Source: D, direction of the wind and mines; A, traps.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import ground_events
from solaris_combat.engines.battletech.fire_spread import WIND_DIE
from solaris_combat.engines.battletech.play import Play


def draw_wind(play: Play) -> None:
    """The wind blows one way during the whole fight; 1 is north (D)."""
    roll = play.dice.roll(1, WIND_DIE, "direction of the wind")
    play.emit(ground_events.WindDrawn(roll.total, (roll,)))
