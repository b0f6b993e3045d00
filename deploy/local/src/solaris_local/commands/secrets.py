"""`solaris secrets FOLDER`: what a deployment by compose or Kubernetes needs, one file each."""

from pathlib import Path

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def secrets(
        folder: Path,
        postgres: str = typer.Option("postgres:5432", help="Host and port of PostgreSQL for services."),
    ) -> None:
        """Make the secrets that are missing in FOLDER; nothing there is ever replaced."""
        from solaris_local.secret_files import SecretFiles

        made = SecretFiles(folder, postgres).make()
        typer.echo(f"{len(made)} files made in {folder}: keep it private, and keep a copy")
