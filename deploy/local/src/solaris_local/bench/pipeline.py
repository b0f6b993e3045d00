"""From a command over HTTP to another service's read model, on the real processes of league and economy.

A player enters a mechwarrior (league's API); league's worker publishes the fact; economy's worker imports it,
its reactor opens an account, and its projection shows it. `foreign` is the time from sending the command to
the account's row being visible: two outboxes' worth of steps, not one.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import psutil

from solaris_local.bench.append import disk_server
from solaris_local.bench.client import Connections
from solaris_local.embedded.nats import NatsServer
from solaris_local.embedded.process import free_port
from solaris_shared.http.tokens import Claims, make_key, public_jwks, sign

RATES = (50, 100, 200)
WARM_SECONDS = 2.0
LATE_SECONDS = 20.0
POLL_SECONDS = 0.008
"""Between looks at the account view; it stands in what is measured, as does the look's own work."""
ACCOUNTS = "SELECT owner FROM books_v1.account WHERE owner = ANY($1::text[])"
PROCESSES = (("league", "api"), ("league", "worker"), ("economy", "worker"))


class Stack:
    """The three processes and what they need, for the length of the block."""

    def __init__(self, folder: Path, database_server: str, nats: str) -> None:
        self.folder = folder
        self.server = database_server
        self.port = free_port()
        self.key = make_key()
        self.environment = {
            **os.environ,
            "SOLARIS_NATS_URL": nats,
            "SOLARIS_HTTP_PORT": str(self.port),
            "SOLARIS_LOG_LEVEL": "WARNING",
            "SOLARIS_CURSOR_KEY": "bench",
            "SOLARIS_JWKS_FILE": self._file("jwks.json", public_jwks(self.key)),
            "SOLARIS_SIGNING_KEY_FILE": self._file("key.json", self.key),
        }
        self.processes: list[subprocess.Popen[bytes]] = []

    def _file(self, name: str, content: object) -> str:
        path = self.folder / name
        path.write_text(json.dumps(content), encoding="utf-8")
        return str(path)

    def url(self, name: str) -> str:
        """Address of a service's database."""
        return urlunsplit(urlsplit(self.server)._replace(path=f"/{name}"))

    def spawn(self, service: str, process: str) -> subprocess.Popen[bytes]:
        """Start one process of a service."""
        environment = self.environment | {"SOLARIS_DATABASE_URL": self.url(service)}
        return subprocess.Popen([sys.executable, "-m", f"solaris_{service}", process], env=environment)

    async def start(self) -> None:
        """Databases, migrations, processes; returns when the API is ready and the account view is there."""
        conn = await asyncpg.connect(self.server)
        for name in ("league", "economy"):
            await conn.execute(f"CREATE DATABASE {name}")
            await asyncio.to_thread(self.spawn(name, "migrate").wait)
        await conn.close()
        self.processes = [self.spawn(*which) for which in PROCESSES]
        connections = Connections("127.0.0.1", self.port, 1)
        for _ in range(600):
            await asyncio.sleep(0.1)
            try:
                if (await connections.send("GET", "/health/ready", {}))[
                    0
                ] == 200 and await self._view_is_there():
                    return
            except (OSError, asyncio.IncompleteReadError, asyncpg.PostgresError):
                continue
        raise RuntimeError("the services did not start")

    async def _view_is_there(self) -> bool:
        conn = await asyncpg.connect(self.url("economy"))
        try:
            return await conn.fetchval("SELECT to_regclass('books_v1.account') IS NOT NULL")
        finally:
            await conn.close()

    def stop(self) -> None:
        """End the processes in order."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()

    def token(self, person: str) -> str:
        """A session token of an invented player."""
        now = int(time.time())
        claims = Claims(
            person, frozenset({"player"}), frozenset({"*"}), str(uuid.uuid4()), "session", now, now + 900
        )
        return sign(self.key, claims)


@contextmanager
def servers() -> Iterator[tuple[Path, str, str]]:
    """A scratch folder, a PostgreSQL server on disk and a NATS server."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="solaris-bench-")))
        folder.chmod(0o755)
        database = stack.enter_context(disk_server())
        nats = NatsServer(folder / "nats", leashed=True)
        nats.start()
        stack.callback(nats.stop)
        yield folder, database, nats.url


