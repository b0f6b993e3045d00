"""The one global order: nobody misses, doubles or reorders anything (cases G)."""

import asyncio
import random
from collections.abc import AsyncIterator

import asyncpg
import pytest

from solaris_shared.database import open_pool
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.sequencer import sequence, sequence_all
from solaris_shared.log.unit_of_work import Store
from solaris_shared.testing import counters, failpoints, servers
from solaris_shared.testing.counters import LOG, Counted


@pytest.fixture
def event_log() -> EventLog:
    return LOG


@pytest.fixture
async def patient(database: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection on which a transaction may be held as long as one likes."""
    conn = await asyncpg.connect(database)
    yield conn
    await conn.close()


async def append(conn: asyncpg.Connection, stream: str, version: int, amount: int = 1) -> None:
    meta = counters.meta()
    now = await conn.fetchval("SELECT clock_timestamp()")
    await LOG.append(conn, stream, version, [Counted(amount)], meta, now)


async def streams(store: Store) -> list[tuple[int, str, int]]:
    async with store.connection() as conn:
        return [
            (stored.position, stored.stream, stored.version)
            for stored in await store.log.read(conn, 0, 10_000_000)
        ]


async def test_a_held_append_gets_a_later_position_when_it_commits(store: Store, patient: asyncpg.Connection):
    """G01: the later one is sequenced first; no reader ever sees a hole."""
    held = patient.transaction()
    await held.start()
    await append(patient, "counter-held", 0)
    async with store.atomic() as conn:
        await append(conn, "counter-quick", 0)
    await sequence_all(store)
    assert await streams(store) == [(1, "counter-quick", 1)]
    await held.commit()
    await sequence_all(store)
    assert await streams(store) == [(1, "counter-quick", 1), (2, "counter-held", 1)]


async def test_a_transaction_held_for_ten_seconds_is_not_skipped(store: Store, patient: asyncpg.Connection):
    """G04: there is no time constant in the read path."""
    held = patient.transaction()
    await held.start()
    await append(patient, "counter-held", 0)
    for version in range(20):
        async with store.atomic() as conn:
            await append(conn, "counter-quick", version)
        await sequence_all(store)
        await asyncio.sleep(0.5)
    await held.commit()
    await sequence_all(store)
    assert (21, "counter-held", 1) in await streams(store)


class Tail:
    """A reader that follows the log by position, as every handler does."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.seen: list[tuple[int, str, int]] = []
        self.done = asyncio.Event()

    async def run(self) -> None:
        while True:
            last = self.done.is_set()
            async with self.store.connection() as conn:
                found = await self.store.log.read(conn, self.seen[-1][0] if self.seen else 0, 200)
            self.seen += [(stored.position, stored.stream, stored.version) for stored in found]
            if last and not found:
                return
            if not found:
                await asyncio.sleep(0.002)


async def write(store: Store, rng: random.Random, writer: int, count: int) -> int:
    """Append to an own stream and to a shared one, hold, and roll back a fifth; how many events were
    committed.
    """
    committed = versions = 0
    for _ in range(count):
        try:
            async with store.atomic() as conn:
                await append(conn, f"counter-{writer}", versions)
                if rng.random() < 0.3:
                    await asyncio.sleep(rng.random() * 0.01)
                if rng.random() < 0.2:
                    raise ZeroDivisionError
        except ZeroDivisionError:
            continue
        versions += 1
        committed += 1
    return committed


@pytest.mark.parametrize("sequencers", [1, 2])
async def test_a_tailing_reader_sees_exactly_what_was_committed_in_stream_order(
    database: str, event_log: EventLog, sequencers: int
):
    """G02, G06, G11, G12: 32 writers through a pool, held transactions, a fifth rolled back, two
    sequencers: the positions read are 1..n, each stream's versions come in order, none is missing or
    double.
    """
    pool = await open_pool(database, 40)
    store, rng = Store(pool, event_log), random.Random(7)
    tail = Tail(store)
    stop = asyncio.Event()

    async def keep_sequencing() -> None:
        while not stop.is_set():
            await sequence(store, limit=rng.choice([1, 7, 1000]))
            await asyncio.sleep(0)

    loops = [asyncio.create_task(keep_sequencing()) for _ in range(sequencers)]
    reading = asyncio.create_task(tail.run())
    committed = await asyncio.gather(*(write(store, rng, writer, 25) for writer in range(32)))
    stop.set()
    await asyncio.gather(*loops)
    head = await sequence_all(store)
    tail.done.set()
    await reading
    await pool.close()
    assert head.position == head.publication == sum(committed) == len(tail.seen)
    assert [position for position, _, _ in tail.seen] == list(range(1, head.position + 1))
    for writer, number in enumerate(committed):
        versions = [version for _, stream, version in tail.seen if stream == f"counter-{writer}"]
        assert versions == list(range(1, number + 1))


async def test_a_transaction_that_wrote_elsewhere_first_does_not_invert_a_stream(
    store: Store, patient: asyncpg.Connection
):
    """G08: the transaction with the lower xid appends version 2 after another one has committed version 1."""
    held = patient.transaction()
    await held.start()
    await patient.execute("INSERT INTO reactor (name) VALUES ('elsewhere first')")
    async with store.atomic() as conn:
        await append(conn, "counter-a", 0)
    await append(patient, "counter-a", 1)
    await held.commit()
    await sequence_all(store)
    assert await streams(store) == [(1, "counter-a", 1), (2, "counter-a", 2)]


async def test_rolled_back_appends_leave_no_hole(store: Store):
    """G05: ordinals have holes, positions do not."""
    for attempt in range(6):
        try:
            async with store.atomic() as conn:
                await append(conn, f"counter-{attempt}", 0)
                if attempt % 2:
                    raise ZeroDivisionError
        except ZeroDivisionError:
            pass
    await sequence_all(store)
    assert [position for position, _, _ in await streams(store)] == [1, 2, 3]


async def test_a_tailing_reader_goes_on_after_a_restart_of_the_database(event_log: EventLog):
    """G05: restart of PostgreSQL in mid-tail."""
    with servers.private("postgres") as server:
        from solaris_shared.definition import KERNEL_MIGRATIONS
        from solaris_shared.migrate import migrate

        await migrate(server.url, KERNEL_MIGRATIONS)
        pool = await open_pool(server.url)
        store = Store(pool, event_log)
        async with store.atomic() as conn:
            await append(conn, "counter-a", 0)
        await sequence_all(store)
        before = await streams(store)
        server.kill()
        with pytest.raises((OSError, asyncpg.PostgresError, asyncpg.InterfaceError)):
            async with asyncio.timeout(20):
                while True:  # a backend outlives its server by the moment it takes to notice
                    await streams(store)
                    await asyncio.sleep(0.01)
        server.start()
        async with store.atomic() as conn:
            await append(conn, "counter-a", 1)
        await sequence_all(store)
        assert await streams(store) == [*before, (2, "counter-a", 2)]
        pool.terminate()


@pytest.mark.parametrize("step", ["seq.head_locked", "seq.log_moved", "seq.before_commit"])
async def test_a_sequencer_that_dies_leaves_all_or_nothing(store: Store, step: str):
    async with store.atomic() as conn:
        await append(conn, "counter-a", 0)
    failpoints.configure(f"{step}:error")
    with pytest.raises(failpoints.FailpointError):
        await sequence(store)
    failpoints.configure("")
    assert await streams(store) == []
    await sequence_all(store)
    assert await streams(store) == [(1, "counter-a", 1)]


async def test_a_sequencer_cut_off_with_the_head_lock_is_ended_by_the_server(
    store: Store, patient: asyncpg.Connection
):
    """Reliability 2.3: idle_in_transaction_session_timeout frees the head row of a partitioned sequencer."""
    await patient.execute("SET idle_in_transaction_session_timeout = '500ms'")
    held = patient.transaction()
    await held.start()
    await patient.fetch("SELECT * FROM head FOR UPDATE")
    async with store.atomic() as conn:
        await append(conn, "counter-a", 0)
    assert (await sequence_all(store)).position == 1


async def test_the_lag_of_a_handler_derives_from_gapless_positions(store: Store):
    """G10, P11: what has not been handled shows as lag, and its age as readiness."""
    from solaris_shared.worker_side import LAGS

    async with store.atomic() as conn:
        await append(conn, "counter-a", 0)
        await conn.execute("INSERT INTO reactor (name) VALUES ('idle')")
    assert await _lags(store, LAGS) == {"sequencer": 1, "idle": 0}
    await sequence_all(store)
    assert await _lags(store, LAGS) == {"sequencer": 0, "idle": 1}


SHOWN = ("sequencer", "reactor")


async def _lags(store: Store, query: str) -> dict[str, int]:
    async with store.connection() as conn:
        return {row["name"]: row["lag"] for row in await conn.fetch(query) if row["kind"] in SHOWN}
