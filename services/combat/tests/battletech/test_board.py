"""Boards and terrain: text forms, what is refused, the arenas of the project."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_combat.engines.battletech.board import (
    arena,
    arena_from,
    arena_ids,
    board_from_drawing,
    board_from_texts,
    board_of,
    draw,
)
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, neighbour
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.terrain import (
    TERRAINS,
    Ground,
    TerrainRefused,
    ground_from_text,
    ground_from_token,
    token,
    wall,
    water,
)

drawn = [t for t in TERRAINS.values() if t.letter and not t.solid]
levels = st.integers(-3, 9)
grounds = st.one_of(
    st.builds(Ground, levels, st.one_of(st.sampled_from(drawn), st.builds(water, st.integers(0, 5)))),
    st.builds(wall, levels, st.integers(1, 9)),
)


@given(grounds)
def test_a_drawn_hex_is_read_back(ground):
    assert ground_from_token(token(ground)) == ground


@given(st.integers(1, 7), st.integers(1, 7), st.data())
def test_a_drawn_board_is_read_back(width, height, data):
    places = [Hex(c, r) for c in range(1, width + 1) for r in range(1, height + 1)]
    board = board_of(width, height, {h: data.draw(grounds) for h in places})
    again = board_from_drawing(draw(board))
    assert (again.width, again.height, again.grounds) == (width, height, board.grounds)


def test_steps_by_index_are_steps_by_hex():
    board = board_of(6, 5, {})
    for h in board.hexes():
        for way in DIRECTIONS:
            assert board.hex_at(board.step(board.index(h), way)) == neighbour(h, way)
            assert (board.grounds[board.step(board.index(h), way)] is not None) == (
                neighbour(h, way) in board
            )


def test_what_hexes_hold():
    board = board_from_texts(
        3,
        3,
        {"0101": (2, "woods:2"), "0202": (1, "water:2"), "0303": (0, "building:2;bldg_elev:3;bldg_cf:40")},
    )
    woods, wet, house = (board.index(Hex.parse(n)) for n in ("0101", "0202", "0303"))
    assert (board.woods[woods], board.canopies[woods], board.costs[woods]) == (2, 4, 3)
    assert (board.levels[wet], board.floors[wet], board.depths[wet], board.costs[wet]) == (1, -1, 2, 4)
    assert (board.tops[house], board.peaks[house], board.costs[house]) == (3, 3, 3)
    assert board.ground(Hex(2, 1)) == Ground()
    with pytest.raises(KeyError, match="0404"):
        board.ground(Hex(4, 4))


def test_costs_of_the_printed_chart():
    """BMRr movement costs; every row is book-checked in movement.yaml but swamp."""
    printed = {
        "clear": 1, "pavement": 1, "rough": 2, "light_woods": 2, "heavy_woods": 3, "rubble": 2, "swamp": 2,
        "water_depth_0": 1, "water_depth_1": 2, "water_depth_2": 4, "water_depth_3_plus": 4,
        "light_building": 2, "medium_building": 3, "heavy_building": 4, "hardened_building": 5,
        "wall": 1, "quicksand": 4, "impassable": 1, "road": 1,
    }  # fmt: skip
    assert {key: terrain.cost for key, terrain in TERRAINS.items()} == printed


def test_fights_can_be_played_on_every_terrain():
    assert all(terrain.fights for terrain in TERRAINS.values())


def test_kinds_of_terrain():
    def with_(field: str) -> dict[str, object]:
        found = {key: getattr(terrain, field) for key, terrain in TERRAINS.items()}
        return {key: value for key, value in found.items() if value and value != -1}

    assert with_("woods") == {"light_woods": 1, "heavy_woods": 2}
    assert with_("canopy") == {"light_woods": 2, "heavy_woods": 2}
    assert with_("depth") == {"water_depth_1": 1, "water_depth_2": 2, "water_depth_3_plus": 3}
    assert TERRAINS["water_depth_0"].depth == 0
    assert set(with_("paved")) == {"pavement", "road"}
    assert set(with_("road")) == {"road"}
    assert set(with_("building")) == {key for key in TERRAINS if key.endswith("building")}
    assert with_("check") == {
        "rubble": "entered_rubble",
        "water_depth_1": "entered_water_depth_1",
        "water_depth_2": "entered_water_depth_2",
        "water_depth_3_plus": "entered_water_depth_3_plus",
        "swamp": "entered_swamp",
        "quicksand": "entered_quicksand",
    }
    assert with_("mire") == {"swamp": "swamp", "quicksand": "quicksand"}
    assert with_("wading") == {"quicksand": 1}
    assert set(with_("solid")) == {"wall"}
    assert set(with_("closed")) == {"impassable"}
    assert set(with_("burns")) == {"light_woods", "heavy_woods", *with_("building")}


def test_deep_water_is_all_alike_but_for_its_bottom():
    assert water(7).cost == water(3).cost == 4
    assert Ground(0, water(7)).floor == -7


@pytest.mark.parametrize(
    "text",
    [
        "fire:1", "smoke:1", "magma:1", "jungle:1", "woods:3", "rough:2", "swamp:4", "bridge:1", "rubble:6",
        "woods:1;woods:2", "building:1", "building:5", "woods:1;impassable:1",
        "swamp:1;building:1;bldg_elev:1",
        "bldg_elev:2", "woods:1;bldg_elev:1", "woods", "woods:x", "woods:1:x", "water:-1", "nonsense",
    ],
)  # fmt: skip
def test_terrain_that_is_not_built_is_refused_by_name(text):
    with pytest.raises(TerrainRefused):
        ground_from_text(0, text)


@pytest.mark.parametrize("text", ["", "?", "~", "1x", "w1", "1.5", "~12", "--1"])
def test_marks_that_mean_nothing_are_refused(text):
    with pytest.raises(TerrainRefused):
        ground_from_token(text)


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (51, 5), (5, 51)])
def test_impossible_sizes_are_refused(width, height):
    with pytest.raises(ValueError, match="not possible"):
        board_of(width, height, {})


def test_hexes_off_the_board_and_ragged_drawings_are_refused():
    with pytest.raises(ValueError, match="0405"):
        board_of(3, 3, {Hex(4, 5): Ground()})
    with pytest.raises(ValueError, match="equal length"):
        board_from_drawing(". .\n.")
    with pytest.raises(ValueError, match="equal length"):
        board_from_drawing("")


@pytest.mark.parametrize("arena_id", arena_ids())
def test_every_arena_can_be_played(arena_id):
    place = arena(arena_id)
    assert place.id == arena_id
    assert all((place.name, place.name_es, place.description, place.description_es))
    assert len(place.starts) == 6
    for h, facing in place.starts:
        assert any(
            abs(place.board.ground(n).floor - place.board.ground(h).floor) <= 2
            for n in [neighbour(h, facing)]
            if n in place.board
        ), f"{h} looks at something it cannot enter"


def test_the_quarry():
    board = arena("la-cantera").board
    assert (board.width, board.height) == (15, 17)
    kinds = {ground.terrain.key for ground in board.grounds if ground}
    assert {"clear", "light_woods", "heavy_woods", "rough", "water_depth_1", "water_depth_2"} <= kinds
    assert min(board.floors[board.index(h)] for h in board.hexes()) == -3
    assert max(board.levels) == 3


def test_arenas_that_cannot_be():
    good = table("arenas/la-cantera")
    with pytest.raises(KeyError, match="la-cantera"):
        arena("nowhere")
    with pytest.raises(KeyError):
        arena("../terrain")
    with pytest.raises(ValueError, match="start"):
        arena_from(good | {"starts": [{"hex": "0801", "facing": 4}, {"hex": "0801", "facing": 1}]})
    with pytest.raises(ValueError, match="start"):
        arena_from(good | {"starts": [{"hex": "0801", "facing": 7}, {"hex": "0817", "facing": 1}]})
    with pytest.raises(TerrainRefused, match="b"):
        arena_from(good | {"map": "b .\n. .\n"})


def test_the_jungle_is_large_and_grown_over():
    board = arena("jungle").board
    assert (board.width, board.height) == (24, 19)
    woods = sum(1 for count in board.woods if count)
    assert woods * 2 > board.width * board.height * 0.9
    assert max(board.levels) == 3
    assert max(board.depths) == 2
