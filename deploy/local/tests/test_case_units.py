"""Units and weapons of the BattleTech cases from their inlined facts, whatever their names say besides."""

import pytest

from solaris_combat.engines.battletech.mech import Location
from solaris_local.cases.battletech_units import unit_of, with_criticals
from solaris_local.cases.battletech_weapons import cluster_bonus, fired_so, weapon_of
from solaris_local.cases.runner import kinds

FACTS = {"tons": 50, "quad": False, "walk": 4, "run": 6, "jump": 0, "gunnery": 4, "piloting": 5}
SINKS = {"heat_sinks": 10, "heat_capacity": 10}


@pytest.mark.parametrize(
    ("name", "rounds", "damage"),
    [
        ("LRM 15 Ammo", 8, 15),
        ("Artemis-capable LRM 15 Ammo", 8, 15),
        ("(Clan) Narc-capable LRM 20 Ammo", 6, 20),
        ("SRM 6 (Clan) Narc-capable Ammo", 15, 12),
        ("Half Machine Gun Ammo", 100, 2),
        ("Narc Pods", 6, 2),
        ("Streak SRM 4 Ammo", 25, 8),
        ("LB 10-X Cluster Ammo", 10, 10),
        ("Ultra AC/20 Ammo", 5, 20),
        ("Gauss Ammo", 8, 0),
        ("Light Gauss Ammo", 16, 0),
        ("Arrow IV Ammo", 5, 20),
        ("AMS Ammo", 12, 2),
    ],
)
def test_a_bin_has_the_rounds_and_damage_of_its_kind(name: str, rounds: int, damage: int) -> None:
    slots = {str(location): ["-"] * 12 for location in Location} | {"LT": [name, *["-"] * 11]}
    unit = unit_of({**FACTS, **SINKS, "critical_slots": slots})
    assert [(ammo.shots, ammo.damage) for ammo in unit.design.bins] == [(rounds, damage)]
    assert unit.design.slots[Location.LT][0].kind == "ammo"


def facts(name: str, damage: int, rack: int = 0, long: int = 9) -> dict[str, object]:
    ranges = {"min": 0, "short": 3, "medium": 6, "long": long}
    return {"name": name, "heat": 3, "damage": damage, "rack": rack, "to_hit_mod": 0, **ranges}


@pytest.mark.parametrize(
    ("name", "damage", "rack", "expected"),
    [
        ("Narc", -2, 1, ("beacon", 0, 0)),
        ("Narc (OS)", -2, 1, ("beacon", 0, 0)),
        ("SRM 4 (OS)", -2, 4, ("missile", 2, 4)),
        ("Streak SRM 6 (OS)", -2, 6, ("streak", 2, 6)),
        ("Rocket Launcher 10", -2, 10, ("missile", 1, 10)),
        ("RL 10", -2, 10, ("missile", 1, 10)),
        ("MRM 40", -2, 40, ("missile", 1, 40)),
        ("TAG", 0, 0, ("energy", 0, 0)),
        ("ATM 9", -2, 9, ("missile", 2, 9)),
        ("LRT 15 (OS)", -2, 15, ("missile", 1, 15)),
        ("SRT 4", -2, 4, ("missile", 2, 4)),
    ],
)
def test_a_weapon_is_what_its_facts_say(
    name: str, damage: int, rack: int, expected: tuple[str, int, int]
) -> None:
    weapon = weapon_of(facts(name, damage, rack), "")
    assert (weapon.kind, weapon.damage, weapon.rack) == expected


def test_lasers_have_the_ranges_under_water_of_their_make() -> None:
    assert weapon_of(facts("ER Medium Laser", 7, long=15), "").water == (3, 7, 10)
    assert weapon_of(facts("ER Medium Laser", 5, long=12), "").water == (3, 5, 8)
    assert weapon_of(facts("Auto Cannon/5", 5), "").water is None


def test_a_sword_in_the_facts_is_in_the_hand() -> None:
    unit = unit_of({**FACTS, **SINKS, "sword": ["RA"], "arm_actuators": {"RA": ["Shoulder", "Upper Arm"]}})
    assert [slot.kind for slot in unit.design.slots[Location.RA]][:3] == ["shoulder", "upper_arm", "sword"]


def test_a_hit_on_what_is_not_there_hits_nothing() -> None:
    unit = unit_of({**FACTS, **SINKS, "arm_actuators": {"RA": ["Shoulder", "Upper Arm"]}})
    assert with_criticals(unit, [["RA", "hand"], ["RA", "shoulder"]]).hits == {(Location.RA, 1)}


def test_torpedoes_run_under_water_only() -> None:
    torpedo = weapon_of(facts("LRT 10", -2, 10, long=0), "LRT 10 Ammo")
    assert (torpedo.water, torpedo.long) == ((7, 14, 21), 0)


