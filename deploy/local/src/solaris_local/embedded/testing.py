"""Servers for tests, found by the entry point group `solaris.test_servers`; real, and gone with the run."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from solaris_local.embedded import process
from solaris_local.embedded.nats import NatsServer
from solaris_local.embedded.postgres import PostgresServer

MEMORY = Path("/dev/shm")
PREFIX = "solaris-test-"
ENOUGH_BYTES = 2 * 1024**3


@contextmanager
def scratch_folder(name: str) -> Iterator[Path]:
    """A folder that the unprivileged account can reach; in memory where there is room (fsync stays on)."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH_BYTES
    place = MEMORY if roomy else Path(tempfile.gettempdir())
    sweep(place)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-{name}-", dir=place))
    process.own(folder, process.unprivileged())
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(place: Path) -> None:
    """Remove the folders of runs that were killed: their name holds the pid of a process that is gone."""
    for folder in place.glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).split("-")[0]
        if pid.isdigit() and not process.alive(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A fresh PostgreSQL server, ended and removed with the block."""
    with scratch_folder("postgres") as folder:
        server = PostgresServer(folder, leashed=True, sync_initdb=False)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextmanager
def nats_server() -> Iterator[NatsServer]:
    """A fresh NATS server without users, ended and removed with the block."""
    with scratch_folder("nats") as folder:
        server = NatsServer(folder, leashed=True)
        try:
            server.start()
            yield server
        finally:
            server.stop()
