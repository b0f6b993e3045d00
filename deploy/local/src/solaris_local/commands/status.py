"""`solaris status`: what runs, where, from which binaries, and how far behind it is."""

import typer

from solaris_local.home import Home
from solaris_local.report import healthy, lines, survey


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def status() -> None:
        """Show processes, ports, binaries and lags. Exit code 0 only if everything is healthy."""
        found = survey(Home.of_environment())
        for line in lines(found):
            typer.echo(line)
        raise typer.Exit(0 if healthy(found) else 1)
