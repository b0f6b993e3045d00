"""Hartford Gardens: the arena's own rules and the 28 answers of its FAQ (A)."""

from dataclasses import replace

from solaris_combat.engines.battletech import mires, physical, to_hit, traps, turrets, walls
from solaris_combat.engines.battletech.board import board_of, overlaid
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.jumping import chosen_route, follow_jump, usable_jump_mp
from solaris_combat.engines.battletech.line_of_sight import OPEN, line_of_sight
from solaris_combat.engines.battletech.movement import advance, allowance, begin
from solaris_combat.engines.battletech.terrain import TERRAINS, Ground, wall, water
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.contract import Violation

HERE, AHEAD = Hex(5, 5), Hex(5, 4)


def mech(model: str = "CPLT-C1", **facts) -> Unit:
    return replace(fresh_unit("A", CATALOGUE[model]), position=HERE, **facts)


def step(mode: str = "walk", model: str = "CPLT-C1", **grounds: Ground):
    """One step ahead from 0505; ground by words: here=..., ahead=..."""
    places = {"here": HERE, "ahead": AHEAD}
    board = board_of(9, 9, {places[name]: ground for name, ground in grounds.items()})
    unit = mech(model)
    return board, advance(board, allowance(unit), begin(board, unit, mode), "F")


def test_walls_of_the_arena():
    """A: construction factor 75, two levels; one holds what is not heavier than its factor (C-25)."""
    made = wall(0)
    assert (made.construction_factor, made.height, made.floor) == (75, 2, 2)
    assert walls.bears(made, 75)
    assert not walls.bears(made, 80)
    assert not walls.bears(walls.struck(made, 10), 70)
    assert walls.bears(Ground(), 100)


def test_the_traps_are_placed_and_told_by_dice():
    """A: 2D6 hexes; 1 or 2 mines of 7 points, 3 laser, 4 missiles, 5 quicksand, 6 nothing."""
    kinds = [traps.kind_of(die) for die in range(1, 7)]
    assert kinds == ["mines", "mines", "laser", "missiles", "quicksand", "nothing"]
    assert traps.DICE == 2
    assert traps.MINES.damage == 7


def test_the_turrets():
    """A: armour 8, gunnery 5; a light laser without end, or an SRM-4 with one salvo."""
    laser, missiles = turrets.fresh_turret("laser"), turrets.fresh_turret("missiles")
    assert (laser.armor, laser.salvoes, turrets.weapon_of("laser")) == (8, None, "small-laser")
    assert (missiles.armor, missiles.salvoes, turrets.weapon_of("missiles")) == (8, 1, "srm-4")
    assert (turrets.GUNNERY, turrets.ARC) == (5, 360)


def test_faq_1_a_jump_over_a_hidden_turret_wakes_it():
    """FAQ 1."""
    way = ("0505", "0504", "0503", "0502")
    assert traps.comes_upon(way, ["0503", "0505"]) == ("0503",)


def test_faq_2_the_referee_chooses_the_way_of_a_jump():
    """FAQ 2: and it is shown, for it stands in the event of the jump."""
    route = chosen_route(HERE, (Hex(7, 2),))
    assert route[-1] == Hex(7, 2)
    assert len(route) == distance(HERE, Hex(7, 2))
    board = board_of(9, 9, {})
    assert follow_jump(board, mech(), allowance(mech()), route).violation is None
    assert chosen_route(HERE, (Hex(5, 4), Hex(5, 3))) == (Hex(5, 4), Hex(5, 3))


def test_faq_3_and_4_turrets_fire_in_the_weapon_phase_at_the_nearest():
    """FAQ 3, FAQ 4."""
    assert turrets.PHASE == "weapon"
    assert turrets.nearest({"A": 5, "B": 3}) == ("B",)
    assert turrets.nearest({"A": 3, "B": 3}) == ("A", "B")
    assert turrets.nearest({}) == ()


def test_faq_5_a_turret_is_one_level_high_and_hides_nothing():
    """FAQ 5."""
    assert (turrets.LEVELS, turrets.BLOCKS_SIGHT) == (1, False)
    base = board_of(9, 9, {})
    with_turret = overlaid(base, {}, frozenset(), frozenset({base.index(Hex(5, 4))}))
    assert line_of_sight(with_turret, HERE, Hex(5, 2)) == line_of_sight(base, HERE, Hex(5, 2))


