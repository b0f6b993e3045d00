"""Heat that the fires around a 'Mech give it in the heat phase (D, fire: heat phase).

Source: D, fire; fire_smoke.yaml league_text mek_heat.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.fire_spread import fire_heat
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.state import State


def heat_of_fires(state: State, side: str) -> tuple[Modifier, ...]:
    """Standing in a hex that burnt before this turn's fire, and burning hexes left this turn (FIR7)."""
    unit = state.units[side]
    fire = state.ground.fires.get(state.board.index(unit.hex)) if state.ground.fires else None
    return fire_heat(fire is not None and fire.since < state.turn, unit.moved.fires)
