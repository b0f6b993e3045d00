"""What a worker shows of itself on its side port: health, and how far each loop is behind."""

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic

import asyncpg
from prometheus_client import CollectorRegistry, Gauge

from solaris_shared import clock
from solaris_shared.definition import GaugeQuery
from solaris_shared.errors import Unavailable
from solaris_shared.http.server import SideServer, make_server
from solaris_shared.ops.health import side_app
from solaris_shared.ops.lags import BEHIND
from solaris_shared.worker import Runtime

REFRESH_SECONDS = 1.0
STUCK_SECONDS = 60.0
"""A handler which runs but has not moved for so long although there is work makes the worker unready."""

REPORT_SECONDS = 5.0
LAGS = f"""
SELECT 'projection' AS kind, name, {BEHIND} AS lag, state <> 'running' AS standing,
    extract(epoch FROM clock_timestamp() - updated_at)::float AS age
FROM projection, head WHERE stage = 'live'
UNION ALL
SELECT 'reactor', name, {BEHIND}, state <> 'running',
    extract(epoch FROM clock_timestamp() - updated_at)::float
FROM reactor, head
UNION ALL
SELECT 'sequencer', 'sequencer', count(envelope), false, 0 FROM pending
UNION ALL
SELECT 'timer', 'timers', count(*) FILTER (WHERE state = 'waiting' AND next_at < {clock.NOW_SQL}),
    bool_or(coalesce(state = 'failed', false)), 0
FROM timer
UNION ALL
SELECT 'unreadable', 'messages', count(*), false, 0 FROM event WHERE type = 'foreign-unreadable'
UNION ALL
SELECT 'overdue', 'timers', coalesce(ceil(extract(epoch FROM {clock.NOW_SQL} - min(next_at))), 0)::bigint,
    false, 0
FROM timer WHERE state = 'waiting' AND next_at < {clock.NOW_SQL}
UNION ALL
SELECT 'publication', 'outbox', publication, false, 0 FROM head
UNION ALL
SELECT 'relay', name, publication, state <> 'running', 0 FROM messaging, head WHERE name = 'relay'
UNION ALL
SELECT 'importer', name, 0, state <> 'running', 0 FROM messaging WHERE name <> 'relay'
"""


REPORT = """
INSERT INTO worker_status (name, started_at, seen_at, lags, failing)
VALUES ($1, clock_timestamp(), clock_timestamp(), $2::text::jsonb, $3::text::jsonb)
ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at, lags = excluded.lags, failing = excluded.failing
"""
FORGET = "DELETE FROM worker_status WHERE seen_at < clock_timestamp() - interval '1 day'"
SINGLE = {
    "unreadable": ("solaris_unreadable_messages", "Imported messages that broke their contract"),
    "overdue": ("solaris_timer_overdue_seconds", "How long the first due timer has waited"),
    "publication": ("solaris_publications", "Public events numbered so far"),
}
"""Rows of LAGS that are gauges of their own."""


class WorkerMetrics:
    """Gauges of lag (0 = up to date) and of standing still (1 = an operator must look)."""

    def __init__(self, gauges: tuple[GaugeQuery, ...] = ()) -> None:
        self.registry = CollectorRegistry()
        self._own = {one: Gauge(one.name, one.help, registry=self.registry) for one in gauges}
        labels = ("kind", "name")
        self._lag = Gauge("solaris_lag_events", "Events not handled yet", labels, registry=self.registry)
        self._halted = Gauge("solaris_halted", "1 = failed or halted", labels, registry=self.registry)
        self._failures = Gauge(
            "solaris_loop_failures", "Failures in a row", ("name",), registry=self.registry
        )
        self._single = {kind: Gauge(*named, registry=self.registry) for kind, named in SINGLE.items()}
        self.stuck: list[str] = []

    def show(self, rows: list[asyncpg.Record], runtime: Runtime) -> None:
        """Set every gauge from rows of LAGS and the state of the loops, always in the same order.

        The order in which handlers came by would tell what woke them.
        """
        self._lag.clear()
        self._halted.clear()
        for row in sorted(rows, key=lambda row: (row["kind"], row["name"] or "")):
            if row["kind"] in self._single:
                self._single[row["kind"]].set(row["lag"])
                continue
            lag = runtime.remote_lags.get(row["name"], row["lag"])
            self._lag.labels(row["kind"], row["name"]).set(lag)
            self._halted.labels(row["kind"], row["name"]).set(bool(row["standing"]))
        for status in sorted(runtime.statuses, key=lambda status: status.name):
            self._failures.labels(status.name).set(status.failures)
        self.stuck = [row["name"] for row in rows if row["lag"] > 0 and row["age"] > STUCK_SECONDS]

    async def show_own(self, pool: asyncpg.Pool) -> None:
        """Set the service's own gauges."""
        for one, gauge in self._own.items():
            gauge.set(await pool.fetchval(one.sql))


async def report(runtime: Runtime, name: str) -> None:
    """Say in the database that this worker lives and how its loops fare, for the operators' pages."""
    failing = {status.name: status.failures for status in runtime.statuses if status.failures}
    lags, loops = (json.dumps(value) for value in (runtime.remote_lags, failing))
    async with runtime.store.connection() as conn:
        await conn.execute(REPORT, name, lags, loops)
        await conn.execute(FORGET)


async def refresh(runtime: Runtime, metrics: WorkerMetrics) -> None:
    """Keep gauges and report fresh until cancelled; they stay as they were while the database is away."""
    name, reported = f"{socket.gethostname()}:{os.getpid()}", -REPORT_SECONDS
    while True:
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
            metrics.show(await runtime.store.pool.fetch(LAGS), runtime)
            await metrics.show_own(runtime.store.pool)
            if monotonic() - reported >= REPORT_SECONDS:
                await report(runtime, name)
                reported = monotonic()
        await asyncio.sleep(REFRESH_SECONDS)


@asynccontextmanager
async def side_loop(runtime: Runtime) -> AsyncIterator[None]:
    """Report for the length of the block; serve health and metrics if the settings name a port."""
    settings = runtime.settings
    metrics = WorkerMetrics(runtime.definition.gauges)
    if not settings.worker_http_port:
        reporting = asyncio.create_task(refresh(runtime, metrics))
        try:
            yield
        finally:
            reporting.cancel()
        return

    async def probe() -> None:
        await runtime.store.pool.execute("SELECT 1")
        if metrics.stuck:
            raise Unavailable("handler-stuck", ", ".join(metrics.stuck))

    app = side_app(probe, metrics.registry)
    server = make_server(app, settings.http_host, settings.worker_http_port, SideServer)
    tasks = [asyncio.create_task(server.serve()), asyncio.create_task(refresh(runtime, metrics))]
    try:
        yield
    finally:
        server.should_exit = True
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