def test_faq_6_no_trap_in_water_or_wall():
    """FAQ 6."""
    assert not traps.may_hold(Ground(0, water(1)))
    assert not traps.may_hold(Ground(0, water(0)))
    assert not traps.may_hold(wall(0))
    assert not traps.may_hold(Ground(), start=True)


def test_faq_7_blows_reach_a_turret_by_its_level():
    """FAQ 7, PHY5: as league table 3.2, feet against feet; nothing reaches it from a wall."""
    levels = range(-3, 4)

    def reached(kind):
        return [feet for feet in levels if physical.reaches_level(kind, feet, 0, turrets.LEVELS)]

    assert reached("kick") == [0, 1]
    assert reached("punch") == [-1, 0]
    assert reached("club") == reached("hatchet") == reached("sword") == [-1, 0, 1]
    assert [feet for feet in levels if physical.reaches_level("kick", feet, 0, 3)] == [0, 1, 2]


def test_faq_8_one_trap_a_hex():
    """FAQ 8."""
    assert not traps.may_hold(Ground(), held=1)


def test_faq_9_and_10_traps_side_by_side_and_in_woods():
    """FAQ 9, FAQ 10."""
    assert traps.may_hold(Ground(), held=0)
    assert traps.may_hold(Ground(0, TERRAINS["light_woods"]))
    assert traps.may_hold(Ground(0, TERRAINS["heavy_woods"]))


def quicksand() -> tuple:
    board = board_of(9, 9, {HERE: Ground(0, TERRAINS["quicksand"])})
    return board, mech(stuck="quicksand")


def test_faq_11_firing_out_of_quicksand_is_as_from_water_of_depth_1():
    """FAQ 11: +1, and the target in it has partial cover; and so LOS4: no hit on its legs, at any level."""
    board, sunk = quicksand()
    other = replace(mech(), side="B", position=Hex(5, 2))
    laser = next(m for m in sunk.design.mounts if m.weapon == "medium-laser")
    number = to_hit.to_hit_number(sunk, other, laser, WEAPONS["medium-laser"], board, OPEN)
    assert to_hit.ATTACKER_IN_WATER in number.modifiers
    assert to_hit.ATTACKER_IN_WATER.value == 1
    free = to_hit.to_hit_number(replace(sunk, stuck=""), other, laser, WEAPONS["medium-laser"], board, OPEN)
    assert to_hit.ATTACKER_IN_WATER not in free.modifiers
    for level in (0, 2):
        higher = board_of(9, 9, {HERE: Ground(0, TERRAINS["quicksand"]), Hex(5, 2): Ground(level)})
        los = line_of_sight(higher, Hex(5, 2), HERE)
        at_it = to_hit.to_hit_number(
            replace(other, facing=3), sunk, laser, WEAPONS["medium-laser"], higher, los
        )
        assert at_it.table == "punch"
        assert [m.reason for m in at_it.modifiers].count("partial cover") == 1


def test_faq_12_no_jump_out_of_quicksand_for_who_is_stuck():
    """FAQ 12; who is not stuck jumps with the jets of his torso, as out of water."""
    board, sunk = quicksand()
    assert not mires.may_leave("quicksand", "jump")
    assert usable_jump_mp(board, sunk, allowance(sunk)) == 0
    free = replace(sunk, stuck="")
    assert usable_jump_mp(board, free, allowance(free)) > 0


def test_faq_13_the_roll_to_get_free_is_made_in_the_movement_phase():
    """FAQ 13: movement is ordered before, and lapses if the roll fails."""
    assert mires.PHASE == "movement"
    assert mires.moves(ordered=True, freed=True)
    assert not mires.moves(ordered=True, freed=False)


def test_faq_14_entering_quicksand_of_ones_own_will_costs_4_mp():
    """FAQ 14."""
    _, after = step(ahead=Ground(0, TERRAINS["quicksand"]))
    assert after.cost == 4
    assert [check.cause for check in after.checks] == ["entered_quicksand"]


