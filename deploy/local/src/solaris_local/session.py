"""A league at the terminal: start, print addresses, stay until Ctrl-C, SIGTERM or the end of the terminal."""

import signal
import sys
import time
from collections.abc import Callable
from types import FrameType

from solaris_local.embedded.postgres import FolderInUse
from solaris_local.embedded.process import StartFailed
from solaris_local.home import Home, HomeInUse
from solaris_local.runtime import Runtime

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
EXIT_FAILED = 1


class Interrupted(BaseException):
    """Raised out of whatever runs when the person asks to stop."""


def stay_up(work: Callable[[Runtime], None] | None = None) -> int:
    """Start, do `work`, watch until asked to stop, end everything. Returns the exit code."""
    runtime = Runtime(Home.of_environment(), say)
    for number in ENDING_SIGNALS:
        signal.signal(number, _interrupt)
    try:
        _run(runtime, work)
    except Interrupted:
        say("parando / stopping ...")
    except (StartFailed, FolderInUse, HomeInUse) as error:
        say(f"no arranca / cannot start: {error}")
        return EXIT_FAILED
    finally:
        _end(runtime)
    return 0


def _run(runtime: Runtime, work: Callable[[Runtime], None] | None) -> None:
    begun = time.monotonic()
    say(f"Solaris: datos en / data in {runtime.home.root}")
    runtime.up()
    say(f"  todo en marcha en / all up after {time.monotonic() - begun:.1f} s")
    if work:
        work(runtime)
    print_addresses(runtime)
    runtime.watch()


def _end(runtime: Runtime) -> None:
    """Stop everything; a second Ctrl-C may not leave half of it running."""
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    runtime.down()
    say("parado, los datos se conservan / stopped, the data are kept")


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise Interrupted


def print_addresses(runtime: Runtime) -> None:
    """Where everything is reachable."""
    say("")
    for name in runtime.ports.apis:
        say(f"  {name:8} {runtime.api(name)}/v1    API: {runtime.api(name)}/openapi.json")
    say(f"  cartas / letters  {runtime.home.letters}")
    say(f"  consola / console {runtime.console}")
    say("  En un navegador; `solaris demo` nombra a un jugador con el que entrar.")
    say("  In a browser; `solaris demo` names a player to log in with.")
    say("  Ctrl-C lo para todo; `solaris status`, en otra terminal, dice cómo va.")
    say("  Ctrl-C stops everything; `solaris status` in another terminal tells how it is.")


def say(text: str) -> None:
    """One line of progress, at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
