"""What a worker shows of itself on its side port: health, and how far each loop is behind."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import asyncpg
from prometheus_client import CollectorRegistry, Gauge

from solaris_shared.errors import Unavailable
from solaris_shared.http.server import SideServer, make_server
from solaris_shared.ops.health import side_app
from solaris_shared.worker import Runtime

REFRESH_SECONDS = 1.0
STUCK_SECONDS = 60.0
"""A handler which runs but has not moved for so long although there is work makes the worker unready."""

LAGS = """
SELECT 'projection' AS kind, name, head.position - checkpoint AS lag, state <> 'running' AS standing,
    extract(epoch FROM clock_timestamp() - updated_at)::float AS age
FROM projection, head WHERE stage = 'live'
UNION ALL
SELECT 'reactor', name, head.position - checkpoint, state <> 'running',
    extract(epoch FROM clock_timestamp() - updated_at)::float
FROM reactor, head
UNION ALL
SELECT 'sequencer', 'sequencer', count(*), false, 0 FROM pending
UNION ALL
SELECT 'timer', 'timers', count(*) FILTER (WHERE state = 'waiting' AND next_at < clock_timestamp()),
    bool_or(coalesce(state = 'failed', false)), 0
FROM timer
UNION ALL
SELECT CASE name WHEN 'relay' THEN 'relay' ELSE 'importer' END, name, 0, state <> 'running', 0 FROM messaging
"""


class WorkerMetrics:
    """Gauges of lag (0 = up to date) and of standing still (1 = an operator must look)."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("kind", "name")
        self._lag = Gauge("solaris_lag_events", "Events not handled yet", labels, registry=self.registry)
        self._halted = Gauge("solaris_halted", "1 = failed or halted", labels, registry=self.registry)
        self._failures = Gauge(
            "solaris_loop_failures", "Failures in a row", ("name",), registry=self.registry
        )
        self.stuck: list[str] = []

    def show(self, rows: list[asyncpg.Record], runtime: Runtime) -> None:
        """Set every gauge from rows of LAGS and the state of the loops."""
        for row in rows:
            lag = runtime.remote_lags.get(row["name"], row["lag"])
            self._lag.labels(row["kind"], row["name"]).set(lag)
            self._halted.labels(row["kind"], row["name"]).set(bool(row["standing"]))
        for status in runtime.statuses:
            self._failures.labels(status.name).set(status.failures)
        self.stuck = [row["name"] for row in rows if row["lag"] > 0 and row["age"] > STUCK_SECONDS]


async def refresh(runtime: Runtime, metrics: WorkerMetrics) -> None:
    """Keep the gauges fresh until cancelled; they stay as they were while the database is away."""
    while True:
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError):
            metrics.show(await runtime.store.pool.fetch(LAGS), runtime)
        await asyncio.sleep(REFRESH_SECONDS)


@asynccontextmanager
async def side_loop(runtime: Runtime) -> AsyncIterator[None]:
    """Serve health and metrics for the length of the block, if the settings name a port."""
    settings = runtime.settings
    if not settings.worker_http_port:
        yield
        return
    metrics = WorkerMetrics()

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
