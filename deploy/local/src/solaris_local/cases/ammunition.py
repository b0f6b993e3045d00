"""Cases of the league's munitions and level 3 rules, run through the functions used in play."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from solaris_combat.engines.battletech import (
    cluster_hits,
    double_rate,
    events,
    field_inhibitor,
    harm,
    heap,
    heat,
    heat_seeking,
    hot_loading,
    inferno,
    munitions,
    precision,
)
from solaris_combat.engines.battletech.board import arena_ids
from solaris_combat.engines.battletech.catalogue import DESIGNS
from solaris_combat.engines.battletech.critical_hits import critical_hits, explode_launcher
from solaris_combat.engines.battletech.damage import take_tandem
from solaris_combat.engines.battletech.hit_location import HitLocation
from solaris_combat.engines.battletech.loaded import as_loaded
from solaris_combat.engines.battletech.loading import check_initial, special_loads
from solaris_combat.engines.battletech.mech import AmmoBin, Location, MechDesign, WeaponMount
from solaris_combat.engines.battletech.mishap import burst
from solaris_combat.engines.battletech.orders import Initial
from solaris_combat.engines.battletech.ruleset import ruleset, ruleset_from
from solaris_combat.engines.battletech.salvo import cluster_total
from solaris_combat.engines.battletech.state import evolve
from solaris_combat.engines.battletech.to_hit import minimum_range
from solaris_combat.engines.battletech.unit import Unit, fresh_unit, mount_works
from solaris_combat.engines.battletech.weapons import WEAPONS, Weapon
from solaris_combat.engines.dice import Roll
from solaris_local.cases.named_weapons import weapon_of

Given = Mapping[str, Any]
Answer = dict[str, Any]
REFUSED: Answer = {"refused": True}
MUNITION = {
    "N": "normal",
    "DF": "dead-fire",
    "TG": "heat-seeking",
    "CT": "tandem-charge",
    "INF": "inferno",
}
"""Missile types of the cases."""
GUIDED = {"artemis_iv": "artemis", "narc": "narc"}
"""Conventional missiles that a guide helps (R 4.6.6.1, 4.6.6.2)."""
HELD = Location.LT


class Totals:
    """Dice that show a case's totals for a chain reaction, and else that nothing more happens."""

    def __init__(self, chain: Sequence[int] = ()) -> None:
        self._chain = iter(chain)

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """The next total of the case for a chain reaction; ones for anything else."""
        if purpose != "chain reaction":
            return Roll(purpose, sides, (1,) * count)
        total = next(self._chain)
        first = min(total - 1, sides)
        return Roll(purpose, sides, (first, total - first))


def _salvo(given: Given, weapon: Weapon) -> str:
    """The salvo of a case; empty if the weapon may not fire it so."""
    kind, allowed = MUNITION[given["ammunition"]], munitions.loadable(weapon.ammunition, "normal")
    guided = GUIDED.get(given.get("guidance", "none"), kind)
    if kind == "normal" and guided in allowed:
        kind = guided
    hot = given.get("hot_loaded", False)
    if kind not in allowed:
        return ""
    if hot and munitions.family(weapon.ammunition) not in munitions.MUNITIONS[kind].hot:
        return ""
    return f"{kind}{munitions.HOT}" if hot else kind


def _min_range(given: Given) -> Answer:
    """D: the modifier of the minimum range; only long-range missiles are loaded hot (R 4.5.3)."""
    weapon = replace(weapon_of(given["weapon"]), minimum=given["minimum"])
    if given["hot_loaded"] and munitions.family(weapon.ammunition or "") != "lrm":
        return REFUSED
    if given["hot_loaded"]:
        weapon = hot_loading.without_minimum(weapon)
    modifier = minimum_range(weapon, given["distance"])
    return {"modifier": modifier.value if modifier else 0}


