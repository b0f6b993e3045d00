"""`solaris up`: the league without the demonstration round."""

import typer

from solaris_local.session import stay_up


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def up() -> None:
        """Start PostgreSQL, NATS, the four services and the console; stay until Ctrl-C."""
        raise typer.Exit(stay_up())
