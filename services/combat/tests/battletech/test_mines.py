"""Mines and vibrabombs as rules."""

from solaris_combat.engines.battletech import mines, vibrabombs
from solaris_combat.engines.battletech.weapons import WEAPONS


def test_conventional_mines():
    """D: 7 or more; 6 points on the front, kick table; the arena of A has 7 points (C-23)."""
    assert [total for total in range(2, 13) if mines.explodes(total)] == list(range(7, 13))
    assert mines.Minefield() == mines.Minefield(6, None)
    assert (mines.TABLE, mines.SIDE) == ("kick", "front")


def test_clearing_mines():
    """MIN5: a hit of an LRM-20 or MRM-20 to 40, then 5 or more; an LRM-15 cannot."""
    able = {key for key in WEAPONS if mines.can_clear(key)}
    assert able == {"lrm-20", "mrm-20", "mrm-30", "mrm-40"}
    assert [total for total in range(2, 13) if mines.clears("lrm-20", True, total)] == list(range(5, 13))
    assert not mines.clears("lrm-20", False, 12)
    assert not mines.clears("lrm-15", True, 12)


def test_how_far_a_vibrabomb_feels():
    """C-24: never 10 or more under the setting; up to 10 over on entering; beyond that from afar."""
    felt_by_tons = {30: None, 31: 0, 40: 0, 50: 0, 51: 1, 75: 3, 100: 6}
    assert {tons: vibrabombs.felt_at(40, tons) for tons in felt_by_tons} == felt_by_tons
    assert vibrabombs.goes_off(40, 75, 3)
    assert not vibrabombs.goes_off(40, 75, 4)
    assert not vibrabombs.goes_off(40, 30, 0)


def test_a_vibrabomb_hurts_only_in_its_own_hex():
    assert vibrabombs.damage_groups(0) == (5, 5)
    assert vibrabombs.damage_groups(1) == ()
