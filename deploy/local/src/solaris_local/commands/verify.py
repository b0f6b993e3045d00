"""`solaris verify`: does a record prove its fight?"""

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("verify")(verify)


def verify(record: Annotated[Path, typer.Argument(help="an .s7r file", metavar="RECORD")]) -> None:
    """Check digest, commitments, nonces and dice of a record, and play its fight again."""
    from solaris_combat.domain.resimulation import RecordRefused
    from solaris_combat.domain.verify import verify as prove
    from solaris_combat.rulesets import rulesets

    try:
        result = prove(record.read_bytes(), rulesets())
    except OSError as error:
        raise _refuse(f"{record}: {error.strerror}") from None
    except RecordRefused as refused:
        raise _refuse(f"{record}: {refused}") from None
    sides = ", ".join(f"{one['side']} {one['result']} {one['victory_points']}" for one in result["sides"])
    typer.echo(f"{record}: sound. {result['ended_by']} after turn {result['turns']}: {sides}")


def _refuse(reason: str) -> typer.Exit:
    typer.echo(" ".join(reason.split()), err=True)
    return typer.Exit(1)
