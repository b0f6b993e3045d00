"""`solaris contracts`: write contracts/ and the rules coverage page, or check that they are up to date."""

from pathlib import Path

import typer

CHECKOUT = Path(__file__).resolve().parents[5]
FOLDER = CHECKOUT / "contracts"


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def contracts(check: bool = typer.Option(False, help="Change nothing; exit 1 on a difference.")) -> None:
        """Generate the schemas of all public events, AsyncAPI, OpenAPI and the rules coverage page."""
        from solaris_local.contracts.files import compare, generated, write

        files = generated(CHECKOUT)
        changed = compare(CHECKOUT, files)
        if not check:
            write(CHECKOUT, files)
        for name in changed:
            typer.echo(f"{'differs' if check else 'written'}: {name}")
        typer.echo(f"{len(files)} files, {len(changed)} {'differ' if check else 'changed'}")
        raise typer.Exit(1 if check and changed else 0)
