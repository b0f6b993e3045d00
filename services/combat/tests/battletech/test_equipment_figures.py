"""Figures of equipment and of construction against the printed tables, one by one.

Source: BMR, weapons and equipment table, construction rules (engine, structure and jump jet tables).
"""

from solaris_combat.engines.battletech.tables import table

EQUIPMENT = {
    "endo-steel": ("unhittable", 0, 14, True, ()),
    "ferro-fibrous": ("unhittable", 0, 14, True, ()),
    "tsm": ("tsm", 0, 6, True, ()),
    "case": ("other", 1, 1, False, ("CT", "RT", "LT")),
    "masc": ("other", "tons/20", None, False, ()),
    "hatchet": ("hatchet", "tons/15", None, False, ("RA", "LA")),
    "sword": ("sword", "tons/20 halves", None, False, ("RA", "LA")),
    "targeting-computer": ("targeting_computer", "direct fire/4", None, False, ()),
    "artemis-iv": ("other", 2, 1, False, ()),
    "tag": ("other", 2, 1, False, ()),
    "light-tag": ("other", 1, 1, False, ()),
    "ecm": ("other", 3, 2, False, ()),
    "active-probe": ("other", 3, 2, False, ()),
    "ams": ("other", 1, 1, False, ()),
    "c3-slave": ("other", 2, 1, False, ()),
    "c3-master": ("other", 10, 5, False, ()),
}
"""Slot kind, weight in half tons or its formula, slots, spread over the 'Mech, locations."""

STRUCTURE = {
    20: (6, 5, 3, 4), 25: (8, 6, 4, 6), 30: (10, 7, 5, 7), 35: (11, 8, 6, 8), 40: (12, 10, 6, 10),
    45: (14, 11, 7, 11), 50: (16, 12, 8, 12), 55: (18, 13, 9, 13), 60: (20, 14, 10, 14), 65: (21, 15, 10, 15),
    70: (22, 15, 11, 15), 75: (23, 16, 12, 16), 80: (25, 17, 13, 17), 85: (27, 18, 14, 18),
    90: (29, 19, 15, 19), 95: (30, 20, 16, 20), 100: (31, 21, 17, 21),
}  # fmt: skip
ENGINES = (
    *(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12),
    *(12, 14, 14, 15, 15, 16, 17, 17, 18, 19, 20, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 32, 33, 35, 36),
    *(38, 39, 41, 43, 45, 47, 49, 51, 54, 57, 59, 63, 66, 69, 73, 77, 82, 87, 92, 98, 105),
)
"""Half tons of the fusion engines of rating 10, 15 ... 400."""


def test_equipment():
    facts = table("equipment")["equipment"]
    told = {
        key: (
            one["kind"],
            one.get("half_tons", one.get("weight")),
            one.get("slots"),
            one.get("spread", False),
            tuple(one.get("where", ())),
        )
        for key, one in facts.items()
    }
    assert told == EQUIPMENT
    assert {key: one["ammunition"] for key, one in facts.items() if "ammunition" in one} == {"ams": "ams"}


def test_structure_and_engines():
    facts = table("construction")
    assert {int(tons): tuple(points) for tons, points in facts["structure"].items()} == STRUCTURE
    assert facts["engine"] == {str(rating): ENGINES[(rating - 10) // 5] for rating in range(10, 405, 5)}


def test_limits_and_weights():
    facts = table("construction")
    assert facts["limits"] == {
        "tons": [20, 100],
        "tons_step": 5,
        "rating": 400,
        "head_armor": 9,
        "armor_per_structure": 2,
        "walking_jets": 1,
    }
    assert facts["weights"] == {
        "cockpit": 6,
        "gyro_per_100": 2,
        "heat_sink": 2,
        "free_heat_sinks": 10,
        "engine_heat_sinks_per_25": 1,
        "armor_points": 8,
        "ferro_fibrous_percent": 112,
        "jump_jet": [[55, 1], [85, 2], [100, 4]],
    }


def test_slots():
    gyro, engine = ["gyro"] * 4, ["engine"] * 3
    assert table("construction")["slots"] == {
        "HD": ["life-support", "sensors", "cockpit", "", "sensors", "life-support"],
        "CT": [*engine, *gyro, *engine],
        "arm": ["shoulder", "upper-arm"],
        "leg": ["hip", "upper-leg", "lower-leg", "foot"],
        "xl_side_torso": 3,
        "double_heat_sink": 3,
        "jump_jet_in": ["CT", "RT", "LT", "RL", "LL"],
    }