@pytest.mark.parametrize(("distance", "points"), [(6, 25), (7, 20), (13, 20), (14, 10)])
def test_a_heavy_gauss_rifle_does_less_further_away(distance: int, points: int) -> None:
    gun = weapon_of({**facts("Heavy Gauss Rifle", -3, long=20), "short": 6, "medium": 13}, "Heavy Gauss Ammo")
    assert fired_so(gun, "", distance)[0].damage == points


def test_a_rotary_autocannon_fires_as_often_as_its_mode_says() -> None:
    gun = weapon_of({**facts("Rotary AC/5", 5), "heat": 1}, "Rotary AC/5 Ammo")
    four, way = fired_so(gun, "4-shot", 3)
    assert (four.rack, four.damage, four.heat, way.rounds) == (4, 5, 4, 4)
    assert fired_so(gun, "Single", 3) == (gun, ("", 1))


def test_advanced_tactical_missiles_go_by_their_rounds() -> None:
    row = {**facts("ATM 12", -2, 12, long=15), "min": 4, "short": 5, "medium": 10}
    usual, far, near = (weapon_of(row, f"ATM 12 {kind}Ammo") for kind in ("", "ER ", "HE "))
    assert [(one.damage, one.minimum, one.long) for one in (usual, far, near)] == [
        (2, 4, 15),
        (1, 4, 27),
        (3, 0, 9),
    ]
    assert cluster_bonus(usual, "ATM 12 Ammo") == 2


def test_some_rounds_do_no_damage() -> None:
    assert weapon_of(facts("SRM 4", -2, 4), "SRM 4 Inferno Ammo").damage == 0
    assert weapon_of(facts("Auto Cannon/5", 5), "Flechette AC/5 Ammo").damage == 2
    assert weapon_of(facts("Auto Cannon/5", 5), "Armor-Piercing AC/5 Ammo").to_hit == 1


def attack(weapon: dict[str, object], distance: int, dice: list[int], **more: object) -> dict:
    """What an attack on a clear map against an untouched target comes to."""
    armor = {str(at): [9] if at in "HDRALARLLL" else [20, 9] for at in Location}
    slots = {str(at): ["-"] * 12 for at in Location}
    target = {**FACTS, **SINKS, "armor": armor, "structure": dict.fromkeys(armor, 9), "critical_slots": slots}
    given = {
        "attacker_unit": {
            **FACTS,
            **SINKS,
            "weapons": [{"location": "RT", "rear": False, "ammo": [], **weapon}],
        },
        "target_unit": target,
        "target_facing": 0,
        "attack_side": "front",
        "distance": distance,
        "target_before": {name: [points[0], 9, *points[1:]] for name, points in armor.items()},
        **more,
    }
    result = {
        "to_hit": {"possible": True, "value": 4, "modifiers": [[4, ""]], "side": "front", "table": "normal"},
        "dice": dice,
        "attacker_heat_built_up": 3,
        "shots_after": 0,
        "target_after": {"pilot_hits": 0, "armor_structure_rear": {}},
    }
    return kinds()["attack"]({"input": given, "result": result})[0]


def test_an_attack_that_is_not_possible_leaves_everything_as_it_was() -> None:
    got = attack(facts("Small Laser", 3, long=3), 12, [])
    assert (got["to_hit"], got["attacker_heat_built_up"]) == ({"possible": False}, 0)
    got = attack(facts("SRT 4", -2, 4, long=0), 2, [], shots_before=25)
    assert (got["to_hit"], got["shots_after"]) == ({"possible": False}, 25)
    assert attack(facts("Arrow IV", -5, 20, long=5), 2, [])["to_hit"] == {"possible": False}


def test_a_rotary_autocannon_rolls_for_its_shots() -> None:
    got = attack(facts("Rotary AC/2", 2), 2, [6, 6, 6, 6] + [3, 4] * 6, mode="6-shot", shots_before=45)
    assert (got["attacker_heat_built_up"], got["shots_after"]) == (18, 39)


def moved(*steps: str, **unit: object) -> list[str]:
    """The types of the steps of a movement on bare ground."""
    facts = {**FACTS, "mech": "", "hex": "0505", "facing": 0, **unit}
    board = {"width": 9, "height": 9, "hexes": {}}
    row = {"input": {"board": board, "unit": facts, "steps": list(steps)}, "result": {"steps": []}}
    return [step["type"] for step in kinds()["movement"](row)[0]["steps"]]


def test_who_walks_does_not_jump() -> None:
    jets = {"jump": 4, "jump_jets": {"RL": 2, "LL": 2}}
    assert moved("F", "JUMP", "F", **jets) == ["walk", "illegal"]
    assert moved("JUMP", "F", **jets) == ["jump", "jump"]


def test_only_quads_step_aside() -> None:
    assert moved("SL", quad=True) == ["walk"]
    assert moved("SL") == ["illegal"]


def test_more_hits_of_a_kind_than_there_are_slots_hit_nothing_else() -> None:
    damage = {"criticals": [["RL", "hip"], ["RL", "hip"], ["HD", "life_support"]]}
    assert moved("F", "F", "F", damage=damage) == ["walk", "walk", "run"]
