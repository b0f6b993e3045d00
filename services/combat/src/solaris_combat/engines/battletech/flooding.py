"""Water breaks in: hits on locations under water (BMR, hull breaches; critical_hits.yaml).

Source: BMR hull breaches; critical_hits.yaml breach_under_water, los.yaml L18, L19.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import pilot
from solaris_combat.engines.battletech.harm import Chain, DamageStep, Destroyed, FloodCheck
from solaris_combat.engines.battletech.mech import TORSOS, Location
from solaris_combat.engines.battletech.structure import check_engine
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, legs, lost
from solaris_combat.engines.dice import Dice, Roll

BREACH_AT: int = table("critical_hits")["breach"]["at"]
NOWHERE: frozenset[Location] = frozenset()


def submerged_locations(unit: Unit, depth: int) -> frozenset[Location]:
    """What is under water at a depth: all in depth 2 or prone in depth 1, the legs of one standing there."""
    if depth < 1:
        return NOWHERE
    return frozenset(Location if depth >= 2 or unit.prone else legs(unit.design))


def check_breach(chain: Chain, step: DamageStep, dice: Dice) -> None:
    """After damage to a submerged location: with armour left it floods on 10 or more, without at once.

    Everything in a flooded location stops working, for good.
    """
    unit, place = chain.unit, step.location
    if lost(unit, place) or place in unit.flooded:
        return
    front, rear = unit.armor[place]
    sealed = front > 0 and (rear > 0 or place not in TORSOS)
    rolls: tuple[Roll, ...] = (dice.roll(2, 6, "hull breach"),) if sealed else ()
    flooded = not sealed or rolls[0].total >= BREACH_AT
    chain.add(FloodCheck(unit.side, place, flooded, rolls))
    if flooded and place is Location.HD:
        pilot.kill(chain, "drowned")
        chain.add(Destroyed(unit.side, "head"))
    elif flooded:
        check_engine(chain)
