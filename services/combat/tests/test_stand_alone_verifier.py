"""SEC3, SEC5: a program that knows nothing of this project checks records and refuses changed ones."""

import ast
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_replay import played

from solaris_combat.engines.canonical import canonical, sha256

PROGRAM = Path(__file__).parents[3] / "examples" / "verify_record.py"
SPEC = importlib.util.spec_from_file_location("verify_record", PROGRAM)
alone = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(alone)


def run(*arguments):
    command = [sys.executable, "-I", "-S", str(PROGRAM), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_imports_the_standard_library_only_and_is_short():
    tree = ast.parse(PROGRAM.read_text())
    names = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    assert names <= set(sys.stdlib_module_names)
    assert len(PROGRAM.read_text().splitlines()) <= 125


def test_the_published_vectors(tmp_path):
    assert run("--vectors").stdout == "the vectors agree\n"
    page = (PROGRAM.parents[1] / "docs/reference/dice.md").read_text()
    for _, _, key, rolls in alone.VECTORS:
        assert key in page and all(faces in page for _, _, faces, _ in rolls)


def test_a_sound_record_is_sound(tmp_path):
    file = tmp_path / "fight.s7r"
    file.write_bytes(played())
    got = run(str(file))
    assert got.returncode == 0 and got.stdout.startswith("sound: ")
    assert json.loads(played().splitlines()[-1])["sha256"] in got.stdout


def test_what_cannot_be_read_is_told_in_one_line(tmp_path):
    (tmp_path / "empty.s7r").touch()
    for asked in ([], [str(tmp_path / "none.s7r")], [str(tmp_path)], [str(tmp_path / "empty.s7r")]):
        got = run(*asked)
        assert (got.returncode, got.stderr, got.stdout.count("\n")) == (1, "", 1), asked
        assert got.stdout.startswith("not sound: ")
        assert not re.search("index|unpack", got.stdout)


def forged(change):
    """The record with something changed and a digest that fits again."""
    lines = [json.loads(one) for one in played().splitlines()]
    change(lines)
    body = b"".join(canonical(line) + b"\n" for line in lines[:-1])
    return body + canonical({"line": "digest", "sha256": sha256(body)}) + b"\n"


def change_face(lines):
    event = next(one for one in lines if one["line"] == "event" and one["data"].get("rolls"))
    roll = event["data"]["rolls"][0]
    roll["faces"][0] = roll["faces"][0] % 6 + 1


def change_orders(lines):
    orders = [one for one in lines if one["line"] == "orders"][1]
    orders["sides"][0]["orders"]["throw"]["dice"] = 1


def change_nonce(lines):
    orders = next(one for one in lines if one["line"] == "orders")
    orders["sides"][0]["orders"]["initial"]["nonce"] = "5" * 64


def change_seed(lines):
    lines[-2]["seed"] = "00fe"


def respell_salt(lines):
    side = next(one for one in lines if one["line"] == "orders")["sides"][0]
    side["salt"] = side["salt"].upper()


def respell_seed(lines):
    lines[-2]["seed"] = " " + lines[-2]["seed"]


def drop_event(lines):
    del lines[next(n for n, one in enumerate(lines) if one.get("data", {}).get("rolls"))]


def rename_line(lines):
    lines[-3]["line"] = "remark"


CHANGES = [
    *(change_face, change_orders, change_nonce, change_seed, respell_salt, respell_seed),
    *(drop_event, rename_line),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_forged_record_is_refused(change):
    with pytest.raises(alone.Wrong):
        alone.check(forged(change))


def test_every_changed_byte_is_noticed():
    data = played()
    for place in range(0, len(data), 97):
        other = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises((alone.Wrong, ValueError, KeyError, TypeError)):
            alone.check(other)
