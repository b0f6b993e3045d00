"""What happens to one 'Mech, as facts in the order they happen, and how each changes the unit.

The rules of damage, critical hits, explosions and wounds call each other; they all write into one `Chain`.
Every fact carries the dice drawn for it: the facts of a chain hold each face once, in drawing order.
Source: BMR damage, critical hits and mechwarrior damage, as the modules that write the facts name them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.unit import DEADLY_WOUNDS, Unit, gyro_hits, legs, lost
from solaris_combat.engines.dice import Roll
from solaris_combat.engines.frozen import replace

Rolls = tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class DamageStep:
    """Points one location lost; a hit that goes through the first location has a step for each.

    `losses` are the locations gone with it (itself, and the arm of a side torso); `vented` points left the
    'Mech through cellular storage; `rolls` is the location roll, on the first step of a hit only.
    """

    side: str
    location: Location
    rear: bool
    armor: int
    structure: int
    losses: tuple[Location, ...] = ()
    vented: int = 0
    rolls: Rolls = ()


@dataclass(frozen=True, slots=True)
class CriticalCheck:
    """A roll on the critical hits table: `hits` slots to draw, or the limb or head comes off.

    `modifier` is added to the roll: HEAP rounds that went through no armour (R 4.6.6.8).
    """

    side: str
    location: Location
    hits: int
    blown_off: bool
    rolls: Rolls
    modifier: int = 0


@dataclass(frozen=True, slots=True)
class SlotHit:
    """A critical hit on a slot; `rolls` are all draws for it, rejected ones included."""

    side: str
    location: Location
    slot: int
    kind: str
    item: str
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class Explosion:
    """A bin (or a Gauss rifle) of `shots` rounds goes up.

    `cause` is "critical" or "heat", "hot-loaded" or "dead-fire" for the salvo in a launcher that was hit
    (then `bin` is where it came from), "chain" for a bin it set off, "double-rate" for a round in an
    autocannon, "feedback" for a PPC. `heat` comes from Inferno.
    """

    side: str
    location: Location
    item: str
    shots: int
    damage: int
    cause: str
    heat: int = 0
    bin: str = ""


@dataclass(frozen=True, slots=True)
class LauncherStruck:
    """What stood loaded in a launcher that was hit, by lot if several bins feed it; does it go up?"""

    side: str
    location: Location
    item: str
    bin: str
    salvo: str
    explodes: bool
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class WeaponLost:
    """All slots of a weapon are gone at once (R 4.5.2, 4.5.3, 4.5.4)."""

    side: str
    location: Location
    item: str


@dataclass(frozen=True, slots=True)
class ChainReaction:
    """A bin beside a hot-loaded launcher that blew up explodes or not (R 4.5.3)."""

    side: str
    location: Location
    item: str
    number: int
    explodes: bool
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class Wound:
    """Wounds, `total` after them; `cause` is "head", "explosion", "fall", "heat", "cockpit" or "drowned"."""

    side: str
    wounds: int
    total: int
    cause: str


@dataclass(frozen=True, slots=True)
class Consciousness:
    """A consciousness roll: `purpose` "stay" after a wound or "wake" at the end of a later turn."""

    side: str
    purpose: str
    number: int
    conscious: bool
    rolls: Rolls


@dataclass(frozen=True, slots=True)
class Destroyed:
    """The 'Mech is out of the fight: "centre torso", "head", "engine" or "mechwarrior"."""

    side: str
    reason: str


@dataclass(frozen=True, slots=True)
class FloodCheck:
    """Water breaks into a damaged location or not; no rolls where no armour was left."""

    side: str
    location: Location
    flooded: bool
    rolls: Rolls


Fact = (
    DamageStep
    | CriticalCheck
    | SlotHit
    | Explosion
    | LauncherStruck
    | WeaponLost
    | ChainReaction
    | Wound
    | Consciousness
    | Destroyed
    | FloodCheck
)


@dataclass(frozen=True, slots=True)
class Harm:
    """A unit after some facts, and the facts."""

    unit: Unit
    facts: tuple[Fact, ...]

    @property
    def rolls(self) -> Rolls:
        """Every roll of the facts, in drawing order."""
        return tuple(roll for fact in self.facts for roll in getattr(fact, "rolls", ()))


class Chain:
    """Facts about one unit as they happen; `unit` is always the unit after all of them."""

    __slots__ = ("facts", "unit")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.facts: list[Fact] = []

    def add(self, fact: Fact) -> None:
        """The fact happens."""
        self.facts.append(fact)
        self.unit = suffer(self.unit, fact)

    def harm(self) -> Harm:
        """The outcome so far."""
        return Harm(self.unit, tuple(self.facts))


def suffer(unit: Unit, fact: Fact) -> Unit:
    """The unit after a fact; what happened is looked up, never judged again."""
    return _SUFFER[type(fact)](unit, fact)


