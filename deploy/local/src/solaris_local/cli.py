"""The `solaris` command line: each command is a module of `solaris_local.commands`, imported on demand."""

import importlib
import pkgutil
import sys
from collections.abc import Sequence
from typing import Any

import click
import typer
from typer.core import TyperGroup

from solaris_local import commands

UsageError: Any = typer.BadParameter.__base__
"""The root of what is wrong with a command line; typer has a click of its own and does not name this one."""


class LazyCommands(TyperGroup):
    """Finds a command by the name of its module, so no command pays for the imports of another."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all command modules."""
        return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of one module, None for an unknown name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        importlib.import_module(f"{commands.__name__}.{cmd_name}").register(app)
        command = typer.main.get_command(app)
        command.name = cmd_name
        return command


application = typer.Typer(
    cls=LazyCommands,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Solaris: a BattleTech league's referee, bank, league office and post office on this machine.",
)


@application.callback()
def _root() -> None:
    """Solaris: a BattleTech league's referee, bank, league office and post office on this machine."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point of the `solaris` script. What is wrong with a command line is told in one line."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = application(args=given, prog_name="solaris", standalone_mode=False)
    except UsageError as error:
        if not given:
            error.show()  # the help
        else:
            sys.stderr.write(_in_one_line(error))
        status = error.exit_code
    except typer.Abort:
        status = 1
    except OSError as error:
        sys.stderr.write(f"solaris: {_place(error)}\n")
        status = 1
    sys.exit(status if isinstance(status, int) else 0)


def _place(error: OSError) -> str:
    """`/dev/null/keys: Not a directory`, a folder or file that the system refuses."""
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


def _in_one_line(error: Any) -> str:
    """`solaris fight: missing option '--right' (solaris fight --help tells more)`."""
    where = error.ctx.command_path if error.ctx else "solaris"
    reason = " ".join(error.format_message().split()).removesuffix(".")
    return f"{where}: {reason[:1].lower()}{reason[1:]} ({where} --help tells more)\n"
