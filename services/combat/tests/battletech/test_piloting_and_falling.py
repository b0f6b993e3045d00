"""Piloting rolls, falls and the mechwarrior, worked out by hand."""

from dataclasses import replace

from sheets import dice, total, unit

from solaris_combat.engines.battletech import fall_from_above
from solaris_combat.engines.battletech.falling import damage_groups, fall, fall_damage
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.pilot import check_consciousness, consciousness_number, wake_up
from solaris_combat.engines.battletech.piloting import (
    CAUSES,
    counted,
    phase_causes,
    piloting_number,
    roll_piloting,
    standing_modifiers,
)
from solaris_combat.engines.battletech.unit import Unit


def value(made: Unit, *causes: str) -> int:
    """The number of a roll."""
    return piloting_number(made, *causes).value


def test_what_each_cause_adds() -> None:
    assert dict(CAUSES) == {
        "damage_20_in_one_phase": 1,
        "reactor_shutdown": 3,
        "leg_or_foot_actuator_destroyed": 1,
        "hip_actuator_destroyed": 2,
        "gyro_hit": 3,
        "gyro_destroyed": 0,
        "leg_destroyed": 0,
        "was_kicked": 0,
        "was_pushed": 0,
        "missed_kick": 0,
        "was_charged": 2,
        "made_charge": 2,
        "hit_by_death_from_above": 2,
        "made_death_from_above": 4,
        "fallen_on": 2,
        "domino_displaced": 0,
        "entered_water_depth_1": -1,
        "entered_water_depth_2": 0,
        "entered_water_depth_3_plus": 1,
        "entered_rubble": 0,
        "entered_building": 0,
        "left_building": 0,
        "entered_swamp": 0,
        "entered_quicksand": 3,
        "escaped_swamp": 0,
        "escaped_quicksand": 4,
        "running_turn_on_pavement": 0,
        "stand_up": 0,
        "jump_with_damaged_gyro_or_leg_actuator": 0,
        "jump_with_destroyed_leg": 0,
        "run_with_damaged_hip_or_gyro": 0,
    }
    assert value(unit(), "damage_20_in_one_phase", "gyro_hit") == 5 + 1 + 3


def test_standing_damage_counts_in_every_roll() -> None:
    assert value(unit()) == 5
    assert value(unit(hits=(("RL", "foot"), ("LL", "upper_leg")))) == 7
    assert value(unit(hits=(("RL", "hip"), ("RL", "foot")))) == 7
    assert value(unit(hits=(("CT", "gyro"),))) == 8
    assert value(unit(hits=(("CT", "gyro"), ("CT", "gyro")))) == 8
    one_leg = replace(unit(), structure={**unit().structure, Location.LL: 0})
    assert value(one_leg) == 10
    quad = replace(unit(), design=replace(unit().design, quad=True))
    assert value(quad) == 3


def test_what_was_hit_in_this_phase_counts_by_its_cause() -> None:
    fresh = unit(hits=(("CT", "gyro"),))
    fresh = replace(fresh, fresh_hits=fresh.hits, causes=("gyro_hit",))
    assert standing_modifiers(fresh) == ()
    assert value(fresh, *fresh.causes) == 8


def test_rolls_that_fail_without_dice() -> None:
    for out in (
        unit(shutdown=True),
        unit(conscious=False),
        unit(pilot_hits=6),
        unit(hits=(("CT", "gyro"), ("CT", "gyro"))),
    ):
        check = roll_piloting(out, "stand_up", piloting_number(out), dice())
        assert not check.success
        assert check.rolls == ()
    legless = replace(unit(), piloting=13)
    assert not roll_piloting(legless, "stand_up", piloting_number(legless), dice()).success
    for cause in ("leg_destroyed", "gyro_destroyed"):
        assert not roll_piloting(unit(), cause, piloting_number(unit()), dice()).success


def test_a_roll_succeeds_at_the_number() -> None:
    number = piloting_number(unit())
    assert roll_piloting(unit(), "stand_up", number, dice(2, 3)).success
    assert not roll_piloting(unit(), "stand_up", number, dice(2, 2)).success


def test_causes_of_a_phase() -> None:
    """FAL4."""
    assert phase_causes(unit(damage_this_phase=19)) == ()
    assert phase_causes(unit(damage_this_phase=20)) == ("damage_20_in_one_phase",)
    both = unit(damage_this_phase=25, causes=("gyro_hit", "leg_destroyed"))
    assert phase_causes(both) == ("leg_destroyed", "gyro_hit", "damage_20_in_one_phase")
    assert phase_causes(replace(both, prone=True)) == ()


