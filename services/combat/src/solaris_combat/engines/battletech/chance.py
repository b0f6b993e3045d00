"""What house pilots leave to chance: each of several things with the same chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from solaris_combat.engines.dice import Dice

T = TypeVar("T")


def number(below: int, dice: Dice) -> int:
    """A number from 0, each with the same chance."""
    if below <= 1:
        return 0
    if below <= 256:
        return dice.roll(1, below, "choice").faces[0] - 1
    limit = 65536 - 65536 % below
    while True:
        high, low = dice.roll(2, 256, "choice").faces
        drawn = (high - 1) * 256 + low - 1
        if drawn < limit:
            return drawn % below


def one_of(things: Sequence[T], dice: Dice) -> T:
    """One of the things."""
    return things[number(len(things), dice)]


def heads(dice: Dice) -> bool:
    """Yes or no."""
    return dice.roll(1, 2, "choice").faces[0] == 1


def nonce(dice: Dice) -> bytes:
    """A side's share of the dice key of its fight."""
    return bytes(face - 1 for face in dice.roll(32, 256, "nonce").faces)
