"""A 'Mech and its mechwarrior during a fight: the state that events change.

`Unit` holds only what cannot be derived. Everything else (is a weapon working, how many engine hits, is the
pilot dead) is a function of it, so no two fields can contradict each other.
Source: BMR record sheets and critical hits; critical_hits.yaml system_effects, pilot.yaml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mech import (
    LEGS,
    Gear,
    Location,
    MechDesign,
    Slot,
    WeaponMount,
    ammo_bin,
    mount,
)
from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.frozen import replace

DEADLY_WOUNDS: int = table("pilot")["wounds"]["kills"]
ENGINE_LOCATIONS = (Location.CT, Location.RT, Location.LT)


@dataclass(frozen=True, slots=True)
class Moved:
    """What the unit did in this turn's movement: mode "stand", "walk", "run" or "jump".

    `hexes` entered count for the target's movement modifier, `mp` for the record, `attempts` are tries to
    stand up (heat), `fires` the burning hexes left (heat); `skidded`: it slid; `masc`: it was in use.
    """

    mode: str = "stand"
    hexes: int = 0
    mp: int = 0
    attempts: int = 0
    fires: int = 0
    masc: bool = False
    skidded: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """State of one side's 'Mech. Facing 0..5, 0 = north, clockwise; twist -1, 0 or 1 hexside clockwise;
    `flipped`: the arms point to the rear.

    `hits` are critical hits as (location, slot number); `belts` are the salvoes left by bin id, the next one
    first (munitions.py); `causes` are the
    reasons for piloting rolls gathered in this phase (keys of tables/piloting.toml); `unchecked_wounds` are
    wounds without a consciousness roll yet; `fresh_hits` are the critical hits of this phase. The
    slots of a `flooded` location count as hit; weapons that have `jammed` fire no more.
    `beacons` are the Narc beacons it carries: the turn in which a team first attached one; `club` is what it
    holds: "tree", "limb" or "girder"; `stuck` is the mire it is stuck in; `roof`: it is on a roof; `masc`
    counts the turns its MASC has been in use, less those of rest; `inferno_until` is the last turn in which
    Inferno heats it; `leg_hits` are the hits on hips and leg actuators in the order they came.
    """

    side: str
    design: MechDesign
    gunnery: int
    piloting: int
    armor: Mapping[Location, tuple[int, int]]
    structure: Mapping[Location, int]
    belts: Mapping[str, Belt]
    position: Hex | None = None
    facing: int = 0
    twist: int = 0
    flipped: bool = False
    hits: frozenset[tuple[Location, int]] = frozenset()
    blown_off: frozenset[Location] = frozenset()
    heat: int = 0
    heat_built: int = 0
    prone: bool = False
    shutdown: bool = False
    pilot_hits: int = 0
    unchecked_wounds: int = 0
    conscious: bool = True
    moved: Moved = field(default_factory=Moved)
    damage_this_phase: int = 0
    causes: tuple[str, ...] = ()
    fresh_hits: frozenset[tuple[Location, int]] = frozenset()
    flooded: frozenset[Location] = frozenset()
    jammed: frozenset[str] = frozenset()
    beacons: Mapping[str, int] = field(default_factory=dict)
    club: str = ""
    masc: int = 0
    inferno_until: int = 0
    leg_hits: tuple[tuple[Location, int], ...] = ()
    destroyed: str | None = None
    stuck: str = ""
    roof: bool = False

    @property
    def shots(self) -> Mapping[str, int]:
        """Rounds left by bin id."""
        return {name: len(belt) for name, belt in self.belts.items()}

    @property
    def hex(self) -> Hex:
        """Where a unit on the board stands."""
        assert self.position is not None, f"unit {self.side} is not on the board"
        return self.position


def fresh_unit(side: str, design: MechDesign, gunnery: int = 4, piloting: int = 5) -> Unit:
    """An undamaged unit with full bins, not yet on the board."""
    return Unit(
        side=side,
        design=design,
        gunnery=gunnery,
        piloting=piloting,
        armor=dict(design.armor),
        structure=dict(design.structure),
        belts={ammo.id: (ammo.munition,) * ammo.shots for ammo in design.bins},
    )


def lost(unit: Unit, location: Location) -> bool:
    """True when the location is destroyed or blown off."""
    return unit.structure[location] <= 0


def slot_working(unit: Unit, location: Location, number: int) -> bool:
    """True when the slot is neither hit nor in a lost location."""
    return (location, number) not in unit.hits and not lost(unit, location)


def kinds_hit(unit: Unit, location: Location) -> list[str]:
    """The kind of every slot hit in a location; slots of a lost location are not counted."""
    slots = unit.design.slots[location]
    return [slots[number - 1].kind for place, number in unit.hits if place == location]


def slots_hit(unit: Unit, location: Location, kind: str) -> int:
    """How many slots of this kind in a location are hit; slots of a lost location are not counted."""
    return kinds_hit(unit, location).count(kind) if unit.hits else 0


def out_of_action(unit: Unit, location: Location, kind: str) -> int:
    """How many slots of this kind in a location no longer work: hit, or gone with the location."""
    if unit.structure[location] <= 0:
        return [slot.kind for slot in unit.design.slots[location]].count(kind)
    return kinds_hit(unit, location).count(kind) if unit.hits else 0


def engine_hits(unit: Unit) -> int:
    """Engine slots hit or lost with a side torso; three put the 'Mech out of action (BMR, engine hits)."""
    return sum([out_of_action(unit, location, "engine") for location in ENGINE_LOCATIONS])


