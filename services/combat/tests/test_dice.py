"""`hmac-sha256/1`: the published vectors, against the module and against a second reading of the page."""

import hashlib
import hmac
import re
from pathlib import Path

import pytest

from solaris_combat.engines import dice
from solaris_combat.engines.dice import NO_NONCE, ScriptedDice, SeededDice, dice_key

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "dice.md"
INPUTS = {
    "00ff": (bytes.fromhex("00ff"), (NO_NONCE, NO_NONCE)),
    "000102…1f": (bytes(range(32)), (b"\x11" * 32, b"\x22" * 32)),
}
KEY_ROW = re.compile(r"^\| `(\S+)`.*\| `([0-9a-f]{64})` \|$", re.M)
ROLL_ROW = re.compile(r"^\| `(\S+)` \| (?:then )?(\d+) dice of (\d+) \| ([\d ]+) \| (\d+) \|$", re.M)


def slow_stream(seed, nonces):
    """The page read again with the textbook HMAC, byte by byte."""
    key = hmac.new(seed, b"".join(nonces), hashlib.sha256).digest()
    number = 0
    while True:
        yield from hmac.new(key, number.to_bytes(8, "big"), hashlib.sha256).digest()
        number += 1


def test_published_keys():
    """S05: the algorithm has a name, a version and test vectors."""
    rows = KEY_ROW.findall(PAGE.read_text())
    assert len(rows) == 2
    for seed, key in rows:
        assert dice_key(*INPUTS[seed]).hex() == key


def test_published_rolls():
    drawn = {name: SeededDice(dice_key(*given)) for name, given in INPUTS.items()}
    rows = ROLL_ROW.findall(PAGE.read_text())
    assert len(rows) == 8
    for seed, count, sides, faces, position in rows:
        assert drawn[seed].roll(int(count), int(sides), "vector").faces == tuple(map(int, faces.split()))
        assert drawn[seed].position == int(position)


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 100, 255, 256])
def test_second_reading_of_the_page_draws_the_same(sides):
    given = INPUTS["000102…1f"]
    stream = slow_stream(*given)
    expected = []
    while len(expected) < 500:
        byte = next(stream)
        if byte < sides * (256 // sides):
            expected.append(byte % sides + 1)
    assert list(SeededDice(dice_key(*given)).roll(500, sides, "x").faces) == expected


def test_a_stream_goes_on_from_its_position():
    key = dice_key(*INPUTS["00ff"])
    whole = SeededDice(key).roll(200, 6, "x").faces
    first = SeededDice(key)
    head = first.roll(77, 6, "x").faces
    assert head + SeededDice(key, first.position).roll(123, 6, "x").faces == whole


def test_faces_are_even():
    """Chi-squared of 60,000 dice over five degrees of freedom stays below the 99.9 % quantile."""
    faces = SeededDice(dice_key(*INPUTS["00ff"])).roll(60_000, 6, "x").faces
    assert sum((faces.count(face) - 10_000) ** 2 / 10_000 for face in range(1, 7)) < 20.52


@pytest.mark.parametrize(("count", "sides"), [(0, 6), (1, 1), (1, 257), (-1, 6)])
def test_dice_that_do_not_exist(count, sides):
    with pytest.raises(ValueError, match="cannot be rolled"):
        SeededDice(bytes(32)).roll(count, sides, "x")


def test_a_process_with_other_dice_does_not_start(monkeypatch):
    """SEC7: the self-test at start."""
    dice.check_vectors()
    monkeypatch.setattr(dice, "digest", lambda key, message, name: bytes(32))
    with pytest.raises(RuntimeError, match="not those of"):
        dice.check_vectors()


def test_scripted_dice():
    dice = ScriptedDice([3, 4, 6])
    assert dice.roll(2, 6, "to hit").total == 7
    assert dice.left == (6,)
    with pytest.raises(ValueError, match="do not fit"):
        dice.roll(1, 4, "lot")
    with pytest.raises(ValueError, match="no face left for 'location'"):
        dice.roll(2, 6, "location")
