"""A record sheet as it is written: what files and catalogue tables hold, before a fight makes use of it.

A slot entry is "empty", a system ("shoulder", "engine", ...), the key of a weapon or of equipment, or
"ammo KEY"; " rear" follows a weapon that points backwards, " split" one that lies in two locations, " half" a
bin of half a ton. Which entries exist is asked by `assembly`, whether the design is legal by `construction`.
Source: BMR record sheets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.tables import table

SMALL_LOCATIONS = frozenset((Location.HD, Location.RL, Location.LL))
REAR = (Location.CT, Location.RT, Location.LT)
"""Locations with armour behind."""

_CONSTRUCTION = table("construction")


class DesignRefused(Exception):
    """A record sheet names something that does not exist or is not legal; the text says what and where."""


@dataclass(frozen=True, slots=True)
class RecordSheet:
    """A design as written, prices apart. `engine` is "fusion" or "xl", `walk` its MP as printed.

    `slots` has an entry for every slot of every location; `frame` is "standard" or "endo-steel", `plating`
    "standard" or "ferro-fibrous"; `year` and `rules_level` are 0 where a file does not say.
    """

    model: str
    name: str
    tons: int
    walk: int
    jump: int
    engine: str
    engine_rating: int
    heat_sinks: int
    double_heat_sinks: bool
    armor: Mapping[Location, tuple[int, int]]
    slots: Mapping[Location, tuple[str, ...]]
    frame: str = "standard"
    plating: str = "standard"
    quad: bool = False
    year: int = 0
    rules_level: int = 0
    source: str = ""


def slot_count(location: Location, quad: bool = False) -> int:
    """Slots of a location on the record sheet: 6 in head and legs, else 12."""
    legs = quad and location in (Location.RA, Location.LA)
    return 6 if legs or location in SMALL_LOCATIONS else 12


def structure_points(tons: int, quad: bool = False) -> dict[Location, int]:
    """Points of structure of a tonnage by location; DesignRefused if no 'Mech weighs so much."""
    row = _CONSTRUCTION["structure"].get(str(tons))
    if row is None:
        raise DesignRefused(f"a 'Mech of {tons} tons")
    core, side, arm, leg = row
    front = leg if quad else arm
    return dict(zip(Location, (3, core, side, side, front, front, leg, leg), strict=True))


def padded(location: Location, entries: Sequence[str], quad: bool = False) -> tuple[str, ...]:
    """The entries of a location with the free slots after them; DesignRefused if there are too many."""
    size = slot_count(location, quad)
    if len(entries) > size:
        raise DesignRefused(f"{location} has {len(entries)} slots, not {size}")
    return (*entries, *["empty"] * (size - len(entries)))


def sheet_from(data: Mapping[str, Any]) -> RecordSheet:
    """The sheet of a catalogue table; DesignRefused for what cannot be, KeyError for what is missing."""
    quad = data.get("quad", False)
    plain = ("model", "name", "tons", "walk", "jump", "engine", "engine_rating", "heat_sinks")
    more = ("double_heat_sinks", "source", *[key for key in OPTIONAL if key in data])
    return RecordSheet(
        **{fact: data[fact] for fact in (*plain, *more)},
        armor={location: _faces(data["armor"][location]) for location in Location},
        slots={at: padded(at, data["slots"].get(at, ()), quad) for at in Location},
    )


OPTIONAL = ("frame", "plating", "quad", "year", "rules_level")
"""Facts a catalogue table may leave out."""


def _faces(points: int | Sequence[int]) -> tuple[int, int]:
    """(front, rear) armour of a location."""
    return (points, 0) if isinstance(points, int) else (points[0], points[1])