def _missile_hits(given: Given) -> Answer:
    """R 4.5.3, 4.6.6: missiles of a salvo that hit, by the faces of its cluster roll; of a Streak all."""
    weapon = weapon_of(given["weapon"])
    salvo = _salvo(given, weapon)
    if not salvo:
        return REFUSED
    if weapon.kind == "streak":
        return {"cluster_roll": None, "missiles": weapon.rack, **_grouped(weapon, salvo, weapon.rack)}
    bonus = BONUS[given["guidance"]] if munitions.munition(salvo) in GUIDED.values() else 0
    total = cluster_total(salvo, Roll("missile hits", 6, tuple(given["cluster_dice"])))
    missiles = cluster_hits.hits(weapon.rack, total, bonus)
    counted = min(total + bonus, cluster_hits.HIGHEST_ROLL)
    return {"cluster_roll": counted, "missiles": missiles, **_grouped(weapon, salvo, missiles)}


BONUS = {"none": 0, "artemis_iv": cluster_hits.ARTEMIS_IV, "narc": cluster_hits.ARTEMIS_IV}


def _missile_groups(given: Given) -> Answer:
    """BMR, R 4.6.6: the damage groups of the missiles that hit."""
    weapon = weapon_of(given["weapon"])
    salvo = _salvo(given, weapon)
    return _grouped(weapon, salvo, given["missiles"]) if salvo else REFUSED


def _grouped(weapon: Weapon, salvo: str, missiles: int) -> Answer:
    groups = cluster_hits.groups(as_loaded(weapon, (salvo,)), missiles)
    return {"damage": sum(groups), "groups": list(groups)}


def _launcher_critical(given: Given) -> Answer:
    """R 4.5.3, 4.6.6.5: the salvo in a launcher that is hit, and the bins beside it."""
    weapon = weapon_of(given["weapon"])
    salvo = _salvo(given, weapon)
    if not salvo:
        return REFUSED
    chain_totals = given.get("chain_totals", ())
    unit = _with_launcher(weapon, salvo, len(chain_totals), 1 if given["damage_transfers"] else 99)
    chain = harm.Chain(unit)
    launcher = unit.design.mounts[0]
    place = next(n for n, slot in enumerate(unit.design.slots[HELD], 1) if slot.item == launcher.id)
    chain.add(harm.SlotHit(unit.side, HELD, place, "weapon", launcher.id, ()))
    explode_launcher(chain, launcher, Totals(chain_totals))
    blasts = [fact for fact in chain.facts if isinstance(fact, harm.Explosion)]
    return {
        "structure_damage": sum(blast.damage for blast in blasts if blast.item == launcher.id),
        "launcher_destroyed": not mount_works(chain.unit, launcher),
        "critical_rolls": sum(isinstance(fact, harm.CriticalCheck) for fact in _before_chain(chain.facts)),
        "bins_exploded": sum(blast.cause == "chain" for blast in blasts),
    }


def _before_chain(facts: Sequence[harm.Fact]) -> Iterator[harm.Fact]:
    for fact in facts:
        if isinstance(fact, harm.ChainReaction):
            return
        yield fact


def _with_launcher(weapon: Weapon, salvo: str, bins_beside: int, structure: int) -> Unit:
    """A 'Mech with one launcher in a side torso, fed from the other one, and harmless bins beside it."""
    design = DESIGNS["CPLT-C1"]
    slot = replace(design.slots[Location.LA][2], item="launcher")
    ammo = replace(design.slots[HELD][3])
    beside = tuple(f"beside-{n}" for n in range(bins_beside))
    slots = (slot, *(replace(ammo, item=name) for name in beside))
    feed = AmmoBin("feed", weapon.ammunition, Location.RT, 4, 1, weapon.rack * weapon.damage)
    bins = tuple(AmmoBin(name, "machine-gun", HELD, n, 1, 2) for n, name in enumerate(beside, 2))
    made = replace(
        design,
        mounts=(WeaponMount("launcher", weapon.key, HELD),),
        slots={
            **design.slots,
            HELD: slots,
            Location.RT: (*design.slots[Location.RT][:3], replace(ammo, item="feed")),
        },
        bins=(feed, *bins),
    )
    unit = fresh_unit("A", made)
    belts = {**unit.belts, "feed": (salvo,)}
    return replace(unit, belts=belts, structure={**dict.fromkeys(Location, 999), HELD: structure})


