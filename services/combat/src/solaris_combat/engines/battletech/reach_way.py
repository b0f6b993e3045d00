"""One cheapest way to a state that a reach holds, found backward through its layers.

Source: the rules of `reach`, which made the layers.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.hex import Hex, turned
from solaris_combat.engines.battletech.reach import Reach
from solaris_combat.engines.battletech.unit import Unit


def steps_to(reach: Reach, unit: Unit, index: int, facing: int, mp: int) -> tuple[str, ...]:
    """The steps (F, B, L, R, U) to a hex and facing first reached for so many MP, on the ground."""
    start = reach.board.index(unit.hex)
    steps: list[str] = []
    while mp > 0 and not (index == start and _stands_up(reach, unit, mp)):
        step, index, facing, mp = _before(reach, index, facing, mp)
        steps.append(step)
    return (*_first(unit, facing, mp), *reversed(steps))


def _stands_up(reach: Reach, unit: Unit, mp: int) -> bool:
    """Whether this layer is the first one of a prone unit: it has just stood up, facing as it likes."""
    return unit.prone and not any(any(layer) for layer in reach.layers[:mp])


def _first(unit: Unit, facing: int, mp: int) -> tuple[str, ...]:
    """Standing up and the turns that then cost nothing."""
    if not (unit.prone and mp):
        return ()
    right = (facing - unit.facing) % 6
    return ("U", *("R",) * right) if right <= 3 else ("U", *("L",) * (6 - right))


def _before(reach: Reach, index: int, facing: int, mp: int) -> tuple[str, int, int, int]:
    """The last step to a state, and the state before it."""
    layers, bit = reach.layers, 1 << index
    for step, other in (("R", turned(facing, -1)), ("L", turned(facing, 1))):
        if layers[mp - 1][other] & bit:
            return step, index, other, mp - 1
    for cost, mask, shift in reach.ways[facing]:
        before = index - shift
        if cost <= mp and before >= 0 and mask & layers[mp - cost][facing] & (1 << before):
            ahead = reach.board.step(before, facing) == index
            return "F" if ahead else "B", before, facing, mp - cost
    start = next(n for n, hexes in enumerate(layers[0]) if hexes)
    return "F", layers[0][start].bit_length() - 1, start, 0


def jump_path(reach: Reach, unit: Unit, index: int, mp: int) -> tuple[Hex, ...]:
    """The hexes of a jump to a landing at this distance, without the one it starts from."""
    path: list[Hex] = []
    while mp > 0:
        path.append(reach.board.hex_at(index))
        mp -= 1
        index = _ring_before(reach, index, mp)
    return tuple(reversed(path))


def _ring_before(reach: Reach, index: int, mp: int) -> int:
    """A hex of the ring before from which a jump leads on to this one."""
    ring = reach.flown[mp]
    return next(
        index - shift
        for _, mask, shift in reach.ways[0]
        if index >= shift and mask & ring & (1 << (index - shift))
    )
