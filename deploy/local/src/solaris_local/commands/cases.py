"""`solaris cases`: checks the engines against files of cases."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from solaris_local.cases.exceptions import exceptions
from solaris_local.cases.runner import Outcome, run_files


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("cases")(cases)


def cases(
    files: Annotated[list[Path], typer.Argument(help="case files: .jsonl or .yaml", metavar="FILE...")],
):
    """Run case files through the functions used in play; exit 1 if any case fails.

    What cannot be read, a file or a line of it, fails with its place, and the next one runs: the last line
    is always the count. Rows that the rules contradict are told and excepted
    (docs/rules/battletech/differences.md).
    """
    passed = failed = excepted = 0
    for outcome in run_files(files, exceptions()):
        if outcome.passed:
            passed += 1
            continue
        excepted, failed = excepted + outcome.excepted, failed + (not outcome.excepted)
        typer.echo(_account(outcome).encode(errors="backslashreplace"))
    typer.echo(f"{passed} passed, {failed} failed" + (f", {excepted} excepted" if excepted else ""))
    if failed:
        raise typer.Exit(1)


def _account(outcome: Outcome) -> str:
    """A failing id with got and expected, of mappings only the entries that differ."""
    mark = " (excepted)" if outcome.excepted else ""
    if outcome.trouble:
        return f"{outcome.case}: {outcome.trouble}{mark}"
    got, expected = outcome.got, outcome.expected
    if isinstance(got, Mapping) and isinstance(expected, Mapping):
        differ = [key for key in expected if key not in got or got[key] != expected[key]]
        got, expected = ({key: side[key] for key in differ if key in side} for side in (got, expected))
    return f"{outcome.case}: got {_text(got)} expected {_text(expected)}{mark}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
