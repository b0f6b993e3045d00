"""The runner of case files: what it reads, what it refuses, what it tells."""

import json

import pytest
import typer
from typer.testing import CliRunner

from solaris_local.cases import agreement
from solaris_local.cases.exceptions import exceptions, line_hash
from solaris_local.cases.runner import kinds, ops, run_files
from solaris_local.commands import cases


@pytest.fixture
def solaris():
    app = typer.Typer()
    cases.register(app)
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])


def side(row_id: str, expected: str) -> str:
    """A hand-made row: from straight behind a target that faces north."""
    row = {"id": row_id, "target": "0505", "facing": 0, "attacker": "0507", "distance": 2, "side": expected}
    return json.dumps(row) + "\n"


def write(path, text: str):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_that_agrees(solaris, tmp_path):
    result = solaris(write(tmp_path / "attack_side.jsonl", side("one", "rear") + "\n" + side("two", "rear")))
    assert (result.exit_code, result.stdout) == (0, "2 passed, 0 failed\n")


def test_a_deep_fall_of_a_light_mech_is_summed_up_whole(solaris, tmp_path):
    """15 points of a 25-ton 'Mech that falls four levels: no location is lost, whose rest would count too."""
    structure = {"CT": 8, "RT": 6, "LT": 6, "HD": 3, "RA": 4, "LA": 4, "RL": 6, "LL": 6}
    armor = {"HD": [4], "CT": [6, 4], "RT": [4, 3], "LT": [4, 3], "RA": [4], "LA": [4], "RL": [6], "LL": [6]}
    facts = {"tons": 25, "quad": False, "walk": 8, "run": 12, "jump": 0, "gunnery": 4, "piloting": 5}
    given = {
        "levels_fallen_to_hex_floor": 4,
        "hex": "clear",
        "unit": facts | {"armor": armor, "structure": structure},
    }
    row = {"id": "deep", "input": given, "result": {"damage_sum": 15, "prone": True}}
    result = solaris(write(tmp_path / "fall.jsonl", json.dumps(row) + "\n"))
    assert (result.exit_code, result.stdout) == (0, "1 passed, 0 failed\n")


@pytest.fixture
def page(tmp_path, monkeypatch):
    """A page of exceptions instead of the project's."""
    monkeypatch.setattr(cases, "exceptions", lambda: exceptions(tmp_path / "differences.md"))
    return lambda line: write(
        tmp_path / "differences.md", f"| sd-1 | {line_hash(line.rstrip())} | a | b | c |"
    )


def test_a_row_that_the_rules_contradict_is_excepted(solaris, page, tmp_path):
    page(side("sd-1", "front"))
    result = solaris(write(tmp_path / "attack_side.jsonl", side("sd-1", "front") + side("sd-2", "rear")))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "1 passed, 0 failed, 1 excepted"


def test_an_exception_holds_for_the_very_line_only(solaris, page, tmp_path):
    page(side("sd-1", "front"))
    result = solaris(write(tmp_path / "attack_side.jsonl", side("sd-1", "left")))
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_an_excepted_row_that_agrees_is_a_stale_exception(solaris, page, tmp_path):
    page(side("sd-1", "rear"))
    result = solaris(write(tmp_path / "attack_side.jsonl", side("sd-1", "rear")))
    assert result.exit_code == 1
    assert "agrees, though" in result.stdout
    assert result.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_an_exception_hides_nothing_that_is_not_built(solaris, page, tmp_path):
    page('{"id": "sd-1"}')
    assert solaris(write(tmp_path / "juggling.jsonl", '{"id": "sd-1"}\n')).exit_code == 1


def test_without_a_page_nothing_is_excepted(tmp_path):
    assert exceptions(tmp_path / "none.md") == frozenset()


def test_a_failing_case_is_told_with_both_answers(solaris, tmp_path):
    result = solaris(write(tmp_path / "attack_side.jsonl", side("one", "front")))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        'one: got {"side": "rear"} expected {"side": "front"}',
        "0 passed, 1 failed",
    ]


def test_kinds_and_ops_that_are_not_built_fail(solaris, tmp_path):
    lines = write(tmp_path / "juggling.jsonl", '{"id": "j1"}\n')
    ops = write(
        tmp_path / "more.yaml",
        "cases:\n- {id: c1, op: juggle, in: {}, expect: 1}\n- {id: c2, op: x, in: 1, expect: 1}",
    )
    result = solaris(lines, ops)
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "j1: kind juggling is not built",
        "c1: op juggle is not built",
        "c2: op x is not built",
        "0 passed, 3 failed",
    ]


