"""Construction rules: is the design on a record sheet legal, and what does it weigh?

Weights are in half tons. Every fault is found, not the first one only.
Source: BMR construction rules; equipment.yaml (limits, weights, slots), mtf-format.md section 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from solaris_combat.engines.battletech.assembly import design_of, items, plain
from solaris_combat.engines.battletech.equipment import EQUIPMENT, Equipment
from solaris_combat.engines.battletech.mech import ARMS, Location
from solaris_combat.engines.battletech.record_sheet import (
    REAR,
    DesignRefused,
    RecordSheet,
    structure_points,
)
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import WEAPONS

_TABLE = table("construction")
LIMITS, WEIGHTS, SLOTS = _TABLE["limits"], _TABLE["weights"], _TABLE["slots"]
ENGINES = ("fusion", "xl")
FRAMES = ("standard", "endo-steel")
PLATINGS = ("standard", "ferro-fibrous")


def faults(sheet: RecordSheet) -> tuple[str, ...]:
    """Everything illegal about a design, each as a short phrase; empty if it may be built."""
    frame = tuple(_frame(sheet))
    if frame:
        return frame
    try:
        design_of(sheet)
    except DesignRefused as refused:
        return (str(refused),)
    return (*_armor(sheet), *_fixed_slots(sheet), *_fitted(sheet), *_weight(sheet))


def check(sheet: RecordSheet) -> RecordSheet:
    """The sheet, if it is legal; DesignRefused with all its faults."""
    if found := faults(sheet):
        raise DesignRefused("; ".join(found))
    return sheet


def _frame(sheet: RecordSheet) -> Iterator[str]:
    least, most = LIMITS["tons"]
    if not least <= sheet.tons <= most or sheet.tons % LIMITS["tons_step"]:
        yield f"{sheet.tons} tons (from {least} to {most} in steps of {LIMITS['tons_step']})"
    if sheet.engine not in ENGINES or sheet.frame not in FRAMES or sheet.plating not in PLATINGS:
        yield f"engine {sheet.engine}, structure {sheet.frame}, armour {sheet.plating}: not all are known"
    if sheet.engine_rating != sheet.tons * sheet.walk:
        yield f"an engine of {sheet.engine_rating} does not make {sheet.tons} tons walk {sheet.walk}"
    if str(sheet.engine_rating) not in _TABLE["engine"]:
        yield f"no engine has a rating of {sheet.engine_rating}"
    if not 0 <= sheet.jump <= sheet.walk * LIMITS["walking_jets"]:
        yield f"jump {sheet.jump} with walk {sheet.walk}"


def _armor(sheet: RecordSheet) -> Iterator[str]:
    for location, points in structure_points(sheet.tons, sheet.quad).items():
        front, rear = sheet.armor[location]
        limit = LIMITS["head_armor"] if location is Location.HD else points * LIMITS["armor_per_structure"]
        if front < 0 or rear < 0 or front + rear > limit:
            yield f"armour {front + rear} in {location}, at most {limit}"
        if rear and location not in REAR:
            yield f"armour behind {location}"


def _fixed_slots(sheet: RecordSheet) -> Iterator[str]:
    """Systems that stand in the same slots of every 'Mech."""
    wanted = {Location.HD: SLOTS["HD"], Location.CT: SLOTS["CT"]}
    for limb in (Location.RA, Location.LA, Location.RL, Location.LL):
        wanted[limb] = SLOTS["arm"] if limb in ARMS and not sheet.quad else SLOTS["leg"]
    for location, systems in wanted.items():
        for number, (system, found) in enumerate(zip(systems, sheet.slots[location], strict=False), 1):
            if system and system != found:
                yield f"slot {number} of {location} must be {system}, not {found}"
    known = {entry for systems in wanted.values() for entry in systems if entry} | {"lower-arm", "hand"}
    for location, entries in sheet.slots.items():
        yield from _misplaced(sheet, location, entries, known, wanted.get(location, ()))


def _misplaced(
    sheet: RecordSheet, location: Location, entries: tuple[str, ...], known: set[str], fixed: list[str]
) -> Iterator[str]:
    engine = entries.count("engine")
    side = SLOTS["xl_side_torso"] if sheet.engine == "xl" else 0
    if location in (Location.RT, Location.LT) and engine != side:
        yield f"{engine} engine slots in {location}, not {side}"
    for number, entry in enumerate(entries, 1):
        own = number <= len(fixed) and entry == fixed[number - 1]
        arm = location in ARMS and not sheet.quad and _arm_part(entries, number, entry)
        torso = entry == "engine" and location in (Location.RT, Location.LT)
        if entry in known and not (own or arm or torso):
            yield f"{entry} in slot {number} of {location}"


def _arm_part(entries: tuple[str, ...], number: int, entry: str) -> bool:
    """A lower arm stands in slot 3 only, a hand in slot 4 only and not without a lower arm."""
    return (entry, number) == ("lower-arm", 3) or (
        (entry, number) == ("hand", 4) and entries[2] == "lower-arm"
    )


def _count(sheet: RecordSheet, entry: str) -> int:
    """Slots of an entry in the whole 'Mech."""
    return sum(entries.count(entry) for entries in sheet.slots.values())


