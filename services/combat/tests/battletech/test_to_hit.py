"""Numbers to hit, worked out by hand from the attack modifiers of the Master Rules."""

from dataclasses import replace

from sheets import dice, facing_each_other, field, number, parts, unit

from solaris_combat.engines.battletech.board import overlaid
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.hit_location import aimed_location
from solaris_combat.engines.battletech.indirect_fire import indirect
from solaris_combat.engines.battletech.mech import Location, Slot
from solaris_combat.engines.battletech.to_hit import (
    Aim,
    cannot_aim,
    heat_modifier,
    minimum_range,
    roll_succeeds,
    target_rank,
)
from solaris_combat.engines.battletech.unit import Moved, Unit
from solaris_combat.engines.battletech.weapons import WEAPONS


def test_range_bands_of_the_ppc() -> None:
    found = {}
    for span in (4, 6, 7, 12, 13, 16):
        found[span] = number(*facing_each_other(span), "ra-ppc-1").value
    assert found == {4: 4, 6: 4, 7: 6, 12: 6, 13: 8, 16: 8}


def test_beyond_long_range_nothing_is_possible() -> None:
    attacker, target = facing_each_other(10)
    refused = number(attacker, target, "ct-srm-4-1")
    assert (refused.possible, refused.reason) == (False, "out of range")


def test_minimum_range_grows_by_one_for_each_hex() -> None:
    """RNG1."""
    lrm = WEAPONS["lrm-10"]
    assert [minimum_range(lrm, span).value for span in (6, 5, 4, 3, 2, 1)] == [1, 2, 3, 4, 5, 6]
    assert minimum_range(lrm, 7) is None
    assert minimum_range(WEAPONS["medium-laser"], 1) is None
    assert number(*facing_each_other(1), "ra-ppc-1").value == 4 + 3


def test_attacker_movement() -> None:
    attacker, target = facing_each_other(5)
    found = [
        number(replace(attacker, moved=Moved(mode, 2, 2)), target, "ra-ppc-1").value
        for mode in ("stand", "walk", "run", "jump")
    ]
    assert found == [4, 5, 6, 7]


def test_a_target_that_skidded_and_indirect_fire() -> None:
    """to_hit.yaml target_skidded, indirect_lrm; what a spotter's movement adds is an attacker's."""
    attacker, target = facing_each_other(5)
    slid = replace(target, moved=replace(Moved("run", 4, 4), skidded=True))
    assert parts(number(attacker, slid, "ra-ppc-1")) == [1, 2]
    plain = number(attacker, target, "ra-ppc-1")
    assert [m.value for m in indirect(plain, Moved("run", 5, 5)).modifiers[1:]] == [1, 2]
    assert indirect(plain, Moved()).value == plain.value + 1


def test_target_movement_by_hexes_and_jump() -> None:
    attacker, target = facing_each_other(5)
    found = [
        sum(parts(number(attacker, replace(target, moved=Moved("run", hexes, hexes)), "ra-ppc-1")))
        for hexes in range(12)
    ]
    assert found == [0, 0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 4]
    jumped = replace(target, moved=Moved("jump", 5, 5))
    assert parts(number(attacker, jumped, "ra-ppc-1")) == [2, 1]
    slid = replace(target, moved=Moved("run", 5, 5, skidded=True))
    assert parts(number(attacker, slid, "ra-ppc-1")) == [2, 2]


def test_woods_between_and_around_the_target() -> None:
    attacker, target = facing_each_other(5)
    light = field(h0503=(0, "woods:1"), h0506=(0, "woods:1"))
    heavy = field(h0503=(0, "woods:2"), h0506=(0, "woods:2"))
    assert sorted(parts(number(attacker, target, "ra-ppc-1", light))) == [1, 1]
    assert sorted(parts(number(attacker, target, "ra-ppc-1", heavy))) == [2, 2]
    blocked = field(h0503=(0, "woods:2"), h0504=(0, "woods:1"))
    assert not number(attacker, target, "ra-ppc-1", blocked).possible


def test_partial_cover_costs_three_and_uses_the_punch_table() -> None:
    """LOS6."""
    attacker, target = facing_each_other(5)
    hill = number(attacker, target, "ra-ppc-1", field(h0505=(1, "")))
    assert (parts(hill), hill.table) == ([3], "punch")
    water = number(attacker, target, "ra-ppc-1", field(h0506=(0, "water:1")))
    assert (sorted(parts(water)), water.table) == ([-1, 3], "punch")


