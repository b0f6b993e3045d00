"""Getting stuck in a swamp or in quicksand, and getting free again, in play (BMR, swamp; A, quicksand).

Source: movement.yaml swamp; A, quicksand; A, FAQ 12, 13; piloting.toml has the numbers.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import ground_events
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.injury import roll_piloting
from solaris_combat.engines.battletech.mires import CAUSES, escape_cause, moves
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.play import Play


def sinks_in(play: Play, side: str, cause: str, where: Hex, *, jumped: bool = False) -> bool:
    """Whether a unit that enters a mire gets stuck; who jumps into a swamp does without a roll."""
    unit = play.unit(side)
    drops_in = jumped and CAUSES[cause] == "swamp"
    if not drops_in and roll_piloting(play, unit, cause, piloting_number(unit, cause)):
        return False
    play.emit(ground_events.UnitStuck(play.turn, side, str(where), CAUSES[cause]))
    return True


def gets_free(play: Play, side: str, ordered: bool) -> bool:
    """Whether a unit can move now: free, or stuck and free again by a roll before it moves (A, FAQ 13)."""
    unit = play.unit(side)
    if not unit.stuck:
        return True
    cause = escape_cause(unit.stuck)
    freed = ordered and roll_piloting(play, unit, cause, piloting_number(unit, cause))
    if freed:
        play.emit(ground_events.UnitFreed(play.turn, side, str(unit.hex)))
    return moves(ordered, freed)
