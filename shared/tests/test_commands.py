"""Stored commands: repeats, races, cancellation (cases C)."""

import asyncio
from typing import Any

import asyncpg
import pytest

from solaris_shared import ids
from solaris_shared.database import open_pool
from solaris_shared.errors import Conflict, InFlight, Rejected, Unavailable, Unprocessable, VersionConflict
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.unit_of_work import KEEP, Command, Store, Transaction
from solaris_shared.testing import counters, failpoints
from solaris_shared.testing.counters import LOG, Counted


@pytest.fixture
def event_log() -> EventLog:
    return LOG


def command(digest: bytes = b"digest") -> Command:
    return Command(ids.new_id(), digest, "somebody", "correlation")


def total(state: int | None, event: Counted) -> int:
    return (state or 0) + event.amount


def add(amount: int, floor: int | None = None, stream: str = "counter-a"):
    async def work(tx: Transaction) -> dict[str, Any]:
        loaded = await tx.load(stream, total)
        after = (loaded.state or 0) + amount
        if floor is not None and after < floor:
            raise Rejected("below-the-floor", f"{after} < {floor}")
        await tx.append(stream, loaded.version, Counted(amount))
        return {"total": after}

    return work


async def events(store: Store, stream: str = "counter-a") -> list[int]:
    async with store.connection() as conn:
        return [stored.event.amount for stored in await store.log.load(conn, stream)]


async def test_the_same_command_gets_the_stored_answer(store: Store):
    """C01, C02: a lost response costs a repeat, not a second effect."""
    asked = command()
    first = await store.run(asked, add(5))
    again = await store.run(asked, add(5))
    assert first.body == again.body == {"total": 5}
    assert (first.replayed, again.replayed) == (False, True)
    assert first.token == again.token != ""
    assert await events(store) == [5]


async def test_one_key_for_two_requests_is_refused(store: Store):
    """C02: the same key with a different body is 422."""
    asked = command()
    await store.run(asked, add(5))
    with pytest.raises(Unprocessable, match="idempotency-key-reused"):
        await store.run(Command(asked.id, b"another", asked.principal, "c"), add(6))


async def test_twenty_copies_of_one_command_at_once_have_one_effect(store: Store):
    """C01: event ids derive from the command and are unique; the command table answers the others, or they
    hear that it is in flight.
    """
    asked = command()
    results = await asyncio.gather(*(store.run(asked, add(1)) for _ in range(20)), return_exceptions=True)
    assert all(isinstance(one, InFlight) or one.body == {"total": 1} for one in results)
    assert (await store.run(asked, add(1))).body == {"total": 1}
    assert await events(store) == [1]


async def test_stream_and_version_are_unique_in_the_schema(store: Store):
    """C03: not only in code."""
    await store.run(command(), add(1))
    async with store.connection() as conn:
        columns = "stream, version, type, type_version, data, meta, recorded_at"
        with pytest.raises(asyncpg.UniqueViolationError, match="event_pkey"):
            await conn.execute(
                f"INSERT INTO event (event_id, {columns}) SELECT gen_random_uuid(), {columns} FROM event"
            )


async def test_a_lost_race_is_decided_again_on_the_new_state(store: Store):
    """C04: load, decide and append are repeated together, so what is drawn from the state is drawn from
    the new one.
    """
    seen = []

    def racing():
        async def work(tx: Transaction) -> dict[str, Any]:
            loaded = await tx.load("counter-a", total)
            seen.append(loaded.version)
            if len(seen) == 1:
                await store.run(command(), add(7))
            await tx.append("counter-a", loaded.version, Counted(loaded.state or 0))
            return {}

        return work

    await store.run(command(), racing())
    assert seen == [0, 1]
    assert await events(store) == [7, 7]


async def test_after_three_more_tries_the_conflict_comes_out(store: Store):
    """C04: bounded."""
    tries = []

    async def work(tx: Transaction) -> dict[str, Any]:
        tries.append(1)
        await tx.append("counter-a", 7, Counted(1))
        return {}

    with pytest.raises(VersionConflict):
        await store.run(command(), work)
    assert len(tries) == 4


async def test_cancelled_requests_leave_no_dirty_connection(database: str, event_log: EventLog):
    """C05: 200 tasks cancelled at random moments on a pool of 4; afterwards every connection works and is
    idle.
    """
    pool = await open_pool(database, 4)
    store = Store(pool, event_log)
    asked = [command() for _ in range(200)]
    tasks = [
        asyncio.create_task(store.run(one, add(1, stream=f"counter-{n}"))) for n, one in enumerate(asked)
    ]
    for number, task in enumerate(tasks):
        await asyncio.sleep(0.0007 * (number % 5))
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    repeated = [await store.run(one, add(1, stream=f"counter-{n}")) for n, one in enumerate(asked)]
    assert {result.body["total"] for result in repeated} == {1}
    async with store.connection() as conn:
        assert await conn.fetchval("SELECT count(*) FROM event") == 200
        others = "datname = current_database() AND pid <> pg_backend_pid()"
        states = await conn.fetch(f"SELECT state FROM pg_stat_activity WHERE {others}")
    assert {row["state"] for row in states} <= {"idle"}
    assert pool.get_idle_size() == pool.get_size()
    await pool.close()