def _fitted(sheet: RecordSheet) -> Iterator[str]:
    """Sinks, jets and what is counted over the whole 'Mech."""
    if sheet.heat_sinks < WEIGHTS["free_heat_sinks"]:
        yield f"{sheet.heat_sinks} heat sinks, at least {WEIGHTS['free_heat_sinks']}"
    inside = sheet.engine_rating // 25 * WEIGHTS["engine_heat_sinks_per_25"]
    each = SLOTS["double_heat_sink"] if sheet.double_heat_sinks else 1
    outside, placed = max(sheet.heat_sinks - inside, 0), _count(sheet, "heat-sink") // each
    if not outside <= placed <= sheet.heat_sinks:
        yield f"{placed} heat sinks in slots, not {outside} ({inside} fit into the engine)"
    if (jets := _count(sheet, "jump-jet")) != sheet.jump:
        yield f"{jets} jump jets for jump {sheet.jump}"
    for location, entries in sheet.slots.items():
        front_leg = sheet.quad and location in ARMS
        if "jump-jet" in entries and not front_leg and location not in SLOTS["jump_jet_in"]:
            yield f"a jump jet in {location}"
        yield from (f"{item.name} in {location}" for item in _held(entries) if _strays(item, location))
    yield from _spread(sheet)
    yield from _splits(sheet)


def _held(entries: tuple[str, ...]) -> list[Equipment]:
    return [EQUIPMENT[entry] for entry in dict.fromkeys(entries) if entry in EQUIPMENT]


def _strays(item: Equipment, location: Location) -> bool:
    return bool(item.where) and location not in item.where


def _spread(sheet: RecordSheet) -> Iterator[str]:
    wanted = {"endo-steel": sheet.frame == "endo-steel", "ferro-fibrous": sheet.plating == "ferro-fibrous"}
    for item in EQUIPMENT.values():
        found = _count(sheet, item.key)
        if item.spread and (found or wanted.get(item.key)):
            there = wanted.get(item.key, True)
            if found != item.slots * there:
                yield f"{found} slots of {item.name}, not {item.slots * there}"
    tons = -(-_direct_fire(sheet) // 8)
    if (slots := _count(sheet, "targeting-computer")) not in (0, tons):
        yield f"{slots} slots of Targeting Computer, not {tons}"


def _splits(sheet: RecordSheet) -> Iterator[str]:
    """A split weapon has all its slots, and is one that may be split."""
    for entry in sorted({e for entries in sheet.slots.values() for e in entries if e.endswith(" split")}):
        weapon = WEAPONS.get(plain(entry))
        if weapon is None or not weapon.splits or _count(sheet, entry) % weapon.slots:
            yield f"{plain(entry)} cannot be split so"


def half_tons(sheet: RecordSheet) -> int:
    """What the design weighs; DesignRefused if its slots cannot be read."""
    points = sum(map(sum, sheet.armor.values()))
    percent = WEIGHTS["ferro_fibrous_percent"] if sheet.plating == "ferro-fibrous" else 100
    jet = next(weight for most, weight in WEIGHTS["jump_jet"] if sheet.tons <= most)
    endo = sheet.frame == "endo-steel"
    engine = _TABLE["engine"][str(sheet.engine_rating)]
    return (
        (-(-sheet.tons // 10) if endo else sheet.tons // 5)
        + (-(-engine // 2) if sheet.engine == "xl" else engine)
        + -(-sheet.engine_rating // 100) * WEIGHTS["gyro_per_100"]
        + WEIGHTS["cockpit"]
        + (sheet.heat_sinks - WEIGHTS["free_heat_sinks"]) * WEIGHTS["heat_sink"]
        + -(-points * 100 // (percent * WEIGHTS["armor_points"]))
        + sheet.jump * jet
        + _fittings(sheet)
    )


def _fittings(sheet: RecordSheet) -> int:
    """Weapons, ammunition and equipment together; a split weapon is counted over both its parts."""
    whole, parts = 0, Counter[str]()
    for location in Location:
        for entry, length in items(sheet, location):
            if entry.endswith(" split"):
                parts[plain(entry)] += length
            else:
                whole += _item_weight(sheet, plain(entry), length)
    return whole + sum(WEAPONS[key].half_tons * n // WEAPONS[key].slots for key, n in parts.items())


def _item_weight(sheet: RecordSheet, key: str, length: int) -> int:
    if key.startswith("ammo "):
        return 1 if key.endswith(" half") else 2
    if key in WEAPONS:
        return WEAPONS[key].half_tons
    return piece_half_tons(EQUIPMENT[key], sheet.tons, length) if key in EQUIPMENT else 0


def piece_half_tons(item: Equipment, tons: int, length: int) -> int:
    """Half tons of a piece of equipment of so many slots in a 'Mech of some tons."""
    if item.weight == "tons/20 halves":
        return -(-tons // 10)
    return length * 2 if item.weight else item.half_tons


def _direct_fire(sheet: RecordSheet) -> int:
    """Half tons of the weapons a targeting computer helps."""
    design = design_of(sheet)
    guns = [WEAPONS[mount.weapon] for mount in design.mounts]
    return sum(gun.half_tons for gun in guns if gun.kind in ("energy", "ballistic") and not gun.undirected)


def _weight(sheet: RecordSheet) -> Iterator[str]:
    weight = half_tons(sheet)
    if weight > sheet.tons * 2:
        yield f"weighs {weight / 2:g} tons, not {sheet.tons}"
