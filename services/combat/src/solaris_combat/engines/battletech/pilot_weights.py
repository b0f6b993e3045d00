"""The weights of the house pilots: one table of figures that we tuned, no rule among them.

What each does stands beside it in tables/house_pilots.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.tables import table

WEIGHTS: Mapping[str, Any] = table("house_pilots")


class Temper(NamedTuple):
    """How a level of pilots fires."""

    cool: int
    cool_at_last: int
    hopeless: int
    weighs_heat: bool = False


class Outlook(NamedTuple):
    """How far a level of pilots looks ahead when it moves."""

    guesses: tuple[int, int]
    later: int
    eager: int
    late: int
    answers: int
    frail: bool
    press: int
    lasting: int


def tempers() -> dict[int, Temper]:
    """How each trained level fires."""
    return {
        int(level): Temper(*(one[name] for name in Temper._fields))
        for level, one in WEIGHTS["levels"].items()
    }


def outlooks() -> dict[int, Outlook]:
    """How the levels that look ahead do."""
    found = {int(level): one["outlook"] for level, one in WEIGHTS["levels"].items() if "outlook" in one}
    return {level: Outlook(**{**one, "guesses": tuple(one["guesses"])}) for level, one in found.items()}


def by_level(name: str) -> dict[int, int]:
    """One weight of each trained level."""
    return {int(level): one[name] for level, one in WEIGHTS["levels"].items()}
