"""Where a unit can get to on the ground, and by which steps: one cheapest way to each hex and facing.

Every step is one of `movement.advance`, so what is offered is exactly what is legal. Rolls on the way are
taken to succeed; the causes they are made for are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import turned
from solaris_combat.engines.battletech.movement import Allowance, Progress, advance, way_of
from solaris_combat.engines.contract import Violation

TURNS = (("L", -1), ("R", 1))
AHEAD, BACK = ("Q", "E"), ("Z", "C")
"""Steps aside of a four-legged 'Mech."""
NEVER = 1000
Best = dict[tuple[int, int], int]
"""Cheapest MP found so far, by hex index and facing."""


class Arrival(NamedTuple):
    """A state that can be reached, the steps to it, and the causes of the rolls on the way."""

    at: Progress
    steps: str
    causes: tuple[str, ...] = ()


def spread(board: Board, allowed: Allowance, start: Progress) -> Iterator[Arrival]:
    """All states reachable from a start, the cheapest first; the start itself is the first."""
    waiting: dict[int, list[Arrival]] = {start.mp: [Arrival(start, "")]}
    best: Best = {(start.index, start.facing): start.mp}
    if start.prone:
        best.clear()
        yield from _lying(board, allowed, waiting)
    while waiting:
        mp = min(waiting)
        for arrival in waiting.pop(mp):
            if best.get((arrival.at.index, arrival.at.facing), mp) < mp:
                continue
            yield arrival
            for after in _onwards(board, allowed, arrival, best):
                waiting.setdefault(after.at.mp, []).append(after)


def _lying(board: Board, allowed: Allowance, waiting: dict[int, list[Arrival]]) -> Iterator[Arrival]:
    """A prone unit: lying on is offered first, then everything it can do after getting up at once."""
    (lying,) = waiting.pop(min(waiting))
    yield lying
    up = advance(board, allowed, lying.at, "U")
    if isinstance(up, Progress):
        waiting[up.mp] = [Arrival(up, "U", _causes(lying, up))]


def turns_lying(board: Board, allowed: Allowance, start: Progress) -> Iterator[Arrival]:
    """The facings to which a prone unit can turn where it lies (movement.yaml prone)."""
    for step, ways in (("L", (1, 2, 3)), ("R", (1, 2))):
        for count in ways:
            at: Progress | Violation = start
            for _ in range(count):
                at = advance(board, allowed, at, step) if isinstance(at, Progress) else at
            if isinstance(at, Progress):
                yield Arrival(at, step * count)


def _causes(before: Arrival, after: Progress) -> tuple[str, ...]:
    return before.causes + tuple(check.cause for check in after.checks)


def _onwards(board: Board, allowed: Allowance, arrival: Arrival, best: Best) -> Iterator[Arrival]:
    """One step more, wherever that is cheaper than any way found before."""
    here = arrival.at
    least = here.mp + (0 if here.free_turns else 1)
    for step, goal in _goals(board, here, allowed.lateral):
        if best.get(goal, NEVER) <= least:
            continue
        after = advance(board, allowed, here, step)
        if isinstance(after, Violation) or best.get(goal, NEVER) <= after.mp:
            continue
        best[goal] = after.mp
        yield Arrival(after, arrival.steps + step, _causes(arrival, after))


def _goals(board: Board, here: Progress, lateral: bool) -> Iterator[tuple[str, tuple[int, int]]]:
    """Where each step would lead, whether it is legal or not."""
    for step in ("F", *(AHEAD if lateral else ())):
        yield step, (board.step(here.index, way_of(step, here.facing)), here.facing)
    for step, way in TURNS:
        yield step, (here.index, turned(here.facing, way))
    if here.mode == "walk":
        for step in ("B", *(BACK if lateral else ())):
            yield step, (board.step(here.index, way_of(step, here.facing)), here.facing)