def test_damage_of_falls() -> None:
    """FAL2."""
    assert [fall_damage(35, levels) for levels in (0, 1, 2)] == [4, 8, 12]
    assert fall_damage(30, 0) == 3
    assert fall_damage(100, 3) == 40
    assert fall_damage(35, 1, depth=1) == 2 + 4
    assert fall_damage(35, 3, depth=1) == 6 + 4
    assert fall_damage(35, 0, depth=1) == 2
    assert damage_groups(12) == (5, 5, 2)
    assert damage_groups(10) == (5, 5)


def test_figures_of_an_accidental_fall_from_above() -> None:
    """falling.yaml accidental_fall_from_above: 7 to hit, whole tens of tons, +2 for the one below."""
    assert (fall_from_above.NUMBER, fall_from_above.TONS_PER_POINT, fall_from_above.CAUSE) == (
        7,
        10,
        "fallen_on",
    )


def test_a_fall_on_the_back_takes_no_die() -> None:
    after = fall(replace(unit(), facing=1), 2, 0, dice(4, 5, 4, 1, 4, 6, 6, 6), on="rear")
    assert (after.landing.facing, after.landing.side, after.landing.rolls) == (1, "rear", ())
    assert after.landing.damage == 12


def test_facing_and_side_after_a_fall() -> None:
    found = []
    for face in range(1, 7):
        after = fall(replace(unit(), facing=1), 0, 0, dice(face, 3, 4, 6, 6))
        found.append((after.landing.facing, after.landing.side))
    assert found == [(1, "front"), (2, "right"), (3, "right"), (4, "rear"), (5, "left"), (0, "left")]


def test_a_whole_fall() -> None:
    """A Panther (35 t) in place: 4 points in one group, prone, the pilot holds on at 5."""
    made = replace(unit(), twist=1)
    held = fall(made, 0, 0, dice(1, 3, 4, 2, 3))
    assert total(made) - total(held.unit) == 4
    assert (held.unit.prone, held.unit.twist, held.unit.pilot_hits) == (True, 0, 0)
    hurt = fall(made, 1, 0, dice(1, 3, 4, 3, 4, 2, 3))
    assert hurt.saved.number.value == 6
    assert hurt.unit.pilot_hits == 1
    causes = fall(made, 0, 0, dice(1, 3, 4, 4, 3), causes=("gyro_hit",))
    assert causes.saved.number.value == 8
    assert causes.unit.pilot_hits == 1


def test_a_shut_down_mech_falls_harder_on_its_pilot() -> None:
    cold = fall(unit(shutdown=True), 0, 0, dice(1, 3, 4, 4, 3))
    assert (cold.saved.number.value, cold.unit.pilot_hits) == (8, 1)
    in_phase = fall(unit(shutdown=True), 0, 0, dice(1, 3, 4, 4, 4), causes=("reactor_shutdown",))
    assert (in_phase.saved.number.value, in_phase.unit.pilot_hits) == (8, 0)


def test_consciousness_numbers() -> None:
    """PIL2."""
    assert [consciousness_number(n) for n in range(7)] == [None, 3, 5, 7, 10, 11, None]


def test_one_roll_for_each_wound_until_one_fails() -> None:
    """PIL2."""
    hurt = unit(pilot_hits=3, unchecked_wounds=2)
    awake = check_consciousness(hurt, dice(2, 3, 3, 4))
    assert [fact.number for fact in awake.facts] == [5, 7]
    assert (awake.unit.conscious, awake.unit.unchecked_wounds) == (True, 0)
    out = check_consciousness(hurt, dice(2, 2))
    assert not out.unit.conscious


def test_waking_up() -> None:
    out = unit(pilot_hits=2, conscious=False)
    assert wake_up(out, dice(2, 3)).unit.conscious
    assert not wake_up(out, dice(2, 2)).unit.conscious
    assert wake_up(unit(), dice()).facts == ()


def test_a_roll_for_a_kick_or_push_counts_it_alone() -> None:
    """psr.yaml combination; a kick that missed counts with the rest of its phase."""
    causes = ("was_kicked", "damage_20_in_one_phase", "missed_kick", "was_pushed")
    assert counted("was_kicked", causes) == ("was_kicked",)
    assert counted("was_pushed", causes) == ("was_pushed",)
    assert counted("damage_20_in_one_phase", causes) == ("damage_20_in_one_phase", "missed_kick")
