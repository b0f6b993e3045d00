"""Supervisor of one NATS server: JetStream file store synced at every write, monitoring on loopback only."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from solaris_local.embedded import process
from solaris_local.embedded.binaries import Binaries, made_reachable, nats_binaries
from solaris_local.embedded.process import StartFailed

CONFIGURATION: Final = Path(__file__).resolve().parents[4] / "nats" / "nats.conf"
STOP_SIGNALS: Final = ((signal.SIGTERM, 10.0), (signal.SIGKILL, 5.0))
START_SECONDS: Final = 20.0
OPEN_ACCOUNTS: Final = """accounts { SOLARIS { jetstream: enabled, users: [ { user: open } ] } }
no_auth_user: open
"""


@dataclass(slots=True)
class NatsServer:
    """One server on a folder of its own; `accounts` is the text of accounts.conf (open for tests)."""

    folder: Path
    accounts: str = OPEN_ACCOUNTS
    leashed: bool = False
    port: int = 0
    monitor_port: int = 0
    binaries: Binaries = field(init=False)
    account: process.Account | None = field(init=False)
    _child: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _watcher: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.account = process.unprivileged()
        self.binaries = made_reachable(nats_binaries(), self.account, "nats-server")

    @property
    def store(self) -> Path:
        """JetStream's folder."""
        return self.folder / "store"

    @property
    def log(self) -> Path:
        """The server's log file."""
        return self.folder / "nats.log"

    @property
    def url(self) -> str:
        """Client address."""
        return f"nats://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Process id, 0 when it does not run."""
        return self._child.pid if self._child else 0

    def start(self) -> None:
        """Write the configuration, start, wait until JetStream is healthy; same ports as before if free."""
        for path in (self.folder, self.store):
            process.own(path, self.account)
        self._end_leftover()
        self._configure()
        self._child = process.spawn(
            [self.binaries.program("nats-server"), "--config", self.folder / "nats.conf"],
            self.log, self.account, self._environment(), self.folder,
        )  # fmt: skip
        self._wait_ready()
        if self.leashed:
            self._watcher = process.leash(self.pid, signal.SIGKILL)
        self._write_state()

    def stop(self) -> None:
        """Stop in order; returns when the process is gone and reaped. Safe to call twice."""
        process.release(self._watcher)
        self._watcher = None
        if self._child and not process.stop(self._child.pid, STOP_SIGNALS, self._child):
            raise RuntimeError(f"NATS (pid {self._child.pid}) does not stop; see {self.log}")
        self._child = None

    def kill(self) -> None:
        """SIGKILL, as a crash would."""
        process.release(self._watcher)
        self._watcher = None
        if self._child:
            self._child.kill()
            self._child.wait()
        self._child = None

    def wipe(self) -> None:
        """Lose everything the broker stored. Only while it does not run."""
        if self._child:
            raise RuntimeError("stop the server before its store is wiped")
        shutil.rmtree(self.store, ignore_errors=True)

    def running(self) -> bool:
        """True while our server lives."""
        return self._child is not None and self._child.poll() is None

    def version(self) -> str:
        """Version line of the binary in use."""
        return self.binaries.version("nats-server")

    def varz(self) -> dict[str, object]:
        """The server's own account of itself (monitoring endpoint `/varz`)."""
        return json.loads(self._get("/varz")[1])

    def _configure(self) -> None:
        self.port = self.port if self.port and process.is_free(self.port) else process.free_port()
        if not self.monitor_port or not process.is_free(self.monitor_port):
            self.monitor_port = process.free_port()
        (self.folder / "nats.conf").write_text(CONFIGURATION.read_text())
        (self.folder / "accounts.conf").write_text(self.accounts)
        for name in ("nats.conf", "accounts.conf"):
            (self.folder / name).chmod(0o600)
            if self.account:
                os.chown(self.folder / name, self.account.uid, self.account.gid)

    def _environment(self) -> dict[str, str]:
        return {
            "PATH": "/usr/bin:/bin",
            "SOLARIS_NATS_NAME": "solaris-local",
            "SOLARIS_NATS_HOST": "127.0.0.1",
            "SOLARIS_NATS_PORT": str(self.port),
            "SOLARIS_NATS_MONITOR": f"127.0.0.1:{self.monitor_port}",
            "SOLARIS_NATS_STORE": str(self.store),
        }

    def _wait_ready(self) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self.running():
            if self._healthy():
                return
            time.sleep(process.POLL_SECONDS)
        self.kill()
        raise StartFailed(f"NATS is not ready:\n{process.tail(self.log)}")

    def _healthy(self) -> bool:
        try:
            return self._get("/healthz")[0] == 200
        except OSError:
            return False

    def _get(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.monitor_port, timeout=2)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def _end_leftover(self) -> None:
        """A server that outlived a killed runtime is known by pid and start time, and stopped."""
        try:
            state = json.loads((self.folder / "state.json").read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return
        if process.started_at(state["pid"]) == state["started_at"]:
            process.stop(state["pid"], STOP_SIGNALS)

    def _write_state(self) -> None:
        state = {"pid": self.pid, "started_at": process.started_at(self.pid), "port": self.port}
        state |= {"binary": str(self.binaries.program("nats-server")), "origin": self.binaries.origin}
        (self.folder / "state.json").write_text(json.dumps(state | {"monitor_port": self.monitor_port}))
