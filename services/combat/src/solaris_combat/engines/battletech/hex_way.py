"""A way given by its hexes, as people write it: "andar 0507 0506 0606 encarar 3" -> steps by letters.

A hex among the steps means: turn towards it the shorter way (exactly behind: to the right), then forward into
it. The hex the unit stands in may stand first and is no step (R 4.6 asks for it). `facing` turns at the end.
Source: R 4.6 (hex of departure, movement, last hex; facing 1 is the upper hexside, then clockwise).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solaris_combat.engines.battletech.hex import Hex, neighbour, neighbours, turned
from solaris_combat.engines.battletech.orders import Movement
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.contract import Violation

RULE = "R 4.6"
_TURN = {"L": -1, "R": 1}
_GO = {"F": 0, "B": 3}


@dataclass(slots=True)
class _Spot:
    """Where the unit would stand."""

    hex: Hex
    facing: int


def letters(unit: Unit, move: Movement) -> tuple[str, ...]:
    """The steps of a movement by letters; a hex that cannot be entered from the one before ends them."""
    return tuple(step for step, _ in spelled(unit, move))


def spelled(unit: Unit, move: Movement) -> tuple[tuple[str, int], ...]:
    """Each step by its letter, with the index of the order's entry it comes from."""
    if move.facing is None and not any(step.isdigit() for step in move.steps):
        return tuple((step, number) for number, step in enumerate(move.steps))
    return tuple(_spell(unit, move))


def apart(unit: Unit, move: Movement) -> Violation | None:
    """What is wrong with a hex among the steps: it must be next to the one before."""
    assert unit.position is not None
    spot = _Spot(unit.position, unit.facing)
    for number, step in enumerate(move.steps):
        if step.isdigit() and not (number == 0 and Hex.parse(step) == spot.hex):
            if Hex.parse(step) not in neighbours(spot.hex):
                detail = f"{step} is not next to {spot.hex}"
                return Violation("hex-not-next", detail, f"/movement/steps/{number}", RULE)
            list(_towards(spot, Hex.parse(step)))
        else:
            _follow(spot, step)
    return None


def _spell(unit: Unit, move: Movement) -> Iterator[tuple[str, int]]:
    assert unit.position is not None
    spot = _Spot(unit.position, unit.facing)
    for number, step in enumerate(move.steps):
        if not step.isdigit():
            _follow(spot, step)
            yield step, number
        elif not (number == 0 and Hex.parse(step) == spot.hex):
            if Hex.parse(step) not in neighbours(spot.hex):
                return
            yield from ((letter, number) for letter in _towards(spot, Hex.parse(step)))
    if move.facing is not None:
        last = max(len(move.steps) - 1, 0)
        yield from ((letter, last) for letter in _turn_to(spot, move.facing))


def _follow(spot: _Spot, step: str) -> None:
    """Go one step by letter; letters that neither turn nor go on leave the unit where it is."""
    spot.facing = turned(spot.facing, _TURN.get(step, 0))
    if step in _GO:
        spot.hex = neighbour(spot.hex, turned(spot.facing, _GO[step]))


def _towards(spot: _Spot, goal: Hex) -> Iterator[str]:
    yield from _turn_to(spot, neighbours(spot.hex).index(goal))
    spot.hex = goal
    yield "F"


def _turn_to(spot: _Spot, facing: int) -> Iterator[str]:
    right = (facing - spot.facing) % 6
    spot.facing = facing
    yield from ["R"] * right if right <= 3 else ["L"] * (6 - right)