def gyro_hits(unit: Unit) -> int:
    """Gyro slots hit: one makes piloting harder, two let the 'Mech fall for good."""
    return slots_hit(unit, Location.CT, "gyro")


def sensor_hits(unit: Unit) -> int:
    """Sensor slots hit, in the head."""
    return slots_hit(unit, Location.HD, "sensors")


def life_support_hits(unit: Unit) -> int:
    """Life-support slots hit, in the head."""
    return slots_hit(unit, Location.HD, "life_support")


def legs(design: MechDesign) -> tuple[Location, ...]:
    """The legs: two, or all four limbs of a four-legged 'Mech."""
    return (Location.RA, Location.LA, *LEGS) if design.quad else LEGS


def legs_lost(unit: Unit) -> int:
    """How many legs are destroyed or blown off."""
    gone, structure = 0, unit.structure
    for leg in legs(unit.design):
        gone += structure[leg] <= 0
    return gone


def can_twist(unit: Unit) -> bool:
    """Whether the torso turns: not of a prone 'Mech, nor of one on four legs (BMR, torso twist)."""
    return not unit.prone and not unit.design.quad


def pilot_dead(unit: Unit) -> bool:
    """Dead of his wounds; losing the head or the cockpit counts as all of them (BMR, mechwarrior damage)."""
    return unit.pilot_hits >= DEADLY_WOUNDS


def immobile(unit: Unit) -> bool:
    """True for a target that cannot move at all: shut down, destroyed, or its mechwarrior is out."""
    return (
        unit.shutdown or not unit.conscious or unit.destroyed is not None or unit.pilot_hits >= DEADLY_WOUNDS
    )


def mount_works(unit: Unit, weapon: WeaponMount) -> bool:
    """True while no slot of the weapon is hit and its locations stand; the first hit destroys a weapon."""
    slots = unit.design.slots
    for location, number in unit.hits:
        if slots[location][number - 1].item == weapon.id:
            return False
    also = weapon.also
    return unit.structure[weapon.location] > 0 and (also is None or unit.structure[also] > 0)


def gear_works(unit: Unit, gear: Gear) -> bool:
    """True while no slot of a piece of equipment is hit and its location stands."""
    slots = unit.design.slots[gear.location]
    hit = any(at == gear.location and slots[number - 1].item == gear.id for at, number in unit.hits)
    return not hit and unit.structure[gear.location] > 0


def weapon_working(unit: Unit, mount_id: str) -> bool:
    """See `mount_works`, for the weapon with an id; KeyError if the design has none."""
    return mount_works(unit, mount(unit.design, mount_id))


def bin_usable(unit: Unit, bin_id: str) -> bool:
    """True while the bin is not hit, its location stands and it has shots left."""
    if not unit.belts.get(bin_id):
        return False
    ammo = ammo_bin(unit.design, bin_id)
    return slot_working(unit, ammo.location, ammo.slot)


def slot_at(unit: Unit, location: Location, number: int) -> Slot:
    """The slot with this number of the record sheet."""
    return unit.design.slots[location][number - 1]


def new_phase(unit: Unit) -> Unit:
    """The unit at the start of a phase: damage, fresh hits and causes for rolls are counted per phase."""
    if not (unit.damage_this_phase or unit.causes or unit.fresh_hits):
        return unit
    return replace(unit, damage_this_phase=0, causes=(), fresh_hits=frozenset())
