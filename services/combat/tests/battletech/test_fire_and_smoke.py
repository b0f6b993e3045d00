"""Fire, smoke, wind and clearing woods as rules: numbers, chances, heat."""

import random

import pytest

from solaris_combat.engines.battletech import clearing, fire_spread, ignition
from solaris_combat.engines.battletech.board import SMOKE, board_from_texts, overlaid
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.terrain import TERRAINS, wall
from solaris_combat.engines.battletech.weapons import WEAPONS

NORTH = 0
WOODS = {"0505": (0, "woods:1"), "0504": (0, "woods:1"), "0604": (0, "woods:2"), "0404": (0, "woods:1")}


def number(weapon: str, terrain: str, inferno: bool = False) -> int | None:
    return ignition.ignition_number(WEAPONS[weapon], TERRAINS[terrain], inferno)


def test_the_fire_table():
    """Every row of the Fire Table (league tables 4.1; 7 for energy, +1 for medium buildings: TEXT)."""
    woods = {key: number(key, "light_woods") for key in WEAPONS}
    never = {"machine-gun", "gauss-rifle", "light-gauss-rifle"}
    flames = {"flamer", "vehicle-flamer"}
    for key, needed in woods.items():
        energy = WEAPONS[key].kind == "energy"
        unfit = key in never or WEAPONS[key].kind == "beacon"
        assert needed == (None if unfit else 4 if key in flames else 7 if energy else 9), key
    by_terrain = {key: number("ppc", key) for key in TERRAINS}
    assert {key: needed for key, needed in by_terrain.items() if needed is not None} == {
        "light_woods": 7,
        "heavy_woods": 7,
        "light_building": 7,
        "medium_building": 8,
        "heavy_building": 9,
        "hardened_building": 10,
    }
    assert {number("srm-4", key, inferno=True) for key in TERRAINS} == {0}


def test_a_hex_is_lit_once():
    assert ignition.lights(8, 8)
    assert not ignition.lights(8, 7)
    assert not ignition.lights(8, 9, burning=True)
    assert not ignition.lights(None, 12)


def test_accidents():
    """D: 5 or less before clearing; 2 or 3 when a unit in woods is missed; buildings never."""
    assert [total for total in range(2, 13) if ignition.clearing_lights(total)] == [2, 3, 4, 5]
    assert [total for total in range(2, 13) if ignition.miss_lights(total)] == [2, 3]
    able = {key for key in TERRAINS if ignition.accident_possible(WEAPONS["ppc"], TERRAINS[key])}
    assert able == {"light_woods", "heavy_woods"}
    assert not ignition.accident_possible(WEAPONS["gauss-rifle"], TERRAINS["heavy_woods"])


def test_fire_spreads_downwind_and_beside_it():
    """FIR1: wind 1 blows to the north; 9 downwind, 11 beside, 12 behind a hex that cannot burn."""
    board = board_from_texts(9, 9, WOODS)
    fire = board.index(Hex(5, 5))
    chances = {str(board.hex_at(c.to)): c.number for c in fire_spread.spread_chances(board, fire, NORTH)}
    assert chances == {"0504": 9, "0404": 11, "0604": 11}
    gap = board_from_texts(9, 9, {"0505": (0, "woods:1"), "0503": (0, "woods:1")})
    chances = {str(gap.hex_at(c.to)): c.number for c in fire_spread.spread_chances(gap, fire, NORTH)}
    assert chances == {"0503": 12}
    assert list(fire_spread.spread_chances(board, fire, 3)) == []


@pytest.mark.parametrize(("needed", "ways"), [(9, 10), (11, 3), (12, 1)])
def test_chances_of_spreading_are_those_of_the_dice(needed: int, ways: int):
    """FIR2: 10, 3 and 1 of 36, over 10,000 rolls within one per cent."""
    rng = random.Random(needed)
    hits = sum(ignition.lights(needed, rng.randint(1, 6) + rng.randint(1, 6)) for _ in range(10_000))
    assert abs(hits / 10_000 - ways / 36) < 0.01


def test_smoke_lies_downwind_of_the_fires():
    """FIR3: three hexes downwind; in a fire's own hex only where another one lies upwind."""
    board = board_from_texts(9, 9, WOODS)
    fire, upwind = board.index(Hex(5, 5)), board.index(Hex(5, 6))
    smoke = fire_spread.smoke_of(board, [fire], NORTH)
    assert {str(board.hex_at(at)) for at in smoke} == {"0404", "0504", "0604"}
    assert fire in fire_spread.smoke_of(board, [fire, upwind], NORTH)
    assert fire_spread.smoke_of(board, [board.index(Hex(5, 1))], NORTH) == frozenset()


def test_smoke_counts_as_heavy_woods_two_levels_high():
    """D; A, FAQ 25: whatever the terrain below, two levels above it, and above a wall's top."""
    base = board_from_texts(9, 9, {"0404": (1, "water:1")})
    wet, dry = base.index(Hex(4, 4)), base.index(Hex(5, 5))
    walled = overlaid(base, {dry: wall(0)}, frozenset((wet, dry)), frozenset())
    assert (walled.woods[wet], walled.canopies[wet], walled.peaks[wet]) == (SMOKE, 3, 3)
    assert (walled.woods[dry], walled.canopies[dry], walled.peaks[dry]) == (SMOKE, 4, 4)
    smoky = overlaid(base, {}, frozenset((dry,)), frozenset())
    assert line_of_sight(smoky, Hex(5, 8), Hex(5, 2)).heavy_woods == 1
    assert overlaid(base, {}, frozenset(), frozenset()) is base


def test_heat_of_fire():
    """FIR7: 5 in a burning hex, 2 for each one left."""
    cases = {(True, 0): 5, (False, 2): 4, (True, 1): 7, (False, 0): 0}
    for (in_fire, left), heat in cases.items():
        items = fire_spread.fire_heat(in_fire, left)
        assert sum(item.value for item in items) == heat
        assert all(item.value for item in items)


def test_the_wind_is_one_of_six():
    assert fire_spread.WIND_DIE == 6
    assert ignition.TURNS_AFTER == 3


def test_clearing_woods():
    """D: at or below the damage; heavy woods become light, light ones rough, nothing else changes."""
    assert {key for key in TERRAINS if clearing.can_be_cleared(TERRAINS[key])} == {
        "light_woods",
        "heavy_woods",
    }
    assert clearing.cleared(TERRAINS["heavy_woods"]) == TERRAINS["light_woods"]
    assert clearing.cleared(TERRAINS["light_woods"]) == TERRAINS["rough"]
    assert clearing.clears(8, 8)
    assert not clearing.clears(9, 8)
    assert clearing.DICE == 2
