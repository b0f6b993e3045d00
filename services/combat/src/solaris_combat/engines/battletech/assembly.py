"""From a record sheet to the design a fight uses: weapons, bins and sinks found in the slots.

A sheet that names anything unknown is refused, never bent.
Source: BMR record sheets; mtf-format.md section 3 (split weapons: the arc of the inner location).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from solaris_combat.engines.battletech.equipment import EQUIPMENT, pieces_slots
from solaris_combat.engines.battletech.mech import (
    SLOT_KINDS,
    AmmoBin,
    Gear,
    Location,
    MechDesign,
    Slot,
    WeaponMount,
)
from solaris_combat.engines.battletech.record_sheet import DesignRefused, RecordSheet, structure_points
from solaris_combat.engines.battletech.weapons import AMMUNITION, WEAPONS
from solaris_combat.engines.frozen import replace

INNER = {
    Location.LA: Location.LT,
    Location.RA: Location.RT,
    Location.LL: Location.LT,
    Location.RL: Location.RT,
    Location.LT: Location.CT,
    Location.RT: Location.CT,
}
"""Where a weapon that does not fit into a location goes on."""

_SYSTEMS = SLOT_KINDS - {"weapon", "ammo", "other", "unhittable", "tsm", "targeting_computer"}
_SINK_SLOTS = 3
"""Slots of a double heat sink."""


@dataclass(slots=True)
class _Parts:
    """What has been found so far; locations come from the inside out."""

    slots: dict[Location, tuple[Slot, ...]] = field(default_factory=dict)
    mounts: list[WeaponMount] = field(default_factory=list)
    bins: list[AmmoBin] = field(default_factory=list)
    gear: list[Gear] = field(default_factory=list)


def design_of(sheet: RecordSheet, listed: Mapping[str, Any] | None = None) -> MechDesign:
    """The design on a sheet, with price, battle_value and affiliation as `listed`; DesignRefused."""
    parts = _Parts()
    for location in Location:
        _fill(parts, sheet, location)
    held = [slot for slots in parts.slots.values() for slot in slots]
    return MechDesign(
        **{fact: getattr(sheet, fact) for fact in _PLAIN},
        structure=structure_points(sheet.tons, sheet.quad),
        slots=parts.slots,
        mounts=tuple(parts.mounts),
        bins=tuple(parts.bins),
        gear=tuple(parts.gear),
        targeting_computer=any(slot.kind == "targeting_computer" for slot in held),
        case=frozenset(at for at in Location if "case" in sheet.slots[at]),
        **(listed or {}),
    )


_PLAIN = (
    *("model", "name", "tons", "walk", "jump", "heat_sinks", "double_heat_sinks", "engine"),
    *("engine_rating", "armor", "source", "quad"),
)


def plain(entry: str) -> str:
    """An entry without what is said about its place."""
    return entry.removesuffix(" split").removesuffix(" rear")


def items(sheet: RecordSheet, location: Location) -> Iterator[tuple[str, int]]:
    """Each item of a location with its number of slots here; one of n slots stands in n neighbouring ones.

    DesignRefused where it does not; a part of a split weapon is as long as it is.
    """
    entries, position = sheet.slots[location], 0
    while position < len(entries):
        entry = entries[position]
        length = _run(entries, position) if entry.endswith(" split") else _length(sheet, entry)
        if list(entries[position : position + length]) != [entry] * length:
            raise DesignRefused(f"{plain(entry)} in {location} needs {length} neighbouring slots")
        yield entry, length
        position += length


def _run(entries: Sequence[str], start: int) -> int:
    end = start
    while end < len(entries) and entries[end] == entries[start]:
        end += 1
    return end - start


def _length(sheet: RecordSheet, entry: str) -> int:
    key = plain(entry)
    if key in WEAPONS:
        return WEAPONS[key].slots
    if key == "heat-sink":
        return _SINK_SLOTS if sheet.double_heat_sinks else 1
    if key == "targeting-computer":
        return max(1, sum(slots.count(key) for slots in sheet.slots.values()))
    return max(1, pieces_slots(EQUIPMENT[key], sheet.tons)) if key in EQUIPMENT else 1


def _fill(parts: _Parts, sheet: RecordSheet, location: Location) -> None:
    slots: list[Slot] = []
    for entry, length in items(sheet, location):
        slots.extend([_slot(parts, sheet, location, entry, len(slots) + 1)] * length)
    parts.slots[location] = tuple(slots)


def _slot(parts: _Parts, sheet: RecordSheet, location: Location, entry: str, number: int) -> Slot:
    """What stands from a slot on; weapons, bins and gear are entered into `parts`."""
    if entry.startswith("ammo "):
        parts.bins.append(_bin(location, number, entry.removeprefix("ammo "), parts.bins))
        return Slot("ammo", parts.bins[-1].id)
    key = plain(entry)
    if key in WEAPONS:
        return Slot("weapon", _mount(parts, sheet, location, entry))
    if entry in EQUIPMENT:
        kind = EQUIPMENT[entry].kind
        return Slot(kind, _gear(parts, location, entry) if kind == "other" else "")
    if entry == "heat-sink" and sheet.double_heat_sinks:
        return Slot("heat_sink", f"{location.lower()}-heat-sink-{number}")
    if (kind := entry.replace("-", "_")) not in _SYSTEMS:
        raise DesignRefused(f"{entry} in {location} is not known")
    return Slot(kind)


def _mount(parts: _Parts, sheet: RecordSheet, location: Location, entry: str) -> str:
    """The id of the weapon that begins here; of a split one, that of its inner part."""
    key = plain(entry)
    if entry.endswith(" split"):
        inner = INNER.get(location)
        if inner is not None and entry in sheet.slots[inner]:
            whole = parts.slots[inner][sheet.slots[inner].index(entry)].item
            parts.mounts = [replace(m, also=location) if m.id == whole else m for m in parts.mounts]
            return whole
    number = 1 + sum(1 for mount in parts.mounts if (mount.weapon, mount.location) == (key, location))
    made = f"{location.lower()}-{key}-{number}"
    rear = entry.removesuffix(" split").endswith(" rear")
    parts.mounts.append(WeaponMount(made, key, location, rear, WEAPONS[key].explosion))
    return made


def _gear(parts: _Parts, location: Location, key: str) -> str:
    """The id of the piece of equipment that begins here."""
    number = 1 + sum(1 for gear in parts.gear if (gear.key, gear.location) == (key, location))
    parts.gear.append(Gear(f"{location.lower()}-{key}-{number}", key, location))
    return parts.gear[-1].id


def _bin(location: Location, slot: int, entry: str, before: Sequence[AmmoBin]) -> AmmoBin:
    key, half = entry.removesuffix(" half"), entry.endswith(" half")
    if key not in AMMUNITION:
        raise DesignRefused(f"ammunition {key} in {location} is not known")
    facts = AMMUNITION[key]
    name = f"{location.lower()}-{key}-ammo-"
    number = 1 + sum(1 for ammo in before if ammo.id.startswith(name))
    shots = facts.shots // 2 if half else facts.shots
    kind = facts.base or key
    return AmmoBin(f"{name}{number}", kind, location, slot, shots, facts.damage, facts.munition, half)
