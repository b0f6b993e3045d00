"""Forks the league's processes from one that has imported their common libraries already.

Nine processes that each import the web framework, the database toolkit and the broker's client cost two small
cores seven seconds; forked ones cost one. A child is otherwise as if started by `python -m module`: own
session, own environment, output to its own log. When the runtime dies, its pipe closes and the nursery asks
its children to end.

Protocol, one JSON line each way: `{"module", "arguments", "environment", "log", "name"}` gets `{"pid"}`;
whenever a child ends, `{"ended": pid, "code": n}` follows.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import runpy
import select
import signal
import sys
from typing import Any, Final

PRELOADED: Final = (
    "solaris_shared.service_main", "aiosmtpd.smtp", "solaris_local.migrations", "solaris_console.app",
)  # fmt: skip
SET_NAME: Final = 15
"""prctl's PR_SET_NAME: the short name that `ps` and `top` show (Linux)."""


def main() -> None:
    """Serve requests from stdin until it closes; then end the children."""
    for module in PRELOADED:
        importlib.import_module(module)
    gc.collect()
    gc.freeze()
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    children: set[int] = set()
    _serve(children, wake_read)
    for pid in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


def _serve(children: set[int], wake: int) -> None:
    pending = b""
    while True:
        readable, _, _ = select.select([0, wake], [], [])
        if wake in readable:
            os.read(wake, 4096)
            _reap(children)
        if 0 in readable:
            received = os.read(0, 65536)
            if not received:
                return
            *lines, pending = (pending + received).split(b"\n")
            for line in lines:
                children.add(_start(json.loads(line)))


def _reap(children: set[int]) -> None:
    while children:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        children.discard(pid)
        _answer({"ended": pid, "code": os.waitstatus_to_exitcode(status)})


def _start(request: dict[str, Any]) -> int:
    pid = os.fork()
    if pid == 0:
        _become(request)
    _answer({"pid": pid})
    return pid


def _answer(message: dict[str, int]) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(1, json.dumps(message).encode() + b"\n")


def _become(request: dict[str, Any]) -> None:
    """In the child: cut every tie to the nursery, then run the module as if it were the program."""
    os.setsid()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(request["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.closerange(3, 4096)
    os.environ.clear()
    os.environ.update(request["environment"])
    _name(request["name"])
    sys.argv = [request["module"], *request["arguments"]]
    os._exit(_run(request["module"]))


def _run(module: str) -> int:
    """Run as a program; what leaves it decides the exit code, as the interpreter would."""
    code = 0
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - the end of a program: print what it died of, as the interpreter does
        sys.excepthook(*sys.exc_info())
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code


def _name(name: str) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_NAME, name.encode()[:15], 0, 0, 0)


if __name__ == "__main__":
    main()
