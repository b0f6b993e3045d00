"""Missiles that hit: the printed table, written out again, and the damage groups."""

from solaris_combat.engines.battletech.cluster_hits import ARTEMIS_IV, NARC, columns, groups, hits
from solaris_combat.engines.battletech.weapons import WEAPONS

TABLE = {
    2: "1 1 1 1 1 1 2 2 2 2 2",
    3: "1 1 1 2 2 2 2 2 3 3 3",
    4: "1 2 2 2 2 3 3 3 3 4 4",
    5: "1 2 2 3 3 3 3 4 4 5 5",
    6: "2 2 3 3 4 4 4 5 5 6 6",
    8: "2 3 3 4 4 5 5 6 7 8 8",
    9: "3 3 4 5 5 5 5 7 7 9 9",
    10: "3 3 4 6 6 6 6 8 8 10 10",
    12: "4 4 5 8 8 8 8 10 10 12 12",
    15: "5 5 6 9 9 9 9 12 12 15 15",
    20: "6 6 9 12 12 12 12 16 16 20 20",
}


def test_the_table() -> None:
    for size, row in TABLE.items():
        assert [hits(size, total) for total in range(2, 13)] == [int(n) for n in row.split()]


def test_the_biggest_racks_roll_twice() -> None:
    assert (columns(30), columns(40), columns(20)) == ((15, 15), (20, 20), (20,))


def test_artemis_and_narc_add_two_and_never_goes_above_twelve() -> None:
    assert (ARTEMIS_IV, NARC) == (2, 2)
    assert hits(10, 7, ARTEMIS_IV) == hits(10, 9) == 8
    assert hits(10, 12, ARTEMIS_IV) == hits(10, 11, ARTEMIS_IV) == 10


def test_groups_of_five_for_long_and_single_missiles_for_short_range() -> None:
    assert groups(WEAPONS["lrm-20"], 12) == (5, 5, 2)
    assert groups(WEAPONS["lrm-5"], 5) == (5,)
    assert groups(WEAPONS["lrm-5"], 3) == (3,)
    assert groups(WEAPONS["srm-6"], 4) == (2, 2, 2, 2)