def _damage_step(unit: Unit, fact: DamageStep) -> Unit:
    front, rear = unit.armor[fact.location]
    left = (front, rear - fact.armor) if fact.rear else (front - fact.armor, rear)
    armor = {**unit.armor, fact.location: left}
    structure = {**unit.structure, fact.location: unit.structure[fact.location] - fact.structure}
    damage = unit.damage_this_phase + fact.armor + fact.structure + fact.vented
    hurt = replace(unit, armor=armor, structure=structure, damage_this_phase=damage)
    return _without(hurt, fact.losses) if fact.losses else hurt


def _without(unit: Unit, losses: tuple[Location, ...]) -> Unit:
    """The unit with these locations gone, and a cause to fall for each leg among them."""
    fallen = sum(1 for location in losses if location in legs(unit.design))
    return replace(
        unit,
        armor={**unit.armor, **dict.fromkeys(losses, (0, 0))},
        structure={**unit.structure, **dict.fromkeys(losses, 0)},
        causes=unit.causes + ("leg_destroyed",) * fallen,
    )


def _critical_check(unit: Unit, fact: CriticalCheck) -> Unit:
    if not fact.blown_off:
        return unit
    gone = replace(unit, blown_off=unit.blown_off | {fact.location})
    return gone if lost(unit, fact.location) else _without(gone, (fact.location,))


LEG_CAUSES = {
    "hip": "hip_actuator_destroyed",
    "upper_leg": "leg_or_foot_actuator_destroyed",
    "lower_leg": "leg_or_foot_actuator_destroyed",
    "foot": "leg_or_foot_actuator_destroyed",
}


def _slot_hit(unit: Unit, fact: SlotHit) -> Unit:
    place = (fact.location, fact.slot)
    hurt = replace(unit, hits=unit.hits | {place}, fresh_hits=unit.fresh_hits | {place})
    cause = "" if lost(unit, fact.location) else LEG_CAUSES.get(fact.kind, "")
    if fact.kind == "gyro":
        cause = "gyro_hit" if gyro_hits(hurt) == 1 else "gyro_destroyed"
    if fact.kind in LEG_CAUSES:
        hurt = replace(hurt, leg_hits=(*unit.leg_hits, place))
    return replace(hurt, causes=(*unit.causes, cause)) if cause else hurt


def _explosion(unit: Unit, fact: Explosion) -> Unit:
    unit = replace(unit, heat=unit.heat + fact.heat) if fact.heat else unit
    if fact.bin:
        return replace(unit, belts={**unit.belts, fact.bin: unit.belts[fact.bin][1:]})
    if fact.item not in unit.belts:
        return unit
    return replace(unit, belts={**unit.belts, fact.item: ()})


def _weapon_lost(unit: Unit, fact: WeaponLost) -> Unit:
    places = {
        (location, number)
        for location, slots in unit.design.slots.items()
        for number, slot in enumerate(slots, 1)
        if slot.kind == "weapon" and slot.item == fact.item
    }
    return replace(unit, hits=unit.hits | places, fresh_hits=unit.fresh_hits | places)


def _unchanged(unit: Unit, fact: ChainReaction | LauncherStruck) -> Unit:
    return unit


def _wound(unit: Unit, fact: Wound) -> Unit:
    checked = 0 if fact.total >= DEADLY_WOUNDS else unit.unchecked_wounds + fact.wounds
    return replace(unit, pilot_hits=fact.total, unchecked_wounds=checked)


def _consciousness(unit: Unit, fact: Consciousness) -> Unit:
    if fact.purpose == "wake":
        return replace(unit, conscious=fact.conscious)
    left = max(unit.unchecked_wounds - 1, 0)
    return replace(unit, conscious=unit.conscious and fact.conscious, unchecked_wounds=left)


def _destroyed(unit: Unit, fact: Destroyed) -> Unit:
    return replace(unit, destroyed=unit.destroyed or fact.reason)


def _flood(unit: Unit, fact: FloodCheck) -> Unit:
    """Everything in a flooded location stops working: its slots count as hit, and nothing explodes."""
    if not fact.flooded:
        return unit
    slots = unit.design.slots[fact.location]
    places = {
        (fact.location, n) for n, slot in enumerate(slots, 1) if slot.kind not in ("empty", "unhittable")
    }
    return replace(
        unit,
        hits=unit.hits | places,
        fresh_hits=unit.fresh_hits | places,
        flooded=unit.flooded | {fact.location},
    )


_SUFFER: Mapping[type, Callable[[Unit, Any], Unit]] = {
    DamageStep: _damage_step,
    CriticalCheck: _critical_check,
    SlotHit: _slot_hit,
    Explosion: _explosion,
    LauncherStruck: _unchanged,
    WeaponLost: _weapon_lost,
    ChainReaction: _unchanged,
    Wound: _wound,
    Consciousness: _consciousness,
    Destroyed: _destroyed,
    FloodCheck: _flood,
}