def test_water_under_the_attacker_and_under_water() -> None:
    attacker, target = facing_each_other(2)
    shallow = field(h0501=(0, "water:1"))
    assert parts(number(attacker, target, "ra-ppc-1", shallow)) == [2, 1]
    deep = field(h0501=(0, "water:2"), h0502=(0, "water:2"), h0503=(0, "water:2"))
    assert sorted(parts(number(attacker, target, "ra-ppc-1", deep))) == [-1, 1, 2]
    assert not number(attacker, target, "ct-srm-4-1", deep).possible
    assert not number(attacker, target, "ra-ppc-1", field(h0501=(0, "water:2"))).possible


def test_prone_targets_and_attackers() -> None:
    attacker, target = facing_each_other(5)
    assert parts(number(attacker, replace(target, prone=True), "ra-ppc-1")) == [1]
    near = facing_each_other(1)
    assert parts(number(near[0], replace(near[1], prone=True), "ct-srm-4-1")) == [-2]
    assert parts(number(replace(attacker, prone=True), target, "ra-ppc-1")) == [2]


def test_immobile_targets_and_aim() -> None:
    attacker, target = facing_each_other(5)
    for out in (replace(target, shutdown=True), replace(target, conscious=False)):
        assert parts(number(attacker, out, "ra-ppc-1")) == [-4]
        assert parts(number(attacker, out, "ra-ppc-1", aim=Aim(Location.HD))) == [3]
        assert parts(number(attacker, out, "ra-ppc-1", aim=Aim(Location.LL))) == [-4]


def test_heat_of_the_attacker() -> None:
    at = {heat: getattr(heat_modifier(heat), "value", 0) for heat in (0, 7, 8, 12, 13, 16, 17, 23, 24, 90)}
    assert at == {0: 0, 7: 0, 8: 1, 12: 1, 13: 2, 16: 2, 17: 3, 23: 3, 24: 4, 90: 4}


def test_damage_to_sensors_and_arms() -> None:
    _, target = facing_each_other(5)

    def hurt(*hits: tuple[str, str]) -> list[int]:
        return parts(number(unit(hits=hits, position=Hex(5, 1), facing=3), target, "ra-ppc-1"))

    assert hurt(("HD", "sensors")) == [2]
    assert hurt(("RA", "shoulder"), ("RA", "upper_arm")) == [4]
    assert hurt(("RA", "upper_arm")) == [1]
    assert hurt(("RA", "lower_arm")) == [1]
    assert hurt(("RA", "upper_arm"), ("RA", "lower_arm")) == [2]
    assert hurt(("LA", "shoulder")) == []
    blind = unit(hits=(("HD", "sensors"), ("HD", "sensors")), position=Hex(5, 1), facing=3)
    assert not number(blind, target, "ra-ppc-1").possible


def test_arcs_twist_and_side_struck() -> None:
    attacker, target = facing_each_other(5)
    assert number(attacker, replace(target, facing=3), "ra-ppc-1").side == "rear"
    aside = replace(attacker, facing=1)
    assert not number(aside, target, "ct-srm-4-1").possible
    assert number(replace(aside, twist=1), target, "ct-srm-4-1").possible
    assert number(aside, target, "ra-ppc-1").possible
    assert not number(replace(attacker, facing=5), target, "ra-ppc-1").possible


def test_secondary_targets() -> None:
    attacker, target = facing_each_other(5)
    ahead, behind = Hex(5, 8), Hex(6, 1)
    place = target.position
    attacker = replace(attacker, position=Hex(5, 5))
    behind, place = Hex(5, 2), Hex(5, 10)
    assert target_rank(attacker, (behind, place, ahead), place) == ""
    assert target_rank(attacker, (behind, place, ahead), ahead) == "front"
    assert target_rank(attacker, (behind, place, ahead), behind) == "other"
    assert target_rank(attacker, (behind,), behind) == ""
    attacker, target = facing_each_other(5)
    assert parts(number(attacker, target, "ra-ppc-1", secondary="front")) == [1]
    assert parts(number(attacker, target, "ra-ppc-1", secondary="other")) == [2]


def test_a_destroyed_weapon_or_pilot_does_not_fire() -> None:
    attacker, target = facing_each_other(5)
    broken = unit(hits=(("RA", "weapon"),), position=Hex(5, 1), facing=3)
    for out in (broken, replace(attacker, shutdown=True), replace(attacker, conscious=False)):
        assert not number(out, target, "ra-ppc-1").possible
    armless = replace(attacker, structure={**attacker.structure, Location.RA: 0})
    assert not number(armless, target, "ra-ppc-1").possible
    one_arm = replace(attacker, prone=True, structure={**attacker.structure, Location.LA: 0})
    assert not number(one_arm, target, "ra-ppc-1").possible


