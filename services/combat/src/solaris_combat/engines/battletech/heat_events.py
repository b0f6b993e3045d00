"""Heat of a turn and what it does to a 'Mech, as facts with their numbers.

Source: BMR heat phase.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solaris_combat.engines.battletech.item import Item
from solaris_combat.engines.dice import Roll

Rolls = tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class HeatApplied:
    """Heat of a turn: what came in, what the sinks took, and what is left."""

    turn: int
    side: str
    before: int
    items: tuple[Item, ...]
    capacity: int
    after: int


@dataclass(frozen=True, slots=True)
class HeatCheckMade:
    """A roll the heat scale asks for: `kind` is "shutdown", "restart" or "ammunition"."""

    turn: int
    side: str
    kind: str
    heat: int
    number: int
    success: bool
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class ReactorShutDown:
    """The reactor shuts down at this heat."""

    turn: int
    side: str
    heat: int


@dataclass(frozen=True, slots=True)
class ReactorRestarted:
    """The reactor runs again."""

    turn: int
    side: str
    heat: int


TYPES: Mapping[str, type] = {
    "heat-applied": HeatApplied,
    "heat-check-made": HeatCheckMade,
    "reactor-shut-down": ReactorShutDown,
    "reactor-restarted": ReactorRestarted,
}
"""Stored name -> event."""
