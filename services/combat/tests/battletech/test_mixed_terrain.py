"""Several kinds of terrain in one hex, and roads through them (tables/terrain_mixtures.toml)."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_combat.engines.battletech import clearing, ignition, log_ground
from solaris_combat.engines.battletech.battlefield import after, untouched
from solaris_combat.engines.battletech.board import Board, board_from_texts, draw
from solaris_combat.engines.battletech.board_file import BoardRefused, file_of, playable_board, read, write
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.ground_events import Collapsed, TerrainChanged
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.jumping import landing_checks
from solaris_combat.engines.battletech.movement import (
    SKIDDING,
    Check,
    Track,
    allowance,
    begin,
    follow,
    step_cost,
)
from solaris_combat.engines.battletech.reach import run_reach
from solaris_combat.engines.battletech.terrain import (
    TERRAINS,
    Ground,
    TerrainRefused,
    ground_from_text,
    ground_from_token,
    mixture,
    terrain_of,
    token,
    water,
)
from solaris_combat.engines.battletech.tongue import Tongue
from solaris_combat.engines.battletech.unit import fresh_unit
from solaris_combat.engines.battletech.weapons import WEAPONS


@pytest.mark.parametrize(
    ("text", "cost", "checks"),
    [
        ("woods:1;rough:1", 3, ()),
        ("woods:2;rubble:3", 4, ("entered_rubble",)),
        ("swamp:1;woods:2", 4, ("entered_swamp",)),
        ("water:0;swamp:2", 2, ("entered_swamp",)),
        ("water:1;swamp:1", 3, ("entered_swamp", "entered_water_depth_1")),
        ("rough:1;rubble:1", 3, ("entered_rubble",)),
        ("pavement:1;woods:1", 2, ()),
        ("pavement:1;building:3:9;bldg_elev:2;bldg_cf:90", 4, ()),
        ("road:1:9;rubble:1", 2, ("entered_rubble",)),
        ("rough:1;pavement:1;impassable:1", 1, ()),
    ],
)
def test_what_the_kinds_cost_adds_up_and_each_asks_for_its_roll(text: str, cost: int, checks: tuple) -> None:
    terrain = ground_from_text(0, text).terrain
    assert (terrain.cost, terrain.checks) == (cost, checks)


@pytest.mark.parametrize(
    "text",
    [
        "woods:1;woods:2",
        "woods:1;building:1;bldg_elev:1",
        "building:1;rubble:1;bldg_elev:1",
        "water:1;building:1;bldg_elev:1",
        "rough:1;building:5;bldg_elev:2;bldg_cf:75",
        "woods:1;impassable:1",
    ],
)
def test_what_no_rule_says_together_is_refused_by_name(text: str) -> None:
    with pytest.raises(TerrainRefused, match=r"no rule|twice"):
        ground_from_text(0, text)


def test_every_pair_of_kinds_is_allowed_or_refused() -> None:
    """Woods, water and buildings are in a hex once; a building has pavement or a road, some have nothing."""
    woods, wet = {"light_woods", "heavy_woods"}, {key for key in TERRAINS if key.startswith("water")}
    houses, alone = {key for key in TERRAINS if TERRAINS[key].building}, {"wall", "quicksand", "impassable"}
    for one, other in combinations(sorted(TERRAINS.keys() - {"clear"}), 2):
        pair = {one, other}
        once = any(pair <= group for group in (woods, wet, houses | {"wall"}))
        house = bool(pair & houses) and not pair & {"pavement", "road"}
        nothing_left = "impassable" in pair and bool(pair & {"pavement", "road", "rough", "rubble"})
        refused = (once or house or bool(pair & alone)) and not nothing_left
        try:
            mixture(TERRAINS[key] for key in pair)
            assert not refused, pair
        except TerrainRefused:
            assert refused, pair


def test_texts_that_are_read_as_another_kind() -> None:
    read_as = {text: ground_from_text(0, text).terrain.key for text in ("rubble:2", "rubble:3", "rubble:4")}
    read_as |= {text: ground_from_text(0, text).terrain.key for text in ("rubble:5", "swamp:2", "swamp:3")}
    assert set(read_as.items()) == {
        *((f"rubble:{n}", "rubble") for n in range(2, 6)),
        *((f"swamp:{n}", "swamp") for n in (2, 3)),
    }


def test_woods_hide_whatever_else_is_there() -> None:
    board = board_from_texts(1, 1, {"0101": (1, "rough:1;woods:2;swamp:1")})
    here = board.index(Hex(1, 1))
    assert (board.woods[here], board.canopies[here], board.costs[here]) == (2, 3, 5)


together = st.lists(st.sampled_from(sorted(TERRAINS)), min_size=1, max_size=4).map(
    lambda keys: [TERRAINS[key] for key in keys if not TERRAINS[key].raised]
)


@given(together, st.integers(-3, 9), st.sampled_from([None, 0, 9, 63]))
def test_what_is_drawn_or_written_reads_the_same(kinds, level, road) -> None:
    try:
        terrain = mixture(kinds)
    except TerrainRefused:
        return
    ground = Ground(level, terrain, road=road if terrain.road else None)
    assert ground_from_token(token(ground)) == ground
    assert terrain_of(terrain.key) == terrain
    if terrain.key != "quicksand":
        board = board_from_texts(1, 1, {})
        board = replace(board, grounds=tuple(g and ground for g in board.grounds))
        again, _ = playable_board(read(write(file_of(board)).encode()).file)
        assert again.ground(Hex(1, 1)) == ground


def test_a_key_tells_how_deep_the_water_is_only_with_its_depth() -> None:
    deep = mixture([water(5), TERRAINS["swamp"]])
    assert terrain_of(deep.key, 5) == deep
    assert terrain_of("light_woods+rough") == mixture([TERRAINS["rough"], TERRAINS["light_woods"]])


def test_clearing_leaves_what_is_not_woods() -> None:
    mixed = mixture([TERRAINS["heavy_woods"], TERRAINS["swamp"]])
    lighter = clearing.cleared(mixed)
    assert clearing.can_be_cleared(mixed)
    assert lighter.key == "light_woods+swamp"
    assert clearing.cleared(lighter).key == "rough+swamp"
    assert clearing.cleared(mixture([TERRAINS["light_woods"], TERRAINS["rough"]])).key == "rough"
    with pytest.raises(KeyError):
        clearing.cleared(TERRAINS["swamp"])
    assert ignition.ignition_number(WEAPONS["ppc"], mixed) == ignition.ignition_number(
        WEAPONS["ppc"], TERRAINS["heavy_woods"]
    )


def test_the_ground_follows_the_events() -> None:
    texts = {"0101": (2, "woods:1;road:1:9"), "0102": (0, "pavement:1;building:2;bldg_elev:1;bldg_cf:40")}
    ground = untouched(board_from_texts(1, 2, texts))
    ground = after(ground, TerrainChanged(1, "0101", "light_woods+road", "rough+road", "cleared"))
    assert ground.board.ground(Hex(1, 1)) == ground_from_text(2, "rough:1;road:1:9")
    ground = after(ground, Collapsed(1, "0102", 40, 1, "factor"))
    assert ground.board.ground(Hex(1, 2)).terrain.key == "rubble"


def test_mixtures_have_names_in_both_languages() -> None:
    event = TerrainChanged(1, "0101", "heavy_woods+road", "light_woods+road", "cleared")
    _, facts = log_ground._terrain(event, Tongue("es"))
    assert facts["before"] == "bosque denso + camino"


def road(*texts: str) -> Board:
    """A board of one column, the start at the bottom."""
    levels = [text.partition("@") for text in reversed(texts)]
    return board_from_texts(
        2, len(texts), {f"01{n:02}": (int(level or 0), text) for n, (text, _, level) in enumerate(levels, 1)}
    )


def drive(board: Board, mode: str, steps: str, **changes: object) -> Track:
    unit = replace(fresh_unit("A", CATALOGUE["PNT-9R"]), position=Hex(1, board.height), **changes)
    return follow(board, allowance(unit), begin(board, unit, mode), steps)


NORTH_SOUTH = "road:1:9"


@pytest.mark.parametrize(
    ("texts", "cost"),
    [
        (("road:1:9", "woods:2;road:1:9"), 1),
        (("road:1:9", "woods:2;road:1:9@2"), 3),
        (("road:1:2", "woods:2;road:1:9"), 3),
        (("road:1:9", "woods:2;road:1:18"), 3),
        (("road:1", "woods:2;road:1"), 1),
        (("", "woods:2;road:1"), 3),
        (("pavement:1", "woods:2;road:1:9"), 1),
        (("pavement:1", "woods:2;road:1:1"), 3),
        (("pavement:1", "woods:1;pavement:1"), 1),
        (("road:1:9", "road:1:9;building:3;bldg_elev:1;bldg_cf:90"), 4),
        (("road:1:9", "water:1;road:1:9"), 2),
    ],
)
def test_a_road_is_followed_where_it_leads_out_of_one_hex_and_into_the_other(texts, cost) -> None:
    board = road(*texts)
    assert step_cost(board, board.index(Hex(1, 2)), board.index(Hex(1, 1))) == cost
    assert drive(board, "run", "F").end.mp == cost


def test_along_a_road_no_terrain_asks_for_a_roll_nor_ends_a_run() -> None:
    board = road(*["road:1:9"] * 2, "rubble:1;road:1:9", "water:1;road:1:9", "road:1:9")
    track = drive(board, "run", "FFFF")
    assert (track.violation, [step.checks for step in track.taken]) == (None, [()] * 4)
    beside = road("", "rubble:1;road:1:9", "water:1;road:1:9")
    assert drive(beside, "walk", "F").end.checks == (Check("entered_rubble"),)


def test_a_turn_on_a_road_skids() -> None:
    board = board_from_texts(
        3, 3, {n: (0, "road:1") for n in ("0103", "0102", "0201", "0202")} | {"0303": (0, "woods:1;road:1")}
    )
    track = drive(board, "run", "FRF")
    assert [check.cause for check in track.end.checks] == [SKIDDING]


def test_reachable_sets_follow_the_road() -> None:
    board = road(*[NORTH_SOUTH] * 2, *["woods:2;road:1:9"] * 5)
    unit = replace(fresh_unit("A", CATALOGUE["PNT-9R"]), position=Hex(1, 7))
    assert run_reach(board, unit, allowance(unit)).cheapest()[Hex(1, 1)] == 6


def test_roads_of_a_file_join_as_it_says() -> None:
    text = 'size 1 3\nhex 0101 0 "woods:1;road:1" ""\nhex 0102 0 "road:1" ""\nhex 0103 0 "pavement:1" ""\n'
    joined, _ = playable_board(read(text.encode()).file)
    apart, _ = playable_board(read(f"option exit_roads_to_pavement false\n{text}".encode()).file)
    assert [board.roads[board.index(Hex(1, 2))] for board in (joined, apart)] == [0b001001, 0b000001]


def test_landing_asks_for_every_water_and_mire() -> None:
    board = board_from_texts(1, 1, {"0101": (0, "water:1;swamp:1;rubble:1")})
    found = landing_checks(board, allowance(fresh_unit("A", CATALOGUE["PNT-9R"])), Hex(1, 1))
    assert sorted(check.cause for check in found) == ["entered_swamp", "entered_water_depth_1"]


def test_a_board_of_mixtures_is_drawn() -> None:
    board = board_from_texts(2, 1, {"0101": (2, "rough:1;woods:2"), "0201": (0, "road:1:9;swamp:1")})
    assert draw(board).split() == ["2W+r", "=9+s"]
    with pytest.raises(BoardRefused, match="impassable and light_woods"):
        playable_board(read(b'size 1 1\nhex 0101 0 "woods:1;rough:1;impassable:1" ""').file)
