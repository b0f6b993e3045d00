"""Units of the BattleTech cases, built from the facts that stand in the rows and from nothing else."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import Any

from solaris_combat.engines.battletech.mech import AmmoBin, Location, MechDesign, Slot, WeaponMount
from solaris_combat.engines.battletech.unit import Unit, fresh_unit, lost
from solaris_combat.engines.battletech.weapons import AMMUNITION
from solaris_combat.engines.dice import ScriptedDice

Row = Mapping[str, Any]

QUAD_LEGS = {"FRL": "RA", "FLL": "LA", "RRL": "RL", "RLL": "LL"}
KINDS = {
    "Life Support": "life_support",
    "Sensors": "sensors",
    "Standard Cockpit": "cockpit",
    "Engine": "engine",
    "Standard Gyro": "gyro",
    "Shoulder": "shoulder",
    "Upper Arm": "upper_arm",
    "Lower Arm": "lower_arm",
    "Hand": "hand",
    "Hip": "hip",
    "Upper Leg": "upper_leg",
    "Lower Leg": "lower_leg",
    "Foot": "foot",
    "Heat Sink": "heat_sink",
    "Double Heat Sink": "heat_sink",
    "Jump Jet": "jump_jet",
    "Endo Steel": "unhittable",
    "Ferro-Fibrous": "unhittable",
    "Light Ferro-Fibrous": "unhittable",
    "Heavy Ferro-Fibrous": "unhittable",
    "XL Gyro": "gyro",
    "Compact Gyro": "gyro",
    "Heavy Duty Gyro": "gyro",
    "Small Cockpit": "cockpit",
    "Laser Heat Sink": "heat_sink",
    "-": "empty",
    "CASE": "other",
    "Hatchet": "hatchet",
    "Sword": "sword",
    "Triple Strength Myomer": "tsm",
    "Targeting Computer": "targeting_computer",
}
ITEM_SLOTS = {"Double Heat Sink": 3, "Gauss Rifle": 7, "Light Gauss Rifle": 5, "Heavy Gauss Rifle": 11}
GAUSS = {"Gauss Rifle": 20, "Light Gauss Rifle": 16, "Heavy Gauss Rifle": 25}
HARMLESS = ("Gauss Ammo", "Light Gauss Ammo", "Heavy Gauss Ammo")
OTHER_ROUNDS = {
    "Narc Pods": (6, 2),
    "iNarc Pods": (4, 3),
    "Rotary AC/2 Ammo": (45, 2),
    "Rotary AC/5 Ammo": (20, 5),
    "Heavy Gauss Ammo": (4, 0),
    "Arrow IV Ammo": (5, 20),
    "Long Tom Ammo": (5, 20),
    "Sniper Ammo": (10, 10),
    "Thumper Ammo": (20, 5),
    **{f"LRT {size} Ammo": (120 // size, size) for size in (5, 10, 15, 20)},
    **{
        f"ATM {size}{kind} Ammo": (shots, points * size)
        for size, shots in ((3, 20), (6, 10), (9, 7), (12, 5))
        for kind, points in (("", 2), (" ER", 1), (" HE", 3))
    },
    "Light Machine Gun Ammo": (200, 1),
    "Heavy Machine Gun Ammo": (100, 3),
    "SRT 2 Ammo": (50, 4),
    "SRT 4 Ammo": (25, 8),
    "SRT 6 Ammo": (15, 12),
}
"""Rounds in a ton, and points of one, of what the league's set lacks (ammo.yaml; Clan ones: the program)."""
_GUIDED = re.compile(r"\(Clan\) |(Artemis|Narc)-capable ")
"""What the name of a bin says besides its kind: as many rounds, as much damage."""
_BIPED = {
    "HD": ("Life Support", "Sensors", "Standard Cockpit", "-", "Sensors", "Life Support"),
    "CT": ("Engine",) * 3 + ("Standard Gyro",) * 4 + ("Engine",) * 3 + ("-",) * 2,
    "RT": ("-",) * 12,
    "LT": ("-",) * 12,
    "RA": ("Shoulder", "Upper Arm", "Lower Arm", "Hand") + ("-",) * 8,
    "LA": ("Shoulder", "Upper Arm", "Lower Arm", "Hand") + ("-",) * 8,
    "RL": ("Hip", "Upper Leg", "Lower Leg", "Foot", "-", "-"),
    "LL": ("Hip", "Upper Leg", "Lower Leg", "Foot", "-", "-"),
}
_QUAD = {**_BIPED, "RA": _BIPED["RL"], "LA": _BIPED["LL"]}


