"""What firing does beside hitting: jams, beacons, feedback, Inferno that sticks.

Source: R 4.5.4 (feedback), D (Inferno).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solaris_combat.engines.battletech.orders import AmsOn
from solaris_combat.engines.dice import Roll

Rolls = tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class WeaponJammed:
    """A weapon jams and fires no more in this fight; the roll that did it stands in its shot."""

    turn: int
    side: str
    weapon: str
    name: str


@dataclass(frozen=True, slots=True)
class BeaconAttached:
    """A Narc beacon sticks to the unit of `side` for the rest of the fight, fired by side `by`."""

    turn: int
    side: str
    by: str
    weapon: str


@dataclass(frozen=True, slots=True)
class AmsSet:
    """The anti-missile systems a side has on in `turn`: its own business until they fire (not public)."""

    turn: int
    side: str
    systems: tuple[AmsOn, ...]


@dataclass(frozen=True, slots=True)
class AmsAimed:
    """An anti-missile system of `side` will shoot at the salvo of a launcher of `by`.

    `named`: as its player named it; else it was the only one or a lot among several.
    """

    turn: int
    side: str
    ams: str
    by: str
    launcher: str
    named: bool
    rolls: Rolls = ()


@dataclass(frozen=True, slots=True)
class AmsFired:
    """An anti-missile system fires: missiles of the salvo it took down, rounds used by bin, and its heat."""

    turn: int
    side: str
    ams: str
    by: str
    launcher: str
    shot_down: int
    rounds: Mapping[str, int]
    heat: int
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class FeedbackRolled:
    """A PPC was fired with its field inhibitor off: `safe`, or it explodes (R 4.5.4)."""

    turn: int
    side: str
    weapon: str
    number: int
    safe: bool
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class InfernoStuck:
    """Inferno missiles hit a unit: it burns to the end of turn `until` (D)."""

    turn: int
    side: str
    missiles: int
    until: int


@dataclass(frozen=True, slots=True)
class InfernoWashedOff:
    """The water took the Inferno off a unit that stands in it (D)."""

    turn: int
    side: str
    hex: str


TYPES: Mapping[str, type] = {
    "ams-set": AmsSet,
    "ams-aimed": AmsAimed,
    "ams-fired": AmsFired,
    "weapon-jammed": WeaponJammed,
    "beacon-attached": BeaconAttached,
    "feedback-rolled": FeedbackRolled,
    "inferno-stuck": InfernoStuck,
    "inferno-washed-off": InfernoWashedOff,
}
"""Stored name -> event."""