def test_every_modifier_once_and_their_sum_is_the_number() -> None:
    """LOS8, MOD1."""
    attacker, target = facing_each_other(7)
    hurt = replace(
        unit(hits=(("HD", "sensors"), ("RA", "upper_arm")), position=attacker.position, facing=3),
        moved=Moved("jump", 4, 4),
        heat=14,
    )
    board = field(h0503=(0, "woods:1"), h0508=(0, "woods:2"))
    found = number(hurt, replace(target, moved=Moved("run", 6, 9)), "ra-ppc-1", board)
    assert found.value == 4 + 2 + 3 + 2 + 2 + 1 + 2 + 2 + 1 == sum(one.value for one in found.modifiers)
    assert len({one.reason for one in found.modifiers}) == len(found.modifiers)
    assert all(one.rule for one in found.modifiers)


def test_automatic_rolls_are_for_weapons_and_a_switch() -> None:
    assert not roll_succeeds(2, 2, automatic=True)
    assert roll_succeeds(13, 12, automatic=True)
    assert roll_succeeds(2, 2)
    assert not roll_succeeds(13, 12)
    assert [roll_succeeds(8, total, automatic=True) for total in (3, 7, 8, 11)] == [False, False, True, True]


def computed(made: Unit, *hits: int) -> Unit:
    """The unit with a targeting computer in slots 11 and 12 of the left torso."""
    slots = (*made.design.slots[Location.LT][:10], *(Slot("targeting_computer"),) * 2)
    design = replace(made.design, targeting_computer=True, slots={**made.design.slots, Location.LT: slots})
    return replace(made, design=design, hits=frozenset((Location.LT, n) for n in hits))


def test_a_targeting_computer_helps_direct_fire() -> None:
    attacker, target = facing_each_other(5)
    aided = computed(attacker)
    assert parts(number(aided, target, "ra-ppc-1")) == [-1]
    assert parts(number(aided, target, "ct-srm-4-1")) == [2]
    assert parts(number(computed(attacker, 12), target, "ra-ppc-1")) == []
    gunner, near = facing_each_other(2, "HBK-4G")
    assert parts(number(computed(gunner), near, "rt-ac-20-1")) == [-1]


def test_aimed_shots_with_a_computer_or_at_the_immobile() -> None:
    attacker, target = facing_each_other(5)
    ppc, arm = WEAPONS["ppc"], Aim(Location.LA, computer=True)
    assert parts(number(computed(attacker), target, "ra-ppc-1", aim=arm)) == [3]
    assert cannot_aim(computed(attacker), target, ppc, arm) == ""
    assert cannot_aim(computed(attacker, 11), target, ppc, arm) == "no targeting computer for this weapon"
    assert cannot_aim(computed(attacker), target, WEAPONS["srm-4"], arm) != ""
    assert cannot_aim(attacker, target, ppc, Aim(Location.LA)) == "target not immobile"
    still = replace(target, shutdown=True)
    assert cannot_aim(attacker, still, ppc, Aim(Location.LA)) == ""
    assert parts(number(attacker, still, "ra-ppc-1", aim=Aim(Location.LA))) == [-4]
    assert parts(number(attacker, still, "ra-ppc-1", aim=Aim(Location.HD))) == [3]
    assert parts(number(computed(attacker), still, "ra-ppc-1", aim=Aim(Location.HD, computer=True))) == [
        -4,
        3,
    ]


def test_an_aimed_hit_strikes_on_six_seven_and_eight() -> None:
    def struck(*faces: int) -> tuple[Location, int]:
        hit = aimed_location(Location.HD, "front", "normal", dice(*faces))
        return hit.location, sum(roll.total for roll in hit.rolls)

    assert [struck(3, total - 3)[0] for total in (6, 7, 8)] == [Location.HD] * 3
    assert struck(2, 3, 3, 4) == (Location.CT, 12)
    assert struck(4, 5, 6, 5) == (Location.LA, 20)


def test_smoke_over_the_target_counts_as_heavy_woods() -> None:
    """D, smoke."""
    attacker, target = facing_each_other(5)
    clear = field()
    smoky = overlaid(clear, {}, frozenset({clear.index(target.hex)}), frozenset())
    assert parts(number(attacker, target, "ra-ppc-1", smoky)) == [2]


def test_a_target_stuck_in_a_swamp() -> None:
    attacker, target = facing_each_other(5)
    assert parts(number(attacker, replace(target, stuck="swamp"), "ra-ppc-1")) == [-2]
    assert parts(number(attacker, replace(target, stuck="quicksand"), "ra-ppc-1")) == []
