"""Critical hits and explosions, worked out by hand."""

from dataclasses import replace

from sheets import dice, unit, worn

from solaris_combat.engines.battletech.critical_hits import NUMBER, explode_bin, hittable, roll_criticals
from solaris_combat.engines.battletech.harm import Chain, CriticalCheck, Explosion, Harm, SlotHit, Wound
from solaris_combat.engines.battletech.mech import Location, Slot
from solaris_combat.engines.battletech.unit import (
    Unit,
    engine_hits,
    gyro_hits,
    lost,
    pilot_dead,
    weapon_working,
)


def criticals(made: Unit, place: str, *faces: int) -> Harm:
    """A roll on the critical hits table for a location."""
    chain = Chain(made)
    roll_criticals(chain, Location(place), dice(*faces))
    return chain.harm()


def test_the_table_of_numbers() -> None:
    assert NUMBER == (0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3)


def test_twelve_blows_off_limbs_and_head_and_hits_torsos_three_times() -> None:
    arm = criticals(unit(), "RA", 6, 6).unit
    assert lost(arm, Location.RA)
    assert Location.RA in arm.blown_off
    leg = criticals(unit(), "LL", 6, 6).unit
    assert leg.causes == ("leg_destroyed",)
    head = criticals(unit(), "HD", 6, 6).unit
    assert pilot_dead(head)
    assert head.destroyed is not None
    torso = criticals(unit(), "CT", 6, 6, 1, 4, 2)
    assert sum(isinstance(fact, SlotHit) for fact in torso.facts) == 3


def test_rejected_draws_are_drawn_again_and_recorded() -> None:
    harm = criticals(unit(), "LA", 4, 4, 12, 11, 1)
    slot = harm.facts[1]
    assert isinstance(slot, SlotHit)
    assert (slot.slot, slot.kind) == (1, "shoulder")
    assert [roll.faces for roll in slot.rolls] == [(12,), (11,), (1,)]
    assert all(roll.sides == 12 for roll in slot.rolls)


def test_legs_and_head_draw_one_of_six() -> None:
    harm = criticals(unit(), "LL", 4, 4, 1)
    assert harm.facts[1].rolls[0].sides == 6
    assert harm.unit.causes == ("hip_actuator_destroyed",)
    foot = criticals(unit(), "LL", 4, 4, 4)
    assert foot.unit.causes == ("leg_or_foot_actuator_destroyed",)


def test_a_hit_slot_cannot_be_hit_again() -> None:
    once = criticals(unit(), "LL", 4, 4, 1).unit
    assert 1 not in hittable(once, Location.LL)


def test_criticals_pass_a_location_that_holds_nothing() -> None:
    made = unit("WLF-1")
    bare = replace(made.design, slots={**made.design.slots, Location.LT: (Slot("empty"),) * 12})
    harm = criticals(replace(made, design=bare), "LT", 4, 4, 4)
    assert (Location.CT, 4) in harm.unit.hits


def test_criticals_are_spent_where_everything_is_hit_already() -> None:
    full = unit("PNT-9R")
    everything = frozenset((Location.LA, n) for n in hittable(full, Location.LA))
    harm = criticals(replace(full, hits=everything), "LA", 4, 4)
    assert len(harm.facts) == 1


def test_three_engine_hits_end_the_mech() -> None:
    made = unit(hits=(("CT", "engine"), ("CT", "engine")))
    assert engine_hits(made) == 2
    assert criticals(made, "CT", 4, 4, 3).unit.destroyed == "engine"


def test_gyro_hits_are_causes_to_fall() -> None:
    first = criticals(unit(), "CT", 4, 4, 4).unit
    assert (gyro_hits(first), first.causes) == (1, ("gyro_hit",))
    second = criticals(replace(first, causes=()), "CT", 4, 4, 5).unit
    assert second.causes == ("gyro_destroyed",)


def test_the_cockpit_kills() -> None:
    harm = criticals(unit(), "HD", 4, 4, 3)
    assert pilot_dead(harm.unit)
    assert harm.unit.destroyed == "mechwarrior"


def test_the_first_hit_destroys_a_weapon() -> None:
    assert weapon_working(unit(), "ra-ppc-1")
    broken = criticals(unit(), "RA", 4, 4, 5).unit
    assert not weapon_working(broken, "ra-ppc-1")


def test_a_bin_explodes_with_all_rounds_left_and_wounds_twice() -> None:
    """Panther, 3 rounds of SRM 4 (8 points each): 24 points, 8 in the left torso, 16 in the centre."""
    made = replace(unit(), belts={"lt-srm-4-ammo-1": ("normal",) * 3})
    slot = next(n for n, s in enumerate(made.design.slots[Location.LT], 1) if s.kind == "ammo")
    harm = criticals(made, "LT", 4, 4, slot)
    explosion = next(fact for fact in harm.facts if isinstance(fact, Explosion))
    assert (explosion.shots, explosion.damage, explosion.cause) == (3, 24, "critical")
    assert lost(harm.unit, Location.LT)
    assert lost(harm.unit, Location.LA)
    assert harm.unit.destroyed == "centre torso"
    assert Wound("A", 2, 2, "explosion") in harm.facts
    assert harm.unit.shots["lt-srm-4-ammo-1"] == 0


def test_an_explosion_passes_armour_by_and_survivors_roll_once() -> None:
    made = replace(worn(unit(), CT=(20, 11)), belts={"lt-srm-4-ammo-1": ("normal",) * 1})
    chain = Chain(made)
    explode_bin(chain, "lt-srm-4-ammo-1", "heat", dice())
    assert lost(chain.unit, Location.LT)
    assert chain.unit.armor[Location.CT] == made.armor[Location.CT]
    chain = Chain(replace(worn(unit(), LT=(9, 9)), belts={"lt-srm-4-ammo-1": ("normal",) * 1}))
    explode_bin(chain, "lt-srm-4-ammo-1", "heat", dice(2, 2))
    assert chain.unit.structure[Location.LT] == 1
    assert sum(isinstance(fact, CriticalCheck) for fact in chain.facts) == 1


def test_case_keeps_the_rest_out_of_the_centre_torso() -> None:
    """AMM7."""
    made = unit()
    design = replace(made.design, case=frozenset((Location.LT,)))
    chain = Chain(replace(made, design=design, belts={"lt-srm-4-ammo-1": ("normal",) * 10}))
    explode_bin(chain, "lt-srm-4-ammo-1", "heat", dice())
    assert lost(chain.unit, Location.LT)
    assert chain.unit.structure[Location.CT] == made.structure[Location.CT]
    assert chain.unit.pilot_hits == 2
    assert chain.unit.damage_this_phase == 80


def test_an_empty_bin_does_not_explode() -> None:
    chain = Chain(replace(unit(), belts={"lt-srm-4-ammo-1": ("normal",) * 0}))
    explode_bin(chain, "lt-srm-4-ammo-1", "heat", dice())
    assert chain.facts == []


def test_a_gauss_rifle_explodes_with_its_first_hit_only() -> None:
    """AMM2: the Panther's arm weapon as a Gauss rifle, in an arm that stands 20 points inside."""
    made = unit()
    mounts = tuple(replace(m, explosion=20) if m.id == "ra-ppc-1" else m for m in made.design.mounts)
    charged = replace(worn(made, RA=(0, 40)), design=replace(made.design, mounts=mounts))
    first = criticals(charged, "RA", 4, 4, 5, 2, 2)
    assert (first.unit.structure[Location.RA], first.unit.pilot_hits) == (20, 2)
    again = criticals(first.unit, "RA", 4, 4, 6)
    assert again.unit.structure[Location.RA] == 20
