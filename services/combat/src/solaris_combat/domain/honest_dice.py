"""What honest dice show: how often each face of a die and each total of two is to be expected, and the band
outside which a count speaks against the dice.

The band of a table holds for all its values together: honest dice show a table with any value outside at most
once in twenty. Each of the n values compared gets 5 % / n of that (Bonferroni), half on either side, by the
exact binomial distribution of its count.
"""

from collections.abc import Mapping
from math import exp, lgamma, log, sqrt
from typing import Any

Json = dict[str, Any]

CHANCES: Mapping[str, Mapping[int, int]] = {
    "face": {value: 6 for value in range(1, 7)},
    "total": {value: 6 - abs(7 - value) for value in range(2, 13)},
}
"""Chances of each value in 36."""
OF = 36
PERCENT = 95
"""How many tables of honest dice in a hundred, at least, have every value inside its band."""
FAR = 12
"""Standard deviations below the mean at which the tail is taken up; what lies lower is below 1e-30."""


def histogram(kind: str, counts: Mapping[int, int]) -> Json:
    """Every value with its count, what is expected, its band and whether it stays there."""
    rolled = sum(counts.values())
    rows = [_row(kind, value, counts.get(value, 0), rolled) for value in CHANCES[kind]]
    outside = [row["value"] for row in rows if not row["inside"]]
    compared = len(rows)
    return {"rolled": rolled, "percent": PERCENT, "compared": compared, "outside": outside, "values": rows}


def _row(kind: str, value: int, count: int, rolled: int) -> Json:
    chance = CHANCES[kind][value]
    least, most = band(rolled, chance / OF, (100 - PERCENT) / 100 / len(CHANCES[kind]))
    return {
        "value": value,
        "count": count,
        "expected": round(rolled * chance / OF, 1),
        "band": [least, most],
        "inside": least <= count <= most,
    }


def band(rolled: int, chance: float, error: float) -> tuple[int, int]:
    """Least and most of `rolled` tries that come out, each end passed with a chance of at most error / 2."""
    return _least(rolled, chance, error / 2), rolled - _least(rolled, 1 - chance, error / 2)


def _least(rolled: int, chance: float, error: float) -> int:
    """The greatest number below which the count falls with a chance of at most `error`."""
    number = max(0, int(rolled * chance - FAR * sqrt(rolled * chance * (1 - chance))))
    ways = lgamma(rolled + 1) - lgamma(number + 1) - lgamma(rolled - number + 1)
    here = exp(ways + number * log(chance) + (rolled - number) * log(1 - chance))
    below = 0.0
    while below + here <= error:
        below += here
        here *= (rolled - number) / (number + 1) * chance / (1 - chance)
        number += 1
    return number
