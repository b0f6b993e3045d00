"""Jumps: from the ground, over what is low enough, by a shortest way; the facing on landing is free.

Source: BMRr movement, jumping; movement.yaml mode.jump, jump_water, actions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex, distance, line_hexes, neighbours
from solaris_combat.engines.battletech.mech import TORSOS
from solaris_combat.engines.battletech.mires import may_leave
from solaris_combat.engines.battletech.movement import (
    CLOSED_RULE,
    COST,
    LANDING_ON_LEG_OR_GYRO,
    LANDING_ON_LOST_LEG,
    Allowance,
    Check,
)
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, slot_working
from solaris_combat.engines.contract import Violation
from solaris_combat.engines.frozen import replace

JUMP_FROM_DEPTH: int = table("movement")["limit"]["jump_from_depth"]


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump that is legal as far as it goes: MP (= hexes), where it lands, and the rolls on landing."""

    mp: int
    landing: Hex
    checks: tuple[Check, ...]
    violation: Violation | None = None


def usable_jump_mp(board: Board, unit: Unit, allowed: Allowance) -> int:
    """Jump MP from where the unit stands: none prone or from deep water, in depth 1 those of torso jets."""
    depth = board.wading[board.index(unit.hex)]
    inside = board.ground_at(board.index(unit.hex)).terrain.building and not unit.roof
    if inside or unit.prone or not may_leave(unit.stuck, "jump") or depth > JUMP_FROM_DEPTH:
        return 0
    return min(allowed.jump, _torso_jets(unit)) if depth > 0 else allowed.jump


def _torso_jets(unit: Unit) -> int:
    slots = ((at, n, s) for at in TORSOS for n, s in enumerate(unit.design.slots[at], 1))
    return sum(1 for at, n, slot in slots if slot.kind == "jump_jet" and slot_working(unit, at, n))


def ceiling(board: Board, unit: Unit, mp: int) -> int:
    """Level of the highest hex that a jump may cross: that of the start plus the jump MP (mode.jump)."""
    return board.floors[board.index(unit.hex)] + mp


def follow_jump(
    board: Board,
    unit: Unit,
    allowed: Allowance,
    path: Sequence[Hex],
    occupied: frozenset[Hex] = frozenset(),
) -> Jump:
    """A jump along hexes, the start not among them, and its landing (movement.yaml mode.jump)."""
    mp = usable_jump_mp(board, unit, allowed)
    start = here = unit.hex
    top, flown = ceiling(board, unit, mp), 0
    for number, there in enumerate(path):
        refused = _cannot_cross(board, start, here, there, mp, top)
        if refused:
            return Jump(flown, here, (), replace(refused, pointer=f"/{number}"))
        flown, here = flown + COST["jump_hex"], there
    refused = _cannot_land(board, start, here, mp, occupied)
    return Jump(flown, here, landing_checks(board, allowed, here), refused)


def chosen_route(start: Hex, path: Sequence[Hex]) -> tuple[Hex, ...]:
    """The way of a jump: as ordered, or where only its end is named the straight one.

    Then the referee chose it, and it is shown in the turn (A, FAQ 2).
    """
    if len(path) != 1 or distance(start, path[0]) <= 1:
        return tuple(path)
    return line_route(start, path[0])


def line_route(start: Hex, end: Hex) -> tuple[Hex, ...]:
    """A shortest way along the straight line between two hexes, without the first."""
    way, here = [], start
    crossed = set(line_hexes(start, end))
    while here != end:
        nearer = [h for h in neighbours(here) if distance(h, end) < distance(here, end)]
        here = next((h for h in nearer if h in crossed), nearer[0])
        way.append(here)
    return tuple(way)


def _cannot_cross(board: Board, start: Hex, here: Hex, there: Hex, mp: int, top: int) -> Violation | None:
    """Each hex is adjacent, one further from the start, within the MP and not higher than they lift."""
    if there not in board:
        return Violation("off-board", f"{there} is not on the board", rule="movement.yaml off_board")
    if distance(here, there) != 1:
        return Violation("path-broken", f"{there} is not adjacent to {here}", rule="movement.yaml mode.jump")
    far = distance(start, there)
    if far != distance(start, here) + 1:
        return Violation("not-shortest", f"{there} is a detour", rule="movement.yaml mode.jump")
    if far * COST["jump_hex"] > mp:
        return Violation("too-few-mp", f"{far} MP needed, {mp} there", rule="movement.yaml mode.jump")
    if board.tops[board.index(there)] > top:
        return Violation("too-high", f"{there} is too high to jump", rule="movement.yaml mode.jump")
    return None


def _cannot_land(
    board: Board, start: Hex, landing: Hex, mp: int, occupied: frozenset[Hex]
) -> Violation | None:
    if landing == start:
        return Violation("no-jump", "a jump leads to another hex", rule="movement.yaml mode.jump")
    if board.index(landing) in board.closed:
        return Violation("closed", f"nobody can enter {landing}", rule=CLOSED_RULE)
    if landing in occupied:
        return Violation("occupied", f"{landing} is occupied", rule="movement.yaml stacking")
    return None


def landing_checks(board: Board, allowed: Allowance, landing: Hex) -> tuple[Check, ...]:
    """Rolls on landing: in water, and with damaged legs or gyro (psr.yaml causes)."""
    index = board.index(landing)
    terrain = board.ground_at(index).terrain
    asked = (part.check for part in terrain.parts if part.depth > 0 or part.mire)
    checks = tuple(map(Check, asked))
    if allowed.leg_lost:
        checks += (Check(LANDING_ON_LOST_LEG),)
    return checks + ((Check(LANDING_ON_LEG_OR_GYRO),) if allowed.leg_or_gyro_hurt else ())
