"""Movement step by step: costs, legality and the rolls it asks for, worked out by hand from movement.yaml."""

from dataclasses import replace

import pytest

from solaris_combat.engines.battletech.board import board_from_drawing
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.mech import Location, slot_numbers
from solaris_combat.engines.battletech.movement import (
    RUNNING_ON_HIP_OR_GYRO,
    SKIDDING,
    STANDING_UP,
    Check,
    Track,
    allowance,
    begin,
    follow,
    skid_modifier,
    with_masc,
)
from solaris_combat.engines.battletech.skid import SIDE, slide_damage, slide_length
from solaris_combat.engines.battletech.unit import Unit, fresh_unit

PANTHER = CATALOGUE["PNT-9R"]  # walk 4, run 6, jump 4


def panther(hex_: str = "0107", facing: int = 0, **changes: object) -> Unit:
    return replace(fresh_unit("A", PANTHER), position=Hex.parse(hex_), facing=facing, **changes)


def hurt(unit: Unit, *places: tuple[Location, str]) -> Unit:
    hits = ((at, slot_numbers(unit.design, at, kind)[0]) for at, kind in places)
    return replace(unit, hits=unit.hits | frozenset(hits))


def go(drawing: str, unit: Unit, mode: str, steps: str, occupied: frozenset[Hex] = frozenset()) -> Track:
    board = board_from_drawing(drawing)
    return follow(board, allowance(unit), begin(board, unit, mode), steps, occupied)


def northward(*marks: str) -> str:
    """A board of three columns; the marks lie in the first from the bottom up, the start at the bottom."""
    return "\n".join(f"{mark} . ." for mark in reversed(marks))


def upward(marks: list[str], steps: str, mode: str = "run", **changes: object) -> Track:
    return go(northward(*marks), panther(f"01{len(marks):02d}", **changes), mode, steps)


def code(track: Track) -> str | None:
    return track.violation.code if track.violation else None


@pytest.mark.parametrize(
    ("marks", "cost"),
    [
        ([".", "."], 1),
        ([".", "w"], 2),
        ([".", "W"], 3),
        ([".", "r"], 2),
        ([".", "u"], 2),
        ([".", "p"], 1),
        ([".", "s"], 2),
        ([".", "~0"], 1),
        ([".", "-1~0"], 2),
        ([".", "~1"], 3),
        ([".", "~2"], 6),
        (["~1", "~1"], 2),
        (["~2", "~2"], 4),
        (["~3", "~3"], 4),
        (["~1", "."], 2),
        (["~2", "."], 3),
        ([".", "1"], 2),
        ([".", "2"], 3),
        (["2", "."], 3),
        (["1", "2w"], 3),
        (["-1", "1W"], 5),
    ],
)
def test_cost_of_one_hex(marks, cost):
    track = upward(marks, "F")
    assert not track.violation
    assert track.end.mp == track.end.cost == cost


def test_every_level_costs_and_more_than_two_are_too_steep():
    assert code(upward([".", "3"], "F")) == "too-steep"
    assert code(upward([".", "-1~2"], "F")) == "too-steep"
    assert code(upward(["~3", "."], "F")) == "too-steep"


def test_turning_costs_one_each_hexside():
    track = upward([".", "."], "LLRRR", mode="run")
    assert [state.facing for state in track.taken] == [5, 4, 5, 0, 1]
    assert [state.mp for state in track.taken] == [1, 2, 3, 4, 5]


def test_walking_and_running_end_with_their_points():
    marks = ["."] * 9
    walk, run = upward(marks, "FFFFFFF", "walk"), upward(marks, "FFFFFFF", "run")
    assert (walk.end.mp, code(walk), walk.violation.pointer) == (4, "too-few-mp", "/4")
    assert (run.end.mp, code(run), run.violation.pointer) == (6, "too-few-mp", "/6")


def test_heat_and_legs_lower_what_there_is():
    assert (allowance(panther(heat=10)).walk, allowance(panther(heat=10)).run) == (2, 3)
    hip = hurt(panther(), (Location.RL, "hip"))
    assert (allowance(hip).walk, allowance(hip).run) == (2, 3)
    both = hurt(hip, (Location.LL, "hip"))
    assert (allowance(both).walk, allowance(both).run) == (0, 0)
    one_leg = replace(panther(), structure={**PANTHER.structure, Location.RL: 0})
    assert (allowance(one_leg).walk, allowance(one_leg).run) == (1, 0)
    assert with_masc(allowance(panther())).run == 8


