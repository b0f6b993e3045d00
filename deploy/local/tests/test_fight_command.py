"""`solaris fight` and `solaris verify` as a person types them."""

import json
import random
from pathlib import Path

import pytest

from solaris_combat.engines.battletech import loading, opening, options, preview, ruleset
from solaris_local.cli import main

PAIR = ("--left", "PNT-9R", "--right", "JVN-10N")


def run(capfdbinary, *arguments):
    """Exit status, standard output and standard error of one command."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capfdbinary.readouterr()
    return ended.value.code or 0, out, err.decode()


@pytest.fixture
def record(capfdbinary):
    status, out, err = run(capfdbinary, "fight", *PAIR, "--seed", "00ff", "--json")
    assert (status, err) == (0, "")
    return out


def test_the_same_seed_prints_the_same_bytes(capfdbinary, record):
    assert run(capfdbinary, "fight", *PAIR, "--seed", "00ff", "--json")[1] == record
    assert run(capfdbinary, "fight", *PAIR, "--seed", "00fe", "--json")[1] != record
    lines = [json.loads(line) for line in record.splitlines()]
    assert lines[0]["line"] == "header" and lines[-1]["line"] == "digest"
    assert [line["model"] for line in lines if line["line"] == "loadout"] == ["PNT-9R", "JVN-10N"]


def test_verify_accepts_what_fight_prints(capfdbinary, record, tmp_path):
    path = tmp_path / "fight.s7r"
    path.write_bytes(record)
    status, out, err = run(capfdbinary, "verify", str(path))
    assert (status, err) == (0, "") and b"sound" in out


def test_verify_refuses_one_byte_changes_with_one_line(capfdbinary, record, tmp_path):
    """First, last and a middle byte of every line, and 200 places anywhere."""
    chance, path, places, start = random.Random(5), tmp_path / "changed.s7r", set(), 0
    for line in record.splitlines(keepends=True):
        places |= {start, start + len(line) // 2, start + len(line) - 1}
        start += len(line)
    places |= {chance.randrange(len(record)) for _ in range(200)}
    for place in sorted(places):
        changed = bytearray(record)
        changed[place] ^= chance.randrange(1, 256)
        path.write_bytes(changed)
        status, out, err = run(capfdbinary, "verify", str(path))
        assert (status, out) == (1, b"") and err.count("\n") == 1 and "line" in err, place


@pytest.mark.parametrize(
    ("more", "teams"),
    [(("--also", "WSP-1A"), None), (("--also", "WSP-1A,LCT-3M"), {"A": "1", "B": "2", "C": "3", "D": "3"})],
)
def test_several_sides_fight_and_their_record_verifies(capfdbinary, tmp_path, more, teams):
    path, pilots = tmp_path / "macro.s7r", ("--pilot", "0", "--seed", "07")
    path.write_bytes(run(capfdbinary, "fight", *PAIR, *more, *pilots, "--json")[1])
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    assert header.get("teams") == teams and len(header["sides"]) == (3 if teams is None else 4)
    status, out, _ = run(capfdbinary, "verify", str(path))
    assert status == 0 and b"sound" in out


def test_a_permanence_fight_goes_on_while_it_is_level(capfdbinary):
    """R 4.3, G18: by two turns to turn 14."""
    pair = ("--left", "UM-R60", "--right", "UM-R60", "--pilot", "0", "--seed", "0a", "--language", "en")
    status, out, _ = run(capfdbinary, "fight", *pair, "--permanence", "--json")
    events = [json.loads(line) for line in out.splitlines()]
    granted = [one["data"]["to_turn"] for one in events if one.get("event") == "overtime-granted"]
    assert status == 0 and granted == [10, 12, 14]


@pytest.mark.parametrize("pair", [("COM-2D", "PNT-9R"), ("PNT-9R", "PNT-9R")])
@pytest.mark.parametrize("level", ["0", "1", "2", "3", "3,0"])
def test_other_fights_verify_too(capfdbinary, tmp_path, pair, level):
    path = tmp_path / "fight.s7r"
    arguments = ("--left", pair[0], "--right", pair[1], "--seed", "07", "--pilot", level)
    path.write_bytes(run(capfdbinary, "fight", *arguments, "--json")[1])
    assert run(capfdbinary, "verify", str(path))[0] == 0


def test_the_log_is_for_people(capfdbinary):
    status, out, err = run(capfdbinary, "fight", *PAIR, "--seed", "00ff")
    assert (status, err) == (0, "")
    text = out.decode()
    assert "PNT-9R" in text and text.count("\n") > 20 and '{"' not in text
    english = run(capfdbinary, "fight", *PAIR, "--seed", "00ff", "--language", "en")[1].decode()
    assert english != text


@pytest.mark.parametrize(
    "arguments",
    [
        ("--left", "XYZ-1", "--right", "JVN-10N"),
        (*PAIR, "--arena", "moon"),
        (*PAIR, "--ruleset", "chess/1"),
        (*PAIR, "--class", "9"),
        (*PAIR, "--turns", "0"),
        (*PAIR, "--seed", "xyz"),
        (*PAIR, "--seed", ""),
        (*PAIR, "--seed", "00 ff"),
        (*PAIR, "--seed", "00f"),
        (*PAIR, "--language", "fr"),
        (*PAIR, "--pilot", "99"),
        (*PAIR, "--loadout", "/nowhere/at/all"),
    ],
)
def test_what_nobody_plays_is_one_line_and_status_1(capfdbinary, arguments):
    status, out, err = run(capfdbinary, "fight", *arguments)
    assert (status, out) == (1, b"")
    assert err.count("\n") == 1 and "Traceback" not in err


@pytest.mark.parametrize(
    "text",
    [
        '{"A": {"bins": {"lt-srm-4-ammo-1": -5}}}',
        '{"A": {"auto_eject": "x"}}',
        '{"A": {"other": 1}}',
        '{"C": {}}',
        '{"A": {"auto_eject": true, "auto_eject": false}}',
        "[" * 100_000,
        '{"A": ' + "9" * 5_000 + "}",
    ],
)
def test_a_load_out_nobody_can_load_is_one_line_and_status_1(capfdbinary, tmp_path, text):
    path = tmp_path / "loadout.json"
    path.write_text(text)
    status, out, err = run(capfdbinary, "fight", *PAIR, "--seed", "01", "--loadout", str(path))
    assert (status, out) == (1, b"")
    assert err.count("\n") == 1 and "Traceback" not in err


def test_a_record_that_is_not_there(capfdbinary, tmp_path):
    status, _, err = run(capfdbinary, "verify", str(tmp_path / "none.s7r"))
    assert status == 1 and err.count("\n") == 1


def test_a_load_out_is_loaded(capfdbinary, tmp_path):
    path = tmp_path / "loadout.json"
    path.write_text(json.dumps({"B": {"bins": {}, "auto_eject": False}}))
    status, out, err = run(capfdbinary, "fight", *PAIR, "--seed", "01", "--loadout", str(path), "--json")
    assert status == 0, err
    orders = next(json.loads(line) for line in out.splitlines() if b'"orders"' in line)
    assert orders["sides"][1]["orders"]["initial"]["auto_eject"] is False


EXAMPLE = Path(__file__).resolve().parents[3] / "docs/reference/examples/planning-example.json"
PLANNED = ("--arena", "jungle", "--class", "5", "--turns", "10", "--left", "CPLT-C1", "--right", "ON1-V")


def loaded(out):
    """The load-outs of a record by side, as their events tell."""
    lines = [line for line in map(json.loads, out.splitlines()) if line.get("event") == "loadout-fixed"]
    return {line["data"]["side"]: line["data"] for line in lines}


def test_the_planning_example_runs_and_is_charged_for(capfdbinary, tmp_path):
    """Issue 5; D, tables 2.9: 150,000 for the Catapult, 250,000 for the Orion; the record verifies."""
    arguments = (*PLANNED, "--seed", "0a", "--loadout", str(EXAMPLE))
    status, out, err = run(capfdbinary, "fight", *arguments, "--json")
    assert status == 0, err
    fixed = loaded(out)
    assert {side: one["charge"] for side, one in fixed.items()} == {"A": 150_000, "B": 250_000}
    wanted = json.loads(EXAMPLE.read_text())
    for side, one in wanted.items():
        assert {name: fixed[side]["belts"][name] for name in one["bins"]} == one["bins"]
    path = tmp_path / "fight.s7r"
    path.write_bytes(out)
    assert run(capfdbinary, "verify", str(path))[0] == 0
    text = run(capfdbinary, "fight", *arguments)[1].decode()
    assert "150.000" in text and "250.000" in text and "Dead-Fire" in text


def volleys(out):
    """Salvoes by side and bin in order, as (turn, munition, target): a side, a hex, or "" for the air."""
    fired = {}
    for line in map(json.loads, out.splitlines()):
        if line.get("event") == "fire-declared":
            for shot in line["data"]["shots"]:
                for salvo in shot["salvos"]:
                    told = (line["data"]["turn"], salvo, shot["target"] or shot["hex"])
                    fired.setdefault((line["data"]["side"], shot["bin"]), []).append(told)
    return fired


def test_the_planning_example_is_fought_as_planned(capfdbinary):
    """D, planning: the Catapult's first two salvoes in turn 1, then Dead-Fire; Inferno in turns 1 and 2 at
    the ground for smoke, then common salvoes although nobody is in sight; special ones only at the rival."""
    arguments = (*PLANNED, "--seed", "00", "--loadout", str(EXAMPLE), "--json")
    status, out, err = run(capfdbinary, "fight", *arguments)
    assert status == 0, err
    fired, plan = volleys(out), json.loads(EXAMPLE.read_text())
    for side, load in plan.items():
        for name, belt in load["bins"].items():
            assert [salvo for _, salvo, _ in fired[side, name]] == belt[: len(fired[side, name])]
    assert [one[:2] for one in fired["A", "lt-lrm-15-ammo-1"][:2]] == [(1, "normal"), (1, "normal")]
    for belt in (fired["B", name] for name in plan["B"]["bins"]):
        assert [one[:2] for one in belt[:2]] == [(1, "inferno"), (2, "inferno")]
        assert all(target.isdigit() for _, _, target in belt[:2])
        assert [one[:2] for one in belt[2:4]] == [(3, "normal"), (4, "normal")]
    special = [one for belt in fired.values() for one in belt if one[1] not in ("normal", "inferno")]
    assert {"dead-fire", "heat-seeking"} <= {salvo for _, salvo, _ in special}
    assert {target for _, _, target in special} <= {"A", "B"}


def test_the_planning_example_with_inferno_as_a_conventional_load(capfdbinary, monkeypatch):
    """C-07: 150,000 for the Orion with the switch `inferno_is_special` off."""
    changed = {**ruleset.ruleset().table, "inferno_is_special": {"on": False}}
    for module in (loading, opening, options, preview):
        monkeypatch.setattr(module, "ruleset", lambda: ruleset.ruleset_from(changed))
    status, out, err = run(
        capfdbinary, "fight", *PLANNED, "--seed", "0a", "--loadout", str(EXAMPLE), "--json"
    )
    assert status == 0, err
    assert {side: one["charge"] for side, one in loaded(out).items()} == {"A": 150_000, "B": 150_000}


@pytest.mark.parametrize("level", ["4", "-1", "x", "1,2,3", "", "2,"])
def test_a_level_the_house_does_not_train_is_refused(capfdbinary, level):
    status, out, err = run(capfdbinary, "fight", *PAIR, f"--pilot={level}")
    assert (status, out, err.count("\n")) == (1, b"", 1) and "house pilots have the levels 0, 1, 2, 3" in err
