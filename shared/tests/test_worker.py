"""A whole service: api-less worker process loops over a real broker."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import sqlalchemy as sa

from solaris_shared.definition import ServiceDefinition
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.messaging.jetstream import Bus
from solaris_shared.settings import Settings
from solaris_shared.testing import counters
from solaris_shared.testing.counters import LOG, TOTALS, TYPES, Counted, totals
from solaris_shared.worker import Runtime, bus_loops, log_loops, open_buses, open_runtime, run_worker

FACT = "solaris.test.counted.v1"
PRODUCER = ServiceDefinition("test", LOG, projections=(TOTALS,))
CONSUMER = ServiceDefinition(
    "other",
    EventLog("other", TYPES, lambda _event, _stream: None),
    projections=(replace(TOTALS, name="seen", handles=frozenset({FACT})),),
    imports={"test": ForeignTypes({FACT: Counted})},
)


@asynccontextmanager
async def worker(definition: ServiceDefinition, database: str, nats: str) -> AsyncIterator[Runtime]:
    settings = Settings(service=definition.name, database_url=database, nats_url=nats)
    async with open_runtime(definition, settings) as runtime, open_buses(runtime) as buses:
        task = asyncio.create_task(run_worker(runtime, log_loops(runtime) + bus_loops(runtime, *buses)))
        try:
            yield runtime
        finally:
            runtime.signals.stop()
            await task


@pytest.fixture
async def databases_of_two(databases) -> AsyncIterator[tuple[str, str]]:
    urls = await databases.create(), await databases.create()
    yield urls
    for url in urls:
        await databases.drop(url)


async def count(runtime: Runtime, amount: int) -> None:
    async with runtime.store.transaction(counters.meta()) as tx:
        version = len(await runtime.store.log.load(tx.conn, "counter-a"))
        await tx.append("counter-a", version, Counted(amount))


async def total(runtime: Runtime, view: str) -> int:
    async with runtime.views.open(view) as conn:
        return (await conn.execute(sa.select(sa.func.sum(totals.c.total)))).scalar() or 0


async def eventually(check, expected, seconds: float = 10):
    """Wait until `check()` gives what is expected."""
    got = None
    for _ in range(int(seconds / 0.02)):
        got = await check()
        if got == expected:
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"{got} instead of {expected}")


async def test_a_fact_reaches_the_other_services_read_model(databases_of_two, nats_server: str):
    """O04: end to end, and by no other way than both logs: the rows equal what the logs hold."""
    one, two = databases_of_two
    async with worker(PRODUCER, one, nats_server) as producer, worker(CONSUMER, two, nats_server) as consumer:
        await eventually(lambda: _live(consumer, "seen"), True)
        for amount in (5, -2, 7):
            await count(producer, amount)
        await eventually(lambda: total(producer, "totals"), 10)
        await eventually(lambda: total(consumer, "seen"), 12)
        for runtime, view, name in ((producer, "totals", "counted"), (consumer, "seen", FACT)):
            async with runtime.store.connection() as conn:
                logged = [stored.event.amount for stored in await runtime.store.log.read(conn, 0)]
                kept = await conn.fetchval("SELECT count(*) FROM event WHERE type = $1", name)
            assert (sum(logged), len(logged)) == (await total(runtime, view), kept)
        assert not [
            status for runtime in (producer, consumer) for status in runtime.statuses if status.failures
        ]


async def _live(runtime: Runtime, name: str) -> bool:
    async with runtime.store.connection() as conn:
        return await conn.fetchval("SELECT count(*) = 1 FROM projection WHERE name = $1", name)


async def test_a_worker_stops_within_three_seconds(databases_of_two, private_nats):
    async with worker(CONSUMER, databases_of_two[0], private_nats.url):
        await asyncio.sleep(0.5)
        private_nats.kill()
        await asyncio.sleep(0.5)
        begin = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - begin < 3


async def _length(url: str) -> int:
    bus = Bus(url, "test-relay")
    try:
        end = await bus.stream_end("TEST")
    finally:
        await bus.close()
    return end.last if end else 0


async def test_the_relays_lag_grows_while_the_broker_is_away(databases_of_two, private_nats):
    async with worker(PRODUCER, databases_of_two[0], private_nats.url) as runtime:

        async def lag() -> tuple[int, int | None]:
            return runtime.head.publication, runtime.remote_lags.get("relay")

        await count(runtime, 1)
        await eventually(lambda: _length(private_nats.url), 1)
        await eventually(lag, (1, 0))
        private_nats.kill()
        await count(runtime, 2)
        await count(runtime, 3)
        await eventually(lag, (3, 2))
        private_nats.start()
        await eventually(lag, (3, 0), 20)


async def test_a_worker_that_never_met_the_broker_claims_nothing(databases_of_two, private_nats):
    private_nats.kill()
    async with worker(PRODUCER, databases_of_two[0], private_nats.url) as runtime:

        async def lag() -> int | None:
            return runtime.remote_lags.get("relay")

        await count(runtime, 1)
        await eventually(lag, 1)