async def test_a_commit_goes_through_although_its_task_is_cancelled(store: Store):
    """C05: whoever is cancelled does not know; the command id tells."""
    asked = command()
    failpoints.configure("cmd.committed_not_answered:sleep=5")
    task = asyncio.create_task(store.run(asked, add(3)))
    for _ in range(500):
        if await events(store):
            break
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    failpoints.configure("")
    assert (await store.run(asked, add(3))).replayed
    assert await events(store) == [3]


async def test_parallel_debits_never_overdraw(store: Store):
    """C06: the floor holds under 40 concurrent debits of 10 from 100."""
    await store.run(command(), add(100))

    async def debit() -> bool:
        for _ in range(20):
            try:
                await store.run(command(), add(-10, floor=0))
            except VersionConflict:
                continue
            except Rejected:
                return False
            return True
        raise AssertionError("starved")

    taken = await asyncio.gather(*(debit() for _ in range(40)))
    assert sum(taken) == 10
    assert sum(await events(store)) == 0


@pytest.mark.parametrize("step", ["cmd.before_tx", "cmd.after_first_write", "cmd.before_commit"])
async def test_a_failure_before_the_commit_leaves_nothing(store: Store, step: str):
    failpoints.configure(f"{step}:error")
    with pytest.raises(failpoints.FailpointError):
        await store.run(command(), add(1))
    failpoints.configure("")
    assert await events(store) == []
    async with store.connection() as conn:
        assert await conn.fetchval("SELECT count(*) FROM command_result") == 0


async def test_a_killed_backend_costs_a_repeat_not_a_loss(store: Store):
    """C02: commit in doubt; the repeat inside `run` finds out by the command id."""
    asked = command()
    killed = []

    async def work(tx: Transaction) -> dict[str, Any]:
        result = await add(1)(tx)
        if not killed:
            killed.append(await tx.conn.fetchval("SELECT pg_backend_pid()"))
            async with store.connection() as other:
                await other.execute("SELECT pg_terminate_backend($1)", killed[0])
        return result

    assert (await store.run(asked, work)).body == {"total": 1}
    assert await events(store) == [1]


async def test_without_a_database_the_answer_is_unavailable(event_log: EventLog):
    pool = await open_pool("postgresql://nobody@127.0.0.1:1/none")
    with pytest.raises(Unavailable, match="database-unavailable"):
        await Store(pool, event_log).run(command(), add(1))
    pool.terminate()


async def test_state_after_handling_equals_the_state_loaded_again(store: Store):
    """V07: state changes only in evolve."""
    for amount in (3, -1, 10):
        result = await store.run(command(), add(amount))
        async with store.transaction(counters.meta()) as tx:
            assert (await tx.load("counter-a", total)).state == result.body["total"]


async def test_the_same_command_in_flight_is_refused_and_later_answered(store: Store):
    """C02: a second request with the same key does not wait for the first; it is told to ask again."""
    asked, begun, go_on = command(), asyncio.Event(), asyncio.Event()

    async def work(tx: Transaction) -> dict[str, Any]:
        begun.set()
        await go_on.wait()
        return await add(4)(tx)

    first = asyncio.create_task(store.run(asked, work))
    await begun.wait()
    with pytest.raises(InFlight, match="idempotency-key-in-flight"):
        await store.run(asked, work)
    go_on.set()
    assert not (await first).replayed
    assert (await store.run(asked, work)).replayed
    assert await events(store) == [4]


async def test_a_command_refused_because_it_was_carried_out_meanwhile_gets_the_stored_answer(store: Store):
    """C02: the lock may come free between the look for the result and the work."""
    asked = command()

    async def work(tx: Transaction) -> dict[str, Any]:
        async with store.connection() as conn:  # as if the first request had committed just now
            await conn.execute(KEEP, asked.id, asked.digest, '{"total": 9}', "", tx.now)
        raise Conflict("name-taken", "by the command itself")

    result = await store.run(asked, work)
    assert (result.replayed, result.body) == (True, {"total": 9})


async def test_after_a_lost_connection_the_lock_it_may_still_hold_is_waited_for(store: Store):
    """C02: the server may not have noticed yet that the connection of the first try is gone."""
    asked, tried = command(), asyncio.Event()

    async def work(tx: Transaction) -> dict[str, Any]:
        if not tried.is_set():
            tried.set()
            raise ConnectionResetError
        return await add(2)(tx)

    async with store.connection() as conn:  # holds the lock as the lost backend would, for a moment

        async def hold() -> None:
            async with conn.transaction():
                await conn.execute("SELECT pg_advisory_xact_lock($1)", asked.id.int >> 65)
                await asyncio.sleep(0.25)

        first = asyncio.create_task(store.run(asked, work))
        await tried.wait()
        await hold()
        assert (await first).body == {"total": 2}
