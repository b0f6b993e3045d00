"""Physical attacks, worked out by hand from the Master Rules and the league's text on them."""

from dataclasses import replace

from sheets import MOVED, field, unit, worn

from solaris_combat.engines.battletech import club, death_from_above, displacement, physical
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mech import Location, Slot
from solaris_combat.engines.battletech.physical import Blow, PhysicalNumber, physical_number
from solaris_combat.engines.battletech.physical_phase import CAUSES
from solaris_combat.engines.battletech.unit import Moved, Unit

RA, LA, RL, LL = Location.RA, Location.LA, Location.RL, Location.LL
PUNCH, KICK, PUSH, CLUB = Blow("punch", RA), Blow("kick", RL), Blow("push"), Blow("club")
CHARGE, DEATH = Blow("charge"), Blow("death_from_above")
HATCHET, SWORD = Blow("hatchet", RA), Blow("sword", RA)


def pair(model: str = "HBK-4G", hits: tuple[tuple[str, str], ...] = ()) -> tuple[Unit, Unit]:
    """A Hunchback (50 t) in 0501 looking south at one in 0502 that looks back."""
    attacker = unit(model, hits, position=Hex(5, 1), facing=3)
    return attacker, unit("HBK-4G", side="B", position=Hex(5, 2), facing=0)


def held(made: Unit, kind: str, hit: bool = False) -> Unit:
    """The unit with something in its right hand, in slots 6 and 7."""
    slots = list(made.design.slots[RA])
    slots[5] = slots[6] = Slot(kind)
    hits = made.hits | ({(RA, 7)} if hit else set())
    design = replace(made.design, slots={**made.design.slots, RA: tuple(slots)})
    return replace(made, design=design, hits=hits)


def strike(blow: Blow, units: tuple[Unit, Unit] | None = None, board: Board | None = None) -> PhysicalNumber:
    return physical_number(blow, *(units or pair()), board or field())


def refused(blow: Blow, units: tuple[Unit, Unit], board: Board | None = None) -> str:
    found = strike(blow, units, board).number
    assert not found.possible
    return found.reason


def values(found: PhysicalNumber) -> list[int]:
    """The modifiers after the base number."""
    return [modifier.value for modifier in found.number.modifiers[1:]]


def test_base_numbers_damage_and_tables_of_a_50_ton_mech() -> None:
    """PHY7."""
    attacker, target = pair()
    found = {
        blow.kind: strike(blow, (held(attacker, blow.kind), target) if blow in (HATCHET, SWORD) else None)
        for blow in (PUNCH, KICK, PUSH, CLUB, HATCHET, SWORD, CHARGE)
    }
    assert {kind: (one.number.value, one.number.table, one.damage) for kind, one in found.items()} == {
        "punch": (4, "punch", 5),
        "kick": (3, "kick", 10),
        "push": (4, "normal", 0),
        "club": (4, "normal", 10),
        "hatchet": (4, "normal", 10),
        "sword": (3, "normal", 6),
        "charge": (5, "normal", 5),
    }
    assert all(one.number.side == "front" for one in found.values())
    assert found["charge"].own_damage == 5
    assert found["punch"].own_damage == 0
    death = strike(DEATH, (replace(attacker, moved=Moved("jump")), target))
    assert (death.number.value, death.number.table, death.damage, death.own_damage) == (8, "punch", 15, 10)


def test_damage_by_weight_as_the_rules_give_it() -> None:
    """PHY7: physical.yaml: 45-ton punch 5, 70-ton kick 14, 60-ton sword 7, 65-ton charge over 6 hexes 33."""

    def of(tons: int, blow: Blow) -> int:
        made = unit()
        return physical.damage(blow, replace(made, design=replace(made.design, tons=tons)))

    assert (of(45, PUNCH), of(55, PUNCH)) == (5, 6)
    assert (of(70, KICK), of(45, KICK), of(48, KICK)) == (14, 9, 9)
    assert (of(45, HATCHET), of(65, CLUB)) == (9, 13)
    assert (of(60, SWORD), of(65, SWORD)) == (7, 8)
    assert (of(50, DEATH), of(35, DEATH)) == (15, 11)
    assert physical.charge_damage(65, 6) == 33
    ran = unit("HBK-4G", moved=Moved("run", 5, 6))
    assert physical.damage(CHARGE, ran) == 25
    assert (physical.charge_damage(50, 2), physical.charge_damage(50, 1)) == (5, 5)


