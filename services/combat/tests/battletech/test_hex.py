"""Hex geometry: it is a metric space, directions close, lines run as the ruler says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_combat.engines.battletech.hex import (
    DIRECTIONS,
    Hex,
    along_hex_edge,
    bearing,
    direction,
    distance,
    internal_facing,
    league_facing,
    line_hexes,
    neighbour,
    neighbours,
    turned,
)

hexes = st.builds(Hex, st.integers(1, 50), st.integers(1, 50))
pairs = st.tuples(hexes, hexes).filter(lambda p: p[0] != p[1])


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a, b, c):
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(hexes, st.sampled_from(DIRECTIONS))
def test_a_step_there_and_back(a, way):
    there = neighbour(a, way)
    assert distance(a, there) == 1
    assert direction(a, there) == way
    assert bearing(a, there) == 4 * way
    assert neighbour(there, turned(way, 3)) == a


@given(hexes)
def test_six_neighbours_two_steps_around(a):
    assert len(set(neighbours(a))) == 6
    second = {n for h in neighbours(a) for n in neighbours(h)} - {a, *neighbours(a)}
    assert len(second) == 12
    assert all(distance(a, h) == 2 for h in second)


@given(pairs)
def test_bearing_back_is_half_a_turn_away(pair):
    a, b = pair
    assert bearing(b, a) == (bearing(a, b) + 12) % 24


@given(pairs)
def test_a_line_is_the_same_from_both_ends_and_has_no_gap(pair):
    a, b = pair
    line = line_hexes(a, b)
    assert set(line) == set(line_hexes(b, a))
    assert len(set(line)) == len(line)
    assert (line[0], line[-1]) == (a, b)
    assert {distance(a, h) for h in line} == set(range(distance(a, b) + 1))
    assert all(any(distance(h, other) == 1 for other in line) for h in line)


def test_distances_counted_by_hand():
    # even columns sit half a hex lower
    assert distance(Hex(1, 1), Hex(2, 1)) == 1
    assert distance(Hex(1, 2), Hex(2, 1)) == 1
    assert distance(Hex(1, 1), Hex(2, 2)) == 2
    assert distance(Hex(2, 1), Hex(3, 1)) == 1
    assert distance(Hex(2, 1), Hex(3, 2)) == 1
    assert distance(Hex(5, 5), Hex(5, 9)) == 4
    assert distance(Hex(1, 1), Hex(9, 1)) == 8
    assert distance(Hex(1, 1), Hex(15, 17)) == 23


def test_neighbours_of_an_odd_and_an_even_column():
    assert [str(h) for h in neighbours(Hex(5, 5))] == ["0504", "0604", "0605", "0506", "0405", "0404"]
    assert [str(h) for h in neighbours(Hex(6, 5))] == ["0604", "0705", "0706", "0606", "0506", "0505"]


def test_exact_bearings_in_24ths():
    assert bearing(Hex(5, 5), Hex(5, 1)) == 0
    assert bearing(Hex(5, 5), Hex(6, 3)) == 2  # 30 degrees: between north and north-east
    assert bearing(Hex(5, 5), Hex(7, 5)) == 6  # due east
    assert bearing(Hex(5, 5), Hex(6, 1)) == 1
    assert bearing(Hex(5, 5), Hex(1, 5)) == 18
    with pytest.raises(ValueError, match="0505"):
        bearing(Hex(5, 5), Hex(5, 5))


def test_lines_along_hex_edges_take_both_hexes_of_each_pair():
    assert along_hex_edge(Hex(5, 5), Hex(7, 5))
    assert set(map(str, line_hexes(Hex(5, 5), Hex(9, 5)))) == {
        "0505", "0604", "0605", "0705", "0804", "0805", "0905",
    }  # fmt: skip
    assert not along_hex_edge(Hex(5, 5), Hex(5, 9))
    assert not along_hex_edge(Hex(5, 5), Hex(5, 5))


def test_a_line_that_touches_a_corner_takes_that_hex():
    # from 0606 to 0502 the ruler passes through corners of 0505 and 0603
    assert set(map(str, line_hexes(Hex(6, 6), Hex(5, 2)))) == {
        "0606", "0605", "0505", "0604", "0504", "0603", "0503", "0502",
    }  # fmt: skip


@given(hexes)
def test_numbers_are_read_back(a):
    assert Hex.parse(str(a)) == a


@pytest.mark.parametrize("bad", ["", "507", "05070", "05a7", "٠٥٠٧", "-101"])
def test_bad_numbers_are_refused(bad):
    with pytest.raises(ValueError, match="hex number"):
        Hex.parse(bad)


def test_players_count_facings_from_one():
    """IO6."""
    assert [league_facing(f) for f in DIRECTIONS] == [1, 2, 3, 4, 5, 6]
    assert [internal_facing(n) for n in range(1, 7)] == list(DIRECTIONS)
    with pytest.raises(ValueError, match="7"):
        internal_facing(7)
