"""Damage: armour, structure, transfer inwards, destruction (BMR, damage resolution).

Source: BMR damage resolution; hit_locations.yaml damage_transfer, critical_hits.yaml when, one_roll_per.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import heap, tandem_charge
from solaris_combat.engines.battletech.critical_hits import roll_criticals
from solaris_combat.engines.battletech.flooding import NOWHERE, check_breach
from solaris_combat.engines.battletech.harm import Chain, DamageStep, Harm
from solaris_combat.engines.battletech.hit_location import HitLocation
from solaris_combat.engines.battletech.mech import TORSOS, Location
from solaris_combat.engines.battletech.structure import beyond_repair, damage_step, settle, standing
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.dice import Dice
from solaris_combat.engines.frozen import replace


def take_hit(
    unit: Unit, hit: HitLocation, points: int, dice: Dice, submerged: frozenset[Location] = NOWHERE
) -> Harm:
    """One hit of some points with all it entails; its location rolls stand in the first fact."""
    chain = Chain(unit)
    strike(chain, hit, points, dice, submerged)
    return chain.harm()


def take_tandem(
    unit: Unit, hit: HitLocation, points: int, dice: Dice, submerged: frozenset[Location] = NOWHERE
) -> Harm:
    """One tandem charge: while armour is left, a point of it and one of structure, no critical hit.

    Where no armour is left it is a normal missile of some `points` (R 4.6.6.6).
    """
    place = standing(unit, hit.location)
    rear = hit.rear and place in TORSOS
    if place is None or not tandem_charge.pierces(unit.armor[place][rear]):
        return take_hit(unit, hit, points, dice, submerged)
    chain = Chain(unit)
    inside = damage_step(unit, place, rear, tandem_charge.STRUCTURE, hit.rolls, inside=True)
    step = replace(inside, armor=tandem_charge.ARMOR)
    chain.add(step)
    settle(chain, step)
    if place in submerged and not beyond_repair(chain.unit):
        check_breach(chain, step, dice)
    return chain.harm()


def take_heap(
    unit: Unit,
    hit: HitLocation,
    points: int,
    dice: Dice,
    submerged: frozenset[Location] = NOWHERE,
    *,
    weapon: str,
) -> Harm:
    """A HEAP round of a gun: one critical roll more, modified, unless it did structure damage (R 4.6.6.8)."""
    chain = Chain(unit)
    place = standing(unit, hit.location)
    strike(chain, hit, points, dice, submerged)
    inside = any(isinstance(fact, DamageStep) and fact.structure for fact in chain.facts)
    modifier = heap.critical_modifier(weapon, inside)
    if place is not None and modifier is not None and not beyond_repair(chain.unit):
        roll_criticals(chain, place, dice, modifier)
    return chain.harm()


def strike(
    chain: Chain, hit: HitLocation, points: int, dice: Dice, submerged: frozenset[Location] = NOWHERE
) -> None:
    """A hit goes in: armour first, then structure, the rest inwards.

    Each location whose structure is damaged rolls for critical hits once, even if it is destroyed; the
    location struck rolls once more for a through-armour or floating critical. Where nothing stands any more,
    the hit does nothing. Damaged locations that are `submerged` may flood.
    """
    place = standing(chain.unit, hit.location)
    critical, rolls = hit.critical, hit.rolls
    if place is None:
        chain.add(DamageStep(chain.unit.side, hit.location, hit.rear, 0, 0, rolls=rolls))
    while place is not None:
        step = damage_step(chain.unit, place, hit.rear, points, rolls)
        chain.add(step)
        settle(chain, step)
        if beyond_repair(chain.unit):
            return
        if place in submerged:
            check_breach(chain, step, dice)
        for _ in range((step.structure > 0) + critical):
            roll_criticals(chain, place, dice)
        points -= step.armor + step.structure
        critical, rolls = False, ()
        place = standing(chain.unit, place) if points else None