def test_a_row_that_breaks_or_needs_more_fails_alone(tmp_path):
    los = {
        "id": "fire",
        "input": {
            "board": {"width": 3, "height": 3, "hexes": {"0202": {"terrain": "magma:1"}}},
            "attacker": {"hex": "0101", "facing": 0},
            "target": {"hex": "0303", "facing": 0},
        },
        "result": {},
    }
    path = write(tmp_path / "los.jsonl", '{"id": "empty"}\n' + json.dumps(los))
    empty, fire = run_files([path])
    assert empty.trouble == "KeyError: 'input'"
    assert fire.trouble == "not built: terrain not supported: magma:1"
    assert not (empty.passed or fire.passed)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("attack_side.jsonl", "{nonsense\n"),
        ("attack_side.jsonl", '{"no": "id"}\n'),
        ("attack_side.jsonl", "[]\n"),
        ("attack_side.jsonl", ""),
        ("x.yaml", "cases: [\n"),
        ("x.yaml", "other: 1\n"),
        ("x.yaml", "cases: 5\n"),
        ("x.yaml", "cases: []\n"),
        ("x.yaml", "cases:\n- {id: 1}\n"),
        ("x.yaml", "- 1\n"),
        ("x.yaml", "[" * 5_000),
        ("x.yaml", "x: " + "9" * 5_000),
        ("x.yaml", "x: 2026-99-99"),
        ("attack_side.jsonl", "[" * 100_000),
        ("x.txt", "cases:\n"),
    ],
)
def test_what_is_no_case_file_is_one_failure_and_the_next_file_runs(solaris, tmp_path, name, text):
    (tmp_path / "good").mkdir()
    good = write(tmp_path / "good" / "attack_side.jsonl", side("one", "rear"))
    result = solaris(write(tmp_path / name, text), good)
    assert result.exit_code == 1
    told, count = result.stdout.splitlines()
    assert name in told
    assert count == "1 passed, 1 failed"


def test_a_malformed_line_is_told_with_its_place_and_the_others_run(solaris, tmp_path):
    lines = [side("one", "rear"), "{nonsense\n", '{"id"\n', "\n", "7\n", side("bad", "front")]
    path = write(tmp_path / "attack_side.jsonl", "".join([*lines, side("two", "rear")]))
    result = solaris(path)
    assert result.exit_code == 1
    *told, count = result.stdout.splitlines()
    assert [one.partition(": ")[0] for one in told] == [f"{path}:2", f"{path}:3", f"{path}:5", "bad"]
    assert all("not a case" in one for one in told[:3])
    assert count == "2 passed, 4 failed"


def test_a_malformed_case_of_a_list_is_told_with_its_number(solaris, tmp_path):
    path = write(tmp_path / "more.yaml", "cases:\n- {id: 1}\n- 5\n- {id: c, op: juggle, in: 1, expect: 1}\n")
    *told, last, count = solaris(path).stdout.splitlines()
    assert [one.partition(": not a case")[0] for one in told] == [f"{path}: case 1", f"{path}: case 2"]
    assert (last, count) == ("c: op juggle is not built", "0 passed, 3 failed")


def test_ids_keep_every_sign_and_none_breaks_the_report(solaris, tmp_path):
    """A line separator inside a text ends no line; half a surrogate pair is spelled out."""
    rows = [side("ñ\u2028", "front").replace("\\u2028", "\u2028"), side("\ud800", "front")]
    result = solaris(write(tmp_path / "attack_side.jsonl", "".join(rows)))
    assert result.exit_code == 1
    assert "\\ud800: got" in result.stdout and result.stdout.endswith("0 passed, 2 failed\n")


def test_missing_and_binary_files(tmp_path):
    [missing] = run_files([tmp_path / "los.jsonl"])
    assert "no such file" in missing.trouble and not missing.passed
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    [binary] = run_files([tmp_path / "bytes.yaml"])
    assert binary.trouble.startswith("cannot be read: UnicodeDecodeError")


def test_every_module_of_the_package_is_collected():
    assert {"hexdistance", "attack_side", "los", "movement"} <= set(kinds())
    assert isinstance(ops(), dict)


def test_agreement_ignores_texts_zeros_and_order():
    one = {"possible": True, "value": 3, "modifiers": [[1, "a"], [0, "b"], [2, "c"]]}
    other = {"possible": True, "value": 3, "modifiers": [[2, "x"], [1, "y"]]}
    assert agreement.roll(one) == agreement.roll(other)
    assert agreement.roll(one) != agreement.roll({**other, "modifiers": [[3, "x"]]})
    assert agreement.roll({"possible": False, "reason": "a"}) == agreement.roll({"possible": False})


def test_agreement_compares_only_what_the_row_has():
    got = {"distance": 2, "side": "rear"}
    left, right = agreement.pair(agreement.attack_side, got, {"side": "rear"})
    assert left == right
    left, right = agreement.pair(agreement.attack_side, {"distance": 2}, {"side": "rear"})
    assert left != right


def test_reachable_hexes_must_be_the_same_set():
    got, expected = {"cheapest_mp": {"0101": 1, "0102": 2}}, {"cheapest_mp": {"0101": 1}}
    assert agreement.movement(got) != agreement.movement(expected)
    left, right = agreement.pair(agreement.movement, got, expected)
    assert left != right


def test_an_illegal_step_is_only_illegal():
    got = {"steps": [{"type": "illegal", "reason": "x"}]}
    assert agreement.movement(got) == agreement.movement({"steps": [{"type": "illegal"}]})
