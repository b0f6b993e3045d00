"""`solaris fight`: one off-line fight between two house pilots."""

import sys
from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command("fight")(fight)


def fight(
    left: Annotated[str, typer.Option(help="model of side A, or a team: MODEL,MODEL", metavar="MODELS")],
    right: Annotated[str, typer.Option(help="model of side B, or the other team", metavar="MODELS")],
    also: Annotated[
        list[str] | None, typer.Option(help="one more side or team; may be given again", metavar="MODELS")
    ] = None,
    ruleset: Annotated[str, typer.Option()] = "solaris7/1",
    fight_class: Annotated[int, typer.Option("--class", help="the league's class")] = 3,
    arena: Annotated[str, typer.Option(help="default: la-cantera")] = "",
    turns: Annotated[int, typer.Option()] = 8,
    seed: Annotated[str | None, typer.Option(help="hexadecimal; default: a fresh one", metavar="HEX")] = None,
    loadout: Annotated[Path | None, typer.Option(help="JSON: what each side loads", metavar="FILE")] = None,
    permanence: Annotated[bool, typer.Option("--permanence", help="goes on while it is level")] = False,
    pilot: Annotated[
        str,
        typer.Option(help="level of the house pilots, 0 to 3; 3,2 for left and others", metavar="LEVEL"),
    ] = "2",
    language: Annotated[str, typer.Option(help="of the log: es or en")] = "es",
    json: Annotated[bool, typer.Option("--json", help="print the record (.s7r), byte for byte")] = False,
) -> None:
    """Fight of house pilots, two or teams of them: a log, or with --json exactly the bytes of the record."""
    from solaris_combat.engines.contract import OrdersInvalid, SetupRefused
    from solaris_local import offline
    from solaris_shared.errors import Unprocessable

    try:
        wish = offline.Wish(
            left=left,
            right=right,
            ruleset=ruleset,
            fight_class=fight_class,
            arena=arena,
            turns=turns,
            seed=offline.seed_of(seed),
            levels=offline.levels_of(pilot),
            loadout=offline.loadout_of(loadout),
            also=tuple(also or ()),
            permanence=permanence,
        )
        offline.speaks(language)
        concluded, events = offline.play(wish)
    except (SetupRefused, OrdersInvalid) as refused:
        raise _refuse(refused.violations[0].detail) from None
    except Unprocessable as refused:
        raise _refuse(refused.detail) from None
    if json:
        sys.stdout.buffer.write(b"".join(concluded.lines))
        return
    units = concluded.terms.setup.units
    names = {unit.side: f"{unit.side} {unit.name}" for unit in units} if len(units) > 2 else {}
    for event in events:
        if type(event) in concluded.playing.event_types.values():
            _say(concluded.playing.describe(event, language, names))
    _say(f"seed {wish.seed.hex()}")


def _say(text: str) -> None:
    if text:
        typer.echo(text)


def _refuse(detail: str) -> typer.Exit:
    typer.echo(" ".join(detail.split()), err=True)
    return typer.Exit(1)