def location_of(name: str) -> Location:
    """The location a row names; legs of four-legged 'Mechs by their own names."""
    return Location(QUAD_LEGS.get(name, name))


def name_of(location: Location, quad: bool) -> str:
    """The name of a location in the rows."""
    names = {internal: name for name, internal in QUAD_LEGS.items()} if quad else {}
    return names.get(location, str(location))


def dice_of(faces: Sequence[int | str]) -> ScriptedDice:
    """Dice that show the faces of a row; "1..12:n" is a slot draw that shows n."""
    return ScriptedDice([int(str(face).rpartition(":")[2]) for face in faces])


def unit_of(facts: Row, side: str = "A", ammo: Sequence[Row] | None = None) -> Unit:
    """A fresh unit from inlined facts; `ammo` gives the rounds of every bin where the row has them."""
    return fresh_unit(side, design_of(facts, ammo), facts["gunnery"], facts["piloting"])


def design_of(facts: Row, ammo: Sequence[Row] | None = None) -> MechDesign:
    """The design behind inlined facts; a standard layout of slots where the row has none."""
    named = {location_of(name): slots for name, slots in facts.get("critical_slots", {}).items()}
    standard = _layout(facts)
    texts = {location: named.get(location, standard[location]) for location in Location}
    sinks = facts.get("heat_sinks", 10)
    return MechDesign(
        model="",
        name="",
        tons=facts["tons"],
        walk=facts["walk"],
        jump=facts["jump"],
        heat_sinks=sinks,
        double_heat_sinks=facts.get("heat_capacity", sinks) == 2 * sinks,
        engine="",
        engine_rating=0,
        armor=_by_location(facts.get("armor"), lambda points: (points[0], sum(points[1:])), (9, 0)),
        structure=_by_location(facts.get("structure"), int, 9),
        slots={location: _slots(location, texts[location]) for location in Location},
        mounts=tuple(mount for location in Location for mount in _mounts(location, texts[location])),
        bins=tuple(_bins(texts) if ammo is None else _given_bins(ammo)),
        quad=facts["quad"],
        targeting_computer=facts.get("targeting_computer", False),
        case=frozenset(location for location in Location if "CASE" in texts[location]),
    )


def _layout(facts: Row) -> dict[str, tuple[str, ...]]:
    """The standard layout with the arm actuators, hatchets and myomer that the facts name."""
    layout = dict(_QUAD if facts["quad"] else _BIPED)
    for arm, actuators in facts.get("arm_actuators", {}).items():
        held = tuple(name for name in ("Hatchet", "Sword") if arm in facts.get(name.lower(), ()))
        layout[arm] = (*actuators, *held, *("-",) * (12 - len(actuators) - len(held)))
    if facts.get("tsm"):
        layout["LT"] = ("Triple Strength Myomer",) * 6 + ("-",) * 6
    if facts.get("targeting_computer"):
        layout["RT"] = ("Targeting Computer", *("-",) * 11)
    return layout


def _by_location(facts: Row | None, read: Any, otherwise: Any) -> dict[Location, Any]:
    if facts is None:
        return dict.fromkeys(Location, otherwise)
    return {location_of(name): read(value) for name, value in facts.items()}


