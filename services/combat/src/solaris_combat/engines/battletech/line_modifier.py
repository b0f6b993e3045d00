"""What the ground adds to the number to hit along a line: woods on the way, cover, and the target's woods."""

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.to_hit import TARGET_WOODS

_WOODS = tuple(modifier.value if modifier else 0 for modifier in TARGET_WOODS)


def line_modifier(
    board: Board, shooter: Hex, target: Hex, shooter_prone: bool = False, target_prone: bool = False
) -> int | None:
    """Modifiers of the line and of the target's woods (to_hit.yaml terrain), summed; None without a line."""
    los = line_of_sight(board, shooter, target, shooter_prone, target_prone)
    if not los.possible:
        return None
    return sum(value for _, value in los.modifiers) + int(_WOODS[board.woods[board.index(target)]])
