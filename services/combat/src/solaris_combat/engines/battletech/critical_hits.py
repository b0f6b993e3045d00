"""Critical hits: how many, which slots, and what each does at once, explosions included (BMR, critical hits).

The lasting effects of a hit slot are derived from the unit where they matter: fire in `to_hit`, movement in
`mobility`, rolls in `piloting`, heat in `heat`.
Source: BMR critical hits; critical_hits.yaml, league tables 6.4.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import hot_loading, pilot
from solaris_combat.engines.battletech.dead_fire import KEY as DEAD_FIRE
from solaris_combat.engines.battletech.harm import (
    Chain,
    ChainReaction,
    CriticalCheck,
    Explosion,
    LauncherStruck,
    SlotHit,
    WeaponLost,
)
from solaris_combat.engines.battletech.hit_location import TRANSFER
from solaris_combat.engines.battletech.mech import TORSOS, AmmoBin, Location, WeaponMount, ammo_bin
from solaris_combat.engines.battletech.munitions import is_hot, munition
from solaris_combat.engines.battletech.salvo import explodes_in_launcher, heat_inside, points_inside
from solaris_combat.engines.battletech.structure import (
    beyond_repair,
    check_engine,
    damage_step,
    lose_head,
    settle,
    standing,
)
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, bin_usable, mount_works, slot_at
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.dice import Dice, Roll
from solaris_combat.engines.frozen import replace

NUMBER: tuple[int, ...] = tuple(table("critical_hits")["hits"]["number"])
BLOWN_OFF_ON: int = table("critical_hits")["hits"]["blown_off_on"]
PAST_FULL: bool = table("critical_hits")["transfer"]["past_locations_all_hit"]
UNHITTABLE = ("empty", "unhittable")
EXPLOSION_WOUNDS: int = table("critical_hits")["explosion"]["wounds"]


def critical_hits(total: int) -> int:
    """Critical hits of a total on the table; one that a modifier takes below 2 has none."""
    return NUMBER[max(total, 2) - 2]


def roll_criticals(chain: Chain, location: Location, dice: Dice, modifier: int = 0) -> None:
    """Roll on the critical hits table for a location and carry out what it says."""
    roll = dice.roll(2, 6, "critical hits")
    total = roll.total + modifier
    off = total >= BLOWN_OFF_ON and location not in TORSOS
    hits = 0 if off else critical_hits(total)
    chain.add(CriticalCheck(chain.unit.side, location, hits, off, (roll,), modifier))
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
    """The salvoes left in a bin explode all at once; an empty bin or harmless rounds do nothing."""
    ammo = ammo_bin(chain.unit.design, bin_id)
    belt = chain.unit.belts[bin_id]
    damage = sum(points_inside(ammo, salvo) for salvo in belt)
    if damage:
        heat = heat_inside(belt)
        fact = Explosion(chain.unit.side, ammo.location, bin_id, len(belt), damage, cause, heat)
        explode(chain, fact, dice)


def explode_weapon(chain: Chain, before: Unit, mount_id: str, dice: Dice) -> None:
    """A charged weapon (Gauss rifle) explodes with its first critical hit; so may a salvo in a launcher."""
    weapon = next((one for one in before.design.mounts if one.id == mount_id), None)
    if weapon is None or not mount_works(before, weapon):
        return
    if weapon.explosion:
        fact = Explosion(before.side, weapon.location, mount_id, 1, weapon.explosion, "critical")
        explode(chain, fact, dice)
    else:
        explode_launcher(chain, weapon, dice)


def explode_launcher(chain: Chain, launcher: WeaponMount, dice: Dice) -> None:
    """A launcher is hit: the salvo loaded in it goes up if it is hot-loaded or Dead-Fire (R 4.5.3, C-31).

    Which bin it came from is drawn by lot. All of the launcher is lost. Hot-loaded, it may set off every bin
    of the location; Dead-Fire does no critical damage unless it goes on inwards (R 4.6.6.5).
    """
    loaded = _loaded_bin(chain, launcher, dice)
    if loaded is None:
        return
    unit, salvo = chain.unit, chain.unit.belts[loaded.id][0]
    beside = [ammo for ammo in explosive_bins(unit) if ammo.location == launcher.location]
    cause = "hot-loaded" if is_hot(salvo) else "dead-fire"
    damage = points_inside(loaded, salvo)
    fact = Explosion(unit.side, launcher.location, launcher.id, 1, damage, cause, bin=loaded.id)
    chain.add(WeaponLost(unit.side, launcher.location, launcher.id))
    explode(chain, fact, dice, criticals_here=munition(salvo) != DEAD_FIRE)
    for ammo in beside if is_hot(salvo) else ():
        if not beyond_repair(chain.unit):
            _chain_reaction(chain, ammo, dice)


def _loaded_bin(chain: Chain, launcher: WeaponMount, dice: Dice) -> AmmoBin | None:
    """The bin whose next salvo stands in the launcher, by lot among those that feed it; None if harmless."""
    unit, weapon = chain.unit, WEAPONS.get(launcher.weapon)
    feeds = [ammo for ammo in explosive_bins(unit) if weapon and ammo.ammunition == weapon.ammunition]
    if not any(explodes_in_launcher(unit.belts[ammo.id][0]) for ammo in feeds):
        return None
    rolls = (dice.roll(1, len(feeds), "loaded salvo"),) if len(feeds) > 1 else ()
    found = feeds[rolls[0].total - 1 if rolls else 0]
    salvo = unit.belts[found.id][0]
    up = explodes_in_launcher(salvo)
    chain.add(LauncherStruck(unit.side, launcher.location, launcher.id, found.id, salvo, up, rolls))
    return found if up else None


def _chain_reaction(chain: Chain, ammo: AmmoBin, dice: Dice) -> None:
    roll = dice.roll(2, 6, "chain reaction")
    explodes = hot_loading.bin_explodes(roll.total)
    number = hot_loading.BIN_SAFE_ON
    chain.add(ChainReaction(chain.unit.side, ammo.location, ammo.id, number, explodes, (roll,)))
    if explodes:
        explode_bin(chain, ammo.id, "chain", dice)


def explosive_bins(unit: Unit) -> tuple[AmmoBin, ...]:
    """Bins that can explode: explosive rounds left, slot not hit, location there."""
    return tuple(ammo for ammo in unit.design.bins if ammo.damage and bin_usable(unit, ammo.id))


def explode(
    chain: Chain, explosion: Explosion, dice: Dice, *, criticals_here: bool = True, wounds: bool = True
) -> None:
    """Two wounds; the damage goes to the structure of the location and, without CASE, on inwards.

    A location that is damaged and survives rolls for critical hits once; a destroyed one does not, nor the
    one of the explosion unless `criticals_here`. `wounds`: the mechwarrior suffers by the feedback.
    """
    chain.add(explosion)
    if wounds:
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
        if not step.losses and (criticals_here or place is not explosion.location):
            roll_criticals(chain, place, dice)
        place = standing(chain.unit, place)
