"""The catalogue: the 'Mechs a fight may use, from the record sheets in tables/mechs.

A sheet that names anything this engine does not play is refused when the catalogue is read, never bent.
Source: record sheets (BMR level 1); price, Battle Value and affiliation from the league's tables 1.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.mech import (
    SLOT_KINDS,
    AmmoBin,
    Location,
    MechDesign,
    Slot,
    WeaponMount,
)
from solaris_combat.engines.battletech.tables import names, table
from solaris_combat.engines.battletech.weapons import AMMUNITION, WEAPONS

SMALL_LOCATIONS = frozenset((Location.HD, Location.RL, Location.LL))
PLAIN_FACTS = (
    *("model", "name", "tons", "walk", "jump", "heat_sinks", "double_heat_sinks"),
    *("engine", "engine_rating", "price", "battle_value", "source"),
)


class DesignRefused(Exception):
    """A record sheet names something that does not exist or is not played; the text says what and where."""


@dataclass(frozen=True, slots=True)
class _Filled:
    """Slots of one location with the weapons and bins found in them."""

    slots: tuple[Slot, ...]
    mounts: tuple[WeaponMount, ...]
    bins: tuple[AmmoBin, ...]


def slot_count(location: Location, quad: bool = False) -> int:
    """Slots of a location on the record sheet: 6 in head and legs, else 12."""
    legs = quad and location in (Location.RA, Location.LA)
    return 6 if legs or location in SMALL_LOCATIONS else 12


def design_from(data: Mapping[str, Any]) -> MechDesign:
    """The design on a record sheet; DesignRefused for what is unknown, KeyError for what is missing."""
    filled = {location: _fill(location, data["slots"].get(location, ())) for location in Location}
    return MechDesign(
        **{fact: data[fact] for fact in PLAIN_FACTS},
        armor={location: _faces(data["armor"][location]) for location in Location},
        structure={location: data["structure"][location] for location in Location},
        slots={location: part.slots for location, part in filled.items()},
        mounts=tuple(mount for part in filled.values() for mount in part.mounts),
        bins=tuple(ammo for part in filled.values() for ammo in part.bins),
        affiliation=tuple(data["affiliation"]),
    )


def _faces(points: int | Sequence[int]) -> tuple[int, int]:
    """(front, rear) armour of a location."""
    return (points, 0) if isinstance(points, int) else (points[0], points[1])


def _fill(location: Location, entries: Sequence[str]) -> _Filled:
    """Read the slots of a location, weapons of several slots as one mount."""
    size = slot_count(location)
    if len(entries) > size:
        raise DesignRefused(f"{location} has {len(entries)} slots, not {size}")
    slots: list[Slot] = []
    mounts: list[WeaponMount] = []
    bins: list[AmmoBin] = []
    for entry, length in _items(entries):
        if entry.startswith("ammo "):
            bins.append(_bin(location, len(slots) + 1, entry.removeprefix("ammo "), bins))
            slots.append(Slot("ammo", bins[-1].id))
        elif (kind := entry.replace("-", "_")) in SLOT_KINDS:
            slots.append(Slot(kind))
        else:
            mounts.append(_mount(location, entry, mounts))
            slots.extend([Slot("weapon", mounts[-1].id)] * length)
    slots.extend([Slot("empty")] * (size - len(slots)))
    return _Filled(tuple(slots), tuple(mounts), tuple(bins))


def _items(entries: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each item with its number of slots; a weapon of n slots must stand in n neighbouring ones."""
    position = 0
    while position < len(entries):
        entry = entries[position]
        weapon = WEAPONS.get(entry.removesuffix(" rear"))
        length = weapon.slots if weapon else 1
        if list(entries[position : position + length]) != [entry] * length:
            raise DesignRefused(f"{entry} needs {length} neighbouring slots")
        yield entry, length
        position += length


def _mount(location: Location, entry: str, before: Sequence[WeaponMount]) -> WeaponMount:
    key = entry.removesuffix(" rear")
    if key not in WEAPONS:
        raise DesignRefused(f"{entry} in {location} is not played")
    number = 1 + sum(1 for mount in before if mount.weapon == key)
    return WeaponMount(f"{location.lower()}-{key}-{number}", key, location, entry.endswith(" rear"))


def _bin(location: Location, slot: int, key: str, before: Sequence[AmmoBin]) -> AmmoBin:
    if key not in AMMUNITION:
        raise DesignRefused(f"ammunition {key} in {location} is not played")
    number = 1 + sum(1 for ammo in before if ammo.ammunition == key)
    facts = AMMUNITION[key]
    return AmmoBin(f"{location.lower()}-{key}-ammo-{number}", key, location, slot, facts.shots, facts.damage)


CATALOGUE: Mapping[str, MechDesign] = {
    design.model: design for design in (design_from(table(name)) for name in names("mechs"))
}
"""Every playable design by model."""
