"""Firing arcs and sides; the borders are those of the printed diagrams."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_combat.engines.battletech.arcs import Arc, Side, attack_side, in_arc
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, neighbour, turned

MIDDLE = Hex(5, 5)
AHEAD = {Arc.FORWARD, Arc.LEFT_ARM, Arc.RIGHT_ARM}
around = st.builds(Hex, st.integers(1, 20), st.integers(1, 20)).filter(lambda h: h != MIDDLE)


def arcs(facing: int, other: Hex) -> set[Arc]:
    return {arc for arc in Arc if in_arc(arc, MIDDLE, facing, other)}


@given(around, st.sampled_from(DIRECTIONS))
def test_every_hex_lies_ahead_or_in_one_arm_arc_or_behind(other, facing):
    assert arcs(facing, other) in (AHEAD, {Arc.LEFT_ARM}, {Arc.RIGHT_ARM}, {Arc.REAR})


@pytest.mark.parametrize("facing", DIRECTIONS)
def test_arcs_by_neighbouring_hexes(facing):
    """60 degrees are still ahead, 120 are still the arm's, 180 is behind."""
    by_hexside = [arcs(facing, neighbour(MIDDLE, turned(facing, n))) for n in range(6)]
    assert by_hexside == [AHEAD, AHEAD, {Arc.RIGHT_ARM}, {Arc.REAR}, {Arc.LEFT_ARM}, AHEAD]


def test_arcs_just_beyond_their_borders():
    assert arcs(0, Hex(7, 5)) == {Arc.RIGHT_ARM}  # 90 degrees
    assert arcs(0, Hex(3, 5)) == {Arc.LEFT_ARM}  # 270
    assert arcs(0, Hex(8, 7)) == {Arc.REAR}  # a little over 120
    assert arcs(0, Hex(2, 7)) == {Arc.REAR}  # a little under 240


def test_nothing_fires_into_its_own_hex():
    assert arcs(0, MIDDLE) == set()


@pytest.mark.parametrize("facing", DIRECTIONS)
def test_sides_by_neighbouring_hexes(facing):
    sides = [attack_side(MIDDLE, facing, neighbour(MIDDLE, turned(facing, n))) for n in range(6)]
    assert sides == [Side.FRONT, Side.FRONT, Side.RIGHT, Side.REAR, Side.LEFT, Side.FRONT]


@pytest.mark.parametrize(
    ("attacker", "side"),
    [
        ("0705", Side.FRONT),  # exactly 90 degrees
        ("0906", Side.RIGHT),  # a little more
        ("0606", Side.RIGHT),  # exactly 150
        ("0607", Side.REAR),  # a little more
        ("0407", Side.REAR),  # a little under 210
        ("0406", Side.LEFT),  # exactly 210
        ("0106", Side.LEFT),  # a little under 270
        ("0305", Side.FRONT),  # exactly 270
    ],
)
def test_sides_on_their_borders_and_beside(attacker, side):
    assert attack_side(MIDDLE, 0, Hex.parse(attacker)) is side
