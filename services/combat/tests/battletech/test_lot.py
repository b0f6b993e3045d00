"""Orders by lot: every state in reach is drawn, and the way to it is legal and costs what the reach says."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_combat.engines.battletech.board import Board, board_from_drawing
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.jumping import follow_jump
from solaris_combat.engines.battletech.movement import Allowance, begin, follow
from solaris_combat.engines.battletech.reach import Reach, jump_reach, run_reach, walk_reach
from solaris_combat.engines.battletech.reach_way import jump_path, steps_to
from solaris_combat.engines.battletech.unit import Unit, fresh_unit

MARKS = (".", ".", "1", "2", "w", "W", "~1", "~2", "r", "1w")


def drawn_board(number: int) -> Board:
    rng = random.Random(number)
    return board_from_drawing("\n".join(" ".join(rng.choice(MARKS) for _ in range(9)) for _ in range(9)))


def unit_at(place: Hex, facing: int, prone: bool) -> Unit:
    return replace(fresh_unit("A", CATALOGUE["GRF-1N"]), position=place, facing=facing, prone=prone)


situations = {
    "number": st.integers(0, 30),
    "col": st.integers(1, 9),
    "row": st.integers(1, 9),
    "facing": st.integers(0, 5),
    "prone": st.booleans(),
    "pick": st.integers(0, 10**6),
}


@given(**situations, mode=st.sampled_from(["walk", "run"]), limit=st.integers(1, 6))
def test_the_way_to_any_state_in_reach_is_legal_and_costs_what_it_should(
    number: int, col: int, row: int, facing: int, prone: bool, pick: int, mode: str, limit: int
) -> None:
    board, unit = drawn_board(number), unit_at(Hex(col, row), facing, prone)
    allowed = Allowance(limit, (limit * 3 + 1) // 2, 0)
    reach = (walk_reach if mode == "walk" else run_reach)(board, unit, allowed)
    if not reach.size:
        return
    index, end, mp = reach.nth(pick % reach.size)
    track = follow(board, allowed, begin(board, unit, mode), steps_to(reach, unit, index, end, mp))
    assert track.violation is None
    assert (track.end.index, track.end.facing, track.end.mp) == (index, end, mp)


@given(**situations, limit=st.integers(1, 6))
def test_the_path_of_any_jump_in_reach_is_legal(
    number: int, col: int, row: int, facing: int, prone: bool, pick: int, limit: int
) -> None:
    board, unit = drawn_board(number), unit_at(Hex(col, row), facing, prone=False)
    allowed = Allowance(0, 0, limit)
    reach = jump_reach(board, unit, allowed)
    if not reach.size:
        return
    index, _, mp = reach.nth(pick % reach.size)
    path = jump_path(reach, unit, index, mp)
    assert follow_jump(board, unit, allowed, path).violation is None
    assert (board.index(path[-1]), len(path)) == (index, mp)


@pytest.mark.parametrize("make", [walk_reach, run_reach, jump_reach])
def test_the_states_of_a_reach_are_numbered_once_each(make) -> None:
    board, unit = drawn_board(4), unit_at(Hex(5, 5), 2, prone=False)
    reach: Reach = make(board, unit, Allowance(4, 6, 4))
    numbered = [reach.nth(number) for number in range(reach.size)]
    listed = [(board.index(place), facing, mp) for place, facing, mp in reach.states() if mp]
    assert numbered == listed
    with pytest.raises(IndexError):
        reach.nth(reach.size)
