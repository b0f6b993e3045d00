"""Board files: read and written without loss, every terrain code supported or refused by name."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solaris_combat.engines.battletech import board_file
from solaris_combat.engines.battletech.board import arena, board_from_texts, draw
from solaris_combat.engines.battletech.board_file import (
    DRAWING,
    PLAYED,
    REFUSED,
    BoardFile,
    BoardRefused,
    Code,
    FileHex,
    playable_board,
    read,
    write,
)
from solaris_combat.engines.battletech.hex import Hex

SHARED = Path(os.environ.get("SOLARIS_SHARED") or Path(__file__).parents[5] / "shared")
FILES = sorted((SHARED / "data" / "boards").glob("*.board"))
SAMPLE = 'size 2 2\nhex 0102 -1 "water:1" "mars"\nhex 0201 2 "woods:2;fluff:3:5" ""\ndescription "x"\nend\n'
codes = st.builds(Code, st.sampled_from(sorted(PLAYED | DRAWING | REFUSED.keys())), st.integers(-9, 9))
said = st.builds(FileHex, st.integers(-99, 99), st.lists(codes, max_size=3).map(tuple), st.just("snow"))
places = st.builds(Hex, st.integers(1, 5), st.integers(1, 7))
texts = st.text(st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_characters='"'), max_size=20)


@settings(max_examples=200, deadline=None)
@given(hexes=st.dictionaries(places, said), roads=st.booleans(), told=st.lists(texts.map(str), max_size=2))
def test_import_of_an_export_is_the_identity(hexes: dict, roads: bool, told: list) -> None:
    told = [text for text in told if text.isprintable()]
    board = BoardFile(5, 7, hexes, roads, tuple(told), (("0101", "mind the gap"),))
    assert read(write(board).encode()).file == board


@pytest.mark.parametrize("path", FILES or [None], ids=lambda p: p.stem if p else "absent")
def test_every_board_of_the_shared_folder(path: Path | None) -> None:
    if path is None:
        pytest.skip(f"no reference files in {SHARED}")
    file = read(path.read_bytes()).file
    assert read(write(file).encode()).file == file
    used = {code.name for hex_ in file.hexes.values() for code in hex_.codes}
    if used & REFUSED.keys():
        with pytest.raises(BoardRefused, match="refused"):
            playable_board(file)
    else:
        assert playable_board(file)[0].width == file.width


def test_an_arena_exported_is_the_same_board() -> None:
    board = arena("la-cantera").board
    again, ignored = playable_board(read(write(board_file.file_of(board)).encode()).file)
    assert (draw(again), ignored) == (draw(board), ())


def test_a_building_keeps_height_and_factor() -> None:
    board = board_from_texts(1, 1, {"0101": (2, "building:3;bldg_elev:4;bldg_cf:90")})
    again, _ = playable_board(board_file.file_of(board))
    assert again.ground(Hex(1, 1)) == board.ground(Hex(1, 1))
    assert board_file.map_text(again) == "2b4\n"


def test_what_has_no_effect_is_reported() -> None:
    found = read(('background "x.png"\n' + SAMPLE).replace("\n", "  \r\n").encode())
    assert found.ignored == ("line 1: background",)
    board, ignored = playable_board(found.file)
    assert ignored == ("hex 0201: fluff, a picture",)
    assert (board.ground(Hex(1, 2)).level, board.ground(Hex(1, 2)).terrain.depth) == (-1, 1)
    assert board.ground(Hex(2, 1)).terrain.key == "heavy_woods"


@pytest.mark.parametrize("code", sorted(REFUSED))
def test_every_code_that_is_not_played_is_refused_by_name_and_hex(code: str) -> None:
    file = read(f'size 1 1\nhex 0101 0 "{code}:1" ""'.encode()).file
    with pytest.raises(BoardRefused, match=f"hex 0101: {code} is refused"):
        playable_board(file)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no size"),
        ("hex 0101 0", "before the size"),
        ("size 0 4", "0 x 4"),
        ("size 4", "two numbers"),
        ("size " + "9" * 5000 + " 1", "two numbers"),
        ("size 2 2\nsize 2 2", "second size"),
        ('size 2 2\nhex 0301 0 "" ""', "not on the board"),
        ('size 2 2\nhex 0101 x "" ""', "line 2"),
        ('size 2 2\nhex 0101 0 "lava:1" ""', "unknown terrain lava"),
        ('size 2 2\nhex 0101 0 "woods" ""', "not a terrain"),
        ('size 2 2\nhex 0101 0 "woods:1', "line 2: 'woods:1' stands in no quotation marks"),
        ('size 2 2\nhex 0101 0 woods:1 ""', "line 2: 'woods:1' stands in no quotation marks"),
        ('size 2 2\nhex 0101 0 "' + "woods:1;" * 30000 + '" ""', "30000 terrains in one hex"),
    ],
)
def test_broken_boards_are_refused(text: str, told: str) -> None:
    with pytest.raises(BoardRefused, match=told):
        read(text.encode())


def test_more_than_a_hex_has_is_reported() -> None:
    read_board = read(b'size 2 2\nhex 0101 0 "woods:1" "mars" "moon"\n')
    assert read_board.ignored == ("line 2: more than a terrain and a theme",)


@pytest.mark.parametrize("terrain", ["woods:3", "rough:2", "water:-1", "woods:1;impassable:1", "bldg_cf:15"])
def test_levels_and_mixtures_that_are_not_played(terrain: str) -> None:
    with pytest.raises(BoardRefused, match="hex 0101"):
        playable_board(read(f'size 1 1\nhex 0101 0 "{terrain}" ""'.encode()).file)


RUNAWAY_SECONDS = 3


def bounded(data: bytes) -> None:
    """Parsed or refused, never anything else, and nothing runs away (a guard far above what is measured)."""
    start = time.process_time()
    try:
        playable_board(read(data).file)
    except BoardRefused as refused:
        assert str(refused)
    assert time.process_time() - start <= RUNAWAY_SECONDS


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A board of the project with bytes cut out or put in."""
    data = bytearray(SAMPLE.encode())
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(data)))
        words = (b'"', b"hex 0101", b"size 9 9\n", b"#", b"woods:2", b"\xff", b"-99", b";", b"elevator:2")
        data[at : at + draw(st.integers(0, 20))] = draw(st.sampled_from(words) | st.binary(max_size=12))
    return bytes(data)


@settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(spoilt())
def test_2000_broken_boards(data: bytes) -> None:
    bounded(data)


@pytest.mark.soak
@settings(max_examples=50000, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(spoilt() | st.binary(max_size=4096))
def test_50000_broken_boards(data: bytes) -> None:
    bounded(data)


@pytest.mark.parametrize(
    "filler", [b"\n", b"#\n", b'note 0101 "x"\n', b"x\n", b'"', b'hex 0101 0 "" ""\n', b"9"]
)
def test_the_largest_files_cost_little(filler: bytes) -> None:
    bounded(SAMPLE.encode().replace(b"end\n", filler * 3900))
    bounded(SAMPLE.encode().replace(b"end\n", filler * (board_file.LARGEST_FILE // len(filler) - 100)))
    with pytest.raises(BoardRefused, match="too many"):
        read(b"x" * (board_file.LARGEST_FILE + 1))


def test_a_board_of_the_largest_size_is_read_in_time() -> None:
    """2,500 hexes, every one with terrain."""
    hexes = {
        Hex(c, r): FileHex(c % 9, (Code("woods", 1 + r % 2),)) for c in range(1, 51) for r in range(1, 51)
    }
    bounded(write(BoardFile(50, 50, hexes)).encode())


def test_rubble_of_every_building_is_rubble() -> None:
    file = read(b'size 2 1\nhex 0101 0 "rubble:3" ""\nhex 0201 0 "rubble:1" ""\n').file
    board, ignored = playable_board(file)
    assert {board.ground(at).terrain.key for at in board.hexes()} == {"rubble"}
    assert ignored == ("hex 0101: the building before rubble:3",)
    with pytest.raises(BoardRefused, match="rubble:6"):
        playable_board(read(b'size 1 1\nhex 0101 0 "rubble:6" ""\n').file)
