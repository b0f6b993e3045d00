"""One summand of a number as it stands in an event: plain data, so that records need no rules to be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from solaris_combat.engines.battletech.modifiers import Modifier


@dataclass(frozen=True, slots=True)
class Item:
    """One summand of a target number or of heat: how much, why, and the paragraph that says so."""

    value: int
    reason: str
    rule: str = ""


def items(modifiers: Iterable[Modifier]) -> tuple[Item, ...]:
    """Modifiers as they stand in events."""
    return tuple(Item(m.value, m.reason, m.rule) for m in modifiers)
