"""Reachable sets are what step after step of `movement` and `jumping` leads to, and nothing else."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solaris_combat.engines.battletech.board import Board, arena, board_from_drawing
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, distance, neighbours
from solaris_combat.engines.battletech.jumping import follow_jump
from solaris_combat.engines.battletech.movement import Allowance, Progress, advance, allowance, begin
from solaris_combat.engines.battletech.reach import Reach, jump_reach, run_reach, walk_reach
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.contract import Violation

SIZE = 7
marks = st.sampled_from(
    [".", ".", ".", ".", "w", "W", "r", "1", "2", "1w", "~1", "~2", "~0", "-1", "u", "4", "-1~1"]
)
boards = st.lists(st.lists(marks, min_size=SIZE, max_size=SIZE), min_size=SIZE, max_size=SIZE).map(
    lambda rows: board_from_drawing("\n".join(" ".join(row) for row in rows))
)
places = st.builds(Hex, st.integers(1, SIZE), st.integers(1, SIZE))
units = st.builds(
    lambda model, hex_, facing, heat, prone: replace(
        fresh_unit("A", CATALOGUE[model]), position=hex_, facing=facing, heat=heat, prone=prone
    ),
    st.sampled_from(sorted(CATALOGUE)),
    places,
    st.sampled_from(DIRECTIONS),
    st.sampled_from([0, 0, 6, 15, 19, 25]),
    st.sampled_from([False, False, False, True]),
)


def step_by_step(board: Board, unit: Unit, mode: str, occupied: frozenset[Hex]) -> dict[Hex, dict[int, int]]:
    """Every state that any order of steps leads to, with the fewest MP; of a prone unit once it stands."""
    found: dict[tuple[Hex, int], int] = {}
    seen: set[tuple] = set()
    allowed = allowance(unit)
    waiting = [begin(board, unit, mode)]
    while waiting:
        here = waiting.pop()
        if not here.prone:
            key = board.hex_at(here.index), here.facing
            found[key] = min(here.mp, found.get(key, here.mp))
        for after in _next(board, allowed, here, occupied):
            key = (after.index, after.facing, after.mp, after.prone, after.free_turns, after.entered_water)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    by_hex: dict[Hex, dict[int, int]] = {}
    for (hex_, facing), mp in found.items():
        by_hex.setdefault(hex_, {})[facing] = mp
    return by_hex


def _next(board: Board, allowed: Allowance, here: Progress, occupied: frozenset[Hex]) -> Iterator[Progress]:
    for step in "FBLRU":
        after = advance(board, allowed, here, step, occupied)
        if not isinstance(after, Violation):
            yield after


@settings(deadline=None, max_examples=50)
@given(boards, units, st.frozensets(places, max_size=2))
def test_walking(board, unit, occupied):
    reach = walk_reach(board, unit, allowance(unit), occupied)
    assert reach.by_facing() == step_by_step(board, unit, "walk", occupied)


@settings(deadline=None, max_examples=50)
@given(boards, units, st.frozensets(places, max_size=2))
def test_running(board, unit, occupied):
    if allowance(unit).run:
        reach = run_reach(board, unit, allowance(unit), occupied)
        assert reach.by_facing() == step_by_step(board, unit, "run", occupied)


def fly(board: Board, unit: Unit, occupied: frozenset[Hex]) -> dict[Hex, int]:
    found: dict[Hex, int] = {}
    paths = [[h] for h in neighbours(unit.position)]
    while paths:
        path = paths.pop()
        jump = follow_jump(board, unit, allowance(unit), path, occupied)
        if jump.violation is None:
            found[jump.landing] = jump.mp
        if jump.mp == len(path):
            far = distance(unit.position, path[-1])
            paths += [[*path, h] for h in neighbours(path[-1]) if distance(unit.position, h) > far]
    return found


@settings(deadline=None, max_examples=50)
@given(boards, units, st.frozensets(places, max_size=2))
def test_jumping(board, unit, occupied):
    unit = replace(unit, design=replace(unit.design, jump=min(unit.design.jump, 4)))
    assert jump_reach(board, unit, allowance(unit), occupied).cheapest() == fly(board, unit, occupied)


def test_a_jump_may_face_anywhere():
    board = board_from_drawing(". .\n. .")
    unit = replace(fresh_unit("A", CATALOGUE["PNT-9R"]), position=Hex(1, 1))
    reach = jump_reach(board, unit, allowance(unit))
    assert reach.by_facing()[Hex(1, 2)] == dict.fromkeys(DIRECTIONS, 1)
    assert Hex(1, 1) not in reach.cheapest()


@pytest.mark.parametrize("start", [h for h, _ in arena("la-cantera").starts])
def test_every_start_of_the_quarry_leads_somewhere(start):
    place = arena("la-cantera")
    unit = replace(fresh_unit("A", CATALOGUE["PNT-9R"]), position=start, facing=dict(place.starts)[start])
    assert len(walk_reach(place.board, unit, allowance(unit)).cheapest()) >= 6


def test_the_cheapest_of_all_facings():
    board = board_from_drawing(". . .\n. . .\n. . .")
    unit = replace(fresh_unit("A", CATALOGUE["PNT-9R"]), position=Hex(1, 3))
    reach: Reach = walk_reach(board, unit, allowance(unit), backward=False)
    assert reach.cheapest()[Hex(1, 1)] == 2
    assert reach.by_facing()[Hex(1, 1)] == {0: 2, 1: 3, 5: 3, 2: 4, 4: 4}
    assert all(reach.cheapest()[h] == min(by.values()) for h, by in reach.by_facing().items())
