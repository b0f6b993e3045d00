"""Armour and structure of one location, and what its loss means at once (BMR, damage resolution).

Source: BMR damage resolution; hit_locations.yaml damage_transfer, dependent_location.
"""

from __future__ import annotations

from solaris_combat.engines.battletech import pilot
from solaris_combat.engines.battletech.harm import Chain, DamageStep, Destroyed, Rolls
from solaris_combat.engines.battletech.hit_location import DEPENDENT, TRANSFER
from solaris_combat.engines.battletech.mech import TORSOS, Location
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, engine_hits, lost

ENGINE_DESTROYED_AT: int = table("critical_hits")["engine"]["destroyed_at"]


def standing(unit: Unit, location: Location | None) -> Location | None:
    """The location, or the next one inwards that still stands; None when there is none."""
    while location is not None and lost(unit, location):
        location = TRANSFER.get(location)
    return location


def damage_step(
    unit: Unit, place: Location, rear: bool, points: int, rolls: Rolls = (), *, inside: bool = False
) -> DamageStep:
    """What a standing location takes of some points, a torso on its rear armour if they came from behind.

    `inside`: the armour is passed by (explosions).
    """
    rear = rear and place in TORSOS
    armor = 0 if inside else min(points, unit.armor[place][rear])
    structure = min(points - armor, unit.structure[place])
    gone = structure == unit.structure[place]
    losses = locations_lost_with(unit, place) if gone else ()
    return DamageStep(unit.side, place, rear, armor, structure, losses, rolls=rolls)


def locations_lost_with(unit: Unit, location: Location) -> tuple[Location, ...]:
    """The location itself and the arm a side torso takes with it, if it is still there."""
    arm = DEPENDENT.get(location)
    return (location,) if arm is None or lost(unit, arm) else (location, arm)


def settle(chain: Chain, step: DamageStep) -> None:
    """What follows from a step at once: a wound by a head hit, the end of the 'Mech."""
    if step.location is Location.HD:
        pilot.wound(chain, pilot.HEAD_WOUNDS, "head")
    if Location.HD in step.losses:
        lose_head(chain)
    elif Location.CT in step.losses:
        chain.add(Destroyed(chain.unit.side, "centre torso"))
    elif step.losses:
        check_engine(chain)


def beyond_repair(unit: Unit) -> bool:
    """Head or centre torso gone: nothing more can happen to the 'Mech."""
    return lost(unit, Location.CT) or lost(unit, Location.HD)


def lose_head(chain: Chain) -> None:
    """The head is gone: mechwarrior dead, 'Mech out of action."""
    pilot.kill(chain, "head")
    chain.add(Destroyed(chain.unit.side, "head"))


def check_engine(chain: Chain) -> None:
    """Three engine hits, lost engine slots of side torsos included, put the 'Mech out of action."""
    if chain.unit.destroyed is None and engine_hits(chain.unit) >= ENGINE_DESTROYED_AT:
        chain.add(Destroyed(chain.unit.side, "engine"))
