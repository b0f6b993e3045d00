"""Critical hits: how many, which slots, and what each does at once, explosions included (BMR, critical hits).

The lasting effects of a hit slot are derived from the unit where they matter: fire in `to_hit`, movement in
`mobility`, rolls in `piloting`, heat in `heat`.
Source: BMR critical hits; critical_hits.yaml, league tables 6.4.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import pilot
from solaris_combat.engines.battletech.harm import Chain, CriticalCheck, Explosion, SlotHit
from solaris_combat.engines.battletech.hit_location import TRANSFER
from solaris_combat.engines.battletech.mech import TORSOS, Location, ammo_bin
from solaris_combat.engines.battletech.structure import (
    beyond_repair,
    check_engine,
    damage_step,
    lose_head,
    settle,
    standing,
)
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, mount_works, slot_at
from solaris_combat.engines.dice import Dice, Roll
from solaris_combat.engines.frozen import replace

NUMBER: tuple[int, ...] = tuple(table("critical_hits")["hits"]["number"])
BLOWN_OFF_ON: int = table("critical_hits")["hits"]["blown_off_on"]
PAST_FULL: bool = table("critical_hits")["transfer"]["past_locations_all_hit"]
UNHITTABLE = ("empty", "unhittable")
EXPLOSION_WOUNDS: int = table("critical_hits")["explosion"]["wounds"]


def roll_criticals(chain: Chain, location: Location, dice: Dice) -> None:
    """Roll on the critical hits table for a location and carry out what it says."""
    roll = dice.roll(2, 6, "critical hits")
    off = roll.total >= BLOWN_OFF_ON and location not in TORSOS
    hits = 0 if off else NUMBER[roll.total - 2]
    chain.add(CriticalCheck(chain.unit.side, location, hits, off, (roll,)))
    if off and location is Location.HD:
        lose_head(chain)
    for _ in range(hits):
        hit_a_slot(chain, location, dice)


def hittable(unit: Unit, location: Location) -> tuple[int, ...]:
    """Numbers of the slots a critical hit can strike: neither empty, nor structure, nor hit before."""
    return tuple(
        number
        for number, slot in enumerate(unit.design.slots[location], 1)
        if slot.kind not in UNHITTABLE and (location, number) not in unit.hits
    )


def struck_location(unit: Unit, location: Location) -> Location | None:
    """Where a critical hit goes: inwards past locations that hold nothing; None if it is spent.

    A location whose slots are all hit already spends it, or passes it on too (tables/critical_hits.toml).
    """
    place: Location | None = location
    while place is not None and not hittable(unit, place):
        if _holds_anything(unit, place) and not PAST_FULL:
            return None
        place = TRANSFER.get(place)
    return place


def _holds_anything(unit: Unit, location: Location) -> bool:
    return any(slot.kind not in UNHITTABLE for slot in unit.design.slots[location])


def hit_a_slot(chain: Chain, location: Location, dice: Dice) -> None:
    """One critical hit: draw slots until one can be hit, then carry out its effect."""
    place = struck_location(chain.unit, location)
    if place is None:
        return
    before = chain.unit
    number, draws = _draw_slot(before, place, dice)
    slot = slot_at(before, place, number)
    chain.add(SlotHit(before.side, place, number, slot.kind, slot.item, draws))
    if slot.kind == "ammo":
        explode_bin(chain, slot.item, "critical", dice)
    elif slot.kind == "weapon":
        explode_weapon(chain, before, slot.item, dice)
    elif slot.kind == "cockpit":
        pilot.kill(chain, "cockpit")
    elif slot.kind == "engine":
        check_engine(chain)


def _draw_slot(unit: Unit, place: Location, dice: Dice) -> tuple[int, tuple[Roll, ...]]:
    """A slot that can be hit, each as likely as the others, and all draws up to it."""
    candidates = hittable(unit, place)
    size = len(unit.design.slots[place])
    draws = [dice.roll(1, size, "critical slot")]
    while draws[-1].total not in candidates:
        draws.append(dice.roll(1, size, "critical slot"))
    return draws[-1].total, tuple(draws)


def explode_bin(chain: Chain, bin_id: str, cause: str, dice: Dice) -> None:
    """The rounds left in a bin explode all at once; an empty bin or harmless rounds do nothing."""
    ammo = ammo_bin(chain.unit.design, bin_id)
    shots = len(chain.unit.belts[bin_id])
    if shots and ammo.damage:
        damage = shots * ammo.damage
        explode(chain, Explosion(chain.unit.side, ammo.location, bin_id, shots, damage, cause), dice)


def explode_weapon(chain: Chain, before: Unit, mount_id: str, dice: Dice) -> None:
    """A charged weapon (Gauss rifle) explodes with its first critical hit."""
    weapon = next((one for one in before.design.mounts if one.id == mount_id), None)
    if weapon and weapon.explosion and mount_works(before, weapon):
        fact = Explosion(before.side, weapon.location, mount_id, 1, weapon.explosion, "critical")
        explode(chain, fact, dice)


def explode(chain: Chain, explosion: Explosion, dice: Dice) -> None:
    """Two wounds; the damage goes to the structure of the location and, without CASE, on inwards.

    A location that is damaged and survives rolls for critical hits once; a destroyed one does not.
    """
    chain.add(explosion)
    pilot.wound(chain, EXPLOSION_WOUNDS, "explosion")
    place = standing(chain.unit, explosion.location)
    points = explosion.damage
    while place is not None and points:
        step = damage_step(chain.unit, place, False, points, inside=True)
        points -= step.structure
        if place in chain.unit.design.case:
            step, points = replace(step, vented=points), 0
        chain.add(step)
        settle(chain, step)
        if beyond_repair(chain.unit):
            return
        if not step.losses:
            roll_criticals(chain, place, dice)
        place = standing(chain.unit, place)
