"""`solaris bench`: measurements of this installation."""

import asyncio
import json
from collections.abc import Coroutine
from typing import Annotated, Any

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("bench")(bench)


NAMES = ("append", "pipeline", "to-hit", "los", "reach", "fight", "pilots")


def bench(
    name: Annotated[str, typer.Argument(help=", ".join(NAMES))],
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
    rounds: Annotated[int, typer.Option(help="rounds that count (append)", min=1)] = 5,
    seconds: Annotated[
        float,
        typer.Option(help="of each kind in a round (append: 1), of each rate (10), of CPU time (5)", min=0),
    ] = 0.0,
    fights: Annotated[int, typer.Option(help="mirrored fights of each level (pilots)", min=2)] = 200,
    seed: Annotated[int, typer.Option(help="another lot of 'Mechs and dice (pilots)")] = 0,
    near: Annotated[bool, typer.Option("--near", help="'Mechs of near Battle Value meet (pilots)")] = False,
) -> None:
    """Measure NAME and print the medians."""
    from solaris_local.bench import append, pilots, pipeline

    match name:
        case "append":
            result = run(append.run(rounds, _span(seconds, 1.0)))
            rows = result["writers"]
        case "pipeline":
            result = run(pipeline.run(_span(seconds, 10.0)))
            rows = result["rates"]
        case "to-hit" | "los" | "reach" | "fight":
            result = _rules(name, _span(seconds, 5.0))
            rows = {name: result}
        case "pilots":
            result = pilots.run(fights, seed, near)
            rows = result["levels"]
        case _:
            typer.echo(f"no bench {name!r}; there are: {', '.join(NAMES)}", err=True)
            raise typer.Exit(2)
    typer.echo(json.dumps(result) if as_json else _table(rows))


def _span(seconds: float, usual: float) -> float:
    """The time asked for; the usual one for none (0, or what is no number)."""
    return seconds if seconds > 0 else usual


def _rules(name: str, seconds: float) -> dict[str, Any]:
    """A bench of the engine; one line of error where its scenarios are missing."""
    from solaris_local.bench import rules

    try:
        return rules.BENCHES[name](seconds)
    except rules.CasesMissing as missing:
        typer.echo(str(missing), err=True)
        raise typer.Exit(1) from missing


def run(work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
    """On the loop that the services' processes use."""
    from solaris_shared.service_main import quick_loop

    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        return runner.run(work)


def _table(rows: dict[str, dict[str, Any]]) -> str:
    """One line per number of writers or rate."""
    head = list(next(iter(rows.values())))
    lines = ["  ".join(["", *head])]
    lines += ["  ".join([key, *(str(row[column]) for column in head)]) for key, row in rows.items()]
    return "\n".join(lines)
