"""What fire is worth on average: chances of 2D6 and expected points, for house pilots.

Estimates of a player, not rules: no number of these decides anything in a fight.
"""

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]

ODDS = (36, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1)
"""Ways out of 36 to roll this number or more on 2D6 (index is the number)."""
CLUSTER_SHARE = 63
"""Missiles of a volley that hit on average, in hundredths."""


def odds(number: int, automatic: bool = True) -> int:
    """Ways out of 36 to reach a number; with weapons 12 always hits."""
    if number > 12:
        return 1 if automatic else 0
    return ODDS[max(2, number)]


def points(weapon: Json) -> int:
    """Points of one hit in hundredths."""
    if weapon["rack"]:
        return int(weapon["damage"]) * int(weapon["rack"]) * CLUSTER_SHARE
    return int(weapon["damage"]) * 100


def volley(side: Json, far: int, modifier: int) -> int:
    """Expected points, in hundredths, of everything a side can fire this far."""
    gunnery = side["pilot"]["gunnery"]
    total = 0
    for weapon in side["weapons"]:
        number = reach(weapon["ranges"], far)
        if weapon["works"] and not weapon["rear"] and number is not None:
            total += odds(gunnery + modifier + number) * points(weapon) // 36
    return total


def reach(ranges: Sequence[int], far: int) -> int | None:
    """Range modifier with minimum range; None beyond long range."""
    minimum, *limits = ranges
    for modifier, limit in zip((0, 2, 4), limits, strict=True):
        if far <= limit:
            return modifier + (minimum - far + 1 if far <= minimum else 0)
    return None