def _items(location: Location, texts: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """(text, item id, slot number) of every slot; neighbouring slots of one item share its id."""
    number = 0
    for text, run in groupby(texts):
        for place, _ in enumerate(run):
            number += 1
            size = ITEM_SLOTS.get(text, len(texts))
            yield text, f"{location}-{text}-{number - place % size}", number


def _slots(location: Location, texts: Sequence[str]) -> tuple[Slot, ...]:
    return tuple(_slot(location, text, item, number) for text, item, number in _items(location, texts))


def _slot(location: Location, text: str, item: str, number: int) -> Slot:
    if _is_ammunition(text):
        return Slot("ammo", f"{location}-{number}")
    kind = KINDS.get(text, "weapon")
    return Slot(kind, item if kind == "weapon" or text in ITEM_SLOTS else "")


def _is_ammunition(text: str) -> bool:
    return text.endswith((" Ammo", " Pods"))


def _mounts(location: Location, texts: Sequence[str]) -> Iterator[WeaponMount]:
    seen: set[str] = set()
    for text, item, _ in _items(location, texts):
        if text not in KINDS and not _is_ammunition(text) and item not in seen:
            seen.add(item)
            yield WeaponMount(item, text, location, "(rear)" in text, GAUSS.get(text, 0))


def _bins(texts: Mapping[Location, Sequence[str]]) -> Iterator[AmmoBin]:
    """Full bins by the names of their slots, with the figures of the table of weapons."""
    rounds = {one.name: (one.shots, one.damage) for one in AMMUNITION.values()} | OTHER_ROUNDS
    for location, names in texts.items():
        for number, text in enumerate(names, 1):
            if not _is_ammunition(text):
                continue
            whole = text.removeprefix("Half ")
            name = _GUIDED.sub("", whole)
            full, damage = rounds.get(name, (1, 0))
            shots = full // (2 if text != whole else 1)
            damage = damage if name not in HARMLESS else 0
            yield AmmoBin(f"{location}-{number}", name, location, number, shots, damage)


def _given_bins(ammo: Sequence[Row]) -> Iterator[AmmoBin]:
    for row in ammo:
        location, slot = location_of(row["location"]), row["slot"]
        damage = row["damage_per_shot"] if row["explosive"] else 0
        yield AmmoBin(f"{location}-{slot}", "", location, slot, row["shots"], damage)


def damaged(unit: Unit, before: Row) -> Unit:
    """The unit with [armour, structure, rear armour] of each location as given."""
    values = {location_of(name): value for name, value in before.items()}
    return replace(
        unit,
        armor={location: (value[0], sum(value[2:])) for location, value in values.items()},
        structure={location: value[1] for location, value in values.items()},
    )


def with_criticals(unit: Unit, criticals: Sequence[Sequence[str]]) -> Unit:
    """The unit with hits on systems: each takes the first slot of its kind that is not hit yet, if any."""
    hits = set(unit.hits)
    for name, kind in criticals:
        location = location_of(name)
        numbers = enumerate(unit.design.slots[location], 1)
        free = ((location, n) for n, s in numbers if s.kind == kind and (location, n) not in hits)
        hits |= set(islice(free, 1))
    return replace(unit, hits=frozenset(hits))


def state_of(unit: Unit) -> Row:
    """The unit in the form of `after`."""
    quad = unit.design.quad
    torsos = (Location.CT, Location.RT, Location.LT)
    standing = {location: not lost(unit, location) for location in Location}
    return {
        "armor_structure_rear": {
            name_of(location, quad): [
                unit.armor[location][0],
                unit.structure[location],
                *((unit.armor[location][1],) if location in torsos else ()),
            ]
            for location in Location
        },
        "locations_lost": [name_of(location, quad) for location in Location if not standing[location]],
        "critical_slots_hit": [
            f"{name_of(location, quad)}:{number}" for location, number in unit.hits if standing[location]
        ],
        "pilot_hits": unit.pilot_hits,
        "pilot_dead": unit.pilot_hits >= 6,
        "destroyed": unit.destroyed is not None,
    }