async def run(seconds: float) -> dict[str, Any]:
    """Measure every rate for `seconds`, one after the other."""
    with servers() as (folder, database, nats):
        stack = Stack(folder, database, nats)
        try:
            await stack.start()
            return {
                "rates": {str(rate): await measure(stack, rate, seconds) for rate in RATES},
                "seconds": seconds,
            }
        finally:
            stack.stop()


class Load:
    """Commands at a fixed rate, whatever the answers do; when each was sent, answered and seen elsewhere."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.connections = Connections("127.0.0.1", stack.port, 64)
        self.http: list[float] = []
        self.foreign: list[float] = []
        self.waiting: dict[str, tuple[float, bool]] = {}
        self.refused = 0

    async def send(self, token: str, begin: float, counts: bool) -> None:
        """One player enters his mechwarrior."""
        name = f"Bench {uuid.uuid4().hex[:12]}"
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": uuid.uuid4().hex}
        body = {"name": name, "affiliation": "Davion"}
        status, answer = await self.connections.send("POST", "/v1/mechwarriors", headers, body)
        if status != 201:
            self.refused += 1
            return
        if counts:
            self.http.append(time.monotonic() - begin)
        self.waiting[answer["mechwarrior_id"]] = (begin, counts)

    async def watch(self, sending: asyncio.Task[None]) -> None:
        """Look for the accounts until all are there."""
        conn = await asyncpg.connect(self.stack.url("economy"))
        end = None
        while not sending.done() or self.waiting:
            for row in await conn.fetch(ACCOUNTS, list(self.waiting)):
                begin, counts = self.waiting.pop(row["owner"])
                if counts:
                    self.foreign.append(time.monotonic() - begin)
            await asyncio.sleep(POLL_SECONDS)
            if sending.done():
                end = end or time.monotonic() + LATE_SECONDS
                if time.monotonic() > end:
                    break
        await conn.close()


async def measure(stack: Stack, rate: int, seconds: float) -> dict[str, Any]:
    """The 99th percentiles in milliseconds at `rate` commands a second."""
    load = Load(stack)
    number = int(rate * (WARM_SECONDS + seconds))
    tokens = [stack.token(str(uuid.uuid4())) for _ in range(number)]

    async def send_all() -> None:
        begin = time.monotonic() + 0.1
        async with asyncio.TaskGroup() as group:
            for count, token in enumerate(tokens):
                due = begin + count / rate
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                group.create_task(load.send(token, due, count >= rate * WARM_SECONDS))

    before = _cpu_seconds()
    sending = asyncio.create_task(send_all())
    await load.watch(sending)
    await sending
    load.connections.close()
    spent = _cpu_seconds() - before
    return {
        "http_p99_ms": _percentile(load.http), "foreign_p99_ms": _percentile(load.foreign),
        "http_p50_ms": _percentile(load.http, 0.5), "foreign_p50_ms": _percentile(load.foreign, 0.5),
        "commands": len(load.http), "refused": load.refused, "never_seen": len(load.waiting),
        "cpu_ms": round(1000 * spent.total() / number, 2),
        "cpu_ms_of": {name: round(1000 * share / number, 2) for name, share in spent.most_common()},
    }  # fmt: skip


def _cpu_seconds() -> Counter[str]:
    """CPU time until now of the load generator, each service's processes, PostgreSQL and NATS."""
    own, spent = psutil.Process(), Counter[str]()
    for process in (own, *own.children(recursive=True)):
        with contextlib.suppress(psutil.Error):  # it has just ended
            words, times = process.cmdline(), process.cpu_times()
            role = " ".join(words[2:4]) if words[1:2] == ["-m"] else process.name()
            spent["load" if process == own else role] += times.user + times.system
    return spent


def _percentile(values: list[float], share: float = 0.99) -> float | None:
    """In milliseconds."""
    ordered = sorted(values)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else None
