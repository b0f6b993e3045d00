"""Appending events: the kernel's statement and a whole stored command, against a bare insert of the same
rows and against the library `eventsourcing`, in turns on one server with fsync on.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from solaris_local.bench.rival import rival_rate
from solaris_local.bench.sequencing import sequencer
from solaris_local.embedded.postgres import PostgresServer
from solaris_shared import ids
from solaris_shared.database import open_pool
from solaris_shared.definition import KERNEL_MIGRATIONS
from solaris_shared.log.codec import EventTypes
from solaris_shared.log.event_log import EventLog, Meta, Row, append_rows
from solaris_shared.log.sequencer import peek
from solaris_shared.log.unit_of_work import Command, Store, Transaction
from solaris_shared.messaging.envelope import PublicEvent
from solaris_shared.migrate import migrate

BARE_TABLE = "CREATE TABLE bare (LIKE event INCLUDING ALL)"
BARE_INSERT = """
INSERT INTO bare (stream, version, event_id, type, type_version, data, meta, recorded_at)
VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7::text::jsonb, $8)
"""
WRITERS = (1, 8, 32)


@dataclass(frozen=True, slots=True)
class Measured:
    """The event that is appended: about 150 bytes of payload, an envelope of about 450."""

    side: str
    weapon: str
    target: str
    distance: int
    number: int
    faces: tuple[int, ...]
    damage: int


EVENT = Measured("A", "right-arm-1", "B", 7, 8, (3, 6), 10)


def publish(event: Measured, stream: str) -> PublicEvent:
    """Everything is public, so every append pays for its envelope."""
    data = {
        "side": event.side,
        "weapon": event.weapon,
        "distance": event.distance,
        "faces": list(event.faces),
    }
    return PublicEvent("solaris.bench.measured.v1", stream.replace("-", "/", 1), data)


LOG = EventLog("bench", EventTypes({"measured": Measured}), publish)
NOW = datetime.now(UTC)


def _row() -> Row:
    """A row of the event with its envelope."""
    return LOG.row("test-1", EVENT, Meta(ids.new_id(), "bench", "bench", "bench"), NOW)


Writer = Callable[[int, float], Awaitable[int]]
"""(number of the writer, monotonic end) -> events written."""


@dataclass
class Bench:
    """A prepared database and its connections."""

    store: Store
    url: str
    round: int = 0

    async def ours(self, writer: int, end: float) -> int:
        """The kernel's append statement with rows and envelopes ready."""
        stream, version, row = f"test-{self.round}-ours-{writer}", 0, _row()
        fields = row.type, row.type_version, row.data, row.meta, row.subject, row.envelope
        async with self.store.connection() as conn:
            while time.monotonic() < end:
                version = await append_rows(conn, stream, version, [Row(ids.new_id(), *fields)], NOW)
        return version

    async def ours_append(self, writer: int, end: float) -> int:
        """The same with all that the kernel does before: encode, check, publish, make the envelope."""
        stream, version = f"test-{self.round}-append-{writer}", 0
        async with self.store.connection() as conn:
            while time.monotonic() < end:
                meta = Meta(ids.new_id(), "bench", "bench", "bench")
                version = await LOG.append(conn, stream, version, [EVENT], meta, datetime.now(UTC))
        return version

    async def ours_command(self, writer: int, end: float) -> int:
        """A stored command: look for its result, append, keep the result, commit."""
        stream, version = f"test-{self.round}-command-{writer}", 0
        while time.monotonic() < end:
            command = Command(ids.new_id(), b"digest", "bench", "bench")

            async def work(tx: Transaction, expected: int = version) -> dict[str, Any]:
                return {"version": await tx.append(stream, expected, EVENT)}

            version = (await self.store.run(command, work)).body["version"]
        return version

    async def bare(self, writer: int, end: float) -> int:
        """The same event rows by a plain insert of asyncpg: no check, no envelope, no order."""
        stream, version, row = f"test-{self.round}-bare-{writer}", 0, _row()
        fields = row.type, row.type_version, row.data, row.meta, NOW
        async with self.store.connection() as conn:
            while time.monotonic() < end:
                version += 1
                await conn.execute(BARE_INSERT, stream, version, ids.new_id(), *fields)
        return version

    async def rate(self, write: Writer, writers: int, seconds: float) -> float:
        """Events per second until the last of them has its place in the global order."""
        begin = time.monotonic()
        written = sum(await asyncio.gather(*(write(n, begin + seconds) for n in range(writers))))
        waiting = True
        while waiting:
            _, waiting = await peek(self.store)
        return written / (time.monotonic() - begin)


async def run(rounds: int, seconds: float) -> dict[str, Any]:
    """Measure all kinds in turns; the medians of the rates and of the ratios of each round."""
    with disk_server() as server_url:
        url = await _prepare(server_url)
        pool = await open_pool(url, max(WRITERS) + 2, "bench")
        bench = Bench(Store(pool, LOG), url)
        try:
            with sequencer(url):
                result = {str(n): await _measure(bench, n, rounds, seconds) for n in WRITERS}
        finally:
            pool.terminate()
    return {"writers": result, "rounds": rounds, "seconds": seconds}


@contextmanager
def disk_server() -> Iterator[str]:
    """The address of a private server whose data folder is on disk, so that fsync costs what it costs."""
    with tempfile.TemporaryDirectory(prefix="solaris-bench-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = PostgresServer(Path(folder) / "postgres", leashed=True)
        server.start()
        try:
            yield server.url
        finally:
            server.stop()


async def _prepare(server_url: str) -> str:
    """A fresh database with the kernel's tables and the bare one."""
    conn = await asyncpg.connect(server_url)
    await conn.execute("CREATE DATABASE bench")
    await conn.close()
    url = urlunsplit(urlsplit(server_url)._replace(path="/bench"))
    await migrate(url, KERNEL_MIGRATIONS)
    conn = await asyncpg.connect(url)
    await conn.execute(BARE_TABLE)
    await conn.close()
    return url


async def _measure(bench: Bench, writers: int, rounds: int, seconds: float) -> dict[str, float]:
    taken: list[dict[str, float]] = []
    for _ in range(rounds + 1):
        bench.round += 1
        rates = {}
        for write in (bench.ours, bench.bare, bench.ours_append, bench.ours_command):
            rates[write.__name__] = await bench.rate(write, writers, seconds)
        rates["eventsourcing"] = await asyncio.to_thread(rival_rate, bench.url, writers, seconds)
        taken.append(rates)
    measured = taken[1:]  # the first round warms caches and plans
    result = {kind: round(statistics.median(t[kind] for t in measured)) for kind in measured[0]}
    for name in ("bare", "eventsourcing"):
        ratio = statistics.median(t["ours"] / t[name] for t in measured)
        result[f"ratio_{name}"] = round(ratio, 3)
    return result
