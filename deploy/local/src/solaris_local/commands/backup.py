"""`solaris backup FOLDER`: the four databases at one consistent cut, checked by digests."""

from pathlib import Path

import typer

from solaris_local.home import Home, HomeInUse


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def backup(
        folder: Path,
        keys: bool | None = typer.Option(
            None,
            "--with-keys/--without-keys",
            help="Must be said: with keys, who has the folder has the league; without, keep keys/ elsewhere.",
        ),
    ) -> None:
        """Save the league to a new folder, while it runs or while it stands still."""
        from solaris_local.backup.manifest import BackupRefused
        from solaris_local.backup.save import save
        from solaris_local.embedded.process import StartFailed

        if keys is None:
            raise typer.BadParameter("say --with-keys (keep the folder secret) or --without-keys")
        try:
            digest = save(Home.of_environment(), folder.absolute(), keys, typer.echo)
        except (BackupRefused, HomeInUse, StartFailed) as refusal:
            typer.echo(f"no back-up: {refusal}", err=True)
            raise typer.Exit(1) from None
        typer.echo(f"saved to {folder}, digest {digest}")
        typer.echo(WITH_KEYS if keys else WITHOUT_KEYS)


WITH_KEYS = (
    "It holds the league's KEYS: whoever has it can open sealed orders and sign tokens. Keep it encrypted."
)
WITHOUT_KEYS = (
    "It holds NO KEYS: it is of use only with the folder keys/ of this league. Keep a copy elsewhere."
)
