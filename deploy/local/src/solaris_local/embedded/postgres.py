"""Supervisor of one PostgreSQL server on a data folder of its own.

The server is started as a child in a new session and stopped with SIGINT (fast), then SIGQUIT (immediate).
The file `postmaster.pid` is read, never deleted: PostgreSQL alone decides whether another server lives on
the folder.
"""

import fcntl
import hashlib
import json
import os
import secrets
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import psutil

from solaris_local.embedded import process
from solaris_local.embedded.binaries import Binaries, made_reachable, postgres_binaries
from solaris_local.embedded.process import StartFailed

SUPERUSER: Final = "postgres"
STOP_SIGNALS: Final = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 10.0))
START_SECONDS: Final = 60.0
LONGEST_SOCKET_PATH: Final = 100
SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "max_connections": "200",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
    "lc_messages": "C",
}
PASSING: Final = (
    "could not bind",
    "could not create any TCP/IP sockets",
    "pre-existing shared memory block",
    "already exists",
)


class FolderInUse(RuntimeError):
    """Another runtime holds the lock of this data folder."""


@dataclass(slots=True)
class PostgresServer:
    """One server: `start`, `stop`, `kill`; `url`. `folder` holds data, log, password and state."""

    folder: Path
    leashed: bool = False
    sync_initdb: bool = True
    settings: dict[str, str] = field(default_factory=dict)
    port: int = 0
    binaries: Binaries = field(init=False)
    account: process.Account | None = field(init=False)
    _child: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _watcher: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _lock: int = field(default=-1, init=False)

    def __post_init__(self) -> None:
        self.account = process.unprivileged()
        self.binaries = made_reachable(postgres_binaries(), self.account, "postgres")

    @property
    def data(self) -> Path:
        """PostgreSQL's own data folder."""
        return self.folder / "data"

    @property
    def log(self) -> Path:
        """The server's log file."""
        return self.folder / "postgres.log"

    @property
    def pid(self) -> int:
        """Process id of the postmaster; 0 when it is not ours or not started."""
        return self._child.pid if self._child else 0

    @property
    def password(self) -> str:
        """Password of the superuser, kept in a file that only the account of the server can read."""
        return (self.folder / "password").read_text().strip()

    @property
    def url(self) -> str:
        """Connection address of the superuser."""
        return self.address(SUPERUSER, self.password, "postgres")

    def address(self, user: str, password: str, database: str) -> str:
        """Connection address of any role and database of this server."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Make the data folder if new, end a server left by a killed runtime, start, wait until ready."""
        process.own(self.folder, self.account)
        self._take_lock()
        if not (self.data / "PG_VERSION").exists():
            self._initialise()
        self._end_leftover()
        until = time.monotonic() + START_SECONDS
        while not self._try_start(until):
            time.sleep(0.2)
        if self.leashed:
            self._watcher = process.leash(self.pid, signal.SIGQUIT)
        self._write_state()

    def stop(self) -> None:
        """Stop in order; returns when the process is gone and reaped. Safe to call twice."""
        process.release(self._watcher)
        self._watcher = None
        if self._child and not process.stop(self._child.pid, STOP_SIGNALS, self._child):
            raise RuntimeError(f"PostgreSQL (pid {self._child.pid}) does not stop; see {self.log}")
        self._child = None
        self._drop_lock()

    def kill(self) -> None:
        """SIGKILL, as a crash would."""
        process.release(self._watcher)
        self._watcher = None
        if self._child:
            self._child.kill()
            self._child.wait()
        self._child = None
        self._drop_lock()

    def running(self) -> bool:
        """True while our postmaster lives."""
        return self._child is not None and self._child.poll() is None

    def version(self) -> str:
        """Version line of the binary in use."""
        return self.binaries.version("postgres")

    def _take_lock(self) -> None:
        if self._lock >= 0:
            return
        self._lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._drop_lock()
            raise FolderInUse(f"another runtime uses {self.folder}") from None

    def _drop_lock(self) -> None:
        if self._lock >= 0:
            os.close(self._lock)
        self._lock = -1

    def _initialise(self) -> None:
        """Run initdb into a folder beside and rename it: a half-made data folder is never started."""
        secret = self.folder / "password"
        secret.write_text(secrets.token_hex(16) + "\n")
        secret.chmod(0o600)
        part = Path(tempfile.mkdtemp(prefix="initdb-", dir=self.folder))
        for path in (secret, part):
            self._hand_over(path)
        command = [self.binaries.program("initdb"), "-D", part, "-U", SUPERUSER, "--encoding=UTF8"]
        command += ["--locale=C.UTF-8", "--auth=scram-sha-256", f"--pwfile={secret}", "--no-instructions"]
        command += [] if self.sync_initdb else ["--no-sync"]
        child = process.spawn(command, self.log, self.account, _environment(), self.folder)
        if child.wait() != 0:
            raise StartFailed(f"initdb failed:\n{process.tail(self.log)}")
        part.rename(self.data)

    def _hand_over(self, path: Path) -> None:
        if self.account:
            os.chown(path, self.account.uid, self.account.gid)

    def _end_leftover(self) -> None:
        """A postmaster that outlived a killed runtime is stopped in order; its own files stay untouched."""
        pid = leftover(self.data)
        if pid and not process.stop(pid, STOP_SIGNALS):
            raise StartFailed(f"a PostgreSQL server (pid {pid}) on {self.data} does not stop")

    def _try_start(self, until: float) -> bool:
        """One attempt; False = worth another (port taken, backends of a killed postmaster still ending)."""
        if not self.port or not process.is_free(self.port):
            self.port = process.free_port()
        self._child = process.spawn(self._command(), self.log, self.account, _environment(), self.folder)
        while self._child.poll() is None and time.monotonic() < until:
            if self._ready():
                return True
            time.sleep(process.POLL_SECONDS)
        if time.monotonic() >= until:
            self.kill()
            raise StartFailed(f"PostgreSQL is not ready in time:\n{process.tail(self.log)}")
        self._child = None
        if not _passing(process.tail(self.log)):
            self._drop_lock()
            raise StartFailed(f"PostgreSQL ended at once:\n{process.tail(self.log)}")
        return False

    def _command(self) -> list[str]:
        own = {"port": str(self.port), "unix_socket_directories": str(self._sockets())}
        options = SETTINGS | self.settings | own
        words = [str(self.binaries.program("postgres")), "-D", str(self.data)]
        return words + [word for name, value in options.items() for word in ("-c", f"{name}={value}")]

    def _sockets(self) -> Path:
        """Folder of the Unix socket; a short one elsewhere if the path would pass the limit of the system."""
        near = self.folder / "socket"
        if len(str(near / ".s.PGSQL.65535.lock")) < LONGEST_SOCKET_PATH:
            return process.own(near, self.account)
        name = hashlib.sha256(str(self.folder).encode()).hexdigest()[:12]
        return process.own(Path("/tmp") / f"solaris-{name}", self.account)

    def _ready(self) -> bool:
        """The eighth line of postmaster.pid says `ready` once connections are accepted."""
        lines = _pid_file(self.data)
        return len(lines) > 7 and lines[0] == str(self.pid) and lines[7].strip() == "ready"

    def _write_state(self) -> None:
        state = {"pid": self.pid, "started_at": process.started_at(self.pid), "port": self.port}
        state |= {"binary": str(self.binaries.program("postgres")), "origin": self.binaries.origin}
        (self.folder / "state.json").write_text(json.dumps(state))


def leftover(data: Path) -> int:
    """Pid of a living postmaster on this data folder, 0 if there is none (a reused pid is seen through)."""
    lines = _pid_file(data)
    pid = int(lines[0]) if lines and lines[0].isdigit() else 0
    if not pid or not process.alive(pid):
        return 0
    return pid if str(data) in psutil.Process(pid).cmdline() else 0


def _pid_file(data: Path) -> list[str]:
    try:
        return (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return []


def _passing(log: str) -> bool:
    """Refusals that pass by themselves: a port taken meanwhile, backends of a killed server still ending."""
    last = log[log.rfind("starting PostgreSQL") :] if "starting PostgreSQL" in log else log
    return any(cause in last for cause in PASSING)


def _environment() -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
