"""`solaris down`: stop a league that runs elsewhere, or what a killed one left behind."""

import signal

import typer

from solaris_local.embedded import process
from solaris_local.home import Home

RUNTIME_SIGNALS = ((signal.SIGTERM, 45.0),)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def down() -> None:
        """Stop every process of the league, in order. The data stay."""
        home = Home.of_environment()
        if not home.root.exists():
            typer.echo(f"nothing runs on {home.root}")
            return
        _stop_runtime(home)
        _stop_leftovers(home)
        typer.echo("parado, los datos se conservan / stopped, the data are kept")


def _stop_runtime(home: Home) -> None:
    known = home.read_state().get("processes", {}).get("runtime")
    if known and process.started_at(known["pid"]) == known["started_at"]:
        process.stop(known["pid"], RUNTIME_SIGNALS)


def _stop_leftovers(home: Home) -> None:
    """Children and servers of a runtime that was killed."""
    from solaris_local.embedded.postgres import STOP_SIGNALS, leftover
    from solaris_local.runtime import LEFTOVER_SIGNALS, marked

    for pid in marked(home):
        process.stop(pid, LEFTOVER_SIGNALS)
    for name, known in home.read_state().get("processes", {}).items():
        if name == "nats" and process.started_at(known["pid"]) == known["started_at"]:
            process.stop(known["pid"], LEFTOVER_SIGNALS)
    if pid := leftover(home.servers() / "postgres" / "data"):
        process.stop(pid, STOP_SIGNALS)
