"""What changes a fight beside the orders: its length, overtime, a side that gives up, a correction.

Source: R 4.2, R 4.3; rulings.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class LengthSet:
    """The fight lasts so many turns now, by agreement (R 4.2); `before` as it was."""

    turns: int
    before: int


@dataclass(frozen=True, slots=True)
class OvertimeGranted:
    """A permanence fight that is level after its last turn goes on (R 4.3)."""

    turn: int
    to_turn: int


@dataclass(frozen=True, slots=True)
class SideYielded:
    """A side gave up: by "surrender" or "flight"."""

    turn: int
    side: str
    how: str


@dataclass(frozen=True, slots=True)
class UnitCorrected:
    """The referee or the Commission corrected what stood wrong; `changes` as they were ordered."""

    turn: int
    side: str
    changes: Mapping[str, Any]
    reason: str


TYPES: Mapping[str, type] = {
    "length-set": LengthSet,
    "overtime-granted": OvertimeGranted,
    "side-yielded": SideYielded,
    "unit-corrected": UnitCorrected,
}
"""Stored name -> event."""

LENGTHS: Mapping[str, str] = {"length-set": "turns", "overtime-granted": "to_turn"}
"""Stored name of what changes the length of a fight -> the field with its last turn."""
