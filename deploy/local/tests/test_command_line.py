"""What is wrong with a command line is told in one line on standard error, with exit 2."""

import pytest

from solaris_local.cli import main


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fight", "--left", "X"], "solaris fight: missing option '--right'"),
        (["fight", "--turns", "x"], "solaris fight: invalid value for '--turns'"),
        (["fight", "--no-such"], "solaris fight: no such option"),
        (["nothing"], "solaris: no such command 'nothing'"),
        (["bench", "append", "--rounds", "0"], "solaris bench: invalid value for '--rounds'"),
        (["bench", "to-hit", "--seconds", "-1"], "solaris bench: invalid value for '--seconds'"),
        (["verify"], "solaris verify: missing argument 'RECORD'"),
    ],
)
def test_one_line_and_exit_2(words: list[str], told: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(words)
    out, err = capsys.readouterr()
    assert (ended.value.code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(told) and err.endswith("--help tells more)\n")


@pytest.mark.parametrize(("text", "why"), [(None, "there is no such file"), ("\n", "there is no case in it")])
def test_no_case_is_not_a_success(tmp_path, text: str | None, why: str, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "cases.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SystemExit) as ended:
        main(["cases", str(path)])
    out, err = capsys.readouterr()
    assert (ended.value.code, out, err) == (1, f"{path}: {why}\n0 passed, 1 failed\n", "")


@pytest.mark.parametrize("words", [["status"], ["down"], ["secrets", "{file}"]])
def test_a_folder_that_is_none_is_told_in_one_line(
    words: list[str], tmp_path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("SOLARIS_HOME", str(file))
    with pytest.raises(SystemExit) as ended:
        main([word.format(file=file) for word in words])
    err = capsys.readouterr().err
    assert (ended.value.code, len(err.splitlines())) == (1, 1)
    assert err.startswith(f"solaris: {file}") and "Traceback" not in err


def test_every_command_says_what_it_is_for(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["--help"])
    commands = capsys.readouterr().out.partition("Commands:\n")[2].splitlines()
    assert commands and all(len(line.split()) > 1 for line in commands)
