"""The record sheet of a 'Mech as built: what never changes during a fight.

A `MechDesign` holds facts only (BattleTech Master Rules, record sheet). What a fight does to it stands in
`unit.Unit`. Slot numbers are those of the sheet, counted from 1.
Source: BMR record sheets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Location(StrEnum):
    """A hit location. A four-legged 'Mech uses RA, LA for its front and RL, LL for its rear legs."""

    HD = "HD"
    CT = "CT"
    RT = "RT"
    LT = "LT"
    RA = "RA"
    LA = "LA"
    RL = "RL"
    LL = "LL"


TORSOS = (Location.CT, Location.RT, Location.LT)
ARMS = (Location.RA, Location.LA)
LEGS = (Location.RL, Location.LL)

SLOT_KINDS = frozenset(
    (
        *("shoulder", "upper_arm", "lower_arm", "hand", "hip", "upper_leg", "lower_leg", "foot"),
        *("engine", "gyro", "sensors", "life_support", "cockpit"),
        *("heat_sink", "jump_jet", "hatchet", "sword", "tsm", "targeting_computer"),
        *("weapon", "ammo", "other", "unhittable", "empty"),
    )
)


@dataclass(frozen=True, slots=True)
class Slot:
    """One critical slot: a kind of SLOT_KINDS and, for weapons and ammunition, the id of the mount or bin.

    "other" is equipment that can be hit, with the id of its piece; "unhittable" is structure or armour
    that fills slots (endo steel, ferro-fibrous).
    """

    kind: str
    item: str = ""


@dataclass(frozen=True, slots=True)
class WeaponMount:
    """A weapon in its place; `id` such as "ra-ppc-1" is what orders and events name.

    `explosion` are the points it does inside when hit (Gauss rifles), else 0. `also` is the second location
    of a split weapon; it fires in the arc of the first, the inner one.
    """

    id: str
    weapon: str
    location: Location
    rear: bool = False
    explosion: int = 0
    also: Location | None = None


@dataclass(frozen=True, slots=True)
class AmmoBin:
    """One ton (or half a ton) of ammunition in one slot; `shots` when full.

    `id` such as "ct-srm-4-ammo-1" is what orders and events name, never equal to that of a weapon;
    `ammunition` is what it feeds weapons with, `munition` what stands on the sheet; `damage` are the points
    of one such round when the bin explodes, 0 for ammunition that does not. `half`: it holds half a ton.
    """

    id: str
    ammunition: str
    location: Location
    slot: int
    shots: int
    damage: int
    munition: str = "normal"
    half: bool = False


@dataclass(frozen=True, slots=True)
class Gear:
    """A piece of equipment that is no weapon in its place: `key` of tables/equipment.toml.

    `id` such as "ct-ams-1" is what orders and events name.
    """

    id: str
    key: str
    location: Location


@dataclass(frozen=True, slots=True)
class MechDesign:
    """A model of the catalogue. `armor` is (front, rear) in points, rear 0 where a location has none.

    `engine` is "fusion" or "xl"; `heat_sinks` counts sinks, `double_heat_sinks` says what each is worth;
    `case` names the locations with cellular ammunition storage; `targeting_computer` says that one is aboard,
    its slots whether it works; `price` is in C-bills.
    """

    model: str
    name: str
    tons: int
    walk: int
    jump: int
    heat_sinks: int
    double_heat_sinks: bool
    engine: str
    engine_rating: int
    armor: Mapping[Location, tuple[int, int]]
    structure: Mapping[Location, int]
    slots: Mapping[Location, tuple[Slot, ...]]
    mounts: tuple[WeaponMount, ...]
    bins: tuple[AmmoBin, ...]
    gear: tuple[Gear, ...] = ()
    price: int = 0
    battle_value: int = 0
    affiliation: tuple[str, ...] = ()
    source: str = ""
    quad: bool = False
    targeting_computer: bool = False
    case: frozenset[Location] = field(default_factory=frozenset)

    @property
    def run(self) -> int:
        """Running MP: one and a half times walking, rounded up (BMR, movement)."""
        return (self.walk * 3 + 1) // 2


def mount(design: MechDesign, mount_id: str) -> WeaponMount:
    """The weapon with this id; KeyError if the design has none."""
    for candidate in design.mounts:
        if candidate.id == mount_id:
            return candidate
    raise KeyError(mount_id)


def ammo_bin(design: MechDesign, bin_id: str) -> AmmoBin:
    """The ammunition bin with this id; KeyError if the design has none."""
    for candidate in design.bins:
        if candidate.id == bin_id:
            return candidate
    raise KeyError(bin_id)


def slot_numbers(design: MechDesign, location: Location, kind: str, item: str = "") -> tuple[int, ...]:
    """Numbers of the slots of a location that hold this kind (and this item, if one is named)."""
    return tuple(
        number
        for number, slot in enumerate(design.slots[location], 1)
        if slot.kind == kind and (not item or slot.item == item)
    )


def can_flip_arms(design: MechDesign) -> bool:
    """Whether both arms can point to the rear: neither has a lower arm or a hand (BMR, arm flipping)."""
    kinds = {slot.kind for arm in ARMS for slot in design.slots[arm]}
    return not design.quad and not kinds & {"lower_arm", "hand"}
