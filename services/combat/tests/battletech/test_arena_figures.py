"""What lies on every arena, and where sides begin: a board of the project changes on purpose only.

Six start places on the rim, number 1 in the north, clockwise, each facing inwards (solaris7-tables.md 6.1).
"""

from collections import Counter

from solaris_combat.engines.battletech.board import arena, arena_ids, draw

ARENAS = {
    "boreal-reach": (
        "1001:4 2005:5 2014:6 1018:1 0114:2 0105:3",
        "-3=12 .=130 1=106 1r=16 2=46 2r=15 3=4 3r=2 p=8 r=21",
    ),
    "coliseum": (
        "0901:4 1705:5 1713:6 0917:1 0113:2 0105:3",
        "#=16 #1=4 #4=4 .=196 1=64 r=1 u=4",
    ),
    "factory": (
        "0901:4 1805:5 1812:6 0916:1 0113:2 0104:3",
        "#3=57 #5=3 1p=13 2p=12 p=167 r=17 u=19",
    ),
    "hartford-gardens": (
        "0901:4 1805:5 1814:6 0918:1 0114:2 0105:3",
        "#=28 .=240 W=7 r=8 w=21 ~1=20",
    ),
    "ishiyama": (
        "1001:4 2004:5 2013:6 1017:1 0113:2 0104:3",
        "-1=2 .=178 1=6 2=2 9X=134 r=5 u=2 ~1=7 ~2=4",
    ),
    "jungle": (
        "1201:4 2305:5 2315:6 1219:1 0215:2 0205:3",
        ".=94 1=52 1W=21 1r=18 1w=56 2=16 2W=5 2r=4 2w=20 3w=1 W=52 r=11 w=70 ~1=25 ~2=11",
    ),
    "la-cantera": (
        "0801:4 1504:5 1514:6 0817:1 0114:2 0104:3",
        "-1=8 -1r=3 -1~1=8 -1~2=3 .=138 1=40 1w=2 2=9 2r=2 2w=4 3=1 W=5 r=10 w=22",
    ),
}
"""Start places with their facing, and how many hexes of each kind there are."""
HARTFORD = "hartford-gardens"


def test_start_places_and_ground_of_every_arena() -> None:
    assert set(ARENAS) == set(arena_ids())
    for name, (starts, marks) in ARENAS.items():
        place = arena(name)
        assert place.id == name
        assert " ".join(f"{where}:{facing + 1}" for where, facing in place.starts) == starts
        counted = Counter(draw(place.board).split())
        assert " ".join(f"{mark}={count}" for mark, count in sorted(counted.items())) == marks


def test_start_places_stand_on_the_rim_and_look_inwards() -> None:
    for name in arena_ids():
        place = arena(name)
        wide, high = place.board.width, place.board.height
        assert [facing + 1 for _, facing in place.starts] == [4, 5, 6, 1, 2, 3]
        assert all(h.col in (1, 2, wide - 1, wide) or h.row in (1, high) for h, _ in place.starts)


def test_what_hides_and_whether_initiative_is_rolled_for_places() -> None:
    for name in arena_ids():
        place = arena(name)
        assert (place.traps, place.initiative) == ((name == HARTFORD,) * 2)
        assert (place.mines, place.vibrabombs, place.setting) == (0, 0, 0)