@pytest.mark.parametrize("state", [{"shutdown": True}, {"conscious": False}])
def test_who_is_out_does_not_move(state):
    assert code(upward([".", "."], "F", "walk", **state)) == "too-few-mp"
    assert code(upward([".", "."], "F", "run", **state)) == "cannot-run"


def test_backward_only_walking_and_on_the_level():
    start = "0102"
    board = northward(".", ".", ".")
    back = go(board, panther(start), "walk", "B")
    assert board_from_drawing(board).hex_at(back.end.index) == Hex(1, 3)
    assert (back.end.facing, back.end.mp, back.end.hexes) == (0, 1, 1)
    assert code(go(board, panther(start), "run", "B")) == "no-running-back"
    assert code(go(northward("1", ".", "."), panther(start), "walk", "B")) == "back-on-level-only"
    assert code(go(northward("~1", ".", "."), panther(start), "walk", "B")) == "back-on-level-only"


def test_hexes_count_anew_when_the_direction_changes():
    track = go(northward(".", ".", ".", "."), panther("0103"), "walk", "FFB")
    assert [state.hexes for state in track.taken] == [1, 2, 1]


def test_nobody_leaves_the_board_or_enters_an_occupied_hex():
    assert code(upward(["."], "F")) == "off-board"
    assert code(go(northward(".", "."), panther("0102"), "walk", "F", frozenset({Hex(1, 1)}))) == "occupied"


def test_one_hex_forward_is_always_allowed():
    slow = {"heat": 15}  # walk 1, run 2
    assert allowance(panther(**slow)).run == 2
    assert upward([".", "W"], "F", "run", **slow).end.mp == 3
    assert code(upward([".", "W"], "F", "walk", **slow)) == "too-few-mp"
    assert code(upward([".", "W", "."], "FF", "run", **slow)) == "too-few-mp"
    assert code(upward([".", "W"], "LF", "run", facing=1, **slow)) == "too-few-mp"
    assert code(upward([".", "W"], "F", "run", heat=20)) == "cannot-run"
    one_leg = replace(panther("0102"), structure={**PANTHER.structure, Location.RL: 0})
    assert go(northward(".", "W"), one_leg, "walk", "F").end.mp == 3


def test_running_into_water_only_as_the_first_hex_and_no_further():
    assert upward([".", "~1", "."], "F", "run").end.mp == 3
    assert code(upward([".", "~1", "."], "FF", "run")) == "water-ends-run"
    assert code(upward([".", ".", "~1"], "FF", "run")) == "no-running-into-water"
    assert code(upward([".", "~1", "."], "FF", "walk")) == "too-few-mp"
    assert upward([".", ".", "~1"], "FF", "walk").end.mp == 4
    assert upward(["~1", ".", "."], "FFF", "run").violation.code == "off-board"
    assert upward([".", "~0", "~0"], "FF", "run").end.mp == 2


def test_standing_up():
    track = upward([".", "."], "ULLRF", "run", prone=True)
    assert [state.mp for state in track.taken] == [2, 2, 2, 2, 3][:4]
    assert code(track) == "off-board"
    assert track.taken[0].checks == (Check(STANDING_UP),)
    assert not track.end.prone
    assert code(upward([".", "."], "F", "walk", prone=True)) == "prone"
    assert upward([".", "."], "LL", "walk", prone=True).end.mp == 2
    assert code(upward([".", "."], "U", "walk")) == "not-prone"
    assert upward([".", "."], "U", "walk", prone=True, heat=15).violation.code == "too-few-mp"
    assert upward([".", "."], "U", "run", prone=True, heat=15).end.mp == 2


def test_turns_cost_again_after_the_first_hex():
    assert [state.mp for state in upward([".", ".", "."], "UFL", prone=True).taken] == [2, 3, 4]


