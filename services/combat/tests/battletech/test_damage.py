"""Damage, transfer and destruction, worked out by hand on record sheets of the catalogue."""

from sheets import dice, unit, worn

from solaris_combat.engines.battletech.damage import take_hit
from solaris_combat.engines.battletech.flooding import submerged_locations
from solaris_combat.engines.battletech.harm import (
    CriticalCheck,
    DamageStep,
    Destroyed,
    FloodCheck,
    Harm,
    Wound,
)
from solaris_combat.engines.battletech.hit_location import HitLocation
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.mobility import walk_mp
from solaris_combat.engines.battletech.unit import Unit, bin_usable, lost


def hit(made: Unit, place: str, points: int, *faces: int, rear: bool = False, critical: bool = False):
    """One hit with its critical dice."""
    return take_hit(made, HitLocation(Location(place), rear, critical, ()), points, dice(*faces))


def test_armour_holds_and_nothing_else_happens() -> None:
    harm = hit(unit(), "LA", 10)
    assert harm.unit.armor[Location.LA] == (0, 0)
    assert harm.unit.structure[Location.LA] == 6
    assert harm.facts == (DamageStep("A", Location.LA, False, 10, 0),)


def test_rear_hits_take_the_rear_armour_of_torsos() -> None:
    """AMM8."""
    harm = hit(unit(), "CT", 4, rear=True)
    front, rear = unit().armor[Location.CT]
    assert harm.unit.armor[Location.CT] == (front, rear - 4)


def test_damage_to_structure_rolls_for_critical_hits_once() -> None:
    harm = hit(unit(), "LA", 12, 3, 4)
    assert harm.unit.structure[Location.LA] == 4
    assert [fact.hits for fact in harm.facts if isinstance(fact, CriticalCheck)] == [0]


def test_the_rest_goes_inwards_and_each_location_rolls() -> None:
    worn_arm = worn(unit(), LA=(0, 6), LT=(0, 8))
    harm = hit(worn_arm, "LA", 9, 1, 1, 2, 2)
    assert lost(harm.unit, Location.LA)
    assert harm.unit.structure[Location.LT] == 5
    assert [type(fact).__name__ for fact in harm.facts] == ["DamageStep", "CriticalCheck"] * 2


def test_a_hit_from_behind_goes_on_to_rear_armour() -> None:
    """AMM8."""
    made = worn(unit(), RL=(0, 1))
    harm = hit(made, "RL", 3, 1, 1, rear=True)
    front, rear = made.armor[Location.RT]
    assert harm.unit.armor[Location.RT] == (front, rear - 2)


def test_a_side_torso_takes_its_arm_with_it() -> None:
    harm = hit(worn(unit(), RT=(0, 3)), "RT", 3, 1, 1)
    assert lost(harm.unit, Location.RT)
    assert lost(harm.unit, Location.RA)
    assert harm.unit.destroyed is None


def test_a_lost_location_passes_hits_on() -> None:
    harm = hit(worn(unit(), RA=(0, 0)), "RA", 5)
    front, _ = unit().armor[Location.RT]
    assert harm.unit.armor[Location.RT][0] == front - 5


def test_the_centre_torso_ends_the_mech_and_the_head_its_pilot() -> None:
    core = hit(worn(unit(), CT=(0, 2)), "CT", 9)
    assert core.unit.destroyed == "centre torso"
    assert core.unit.pilot_hits == 0
    head = hit(worn(unit(), HD=(1, 3)), "HD", 4)
    assert head.unit.destroyed is not None
    assert head.unit.pilot_hits == 6


def test_any_damage_to_the_head_wounds_once() -> None:
    """PIL1."""
    harm = hit(unit(), "HD", 2)
    assert [fact for fact in harm.facts if isinstance(fact, Wound)] == [Wound("A", 1, 1, "head")]


def test_a_lost_leg_is_a_cause_to_fall() -> None:
    assert hit(worn(unit(), LL=(0, 2)), "LL", 2, 1, 1).unit.causes == ("leg_destroyed",)


def test_a_through_armour_critical_rolls_though_armour_holds() -> None:
    harm = hit(unit(), "CT", 1, 4, 4, 1, critical=True)
    assert (Location.CT, 1) in harm.unit.hits


def test_structure_and_critical_roll_twice() -> None:
    """C-20: the normal one and the floating one."""
    harm = hit(worn(unit(), LA=(0, 6)), "LA", 2, 1, 1, 2, 2, critical=True)
    assert sum(isinstance(fact, CriticalCheck) for fact in harm.facts) == 2


def test_damage_of_a_phase_is_counted() -> None:
    first = hit(unit(), "RT", 5).unit
    assert hit(first, "LT", 7).unit.damage_this_phase == 12


def test_nothing_more_happens_to_a_wreck() -> None:
    wreck = hit(worn(unit(), CT=(0, 2)), "CT", 9).unit
    harm = hit(wreck, "CT", 5)
    assert harm.facts == (DamageStep("A", Location.CT, False, 0, 0),)
    assert not any(isinstance(fact, Destroyed) for fact in harm.facts)


UNDER = frozenset((Location.LL, Location.RL))


def wet(made: Unit, place: str, points: int, *faces: int, under: frozenset[Location] = UNDER) -> Harm:
    """One hit on a unit whose locations `under` are under water."""
    return take_hit(made, HitLocation(Location(place), False, False, ()), points, dice(*faces), under)


def test_what_is_under_water() -> None:
    """FAL2."""
    assert submerged_locations(unit(), -1) == frozenset()
    assert submerged_locations(unit(), 1) == UNDER
    assert submerged_locations(unit(prone=True), 1) == submerged_locations(unit(), 2) == frozenset(Location)


def test_a_damaged_location_under_water_may_flood() -> None:
    held = wet(unit(), "LL", 5, 4, 5)
    assert held.facts[1] == FloodCheck("A", Location.LL, False, held.rolls)
    flooded = wet(unit(), "LL", 5, 4, 6)
    assert flooded.unit.flooded == {Location.LL}
    assert walk_mp(flooded.unit) == 2
    assert wet(flooded.unit, "LL", 1).facts[1:] == ()
    assert len(wet(unit(), "RA", 5).facts) == 1


def test_without_armour_it_floods_at_once_and_its_ammunition_is_safe() -> None:
    bare = worn(unit(), LT=(1, 8))
    harm = wet(bare, "LT", 1, under=frozenset(Location))
    assert harm.facts[1] == FloodCheck("A", Location.LT, True, ())
    assert not bin_usable(harm.unit, "lt-srm-4-ammo-1")
    assert wet(harm.unit, "LT", 1, 4, 4, under=frozenset(Location)).unit.pilot_hits == 0


def test_a_flooded_engine_or_cockpit_ends_the_mech() -> None:
    core = wet(worn(unit(), CT=(1, 11)), "CT", 1, under=frozenset(Location))
    assert core.unit.destroyed == "engine"
    head = wet(worn(unit(), HD=(1, 3)), "HD", 1, under=frozenset(Location))
    assert (head.unit.destroyed, head.unit.pilot_hits) == ("mechwarrior", 6)
