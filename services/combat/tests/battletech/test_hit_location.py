"""Hit locations: the printed tables, written out again, and the floating critical (R 4.5.1)."""

import pytest
from sheets import dice

from solaris_combat.engines.battletech.hit_location import (
    DEPENDENT,
    TRANSFER,
    SideUnknown,
    locate,
    weapon_location,
)
from solaris_combat.engines.battletech.rules import LEAGUE_RULES
from solaris_combat.engines.dice import ScriptedDice

WEAPON = {
    "front": "CT RA RA RL RT CT LT LL LA LA HD",
    "rear": "CT RA RA RL RT CT LT LL LA LA HD",
    "left": "LT LL LA LA LL LT CT RT RA RL HD",
    "right": "RT RL RA RA RL RT CT LT LA LL HD",
}
PUNCH = {
    "front": "LA LT CT RT RA HD",
    "rear": "LA LT CT RT RA HD",
    "left": "LT LT CT LA LA HD",
    "right": "RT RT CT RA RA HD",
}
KICK = {
    "front": "RL RL RL LL LL LL",
    "rear": "RL RL RL LL LL LL",
    "left": "LL LL LL LL LL LL",
    "right": "RL RL RL RL RL RL",
}


def test_weapon_table() -> None:
    for side, row in WEAPON.items():
        for total, place in enumerate(row.split(), 2):
            first = min(total - 1, 6)
            hit = weapon_location(side, dice(first, total - first))
            assert (hit.location, hit.rear, hit.critical) == (place, side == "rear", total == 2)


def test_punch_and_kick_tables_have_no_criticals() -> None:
    for name, rows in (("punch", PUNCH), ("kick", KICK)):
        for side, row in rows.items():
            for face, place in enumerate(row.split(), 1):
                hit = locate(side, name, dice(face))
                assert (hit.location, hit.rear, hit.critical) == (place, side == "rear", False)


def test_a_floating_critical_goes_where_the_second_roll_says() -> None:
    hit = weapon_location("front", dice(1, 1, 5, 6), LEAGUE_RULES)
    assert (hit.location, hit.critical, hit.floating) == ("LA", True, True)
    assert [roll.purpose for roll in hit.rolls] == ["hit location", "floating critical"]


def test_a_second_two_strikes_the_torso_without_another_critical() -> None:
    for side, torso in (("front", "CT"), ("left", "LT"), ("right", "RT"), ("rear", "CT")):
        hit = weapon_location(side, dice(1, 1, 1, 1), LEAGUE_RULES)
        assert (hit.location, hit.rear, hit.critical) == (torso, side == "rear", True)


def test_transfer_diagram() -> None:
    assert {str(a): str(b) for a, b in TRANSFER.items()} == {
        "RA": "RT",
        "LA": "LT",
        "RL": "RT",
        "LL": "LT",
        "RT": "CT",
        "LT": "CT",
    }
    assert {str(a): str(b) for a, b in DEPENDENT.items()} == {"RT": "RA", "LT": "LA"}


@pytest.mark.parametrize("table", ["normal", "punch", "kick"])
def test_a_side_that_a_mech_has_not_is_refused_by_name(table: str) -> None:
    """No dice are thrown for it: a case may name any word."""
    with pytest.raises(SideUnknown, match="no side 'up': a hit strikes front, rear, left, right"):
        locate("up", table, ScriptedDice(()))
