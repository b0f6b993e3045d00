"""`solaris partner NAME`: a read-only account on the league's NATS for somebody who consumes its facts."""

from typing import Annotated

import typer

from solaris_local.home import Home
from solaris_local.partners import NotAdded, add_partner


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def partner(name: Annotated[str, typer.Argument(help="small letters, digits, hyphens")]) -> None:
        """Let a partner in; prints address, key file and consumer. The league must be up."""
        try:
            found = add_partner(Home.of_environment(), name)
        except NotAdded as error:
            typer.echo(f"cannot: {error}", err=True)
            raise typer.Exit(1) from error
        typer.echo(f"server    {found.url}")
        typer.echo(f"key file  {found.seed_file}")
        typer.echo(f"consumer  {found.durable}")
        typer.echo(f"streams   {' '.join(found.streams)}")
