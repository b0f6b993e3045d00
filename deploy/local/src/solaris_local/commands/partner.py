"""`solaris partner NAME`: a read-only account on the league's NATS for somebody who consumes its facts."""

from pathlib import Path
from typing import Annotated

import typer

from solaris_local.home import Home
from solaris_local.partners import NotAdded, add_elsewhere, add_partner


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def partner(
        name: Annotated[str, typer.Argument(help="small letters, digits, hyphens")],
        secrets: Annotated[Path | None, typer.Option(help="Folder of `solaris secrets`: elsewhere.")] = None,
        nats: Annotated[str, typer.Option(help="With --secrets: where NATS answers.")] = "",
    ) -> None:
        """Let a partner in; prints address, key file and consumer. The league must be up."""
        try:
            home = Home.of_environment()
            found = add_partner(home, name) if secrets is None else add_elsewhere(secrets, nats, name)
        except NotAdded as error:
            typer.echo(f"cannot: {error}", err=True)
            raise typer.Exit(1) from error
        typer.echo(f"server    {found.url}")
        typer.echo(f"key file  {found.seed_file}")
        typer.echo(f"consumer  {found.durable}")
        typer.echo(f"streams   {' '.join(found.streams)}")
