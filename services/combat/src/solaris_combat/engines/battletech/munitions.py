"""Munitions: what may be loaded into a bin, and how a salvo on a belt is written (R 4.6.6).

A belt is the tuple of salvoes of a bin in the order in which they are fired; a salvo is the name of its
munition, with " hot" after it where it is hot-loaded (R 4.5.3): both are settled before the fight.
Source: R 4.6.6, R 4.5.3; solaris7-tables 2.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.tables import table

HOT = " hot"
NORMAL = "normal"
Belt = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Munition:
    """A kind of round; meaning of the fields: head of tables/munitions.toml.

    `special` is charged for and belongs to Class 5; `hot` are the families that may load it hot.
    """

    key: str
    special: bool
    hot: tuple[str, ...] = ()
    rounds_divisor: int = 1
    tons_only: bool = False
    not_played: str = ""


@dataclass(frozen=True, slots=True)
class Family:
    """Kinds of ammunition that may be loaded with the same munitions; `mixed`: several in one bin."""

    key: str
    munitions: tuple[str, ...]
    mixed: bool


def _munition(key: str, data: Mapping[str, Any]) -> Munition:
    facts = {name: value for name, value in data.items() if name != "source"}
    return Munition(key=key, **{**facts, "hot": tuple(data.get("hot", ()))})


MUNITIONS: Mapping[str, Munition] = {
    key: _munition(key, data) for key, data in table("munitions")["munition"].items()
}
FAMILIES: Mapping[str, Family] = {
    ammunition: Family(key, tuple(data["munitions"]), data["mixed"])
    for key, data in table("munitions")["family"].items()
    for ammunition in data["ammunition"]
}
"""Families by the ammunition that belongs to them."""


def munition(salvo: str) -> str:
    """The munition of a salvo, hot-loaded or not."""
    return salvo.removesuffix(HOT)


def is_hot(salvo: str) -> bool:
    """Whether a salvo is hot-loaded."""
    return salvo.endswith(HOT)


def take(belt: Belt, count: int) -> tuple[Belt, Belt]:
    """So many salvoes from the front of a belt, in firing order, and what is left on it (R 4.6.6)."""
    return belt[:count], belt[count:]


def positions(belt: Belt, kind: str) -> tuple[int, ...]:
    """Places of a munition on a belt in the order of firing, from 1; each salvo before it must be fired."""
    return tuple(place for place, salvo in enumerate(belt, 1) if munition(salvo) == kind)


def family(ammunition: str) -> str:
    """The family of an ammunition; "" where nothing but what stands on the sheet may be loaded."""
    found = FAMILIES.get(ammunition)
    return found.key if found else ""


def loadable(ammunition: str, printed: str) -> tuple[str, ...]:
    """Munitions a bin of some ammunition may hold; `printed` is what stands on the record sheet."""
    found = FAMILIES.get(ammunition)
    return found.munitions if found else (printed,)


def mixes(ammunition: str) -> bool:
    """Whether a bin of this ammunition may hold several munitions (missile launchers, R 4.6.6)."""
    found = FAMILIES.get(ammunition)
    return found is not None and found.mixed
