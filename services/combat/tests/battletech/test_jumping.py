"""Jumps, worked out by hand from movement.yaml mode.jump and jump_water."""

from dataclasses import replace

import pytest

from solaris_combat.engines.battletech.board import board_from_drawing
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.jumping import Jump, follow_jump, usable_jump_mp
from solaris_combat.engines.battletech.mech import Location, Slot, slot_numbers
from solaris_combat.engines.battletech.movement import Check, allowance
from solaris_combat.engines.battletech.unit import Unit, fresh_unit

PANTHER = CATALOGUE["PNT-9R"]  # jump 4, all jets in the legs


def panther(hex_: str = "0105", **changes: object) -> Unit:
    return replace(fresh_unit("A", PANTHER), position=Hex.parse(hex_), **changes)


def torso_jumper(hex_: str) -> Unit:
    """A Panther with three jets in the torso and one in a leg."""
    slots = {at: tuple(s for s in PANTHER.slots[at] if s.kind != "jump_jet") for at in Location}
    slots[Location.CT] += (Slot("jump_jet"),) * 3
    slots[Location.LL] += (Slot("jump_jet"),)
    return replace(fresh_unit("A", replace(PANTHER, slots=slots)), position=Hex.parse(hex_))


def jump(marks: list[str], unit: Unit | None = None, hexes: int | None = None, **occupied: object) -> Jump:
    """Up the first column, whose marks go from the start at the bottom."""
    board = board_from_drawing("\n".join(f"{mark} ." for mark in reversed(marks)))
    unit = unit or panther(f"01{len(marks):02d}")
    path = [Hex(1, unit.position.row - n) for n in range(1, (hexes or len(marks) - 1) + 1)]
    return follow_jump(board, unit, allowance(unit), path, **occupied)


def code(result: Jump) -> str | None:
    return result.violation.code if result.violation else None


def test_one_point_a_hex_whatever_lies_there():
    result = jump([".", "W", "~2", "r", "w"])
    assert (result.mp, result.landing, code(result)) == (4, Hex(1, 1), None)
    assert code(jump(["."] * 6)) == "too-few-mp"


def test_the_highest_hex_is_the_start_and_the_jump_points():
    assert code(jump([".", "4", "."])) is None
    assert code(jump([".", "5", "."])) == "too-high"
    assert code(jump(["2", "6"])) is None
    assert code(jump(["9", "."])) is None


def test_a_jump_goes_the_shortest_way():
    board = board_from_drawing(". . .\n. . .\n. . .")
    unit = panther("0102")
    there = [Hex(2, 1), Hex(2, 2)]
    assert code(follow_jump(board, unit, allowance(unit), there)) == "not-shortest"
    assert code(follow_jump(board, unit, allowance(unit), [Hex(3, 1)])) == "path-broken"
    assert code(follow_jump(board, unit, allowance(unit), [Hex(1, 1), Hex(1, 0)])) == "off-board"
    assert code(follow_jump(board, unit, allowance(unit), [])) == "no-jump"


def test_over_an_occupied_hex_but_not_into_it():
    assert code(jump([".", ".", "."], occupied=frozenset({Hex(1, 2)}))) is None
    assert code(jump([".", ".", "."], occupied=frozenset({Hex(1, 1)}))) == "occupied"


def test_jets_lost_are_points_lost_and_heat_costs_none():
    jets = slot_numbers(PANTHER, Location.RL, "jump_jet")
    assert allowance(panther(hits=frozenset({(Location.RL, jets[0])}))).jump == 3
    assert allowance(panther(heat=20)).jump == 4


def test_nobody_jumps_prone_or_from_deep_water():
    assert code(jump([".", "."], panther("0102", prone=True))) == "too-few-mp"
    assert code(jump(["~2", "."])) == "too-few-mp"


def test_from_depth_1_only_torso_jets_lift():
    assert code(jump(["~1", "."])) == "too-few-mp"
    board = board_from_drawing(". .\n~1 .")
    unit = torso_jumper("0102")
    assert usable_jump_mp(board, unit, allowance(unit)) == 3
    deep = board_from_drawing(". .\n~2 .")
    assert usable_jump_mp(deep, unit, allowance(unit)) == 0
    on_land = torso_jumper("0101")
    assert usable_jump_mp(board, on_land, allowance(on_land)) == 4


@pytest.mark.parametrize(
    ("mark", "checks"),
    [
        (".", ()),
        ("u", ()),
        ("~0", ()),
        ("~1", (Check("entered_water_depth_1"),)),
        ("~3", (Check("entered_water_depth_3_plus"),)),
    ],
)
def test_landing_in_water_asks_for_a_roll(mark, checks):
    assert jump([".", mark]).checks == checks
    assert jump([".", "~1", mark]).checks == checks


@pytest.mark.parametrize("kind", ["hip", "upper_leg", "lower_leg", "foot"])
def test_landing_on_a_damaged_leg_asks_for_a_roll(kind):
    hits = frozenset({(Location.LL, slot_numbers(PANTHER, Location.LL, kind)[0])})
    checks = jump([".", "."], panther("0102", hits=hits)).checks
    assert checks == (Check("jump_with_damaged_gyro_or_leg_actuator"),)


def test_landing_on_one_leg_asks_for_a_roll():
    lost = panther("0102", structure={**PANTHER.structure, Location.LL: 0})
    assert jump([".", "."], lost).checks == (Check("jump_with_destroyed_leg"),)
