"""`solaris mech import | export | show`: record sheets from and to MTF files, and as text."""

from pathlib import Path
from typing import Annotated, Any

import typer

Language = Annotated[str, typer.Option(help="of the sheet: es or en")]


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.callback()(_about)
    app.command("import")(import_)
    app.command("export")(export)
    app.command("show")(show)


def _about() -> None:
    """Read, write and show designs of 'Mechs."""


def import_(
    file: Annotated[Path, typer.Argument(help="an .mtf file", metavar="FILE")],
    json: Annotated[bool, typer.Option("--json", help="the sheet as JSON")] = False,
    language: Language = "es",
) -> None:
    """Read an MTF file, check the design and tell what of the file was passed over."""
    from solaris_combat.engines.battletech.playable import not_played
    from solaris_combat.engines.battletech.sheet_text import sheet_text

    _speaks(language)
    read = _read(file)
    if json:
        reasons = list(not_played(read.sheet))
        facts = {"playable": not reasons, "not_played": reasons, "ignored": list(read.ignored)}
        _tell_json({"sheet": read.sheet, **facts})
        return
    typer.echo(sheet_text(read.sheet, language=language), nl=False)
    for line in read.ignored:
        typer.echo(f"ignored: {line}")


def export(
    wanted: Annotated[str, typer.Argument(help="a model or an .mtf file", metavar="FILE_OR_MODEL")],
) -> None:
    """Write a 'Mech of the catalogue, or of a file, as an MTF file on standard output."""
    from solaris_combat.engines.battletech import mtf
    from solaris_combat.engines.battletech.catalogue import SHEETS, DesignRefused

    sheet = SHEETS[wanted] if wanted in SHEETS else _read(Path(wanted)).sheet
    try:
        written = mtf.write(sheet)
    except DesignRefused as refused:
        raise _refuse(f"{wanted}: {refused}") from None
    typer.get_binary_stream("stdout").write(written.encode())


def show(
    model: Annotated[str, typer.Argument(help="a model of the catalogue", metavar="MODEL")],
    language: Language = "es",
) -> None:
    """Print a record sheet of the catalogue."""
    from solaris_combat.engines.battletech.catalogue import DESIGNS, SHEETS
    from solaris_combat.engines.battletech.sheet_text import sheet_text

    _speaks(language)
    if model not in SHEETS:
        raise _refuse(f"no 'Mech {model!r} in the catalogue; there are: {', '.join(sorted(SHEETS))}")
    facts = {name: getattr(DESIGNS[model], name) for name in ("price", "battle_value", "affiliation")}
    typer.echo(sheet_text(SHEETS[model], facts, language), nl=False)


def _speaks(language: str) -> None:
    from solaris_combat.engines.contract import SetupRefused
    from solaris_local import offline

    try:
        offline.speaks(language)
    except SetupRefused as refused:
        raise _refuse(str(refused)) from None


def _read(file: Path) -> Any:
    """The imported sheet of a file; one line on standard error and exit 1 for what is refused."""
    from solaris_combat.engines.battletech import mtf
    from solaris_combat.engines.battletech.record_sheet import DesignRefused

    try:
        with file.open("rb") as opened:
            return mtf.read(opened.read(mtf.LARGEST + 1))
    except OSError as error:
        raise _refuse(f"{file}: {error.strerror}") from None
    except ValueError:
        raise _refuse(f"{str(file)!r} is no name of a file") from None
    except DesignRefused as refused:
        raise _refuse(f"{file}: {refused}") from None


def _tell_json(value: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


def _refuse(reason: str) -> typer.Exit:
    typer.echo(" ".join(reason.split()), err=True)
    return typer.Exit(1)