def _fire_belt(given: Given) -> Answer:
    """R 4.6.6: a belt is fired in its order."""
    fired, _ = munitions.take(tuple(given["bins"][given["bin"]]), given["shots"])
    return {"fired": list(fired)} if len(fired) == given["shots"] else REFUSED


def _positions(given: Given) -> Answer:
    """R 4.6.6: places of a munition on the belts."""
    found = {
        name: munitions.positions(tuple(belt), given["ammunition"]) for name, belt in given["bins"].items()
    }
    return {
        "positions": {name: list(places) for name, places in found.items()},
        "shots_before_first": {name: places[0] - 1 if places else None for name, places in found.items()},
    }


def _inferno_heat(given: Given) -> Answer:
    """D: heat of Inferno hits, turn by turn."""
    hits = sorted(given["hits"], key=lambda hit: hit["turn"])
    until, burning = 0, set()
    for hit in hits:
        until = inferno.burns_until(hit["turn"], hit["missiles"], until)
        burning |= {turn for turn in range(hit["turn"], until + 1) if inferno.heat_in(turn, until)}
    heats = [inferno.heat_in(turn, until) for turn in burning]
    return {
        "heat_per_turn": max(heats, default=0),
        "first_turn": min(burning, default=None),
        "last_turn": max(burning, default=None),
        "turns": len(burning),
        "heat_total": sum(heats),
        "max_heat_in_one_turn": max(heats, default=0),
    }


def _ammo_heat_check(given: Given) -> Answer:
    """D: the rolls against explosions at a heat."""
    asked = heat.ammunition_numbers(given["heat"], given["inferno_aboard"], given["other_ammunition_aboard"])
    return {"rolls": [{"kind": kind, "avoid": number} for kind, number in asked]}


def _double_rate(given: Given) -> Answer:
    """R 4.5.2: what firing twice does to a standard autocannon."""
    weapon = weapon_of(given["weapon"])
    if not double_rate.allowed(weapon):
        return REFUSED
    feed = double_rate.feed(weapon, given["total"], given["hit"])
    gun = fresh_unit("A", DESIGNS["ON1-V"])
    mount = next(one for one in gun.design.mounts if one.weapon == "ac-10")
    harmed = (
        burst(gun, mount.id, feed.damage, "double-rate", Totals()) if feed.explodes else harm.Harm(gun, ())
    )
    blasts = [fact.damage for fact in harmed.facts if isinstance(fact, harm.Explosion)]
    return {
        "explodes": feed.explodes,
        "jammed": feed.jammed,
        "gun_destroyed": not mount_works(harmed.unit, mount),
        "structure_damage": sum(blasts),
        "pilot_hits": harmed.unit.pilot_hits,
        "heat": double_rate.heat(weapon),
        "rounds_spent": double_rate.ROUNDS,
    }


def _ppc_inhibitor(given: Given) -> Answer:
    """R 4.5.4: feedback of a PPC without its inhibitor."""
    needed = field_inhibitor.safe_on(given["distance"])
    explodes = given["total"] < needed
    return {
        "needed": needed,
        "explodes": explodes,
        "structure_damage": field_inhibitor.DAMAGE if explodes else 0,
    }


def _tandem(given: Given) -> Answer:
    """R 4.6.6.6: tandem charges at one location."""
    unit = fresh_unit("B", DESIGNS["AS7-D"])
    armor, structure = given["location_armor"], 99
    unit = replace(
        unit,
        armor={**unit.armor, Location.LA: (armor, 0)},
        structure={**unit.structure, Location.LA: structure},
    )
    weapon, rolls = as_loaded(WEAPONS["srm-4"], ("tandem-charge",)), 0
    for _ in range(given["missiles"]):
        harmed = take_tandem(unit, HitLocation(Location.LA, False, False, ()), weapon.damage, Totals())
        rolls += sum(isinstance(fact, harm.CriticalCheck) for fact in harmed.facts)
        unit = harmed.unit
    return {
        "armor_lost": armor - unit.armor[Location.LA][0],
        "structure_lost": structure - unit.structure[Location.LA],
        "critical_rolls": rolls,
    }


