"""A summand of a number: of a target number, a piloting number, or the heat of a turn."""

from typing import NamedTuple


class Modifier(NamedTuple):
    """How much, why, and where the rule stands."""

    value: int
    reason: str
    rule: str