def test_own_damage_of_a_charge_goes_by_the_target_and_of_a_leap_by_the_attacker() -> None:
    attacker, target = pair()
    heavy = replace(target, design=replace(target.design, tons=75))
    assert physical.own_damage(CHARGE, attacker, heavy) == 8
    assert physical.own_damage(DEATH, attacker, heavy) == 10
    light = replace(attacker, design=replace(attacker.design, tons=32))
    assert physical.own_damage(DEATH, light, heavy) == 7


def test_movement_of_both_counts_as_for_weapons() -> None:
    attacker, target = pair()
    ran = replace(attacker, moved=MOVED["run"], heat=20)
    assert values(strike(KICK, (ran, target))) == [2]
    leapt = replace(target, moved=Moved("jump", 5, 5))
    assert values(strike(KICK, (replace(attacker, moved=MOVED["walk"]), leapt))) == [1, 2, 1]
    assert values(strike(KICK, (attacker, replace(target, shutdown=True)))) == [-4]


def test_heat_and_sensors_do_not_count() -> None:
    """HT1."""
    hurt, target = pair(hits=(("HD", "sensors"), ("HD", "sensors")))
    assert strike(PUNCH, (replace(hurt, heat=28), target)).number.value == 4


def test_woods_and_water() -> None:
    assert values(strike(PUNCH, board=field(h0502=(0, "woods:1")))) == [1]
    assert values(strike(PUNCH, board=field(h0502=(0, "woods:2")))) == [2]
    both = field(h0501=(0, "water:1"), h0502=(0, "water:1"))
    assert values(strike(PUNCH, board=both)) == [1, -1, 3]
    assert strike(CHARGE, board=both).number.table == "punch"
    deep = field(h0501=(0, "water:2"), h0502=(0, "water:2"))
    assert values(strike(KICK, board=deep)) == [1, -1]
    jumped = replace(pair()[0], moved=Moved("jump"))
    assert values(strike(DEATH, (jumped, pair()[1]), both)) == [3]


def test_punches_under_water_do_half_damage() -> None:
    assert [physical.through_water(7, PUNCH, depth) for depth in (-1, 1, 2, 3)] == [7, 7, 4, 4]
    assert physical.through_water(7, KICK, 2) == 7
    assert [physical.own_through_water(9, CHARGE, depth) for depth in (-1, 0, 1, 2)] == [9, 9, 5, 5]
    assert physical.own_through_water(9, DEATH, 1) == 9


def test_damaged_actuators_of_an_arm() -> None:
    found = {part: strike(PUNCH, pair(hits=(("RA", part),))) for part in ("upper_arm", "lower_arm", "hand")}
    assert {part: (values(one), one.damage) for part, one in found.items()} == {
        "upper_arm": ([2], 2),
        "lower_arm": ([2], 2),
        "hand": ([1], 5),
    }
    both = strike(PUNCH, pair(hits=(("RA", "upper_arm"), ("RA", "lower_arm"))))
    assert (values(both), both.damage) == ([2, 2], 1)
    assert values(strike(Blow("punch", LA), pair(hits=(("RA", "hand"),)))) == []


def test_missing_actuators_count_for_arms() -> None:
    """PHY8: without hand and lower arm 50 tons punch for half of 5, rounded down."""
    attacker, target = pair()
    slots = tuple(Slot("empty") if s.kind in ("lower_arm", "hand") else s for s in attacker.design.slots[RA])
    armless = replace(attacker, design=replace(attacker.design, slots={**attacker.design.slots, RA: slots}))
    found = strike(PUNCH, (armless, target))
    assert (values(found), found.damage) == ([2, 1], 2)
    assert refused(CLUB, (armless, target)) == "hand missing or destroyed"


def test_damaged_actuators_of_a_leg() -> None:
    found = {part: strike(KICK, pair(hits=(("RL", part),))) for part in ("upper_leg", "lower_leg", "foot")}
    assert {part: (values(one), one.damage) for part, one in found.items()} == {
        "upper_leg": ([2], 5),
        "lower_leg": ([2], 5),
        "foot": ([1], 10),
    }
    both = strike(KICK, pair(hits=(("RL", "upper_leg"), ("RL", "lower_leg"))))
    assert both.damage == 2
    assert values(strike(Blow("kick", LL), pair(hits=(("RL", "foot"),)))) == []


