"""The figures of each kind of terrain and of the arcs, as the charts of the Master Rules have them.

Sources: heads of tables/terrain.toml and tables/arcs.toml.
"""

from solaris_combat.engines.battletech.arcs import Arc, Side, bearings_in, side_struck
from solaris_combat.engines.battletech.terrain import TERRAINS

PLAIN = {
    "woods": 0,
    "canopy": 0,
    "check": "",
    "depth": -1,
    "wading": -1,
    "mire": "",
    "letter": "",
    "text": "",
}
FLAGS = ("paved", "building", "solid", "closed", "burns", "fights", "road")
FIGURES = {
    "clear": {"letter": ".", "text": "", "cost": 1, "fights": True},
    "light_woods": {
        "letter": "w",
        "text": "woods:1",
        "cost": 2,
        "woods": 1,
        "canopy": 2,
        "burns": True,
        "fights": True,
    },
    "heavy_woods": {
        "letter": "W",
        "text": "woods:2",
        "cost": 3,
        "woods": 2,
        "canopy": 2,
        "burns": True,
        "fights": True,
    },
    "rough": {"letter": "r", "text": "rough:1", "cost": 2, "fights": True},
    "rubble": {"letter": "u", "text": "rubble:1", "cost": 2, "check": "entered_rubble", "fights": True},
    "pavement": {"letter": "p", "text": "pavement:1", "cost": 1, "paved": True, "fights": True},
    "road": {"letter": "=", "text": "road:1", "cost": 1, "paved": True, "road": True, "fights": True},
    "swamp": {
        "letter": "s",
        "text": "swamp:1",
        "cost": 2,
        "check": "entered_swamp",
        "mire": "swamp",
        "fights": True,
    },
    "light_building": {"text": "building:1", "cost": 2, "building": True, "burns": True, "fights": True},
    "medium_building": {"text": "building:2", "cost": 3, "building": True, "burns": True, "fights": True},
    "heavy_building": {"text": "building:3", "cost": 4, "building": True, "burns": True, "fights": True},
    "hardened_building": {"text": "building:4", "cost": 5, "building": True, "burns": True, "fights": True},
    "water_depth_0": {"text": "water:0", "depth": 0, "cost": 1, "fights": True},
    "water_depth_1": {
        "text": "water:1",
        "depth": 1,
        "cost": 2,
        "check": "entered_water_depth_1",
        "fights": True,
    },
    "water_depth_2": {
        "text": "water:2",
        "depth": 2,
        "cost": 4,
        "check": "entered_water_depth_2",
        "fights": True,
    },
    "water_depth_3_plus": {
        "text": "water:3",
        "depth": 3,
        "cost": 4,
        "check": "entered_water_depth_3_plus",
        "fights": True,
    },
    "wall": {"letter": "#", "text": "building:5", "cost": 1, "solid": True, "fights": True},
    "quicksand": {
        "letter": "q",
        "text": "quicksand:1",
        "cost": 4,
        "check": "entered_quicksand",
        "mire": "quicksand",
        "wading": 1,
        "fights": True,
    },
    "impassable": {"letter": "X", "text": "impassable:1", "cost": 1, "closed": True, "fights": True},
}


def test_every_figure_of_terrain() -> None:
    assert set(TERRAINS) == set(FIGURES)
    for key, figures in FIGURES.items():
        expected = PLAIN | dict.fromkeys(FLAGS, False) | figures
        assert {name: getattr(TERRAINS[key], name) for name in expected} == expected, key


def around(first: int, last: int) -> set[int]:
    """Bearings in 24ths of a turn from one to another, clockwise."""
    return {(first + n) % 24 for n in range((last - first) % 24 + 1)}


def test_every_border_of_an_arc_and_of_a_side() -> None:
    assert bearings_in(Arc.FORWARD) == around(20, 4)
    assert bearings_in(Arc.LEFT_ARM) == around(16, 4)
    assert bearings_in(Arc.RIGHT_ARM) == around(20, 8)
    assert bearings_in(Arc.REAR) == around(9, 15)
    sides = {Side.FRONT: around(18, 6), Side.RIGHT: around(7, 10), Side.REAR: around(11, 13)}
    sides[Side.LEFT] = around(14, 17)
    for side, bearings in sides.items():
        assert {seen for seen in range(24) if side_struck(0, seen) is side} == bearings