def test_faq_15_who_is_not_stuck_runs_out_of_it():
    """FAQ 15."""
    assert mires.may_leave("", "run")
    _, after = step("run", here=Ground(0, TERRAINS["quicksand"]))
    assert not isinstance(after, Violation)


def test_faq_16_nobody_walks_through_a_wall():
    """FAQ 16: it is climbed or jumped; who is in its hex stands on it."""
    board, after = step(ahead=wall(0))
    assert board.floors[after.index] == 2
    _, high = step(ahead=wall(1))
    assert isinstance(high, Violation)
    assert high.code == "too-steep"


def test_faq_17_all_walls_have_two_levels():
    """FAQ 17."""
    assert [wall(level).floor for level in (0, 1, 3)] == [2, 3, 5]


def test_faq_18_a_mech_walks_along_the_top():
    """FAQ 18, LVL1: up and down costs 3, along the top 1."""
    assert step(ahead=wall(0))[1].cost == 3
    assert step(here=wall(0))[1].cost == 3
    assert step(here=wall(0), ahead=wall(0))[1].cost == 1


def test_faq_19_walls_fill_their_hex():
    """FAQ 19, LOS2: they block what is lower; who stands on one is seen on its top."""
    board = board_of(9, 9, {Hex(5, 4): wall(0)})
    assert line_of_sight(board, Hex(5, 6), Hex(5, 2)).blocked_by == "terrain"
    assert line_of_sight(board, Hex(5, 6), Hex(5, 4)).possible
    assert board.floors[board.index(Hex(5, 4))] == 2


def test_faq_20_walls_give_partial_cover():
    """FAQ 20."""
    board = board_of(9, 9, {Hex(5, 3): wall(0), Hex(5, 2): Ground(1), Hex(5, 6): Ground(1)})
    assert line_of_sight(board, Hex(5, 6), Hex(5, 2)).target_cover


def test_faq_21_a_destroyed_wall_is_rubble():
    """FAQ 21, BLD1: its factor goes down by the damage; at 0 it is rubble on the level of the ground."""
    assert walls.struck(wall(1), 30).construction_factor == 45
    after = walls.struck(wall(1), 75)
    assert (after.terrain.key, after.floor, after.construction_factor) == ("rubble", 1, 0)


def test_faq_22_fire_at_the_top_needs_a_line_to_it():
    """FAQ 22."""
    assert walls.side_of_fire(sees_top=True) == "top"
    assert walls.side_of_fire(sees_top=False) == "side"


def test_faq_23_inferno_burns_on_the_top():
    """FAQ 23."""
    assert walls.inferno_hex(Hex(5, 6), Hex(5, 3), "top") == Hex(5, 3)


def test_faq_24_inferno_at_the_side_burns_before_the_wall():
    """FAQ 24."""
    assert walls.inferno_hex(Hex(5, 6), Hex(5, 3), "side") == Hex(5, 4)


def test_faq_25_and_26_smoke_lies_two_levels_above_the_wall_and_on_who_stands_there():
    """FAQ 25, FAQ 26."""
    base = board_of(9, 9, {HERE: wall(0)})
    board = overlaid(base, {}, frozenset((base.index(HERE),)), frozenset())
    assert board.canopies[board.index(HERE)] == 4
    assert to_hit.TARGET_WOODS[board.woods[board.index(HERE)]].reason == "target in smoke"


def test_faq_27_who_brings_a_wall_down_falls_with_it():
    """FAL3: FAQ 27: its levels, and the collapse besides."""
    before = wall(0)
    after = walls.fallen(before)
    assert before.floor - after.floor == 2
    assert walls.collapse_damage(before) == (5, 5, 5)
    assert walls.collapse_damage(replace(before, construction_factor=61)) == (5, 5, 3)
    assert (walls.SIDE, walls.BURNT_PER_TURN) == ("front", 2)


def test_faq_28_the_top_is_clear_ground():
    """FAQ 28, WAT2: whatever was in the hex, one stands on clear ground."""
    top, clear = TERRAINS["wall"], TERRAINS["clear"]
    assert (top.cost, top.check, top.woods, top.depth) == (clear.cost, clear.check, clear.woods, clear.depth)
    assert not top.burns
