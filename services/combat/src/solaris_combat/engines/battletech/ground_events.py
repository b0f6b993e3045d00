"""What happens to the ground of a fight: fire, smoke, cleared woods, walls, mines, traps and turrets.

The events of PRIVATE tell of hidden things; nobody sees them before the record is opened. Hexes are printed
numbers, `direction` of the wind is 1..6, as in `events`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solaris_combat.engines.battletech.item import Item
from solaris_combat.engines.dice import Roll

Rolls = tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class WindDrawn:
    """The direction in which the wind blows during the whole fight; 1 is north."""

    direction: int
    rolls: Rolls


ACCIDENTS = ("clearing", "miss")
"""Causes of fires that nobody wants: they light at or below their number."""


@dataclass(frozen=True, slots=True)
class IgnitionRolled:
    """Whether a hex begins to burn: `cause` is "intent", "clearing", "miss" or "spread" (from hex `source`).

    Accidents light at or below their number, everything else at or above.
    """

    turn: int
    hex: str
    cause: str
    number: int
    success: bool
    rolls: Rolls
    side: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class FireLit:
    """A hex burns from now on; `until` is the last turn it does, None where it burns on."""

    turn: int
    hex: str
    cause: str
    until: int | None = None


@dataclass(frozen=True, slots=True)
class FireOut:
    """A hex burns no longer."""

    turn: int
    hex: str


@dataclass(frozen=True, slots=True)
class SmokeDrifted:
    """The hexes in smoke until the end of the next turn."""

    turn: int
    hexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClearingRolled:
    """An attempt to clear woods with so much damage."""

    turn: int
    side: str
    hex: str
    damage: int
    success: bool
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class TerrainChanged:
    """A hex holds other terrain than before: woods cleared ("cleared"), a trap that opened ("trap")."""

    turn: int
    hex: str
    before: str
    after: str
    cause: str


@dataclass(frozen=True, slots=True)
class FactorReduced:
    """A wall or building lost points of its construction factor: by "shot", "fire" or "passage"."""

    turn: int
    hex: str
    points: int
    after: int
    cause: str


@dataclass(frozen=True, slots=True)
class Collapsed:
    """A wall or building is rubble: its factor is used up ("factor") or it bore too much ("weight").

    `factor` and `levels` are those it had.
    """

    turn: int
    hex: str
    factor: int
    levels: int
    cause: str


@dataclass(frozen=True, slots=True)
class MineExploded:
    """A unit trod on a mine, or a vibrabomb (`vibrabomb`) felt it; mines of the hex are known from now on."""

    turn: int
    side: str
    hex: str
    damage: int
    vibrabomb: bool = False


@dataclass(frozen=True, slots=True)
class MinesSwept:
    """A salvo at the mines of a hex: whether it clears what there may be."""

    turn: int
    side: str
    hex: str
    success: bool
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class TurretRose:
    """A turret came up in `hex`, because somebody came to `trap`; the dice say in which hex beside it."""

    turn: int
    trap: str
    hex: str
    kind: str
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class TurretFired:
    """A shot of a turret, with its number and the dice; a lot among targets equally near is the first die."""

    turn: int
    hex: str
    target: str
    name: str
    distance: int
    struck_side: str
    table: str
    number: int
    modifiers: tuple[Item, ...]
    hit: bool
    automatic: str
    missiles: int | None
    groups: tuple[int, ...]
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class TurretDamaged:
    """A turret lost armour; at 0 it is rubble."""

    turn: int
    hex: str
    points: int
    armor: int


@dataclass(frozen=True, slots=True)
class UnitSkidded:
    """A fallen unit slid on; `stopped` by the "ground", by a "unit", or "" for the whole way."""

    turn: int
    side: str
    start: str
    hexes: tuple[str, ...]
    hex: str
    damage: int
    stopped: str


@dataclass(frozen=True, slots=True)
class UnitStuck:
    """A unit is stuck in a swamp or quicksand (`mire`); its movement ends."""

    turn: int
    side: str
    hex: str
    mire: str


@dataclass(frozen=True, slots=True)
class UnitFreed:
    """A stuck unit is free again."""

    turn: int
    side: str
    hex: str


@dataclass(frozen=True, slots=True)
class TrapsHidden:
    """Where an arena's traps lie. Private."""

    hexes: tuple[str, ...]
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class MinesLaid:
    """Where mines lie; at what weight vibrabombs go off (None: conventional mines). Private."""

    hexes: tuple[str, ...]
    damage: int
    setting: int | None
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class TrapRolled:
    """What the hidden hex that a unit came upon holds. Private: what shows of it has an event of its own."""

    turn: int
    hex: str
    kind: str
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class MinesTested:
    """Whether a unit treads on a mine of the hex it enters. Private: nothing shows unless one explodes."""

    turn: int
    side: str
    hex: str
    number: int
    success: bool
    rolls: Rolls


PUBLIC: Mapping[str, type] = {
    "wind-drawn": WindDrawn,
    "ignition-rolled": IgnitionRolled,
    "fire-lit": FireLit,
    "fire-out": FireOut,
    "smoke-drifted": SmokeDrifted,
    "clearing-rolled": ClearingRolled,
    "terrain-changed": TerrainChanged,
    "construction-factor-reduced": FactorReduced,
    "collapsed": Collapsed,
    "mine-exploded": MineExploded,
    "mines-swept": MinesSwept,
    "turret-rose": TurretRose,
    "turret-fired": TurretFired,
    "turret-damaged": TurretDamaged,
    "unit-skidded": UnitSkidded,
    "unit-stuck": UnitStuck,
    "unit-freed": UnitFreed,
}
"""Stored name -> event that the world sees."""

PRIVATE: Mapping[str, type] = {
    "traps-hidden": TrapsHidden,
    "mines-laid": MinesLaid,
    "trap-rolled": TrapRolled,
    "mines-tested": MinesTested,
}
"""Stored name -> event of hidden things."""
