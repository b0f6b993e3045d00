"""`solaris secrets FOLDER`: what a deployment by compose or Kubernetes needs, one file each."""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def secrets(
        folder: Path,
        postgres: str = typer.Option("postgres:5432", help="Host and port of PostgreSQL for services."),
        partner: Annotated[list[str] | None, typer.Option(help="Let in on NATS, read-only.")] = None,
    ) -> None:
        """Make the secrets that are missing in FOLDER; no key there is ever replaced."""
        from solaris_local.secret_files import SecretFiles

        try:
            made = SecretFiles(folder, postgres, tuple(partner or ())).make()
        except ValueError as error:
            typer.echo(f"cannot: {error}", err=True)
            raise typer.Exit(1) from error
        typer.echo(f"{len(made)} files made in {folder}: keep it private, and keep a copy")
