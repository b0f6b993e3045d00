"""`solaris demo`: the league with a first round played before your eyes."""

from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from solaris_local.runtime import Runtime


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def demo(
        stay: bool = typer.Option(True, help="Stay up afterwards (--no-stay: stop at once)."),
    ) -> None:
        """Start everything, seed a small league, play one round with house pilots, tell it, stay up."""
        from solaris_local.session import say, stay_up

        Thread(target=import_module, args=("solaris_local.demo.stage",)).start()

        def work(runtime: "Runtime") -> None:
            from solaris_local.demo.stage import perform

            perform(runtime, say)
            runtime.stopping = not stay

        raise typer.Exit(stay_up(work))
