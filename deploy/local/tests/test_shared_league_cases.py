"""The shared worked examples of the league's rules that are built."""

import os
from pathlib import Path

import pytest
import yaml

from solaris_local.cases.league import OPS
from solaris_local.cases.runner import ops

ROOT = Path(__file__).parents[3]


def cases():
    file = Path(os.environ.get("SOLARIS_SHARED", ROOT.parent / "shared")) / "cases/solaris7.yaml"
    if not file.is_file():
        message = f"no shared cases: {file}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    return yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize(
    ("op", "fewest"),
    [
        ("ranking_points", 3),
        ("experience", 4),
        ("fight_length", 10),
        ("overtime", 9),
        ("permanence_places", 1),
    ],
)
def test_every_case_of_a_built_operation_agrees(op, fewest):
    rows = [row for row in cases() if row["op"] == f"league.{op}"]
    got = {row["id"]: OPS[row["op"]](row["in"]) for row in rows}
    assert got == {row["id"]: row["expect"] for row in rows}
    assert len(rows) >= fewest


@pytest.mark.parametrize(("op", "fewest"), [("combat.find_club", 0), ("combat.physical.sword", 1)])
def test_clubs_and_swords_agree(op, fewest):
    """PHY7: sword damage, weight and base number; girders by the building."""
    rows = [row for row in cases() if row["op"] == op]
    assert {row["id"]: ops()[op](row["in"]) for row in rows} == {row["id"]: row["expect"] for row in rows}
    assert len(rows) >= fewest
    assert ops()["combat.find_club"]({"rubble_of": "heavy_building"}) == {"needed": 6}


JUMP = {"stuck": False, "mode": "jump"}
SHOT = {"terrain": "clear", "weapon": "PPC", "damage": 10, "hit": True, "fire_total": 9, "clear_total": 2}
KICK = {"attack": "kick"}
STREAK = {
    "weapon": "Streak SRM-2",
    "ammunition": "N",
    "hot_loaded": False,
    "guidance": "narc",
    "cluster_dice": [],
}
MINIMUM = {"weapon": "PPC", "minimum": 3, "distance": 1}
WORKED = [
    ("arena.trap.roll", {"die": 2}, {"kind": "mine", "damage": 7, "place": "hex"}),
    ("arena.trap.roll", {"die": 3}, {"kind": "laser_turret", "place": "adjacent", "shots": None}),
    ("arena.trap.roll", {"die": 4}, {"kind": "srm4_turret", "place": "adjacent", "shots": 1}),
    ("arena.trap.roll", {"die": 5}, {"kind": "quicksand", "damage": None, "place": "hex"}),
    ("arena.trap.roll", {"die": 6}, {"kind": "none", "place": None, "marked": True}),
    ("arena.trap.roll", {"die": 7}, {"refused": True}),
    ("arena.quicksand.roll", {"action": "enter"}, {"mp": 4, "piloting_modifier": 3}),
    ("arena.quicksand.roll", {"action": "escape"}, {"mp": 0, "piloting_modifier": 4}),
    ("arena.quicksand.leave", {**JUMP, "jets": "legs"}, {"allowed": False}),
    ("arena.quicksand.leave", {**JUMP, "jets": "torso"}, {"allowed": True}),
    ("arena.quicksand.leave", {"stuck": True, "mode": "run", "jets": None}, {"allowed": False}),
    ("arena.turret.stats", {"kind": "srm4"}, {"gunnery": 5, "armor": 8, "arc_degrees": 360, "shots": 1}),
    ("arena.turret.stats", {"kind": "laser"}, {"levels": 1, "blocks_los": False, "shots": None}),
    ("arena.turret.physical", {**KICK, "attacker_level": 1, "turret_ground_level": 0}, {"allowed": True}),
    ("arena.turret.physical", {**KICK, "attacker_level": 0, "turret_ground_level": 1}, {"allowed": False}),
    ("arena.turret.physical", {**KICK, "attacker_level": 1, "turret_ground_level": 1}, {"allowed": True}),
    ("arena.turret.fire", {"state": "revealed", "targets": []}, {"phase": "weapon", "target": None}),
    ("arena.quicksand.fire", {"stuck": False}, {"attacker_modifier": 0}),
    ("arena.trap.place", {"terrain": "rubble"}, {"allowed": True}),
    ("combat.clear_woods", SHOT, {"terrain": "clear", "burning": False}),
    (
        "combat.clear_woods",
        SHOT | {"terrain": "woods:2", "hit": False, "fire_total": 5},
        {"terrain": "woods:2", "burning": True},
    ),
    ("combat.missile_hits", STREAK, {"missiles": 2, "damage": 4, "groups": [2, 2]}),
    ("combat.double_rate", {"weapon": "LB-10X", "total": 7, "hit": True}, {"refused": True}),
    ("combat.double_rate", {"weapon": "CA/5 Ultra", "total": 7, "hit": True}, {"refused": True}),
    ("combat.min_range", MINIMUM | {"hot_loaded": False}, {"modifier": 3}),
    ("combat.min_range", MINIMUM | {"hot_loaded": True}, {"refused": True}),
    (
        "combat.ams",
        {"launcher": "PPC", "missiles": 0, "ams_dice": [4], "rounds_before": 12},
        {"fires": 0, "heat": 0, "rounds_spent": 0, "rounds_after": 12},
    ),
    ("combat.fire.heat", {"in_fire": True, "lit_this_turn": True, "burning_hexes_left": 1}, {"heat": 2}),
    ("combat.mine.conventional", {"total": 6}, {"explodes": False, "damage": 0, "table": None}),
    ("combat.bin.fire", {"bins": {"a": ["INF"]}, "bin": "a", "shots": 2}, {"refused": True}),
    ("combat.find_club", {"rubble_of": "light_building"}, {"refused": True}),
    (
        "combat.fire.ignite",
        {"target": "light_woods", "attacks": [{"weapon": "Gauss Rifle", "hit": True, "total": 12}]},
        {"refused": True},
    ),
]


@pytest.mark.parametrize(("op", "given", "expected"), WORKED)
def test_what_no_shared_case_asks_is_answered_by_the_rules(op, given, expected):
    answer = ops()[op](given)
    assert {key: answer[key] for key in expected} == expected


def test_a_fire_beside_bare_ground_does_not_spread_there():
    terrain = {"0505": "woods:1", "0504": "clear", "0604": "rubble", "0404": "wall"}
    chances = [
        ops()["combat.fire.spread"]({"wind": 1, "fire": "0505", "target": target, "terrain": terrain})
        for target in ("0504", "0604", "0404")
    ]
    assert chances == [{"needed": None}] * 3


def test_of_several_targets_equally_near_the_lot_chooses():
    targets = [{"id": "a", "distance": 4}, {"id": "b", "distance": 4}]
    answer = ops()["arena.turret.fire"]({"state": "revealed", "targets": targets, "lot": 2})
    assert answer == {"phase": "weapon", "target": "b"}
