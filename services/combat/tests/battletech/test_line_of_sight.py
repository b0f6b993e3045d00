"""Line of sight, row by row of los.yaml, and that it is the same from both ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_combat.engines.battletech.board import board_from_drawing, board_from_texts, board_of
from solaris_combat.engines.battletech.hex import Hex, along_hex_edge
from solaris_combat.engines.battletech.line_of_sight import OPEN, line_of_sight
from solaris_combat.engines.battletech.terrain import Ground, ground_from_token

A, T = Hex(1, 1), Hex(1, 6)


def column(*marks: str, **prone: bool):
    """The line down a column: attacker's hex first, target's last."""
    board = board_from_drawing("\n".join(marks))
    return line_of_sight(board, A, Hex(1, len(marks)), **prone)


def test_open_ground():
    assert column(".", ".", ".", ".") == OPEN
    assert column(".", ".") == OPEN


@pytest.mark.parametrize(
    ("row", "marks", "blocked_by"),
    [
        ("L1", [".", ".", "2", ".", "."], "terrain"),
        ("L1, only one of both is lower", ["2", ".", "2", ".", "."], ""),
        ("level with both does not block", [".", ".", "1", ".", "."], ""),
        ("L2", ["1", "3", ".", ".", "4"], "terrain"),
        ("L3", ["4", ".", ".", "3", "1"], "terrain"),
        ("L3 elsewhere it does not", ["3", ".", "2", ".", "."], ""),
        ("L7 three light", [".", "w", "w", "w", "."], "woods"),
        ("L7 light and heavy", [".", "w", "W", "."], "woods"),
        ("L7 two light", [".", "w", "w", "."], ""),
        ("L7 one heavy", [".", "W", "."], ""),
        ("L10 both ends in woods", ["W", "w", "w", "W"], ""),
        ("L22 adjacent whatever the levels", ["9", "."], ""),
    ],
)
def test_blocked_or_not(row, marks, blocked_by):
    assert column(*marks).blocked_by == blocked_by, row
    assert column(*reversed(marks)).blocked_by == blocked_by, row


def test_a_prone_mech_behind_a_hill_of_one_level_is_not_seen():
    """L14; standing it has partial cover (L11)."""
    assert column(".", ".", "1", ".").target_cover
    assert column(".", ".", "1", ".", target_prone=True).blocked_by == "terrain"


def test_partial_cover():
    """L11: a hex beside the target on the level of its head, and the attacker not higher."""
    assert column(".", ".", "1", ".").modifiers == (("partial_cover", 3),)
    assert column("1", ".", "1", ".").target_cover is False
    assert column(".", "1", ".", ".").target_cover is False


def test_attacker_cover():
    """L12: the attacker not lower than the target, and standing."""
    assert column(".", "1", ".", ".").attacker_cover
    assert column(".", "1", ".", "1").attacker_cover is False
    assert column(".", ".", "1", ".").attacker_cover is False
    assert column(".", "1", ".", ".").modifiers == ()


def test_one_hex_between_covers_both():
    both = column(".", "1", ".")
    assert both.target_cover
    assert both.attacker_cover


def test_woods_count_only_as_high_as_they_grow():
    """L4 to L6: two levels above their ground, against the higher of both or the one beside them."""
    assert column("3", ".", "w", ".", ".").modifiers == ()
    assert column("3", ".", ".", "w", ".").modifiers == (("intervening_light_woods", 1),)
    assert column("3", "w", ".", ".", ".").modifiers == ()
    assert column("1", ".", "1w", ".", ".").modifiers == (("intervening_light_woods", 1),)
    assert column("1", ".", "W", ".", ".").modifiers == ()
    assert column(".", "W", ".", ".").modifiers == (("intervening_heavy_woods", 2),)
    assert column(".", "w", "w", ".").modifiers == (("intervening_light_woods", 2),)


def test_buildings_block_with_their_roofs():
    """L1 and L24."""
    house = board_from_texts(1, 5, {"0103": (0, "building:1;bldg_elev:2;bldg_cf:15")})
    assert line_of_sight(house, Hex(1, 1), Hex(1, 5)).blocked_by == "terrain"
    low = board_from_texts(1, 5, {"0103": (0, "building:1;bldg_elev:1;bldg_cf:15")})
    assert line_of_sight(low, Hex(1, 1), Hex(1, 5)) == OPEN


def test_water():
    """L16 to L19: in depth 1 a standing 'Mech is half out of it, else it is under water."""
    assert column("~1", ".", ".") == OPEN
    assert column("~1", ".", ".", attacker_prone=True).blocked_by == "water"
    assert column("~2", ".", ".").blocked_by == "water"
    assert column(".", "~1", "~2").blocked_by == "water"
    assert column("~2", "~2", "~2") == OPEN
    assert column("~2", "~1", "~1") == OPEN
    assert column("~2", ".", "~2").blocked_by == "water"
    assert column("~3", "~1", "~3").blocked_by == "water"
    assert column("~2", "~2") == OPEN
    assert column("~1", "~2", "~1", attacker_prone=True, target_prone=True) == OPEN


EDGE = [Hex(1, 3), Hex(5, 3)]
"""A line along edges: the pairs are 0202/0203 and 0402/0403, the hex between them 0303."""


def edge(**marks: str):
    grounds = {Hex.parse(number[1:]): ground_from_token(mark) for number, mark in marks.items()}
    return line_of_sight(board_of(5, 5, grounds), *EDGE)


def test_a_line_along_edges_takes_the_worse_hex_of_each_pair():
    """L15."""
    assert along_hex_edge(*EDGE)
    assert edge(h0202="w").light_woods == 1
    assert edge(h0202="w", h0203="w").light_woods == 1
    assert edge(h0202="w", h0203="W").modifiers == (("intervening_heavy_woods", 2),)
    assert edge(h0202="w", h0403="w").light_woods == 2
    assert edge(h0202="w", h0303="w", h0403="w").blocked_by == "woods"
    assert edge(h0203="2").blocked_by == "terrain"
    assert edge(h0402="1", h0403="W").modifiers == (("partial_cover", 3),)
    assert edge(h0202="1").attacker_cover


def test_hexes_off_the_board_are_nothing():
    board = board_of(5, 5, {Hex(2, 1): Ground(0)})
    assert line_of_sight(board, Hex(1, 1), Hex(5, 1)) == OPEN


marks = st.sampled_from([".", ".", ".", "1", "2", "w", "W", "1w", "r", "~1", "~2", "-1", "-1~1"])
boards = st.lists(st.lists(marks, min_size=9, max_size=9), min_size=9, max_size=9).map(
    lambda rows: board_from_drawing("\n".join(" ".join(row) for row in rows))
)
places = st.builds(Hex, st.integers(1, 9), st.integers(1, 9))


@given(boards, places, places, st.booleans(), st.booleans())
def test_line_of_sight_is_the_same_from_both_ends(board, a, b, a_prone, b_prone):
    """Partial cover is not mutual (los.yaml mutual), and along edges it may be chosen before woods."""
    if a == b:
        return
    there, back = line_of_sight(board, a, b, a_prone, b_prone), line_of_sight(board, b, a, b_prone, a_prone)
    assert there.possible == back.possible
    if there.possible and not along_hex_edge(a, b):
        assert (there.light_woods, there.heavy_woods) == (back.light_woods, back.heavy_woods)
        assert there.target_cover == back.attacker_cover
