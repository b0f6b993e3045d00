"""The league's processes as the runtime sees them, and the nursery that forks them."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from solaris_local.embedded import process

CHILD_SIGNALS: Final = ((signal.SIGTERM, 20.0), (signal.SIGKILL, 5.0))


@dataclass(slots=True)
class Nursery:
    """The process that forks the others; started on first use, and again if it died."""

    environment: dict[str, str]
    log: Path
    running: subprocess.Popen[bytes] | None = None
    codes: dict[int, int] = field(default_factory=dict)

    @property
    def pid(self) -> int:
        """Its process id, 0 when it does not run."""
        return self.running.pid if self.running and self.running.poll() is None else 0

    def open(self) -> None:
        """Start it; it imports while others start."""
        with self.log.open("ab") as errors:
            self.running = subprocess.Popen(
                [sys.executable, "-m", "solaris_local.nursery"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                env=self.environment, start_new_session=True,
            )  # fmt: skip

    def start(
        self, name: str, module: str, arguments: list[str], environment: dict[str, str], log: Path
    ) -> int:
        """Fork one process; its pid."""
        if not self.pid:
            self.open()
        request = {"name": name, "module": module, "arguments": arguments, "environment": environment}
        assert self.running and self.running.stdin
        self.running.stdin.write(json.dumps(request | {"log": str(log)}).encode() + b"\n")
        self.running.stdin.flush()
        return int(self._answer("pid")["pid"])

    def wait(self, pid: int) -> int:
        """Exit code of a forked process, once it has ended."""
        while pid not in self.codes:
            self._keep(self._line())
        return self.codes.pop(pid)

    def close(self) -> None:
        """Let it end; it has no work left."""
        if self.running:
            for pipe in (self.running.stdin, self.running.stdout):
                if pipe:
                    pipe.close()
            self.running.wait(10)
        self.running = None

    def _answer(self, key: str) -> dict[str, Any]:
        while key not in (message := self._line()):
            self._keep(message)
        return message

    def _keep(self, message: dict[str, Any]) -> None:
        if "ended" in message:
            self.codes[message["ended"]] = message["code"]

    def _line(self) -> dict[str, Any]:
        assert self.running and self.running.stdout
        line = self.running.stdout.readline()
        if not line:
            raise process.StartFailed(f"the nursery ended:\n{process.tail(self.log)}")
        return dict(json.loads(line))


@dataclass(slots=True)
class Child:
    """One supervised process: `python -m module arguments`."""

    name: str
    module: str
    arguments: list[str]
    environment: dict[str, str]
    log: Path
    pid: int = 0
    restarts: int = 0

    def start(self, nursery: Nursery) -> None:
        """Fork it."""
        self.pid = nursery.start(self.name, self.module, self.arguments, self.environment, self.log)

    def ended(self) -> bool:
        """True once it has been started and is no more."""
        return self.pid != 0 and not process.alive(self.pid)

    def stop(self) -> None:
        """SIGTERM, time to finish what is in flight, then SIGKILL."""
        if self.pid:
            process.stop(self.pid, CHILD_SIGNALS)
        self.pid = 0


def restart(child: Child, nursery: Nursery, pause: float) -> None:
    """Start again, after a pause if it is not the first time."""
    time.sleep(pause if child.restarts else 0)
    child.restarts += 1
    child.start(nursery)
