"""`solaris restore FOLDER`: put a back-up in place, after everything about it has been checked."""

from pathlib import Path

import typer

from solaris_local.home import Home, HomeInUse


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def restore(
        folder: Path,
        force: bool = typer.Option(False, "--force", help="Move a league that is there aside."),
        digest: str = typer.Option("", help="What `solaris backup` printed: refuse any other back-up."),
    ) -> None:
        """Restore a league that stands still from a back-up; the broker is refilled at the next start."""
        from solaris_local.backup.manifest import BackupRefused
        from solaris_local.backup.restore import restore as put_in_place
        from solaris_local.embedded.process import StartFailed

        home = Home.of_environment()
        try:
            replaced = put_in_place(home, folder.absolute(), force, digest, typer.echo)
        except (BackupRefused, HomeInUse, StartFailed) as refusal:
            typer.echo(f"nothing restored, nothing changed: {refusal}", err=True)
            raise typer.Exit(1) from None
        typer.echo(f"restored to {home.root}; `solaris up` starts it")
        if replaced:
            typer.echo(f"the league that was there lies in {replaced}; delete it when you need it no more")
