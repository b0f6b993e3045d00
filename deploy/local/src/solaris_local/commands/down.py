"""`solaris down`: stop a runtime that was left running."""

import typer


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def down() -> None:
        """Stop every process of the runtime, in order. The data stay."""
        print("x")