def test_clubs_hatchets_and_swords_by_their_arms() -> None:
    attacker, target = pair(hits=(("RA", "upper_arm"), ("LA", "lower_arm")))
    assert values(strike(CLUB, (attacker, target))) == [2, 2]
    for blow in (HATCHET, SWORD):
        found = strike(blow, (held(attacker, blow.kind), target))
        assert values(found) == [2]
        assert found.damage == {"hatchet": 10, "sword": 6}[blow.kind]
        assert refused(blow, (held(attacker, blow.kind, hit=True), target)) == f"{blow.kind} destroyed"
        assert refused(blow, (attacker, target)) == f"no {blow.kind} there"


def test_a_push_is_harder_for_each_shoulder() -> None:
    assert values(strike(PUSH, pair(hits=(("RA", "shoulder"),)))) == [2]
    assert values(strike(PUSH, pair(hits=(("RA", "shoulder"), ("LA", "shoulder"))))) == [2, 2]


def test_triple_strength_myomer_doubles_from_nine_heat() -> None:
    attacker = unit("HBK-4G")
    slots = tuple(Slot("tsm") if n < 6 else slot for n, slot in enumerate(attacker.design.slots[Location.LT]))
    design = replace(attacker.design, slots={**attacker.design.slots, Location.LT: slots})
    strong = replace(attacker, design=design, heat=9)
    assert [physical.damage(blow, strong) for blow in (PUNCH, KICK, DEATH)] == [10, 20, 15]
    weak = replace(strong, hits=frozenset({(RA, 2)}))
    assert physical.damage(PUNCH, weak) == 5
    assert physical.damage(PUNCH, replace(strong, heat=8)) == 5
    assert physical.damage(PUNCH, replace(strong, hits=frozenset({(Location.LT, 1)}))) == 5


def test_levels_of_arms_and_legs() -> None:
    """PHY5: league table 3.2: which blow reaches a target higher or lower, and the table it strikes on."""

    def tables(level: int) -> dict[str, str]:
        board = field(h0502=(level, ""))
        found = {blow.kind: strike(blow, board=board).number for blow in (PUNCH, KICK, PUSH, CLUB, CHARGE)}
        return {kind: one.table for kind, one in found.items() if one.possible}

    same = {"punch": "punch", "kick": "kick", "push": "normal", "club": "normal", "charge": "normal"}
    assert tables(0) == same
    assert tables(1) == {"punch": "kick", "club": "kick", "charge": "normal"}
    assert tables(-1) == {"kick": "punch", "club": "punch", "charge": "normal"}
    assert tables(2) == tables(-2) == {}


def test_a_prone_target() -> None:
    """PHY5, PHY6."""
    attacker, target = pair()
    down = (attacker, replace(target, prone=True))
    assert refused(PUNCH, down) == "target level out of reach"
    assert refused(PUSH, down) == refused(CHARGE, down) == "target prone"
    kick = strike(KICK, down)
    assert (kick.number.value, kick.number.table) == (1, "normal")
    club = strike(CLUB, down).number
    assert (club.possible, club.table) == (True, "normal")
    higher = strike(PUNCH, down, field(h0502=(1, "")))
    assert (higher.number.value, higher.number.table) == (2, "normal")
    death = strike(DEATH, (replace(attacker, moved=Moved("jump")), down[1])).number
    assert (death.side, death.table, death.value) == ("rear", "normal", 6)


def test_charges_and_leaps_count_the_difference_in_piloting() -> None:
    attacker, target = pair()
    assert values(strike(CHARGE, (replace(attacker, piloting=3), target))) == [-2]
    leap = replace(attacker, piloting=7, moved=Moved("jump"))
    assert values(strike(DEATH, (leap, target))) == [3, 2]
    assert refused(CHARGE, (leap, target)) == "jumped"
    assert refused(DEATH, (attacker, target)) == "did not jump"


def test_arcs_arms_by_the_torso_legs_by_the_feet() -> None:
    """From 0501 the hex 0601 lies to the south-east (left of a 'Mech that looks south)."""
    attacker, target = pair()
    beside = replace(target, position=Hex(6, 1))
    assert strike(KICK, (attacker, beside)).number.possible
    assert refused(PUSH, (attacker, beside)) == "target not in arc"
    facing_south_west = replace(attacker, facing=4)
    assert refused(KICK, (facing_south_west, beside)) == "target not in arc"
    assert strike(Blow("punch", LA), (facing_south_west, beside)).number.possible
    assert refused(PUNCH, (facing_south_west, beside)) == "target not in arc"
    twisted = replace(facing_south_west, twist=-1)
    assert strike(PUNCH, (twisted, beside)).number.possible
    assert refused(KICK, (twisted, beside)) == "target not in arc"


