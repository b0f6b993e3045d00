"""Where the rival may stand after its next movement, as everybody can work out from what is seen.

Movement points, heat and place of every unit are public; nothing here looks at sealed orders.
"""

from typing import Any

from solaris_combat.engines.battletech.hex import distance
from solaris_combat.engines.battletech.movement import allowance
from solaris_combat.engines.battletech.reach import jump_reach, run_reach, walk_reach
from solaris_combat.engines.battletech.state import State

Json = dict[str, Any]


def rival_reach(state: State, rival: str) -> list[Json]:
    """Each hex the unit can reach by each mode, and how far it lies (the fewest hexes moved)."""
    unit = state.units[rival]
    if unit.position is None or unit.destroyed is not None:
        return []
    allowed = allowance(unit)
    board = state.board
    reaches = {
        "walk": walk_reach(board, unit, allowed),
        "run": run_reach(board, unit, allowed),
        "jump": jump_reach(board, unit, allowed),
    }
    found = [{"hex": str(unit.position), "mode": "stand", "hexes": 0}]
    for mode, reached in reaches.items():
        for hex_ in sorted(reached.cheapest()):
            if hex_ != unit.position:
                found.append({"hex": str(hex_), "mode": mode, "hexes": distance(unit.position, hex_)})
    return found
