"""Units and weapons of the BattleTech cases from their inlined facts, whatever their names say besides."""

import pytest

from solaris_combat.engines.battletech.mech import Location
from solaris_local.cases.battletech_attack import weapon_of
from solaris_local.cases.battletech_units import unit_of, with_criticals

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