def test_a_mech_with_one_running_point_stands_up_for_one():
    one_leg = replace(panther(prone=True), structure={**PANTHER.structure, Location.RL: 0})
    assert go(northward(".", "."), replace(one_leg, position=Hex(1, 2)), "walk", "U").end.mp == 1


def test_who_cannot_stand_up():
    gyro = slot_numbers(PANTHER, Location.CT, "gyro")
    unit = panther("0102", prone=True, hits=frozenset((Location.CT, n) for n in gyro[:2]))
    assert code(go(northward(".", "."), unit, "walk", "U")) == "cannot-stand-up"


def test_dropping_prone():
    track = upward([".", "."], "DL", "walk")
    assert [(state.mp, state.prone) for state in track.taken] == [(1, True), (2, True)]
    assert code(upward([".", "."], "DF", "walk")) == "prone"
    assert code(upward([".", "."], "D", "walk", prone=True)) == "already-prone"


@pytest.mark.parametrize(
    ("mark", "cause"),
    [
        ("~1", "entered_water_depth_1"),
        ("~2", "entered_water_depth_2"),
        ("u", "entered_rubble"),
    ],
)
def test_terrain_that_asks_for_a_roll(mark, cause):
    assert upward([".", mark], "F").end.checks == (Check(cause),)
    assert upward([mark, "."], "F").end.checks == ()


def test_deep_water_asks_for_a_roll_of_its_own():
    assert upward(["~3", "~4"], "F").end.checks == (Check("entered_water_depth_3_plus"),)


@pytest.mark.parametrize("place", [(Location.LL, "hip"), (Location.CT, "gyro")])
def test_running_on_a_damaged_hip_or_gyro_asks_for_a_roll_at_the_end(place):
    unit = hurt(panther("0102"), place)
    assert go(northward(".", "."), unit, "run", "F").end_checks == (Check(RUNNING_ON_HIP_OR_GYRO),)
    assert go(northward(".", "."), unit, "walk", "F").end_checks == ()
    assert go(northward(".", "."), panther("0102"), "run", "F").end_checks == ()
    assert go(northward(".", "."), hurt(panther("0102"), (Location.LL, "foot")), "run", "F").end_checks == ()


def test_running_and_turning_on_pavement_asks_for_a_roll_on_going_on():
    board = "p p p\np p p\np p p"
    run = go(board, panther("0103"), "run", "RFLF")
    assert run.taken[1].checks == (Check(SKIDDING, -1),)
    assert run.taken[3].checks == (Check(SKIDDING, -1),)
    assert not any(state.checks for state in go(board, panther("0103"), "walk", "RF").taken)
    assert not any(state.checks for state in go(board, panther("0103"), "run", "RLF").taken)


def test_figures_of_a_slide():
    """movement.yaml skid: ceil(hexes / 2); hexes times ceil(round(tons / 10) / 2), on the front."""
    assert [slide_length(n) for n in (0, 1, 2, 3, 6, 7)] == [0, 1, 1, 2, 3, 4]
    assert [slide_damage(tons, 2) for tons in (20, 35, 45, 55, 65, 75, 80, 100)] == [2, 4, 6, 6, 8, 8, 8, 10]
    assert slide_damage(60, 1) == 3
    assert SIDE == "front"


def test_skid_modifiers_of_the_chart():
    assert [skid_modifier(n) for n in (0, 1, 3, 4, 5, 6, 8, 9, 11, 12, 15)] == [
        -1, -1, -1, 0, 0, 1, 1, 2, 2, 4, 4,
    ]  # fmt: skip


def test_after_a_fall_the_movement_goes_on_from_there():
    board = board_from_drawing(northward(".", ".", ".", "."))
    allowed = allowance(panther())
    one = follow(board, allowed, begin(board, panther("0104"), "run"), "FF").end
    lying = replace(one, prone=True)
    assert code(follow(board, allowed, lying, "F")) == "prone"
    assert follow(board, allowed, lying, "UF").end.mp == 5


def test_the_turns_of_standing_up_do_not_skid() -> None:
    track = upward(["p", "p", "p"], "URLRF", prone=True)
    assert [check.cause for step in track.taken for check in step.checks] == [STANDING_UP]
    turning = upward(["p", "p", "p"], "FRF")
    assert [check.cause for check in turning.end.checks] == [SKIDDING]