def test_only_neighbours_are_reached() -> None:
    attacker, target = pair()
    assert refused(KICK, (attacker, replace(target, position=Hex(5, 3)))) == "target not adjacent"


def test_limbs_that_cannot_strike() -> None:
    shoulder = pair(hits=(("RA", "shoulder"),))
    assert refused(PUNCH, shoulder) == refused(CLUB, shoulder) == "shoulder destroyed"
    attacker, target = pair()
    armless = (worn(attacker, RA=(0, 0)), target)
    assert refused(PUNCH, armless) == refused(PUSH, armless) == refused(CLUB, armless) == "arm missing"
    assert refused(KICK, pair(hits=(("LL", "hip"),))) == "hip destroyed"
    assert refused(KICK, (worn(attacker, LL=(0, 0)), target)) == "leg missing"
    assert refused(Blow("kick", RA), pair()) == refused(Blow("punch", RL), pair()) == "no such limb"
    assert refused(PUNCH, (replace(attacker, prone=True), target)) == "attacker prone"
    assert refused(PUNCH, (replace(attacker, conscious=False), target)) == "attacker out of action"


def test_limbs_that_fired_do_not_strike() -> None:
    attacker = unit("HBK-4G")

    def why(blow: Blow, *fired: Location) -> str:
        return physical.cannot_strike(blow, attacker, frozenset(fired))

    assert (why(PUNCH, RA), why(PUNCH, LA, RL)) == ("arm fired", "")
    assert (why(KICK, RL), why(KICK, LL, RA)) == ("leg fired", "")
    assert (why(PUSH, LA), why(CLUB, LA), why(PUSH, RL)) == ("arm fired", "arm fired", "")


def test_a_four_legged_mech_only_kicks_with_its_front_legs() -> None:
    attacker, target = pair()
    slots = {**attacker.design.slots, RA: attacker.design.slots[RL], LA: attacker.design.slots[LL]}
    quad = replace(attacker, design=replace(attacker.design, quad=True, slots=slots))
    assert physical.blows(quad) == (Blow("kick", RA), Blow("kick", LA))
    assert strike(Blow("kick", RA), (quad, target)).damage == 10
    assert refused(PUNCH, (quad, target)) == refused(PUSH, (quad, target)) == "four-legged 'Mech"


def test_what_a_mech_is_built_to_strike_with() -> None:
    plain = (Blow("punch", RA), Blow("punch", LA), Blow("kick", RL), Blow("kick", LL), PUSH)
    assert physical.blows(unit("HBK-4G")) == plain
    assert physical.blows(held(unit("HBK-4G"), "sword")) == (*plain, SWORD)


def test_causes_of_piloting_rolls() -> None:
    """A kick asks the one it hits, or the kicker that missed; a push the one it hits (physical.yaml)."""
    assert CAUSES["hit"] == {
        "kick_target": "was_kicked",
        "push_target": "was_pushed",
        "charge_target": "was_charged",
        "charge_own": "made_charge",
        "death_from_above_target": "hit_by_death_from_above",
        "death_from_above_own": "made_death_from_above",
    }
    assert CAUSES["miss"] == {"kick_own": "missed_kick"}


def test_what_serves_as_a_club() -> None:
    """D: 7+, 6+ and 5+ for a girder by the building; only a tree breaks; rubble drawn counts as medium."""
    kinds = ("medium_building", "heavy_building", "hardened_building", "light_building", "")
    assert [club.girder_number(kind) for kind in kinds] == [7, 6, 5, None, 7]
    assert [club.breaks(kind) for kind in ("tree", "limb", "girder")] == [True, False, False]


def test_where_a_mech_can_be_moved_to() -> None:
    board = field(
        h0502=(2, ""), h0504=(3, ""), h0601=(0, "water:1"), h0602=(0, "water:2"), h0603=(0, "water:3")
    )
    assert displacement.can_be_moved(board, Hex(5, 3), Hex(5, 2))
    assert not displacement.can_be_moved(board, Hex(5, 3), Hex(5, 4))
    assert not displacement.can_be_moved(board, Hex(5, 1), Hex(5, 0))
    assert (displacement.FALLS_DOWN, displacement.TO_THE_RIGHT) == (2, 3)
    assert displacement.ORDER == (0, 1, 5, 2, 4, 3)
    assert displacement.DOMINO == "domino_displaced"
    assert death_from_above.FALL_LEVELS == 2
    causes = [displacement.water_cause(board, Hex(6, row)) for row in (1, 2, 3, 4)]
    assert causes == ["entered_water_depth_1", "entered_water_depth_2", "entered_water_depth_3_plus", ""]
