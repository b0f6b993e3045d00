"""`solaris mech` and `solaris board`: what they print, and one line and exit 1 for what is refused."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from solaris_local.cli import application

RUN = CliRunner()
MTF = "Version:1.0\nPanther\nPNT-9R\n"


def run(*arguments: str | Path) -> Result:
    return RUN.invoke(application, [str(argument) for argument in arguments])


def refused(*arguments: str | Path) -> str:
    """The one line on standard error."""
    result = run(*arguments)
    assert result.exit_code == 1, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    return result.stderr


def test_a_mech_goes_out_and_comes_back(tmp_path: Path) -> None:
    written = run("mech", "export", "PNT-9R").stdout
    assert written.startswith(MTF)
    file = tmp_path / "p.mtf"
    file.write_text(written + "quirk:odd\n")
    assert run("mech", "export", file).stdout == written
    text = run("mech", "import", file)
    assert text.exit_code == 0
    assert text.stdout.startswith("Panther PNT-9R\n35 toneladas")
    assert text.stdout.endswith("ignored: line 144: quirk\n")
    told = json.loads(run("mech", "import", file, "--json").stdout)
    assert told["sheet"]["armor"]["LA"] == [10, 0]
    assert (told["playable"], told["not_played"], told["ignored"]) == (True, [], ["line 144: quirk"])


def test_a_mech_that_fights_refuse_is_shown(tmp_path: Path) -> None:
    """A Raven with a slave unit of C3 in the place of its TAG."""
    assert "Liao" in run("mech", "show", "RVN-3L").stdout
    file = tmp_path / "c3.mtf"
    file.write_text(run("mech", "export", "RVN-3L").stdout.replace("ISTAG", "ISC3SlaveUnit"))
    shown = run("mech", "import", file)
    assert shown.exit_code == 0
    assert "C3 networks are not built" in shown.stdout


def test_a_board_goes_out_and_comes_back(tmp_path: Path) -> None:
    written = run("board", "export", "la-cantera").stdout
    file = tmp_path / "b.board"
    file.write_text(written)
    assert run("board", "export", file).stdout == written
    told = run("board", "import", file).stdout
    assert told.startswith("15 x 17 hexes\n")
    assert told.endswith("Fights can be played on it\n")
    assert json.loads(run("board", "import", file, "--json").stdout)["hexes"]["0301"]["terrain"] == "woods:1"
    assert run("board", "show", "la-cantera").stdout.startswith("La Cantera / The Quarry: 15 x 17 hexes")


def test_what_is_refused_is_one_line(tmp_path: Path) -> None:
    lam, wall = tmp_path / "lam.mtf", tmp_path / "wall.board"
    lam.write_text(run("mech", "export", "PNT-9R").stdout.replace("Config:Biped", "Config:LAM"))
    wall.write_text('size 1 1\nhex 0101 20 "elevator:2:3" ""\n')
    assert "LAM" in refused("mech", "import", lam)
    assert "LAM" in refused("mech", "export", lam)
    assert "hex 0101: elevator is refused" in refused("board", "import", wall)
    assert "no 'Mech 'XXX'" in refused("mech", "show", "XXX")
    assert "no arena 'XXX'" in refused("board", "show", "XXX")


@pytest.mark.parametrize("command", [("mech", "import"), ("mech", "export"), ("board", "import")])
def test_files_that_cannot_be_read(command: tuple[str, str], tmp_path: Path) -> None:
    assert "No such file" in refused(*command, tmp_path / "none")
    assert "directory" in refused(*command, tmp_path)
    refused(*command, "a" * 5000)
    broken = tmp_path / "broken"
    broken.write_bytes(bytes(range(256)) * 20)
    refused(*command, broken)