def _heap(given: Given) -> Answer:
    """R 4.6.6.8: the critical roll of a HEAP hit."""
    weapon = weapon_of(given["weapon"])
    if heap.KEY not in munitions.loadable(weapon.ammunition, "normal"):
        return REFUSED
    total = given["total"] + (heap.critical_modifier(weapon.key, given["structure_damaged"]) or 0)
    return {"modified_total": total, "critical_hits": critical_hits(total)}


def _precision(given: Given) -> Answer:
    """R 4.6.6.9: the target's movement modifier against Precision rounds."""
    moved = given["target_movement_modifier"]
    less = precision.modifier(moved)
    return {"target_movement_modifier": moved + (less.value if less else 0)}


def _heat_seeking(given: Given) -> Answer:
    """R 4.6.6.7: heat of the target."""
    return {"modifier": heat_seeking.modifier(given["target_heat"]).value}


def special_loads_of(given: Given) -> list[tuple[str, str, int]] | None:
    """Special munition, bin and price of a load-out as the cases name them; None if it is refused.

    A case names bins by labels: those of the launcher that may hold all of it, in the order of the sheet.
    """
    table = {**ruleset().table, "inferno_is_special": {"on": given.get("inferno_is_special", True)}}
    rules = ruleset_from(table)
    turns = rules.longest if given["class"] in rules.length_by_agreement else rules.turns
    entered = tuple(events.Entered(side, side, given["mech"], 4, 5) for side in "AB")
    arena = next(iter(arena_ids()))
    state = evolve(None, events.DuelOpened("solaris7/1", given["class"], arena, turns, entered))
    names = _bins_for(state.units["A"].design, given["bins"])
    if names is None:
        return None
    belts = {names[label]: tuple(map(_munition, belt)) for label, belt in given["bins"].items()}
    if any(True for _ in check_initial(state, "A", Initial(bins=belts), rules)):
        return None
    codes, labels = {name: code for code, name in MUNITION.items()}, {n: label for label, n in names.items()}
    return [
        (codes.get(one.munition, one.munition), labels[one.bin], one.price)
        for one in special_loads(belts, rules)
    ]


def _munition(code: str) -> str:
    return MUNITION.get(code, code.lower())


def _bins_for(design: MechDesign, loads: Mapping[str, Sequence[str]]) -> dict[str, str] | None:
    """Bins of one kind of ammunition for the labels of a case, those that may hold what is named first."""
    kinds = {_munition(code) for belt in loads.values() for code in belt}
    fed = dict.fromkeys(ammo.ammunition for ammo in design.bins)
    fit = [kind for kind in fed if kinds <= set(munitions.loadable(kind, "normal"))]
    for kind in fit or fed:
        bins = [ammo.id for ammo in design.bins if ammo.ammunition == kind]
        if len(bins) >= len(loads):
            return dict(zip(loads, bins, strict=False))
    return None


OPS: Mapping[str, Callable[[Given], Answer]] = {
    "combat.min_range": _min_range,
    "combat.missile_hits": _missile_hits,
    "combat.missile_groups": _missile_groups,
    "combat.launcher_critical": _launcher_critical,
    "combat.bin.fire": _fire_belt,
    "combat.bin.positions": _positions,
    "combat.inferno_heat": _inferno_heat,
    "combat.ammo_heat_check": _ammo_heat_check,
    "combat.double_rate": _double_rate,
    "combat.ppc_inhibitor": _ppc_inhibitor,
    "combat.ammo.tandem": _tandem,
    "combat.ammo.heap": _heap,
    "combat.ammo.precision": _precision,
    "combat.ammo.heat_seeking": _heat_seeking,
}
