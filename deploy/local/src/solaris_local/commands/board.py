"""`solaris board import | export | show`: boards from and to .board files, and as text."""

from pathlib import Path
from typing import Annotated, Any

import typer


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.callback()(_about)
    app.command("import")(import_)
    app.command("export")(export)
    app.command("show")(show)


def _about() -> None:
    """Read, write and show boards."""


def import_(
    file: Annotated[Path, typer.Argument(help="a .board file", metavar="FILE")],
    json: Annotated[bool, typer.Option("--json", help="the board as JSON")] = False,
) -> None:
    """Read a .board file; a terrain that is not played is refused by its name and hex."""
    from solaris_combat.engines.battletech import board_file

    read = _read(file)
    try:
        board, without_effect = board_file.playable_board(read.file)
    except board_file.BoardRefused as refused:
        raise _refuse(f"{file}: {refused}") from None
    ignored, unfought = [*read.ignored, *without_effect], list(board_file.not_fought_on(board))
    if json:
        _tell_json(_facts(read.file) | {"playable": not unfought, "not_played": unfought, "ignored": ignored})
        return
    typer.echo(f"{board.width} x {board.height} hexes")
    typer.echo(board_file.map_text(board), nl=False)
    typer.echo("Fights " + (f"refuse it: {', '.join(unfought)}" if unfought else "can be played on it"))
    for line in ignored:
        typer.echo(f"ignored: {line}")


def export(
    wanted: Annotated[str, typer.Argument(help="an arena or a .board file", metavar="FILE_OR_ID")],
) -> None:
    """Write an arena, or the board of a file, as a .board file on standard output."""
    from solaris_combat.engines.battletech import board_file
    from solaris_combat.engines.battletech.board import arena, arena_ids

    known = wanted in arena_ids()
    file = board_file.file_of(arena(wanted).board) if known else _read(Path(wanted)).file
    typer.get_binary_stream("stdout").write(board_file.write(file).encode())


def show(arena_id: Annotated[str, typer.Argument(help="id of an arena", metavar="ID")]) -> None:
    """Print an arena: names, size, where sides begin, and its map."""
    from solaris_combat.engines.battletech.board import arena, arena_ids
    from solaris_combat.engines.battletech.board_file import map_text
    from solaris_combat.engines.battletech.hex import league_facing

    if arena_id not in arena_ids():
        raise _refuse(f"no arena {arena_id!r}; there are: {', '.join(arena_ids())}")
    found = arena(arena_id)
    typer.echo(f"{found.name_es} / {found.name}: {found.board.width} x {found.board.height} hexes")
    for place, (at, facing) in enumerate(found.starts, 1):
        typer.echo(f"start {place}: {at} facing {league_facing(facing)}")
    typer.echo(map_text(found.board), nl=False)


def _facts(file: Any) -> dict[str, Any]:
    """The file as JSON: hexes by printed number."""
    from solaris_combat.engines.battletech.board_file import terrain_text

    hexes = {
        str(at): {"level": said.level, "terrain": terrain_text(said), "theme": said.theme}
        for at, said in file.hexes.items()
    }
    return {"width": file.width, "height": file.height, "hexes": hexes}


def _read(file: Path) -> Any:
    """The contents of a file; one line on standard error and exit 1 for what is refused."""
    from solaris_combat.engines.battletech import board_file

    try:
        with file.open("rb") as opened:
            return board_file.read(opened.read(board_file.LARGEST_FILE + 1))
    except OSError as error:
        raise _refuse(f"{file}: {error.strerror}") from None
    except board_file.BoardRefused as refused:
        raise _refuse(f"{file}: {refused}") from None
    except ValueError:
        raise _refuse(f"{str(file)!r} is no name of a file") from None


def _tell_json(value: Any) -> None:
    import msgspec

    typer.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


def _refuse(reason: str) -> typer.Exit:
    typer.echo(" ".join(reason.split()), err=True)
    return typer.Exit(1)
