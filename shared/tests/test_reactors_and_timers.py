"""Reactors and timers (cases R)."""

import asyncio
from datetime import timedelta

import pytest

from solaris_shared import clock, operations
from solaris_shared.errors import Rejected, VersionConflict
from solaris_shared.log.event_log import EventLog, Stored
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.log.unit_of_work import Store, Transaction
from solaris_shared.operations import Operator
from solaris_shared.processing.progress import MAX_ATTEMPTS
from solaris_shared.processing.reactor import Reactor, ReactorRunner
from solaris_shared.processing.timers import Timer, TimerRunner
from solaris_shared.testing import counters, failpoints
from solaris_shared.testing.counters import LOG, Counted, Noted


@pytest.fixture
def event_log() -> EventLog:
    return LOG


async def count(store: Store, *amounts: int, stream: str = "counter-a") -> None:
    async with store.transaction(counters.meta()) as tx:
        await tx.append(
            stream, len(await store.log.load(tx.conn, stream)), *(Counted(amount) for amount in amounts)
        )
    await sequence_all(store)


async def note(tx: Transaction, stored: Stored) -> None:
    """Write what was counted into the counter's own note."""
    stream = f"note-{stored.stream}"
    version = len(await tx.log.load(tx.conn, stream))
    await tx.append(stream, version, Noted(f"{stored.event.amount}"))


async def notes(store: Store, stream: str = "note-counter-a") -> list[str]:
    async with store.connection() as conn:
        return [stored.event.text for stored in await store.log.load(conn, stream)]


async def prepared(store: Store, react=note, name: str = "noter") -> ReactorRunner:
    runner = ReactorRunner(store, Reactor(name, {"counted": react}))
    await runner.prepare()
    return runner


async def run(runner: ReactorRunner) -> None:
    while await runner.step():
        pass


async def test_a_reactor_reacts_once_to_each_event_with_a_derived_command(store: Store):
    """R03: progress is a row; what is appended is caused by the source event and can be appended only
    once.
    """
    await count(store, 1, 2, 3)
    await run(await prepared(store))
    await run(await prepared(store))
    assert await notes(store) == ["1", "2", "3"]
    async with store.connection() as conn:
        sources = await store.log.load(conn, "counter-a")
        effects = await store.log.load(conn, "note-counter-a")
    assert [effect.meta["causation_id"] for effect in effects] == [str(source.event_id) for source in sources]
    assert {effect.meta["principal"] for effect in effects} == {"reactor:noter"}


async def test_two_runners_at_once_react_once(store: Store):
    """D15: the mark and the business write are one transaction by construction."""
    await count(store, *range(20))
    one, two = await prepared(store), await prepared(store)
    await asyncio.gather(run(one), run(two))
    assert await notes(store) == [str(n) for n in range(20)]


async def test_a_crash_between_effect_and_checkpoint_repeats_nothing(store: Store):
    """G07: the resume point is the last committed effect."""
    await count(store, 1, 2)
    failpoints.configure("pm.reacted_not_marked:error@1")
    runner = await prepared(store)
    with pytest.raises(failpoints.FailpointError):
        await run(runner)
    failpoints.configure("")
    await run(await prepared(store))
    assert await notes(store) == ["1", "2"]


async def test_a_rejection_is_an_outcome_that_is_recorded(store: Store):
    """R02: a rule that says no does not stop the reactor."""

    async def decide(tx: Transaction, stored: Stored) -> None:
        try:
            if stored.event.amount > 10:
                raise Rejected("too-much")
            text = "accepted"
        except Rejected as error:
            text = error.code
        await tx.append(f"decision-{stored.event_id}", 0, Noted(text))

    await count(store, 1, 50)
    await run(await prepared(store, decide))
    async with store.connection() as conn:
        found = await conn.fetch(
            "SELECT data->>'text' AS text FROM event WHERE type = 'noted' ORDER BY ordinal"
        )
    assert [row["text"] for row in found] == ["accepted", "too-much"]


async def test_a_poison_event_halts_its_reactor_alone_and_across_restarts(store: Store):
    """R01, R04, R07: counted before the attempt ends; after five, also of several processes, it is
    `failed`; a later event is not handled out of order, another reactor is not disturbed.
    """

    async def choke(tx: Transaction, stored: Stored) -> None:
        if stored.event.amount == 2:
            raise ZeroDivisionError("two")
        await note(tx, stored)

    await count(store, 1, 2, 3)
    failures = 0
    for _ in range(20):
        runner = await prepared(store, choke)
        try:
            while await runner.step():
                pass
        except ZeroDivisionError:
            failures += 1
    assert (
        MAX_ATTEMPTS <= failures <= MAX_ATTEMPTS + 1
    )  # the first may have been together with the event before
    assert await notes(store) == ["1"]
    (row,) = await operations.standing(store)
    assert (row["kind"], row["name"], row["position"], row["state"]) == ("reactor", "noter", 2, "failed")
    other = await prepared(store, _count_up, "other")
    await run(other)
    assert await notes(store, "note-all") == ["1", "2", "3"]


async def _count_up(tx: Transaction, stored: Stored) -> None:
    version = len(await tx.log.load(tx.conn, "note-all"))
    await tx.append("note-all", version, Noted(f"{stored.event.amount}"))


async def test_an_event_that_kills_its_process_is_counted_too(store: Store):
    """R04: an attempt that begins and never ends is counted when it begins."""
    await count(store, 1)

    async def die(_tx: Transaction, _stored: Stored) -> None:
        await asyncio.sleep(60)

    for _ in range(MAX_ATTEMPTS):
        runner = await prepared(store, die)
        task = asyncio.create_task(runner.step())
        await asyncio.sleep(0.15)
        task.cancel()  # no except clause of the runner sees this: as good as a kill
        await asyncio.gather(task, return_exceptions=True)
    assert not await (await prepared(store, die)).step()
    (row,) = await operations.standing(store)
    assert (row["state"], row["error"]) == ("failed", "an attempt began and did not end")


async def test_what_passes_by_itself_is_not_counted(store: Store):
    """R01: transient errors are retried without end."""
    await count(store, 1)
    tries = []

    async def lose(tx: Transaction, stored: Stored) -> None:
        tries.append(1)
        if len(tries) <= 8:
            raise VersionConflict("version-conflict")
        await note(tx, stored)

    runner = await prepared(store, lose)
    for _ in range(8):
        with pytest.raises(VersionConflict):
            await runner.step()
    await run(runner)
    assert await notes(store) == ["1"]
    assert await operations.standing(store) == []


async def test_a_retry_after_a_repair_goes_on_at_the_failed_event(store: Store):
    """R05, R06: the retry moves no checkpoint and handles the event once."""
    broken = True

    async def choke(tx: Transaction, stored: Stored) -> None:
        if broken:
            raise ZeroDivisionError
        await note(tx, stored)

    await count(store, 1, 2)
    runner = await prepared(store, choke)
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(ZeroDivisionError):
            await runner.step()
    assert not await runner.step()
    broken = False
    await operations.retry(store, "reactor", "noter", Operator("olga", "repaired"))
    await run(runner)
    assert await notes(store) == ["1", "2"]


# timers


async def write_down(tx: Transaction, timer: Timer) -> str:
    await tx.append(f"note-{timer.key}", 0, Noted(f"{timer.kind} {timer.data['x']}"))
    return "done"


async def set_timer(store: Store, key: str, seconds: float, kind: str = "alarm") -> None:
    async with store.transaction(counters.meta()) as tx:
        await tx.set_timer(kind, key, tx.now + timedelta(seconds=seconds), {"x": 7})


async def timer_states(store: Store) -> dict[str, str]:
    async with store.connection() as conn:
        return {row["key"]: row["state"] for row in await conn.fetch("SELECT key, state FROM timer")}


async def run_timers(runner: TimerRunner) -> None:
    while await runner.step():
        pass


async def test_a_timer_runs_once_when_it_is_due_by_the_databases_clock(store: Store):
    await set_timer(store, "now", -1)
    await set_timer(store, "later", 3600)
    runner = TimerRunner(store, {"alarm": write_down})
    await run_timers(runner)
    assert await timer_states(store) == {"now": "done", "later": "waiting"}
    async with store.connection() as conn:
        await clock.shift(conn, 3601)
    await run_timers(runner)
    assert await timer_states(store) == {"now": "done", "later": "done"}
    assert await notes(store, "note-later") == ["alarm 7"]


async def test_two_runners_run_a_timer_once(store: Store):
    for number in range(10):
        await set_timer(store, f"k{number}", -1)
    await asyncio.gather(*(run_timers(TimerRunner(store, {"alarm": write_down})) for _ in range(3)))
    assert set((await timer_states(store)).values()) == {"done"}
    async with store.connection() as conn:
        assert await conn.fetchval("SELECT count(*) FROM event") == 10


async def test_a_timer_of_a_process_that_has_gone_on_is_void(store: Store):
    """R08, R10: a timer names its process and the state it was set for; a closed process makes it void,
    and no empty process is started.
    """

    async def alarm(tx: Transaction, timer: Timer) -> str:
        return "void" if not await tx.log.load(tx.conn, f"note-{timer.key}") else "done"

    await set_timer(store, "nobody", -1)
    await run_timers(TimerRunner(store, {"alarm": alarm}))
    assert await timer_states(store) == {"nobody": "void"}
    async with store.connection() as conn:
        assert await conn.fetchval("SELECT count(*) FROM event") == 0


async def test_failing_timers_do_not_starve_the_others(store: Store):
    """R09: in due order, with backoff per timer."""

    async def fail(_tx: Transaction, _timer: Timer) -> str:
        raise ZeroDivisionError("never")

    for number in range(20):
        await set_timer(store, f"bad{number}", -100, kind="bad")
    await set_timer(store, "good", -1)
    runner = TimerRunner(store, {"alarm": write_down, "bad": fail})
    failures = 0
    for _ in range(21):
        try:
            await runner.step()
        except ZeroDivisionError:
            failures += 1
    assert failures == 20
    assert (await timer_states(store))["good"] == "done"


async def test_a_timer_that_keeps_failing_is_failed_and_can_be_retried_or_skipped(store: Store):
    """R01, O03: five attempts with growing pauses, then an operator."""
    failing = True

    async def fail(tx: Transaction, timer: Timer) -> str:
        if failing:
            raise ZeroDivisionError("not yet")
        return await write_down(tx, timer)

    await set_timer(store, "one", -1)
    await set_timer(store, "two", -1)
    runner = TimerRunner(store, {"alarm": fail})
    for shift in range(0, 3000, 300):
        async with store.connection() as conn:
            await clock.shift(conn, shift)
        for _ in range(2):
            try:
                await runner.step()
            except ZeroDivisionError:
                continue
    assert await timer_states(store) == {"one": "failed", "two": "failed"}
    failing = False
    by = Operator("olga", "repaired")
    await operations.retry(store, "timer", "alarm", by, key="one")
    await operations.skip(store, "timer", "alarm", by, key="two")
    await run_timers(runner)
    assert await timer_states(store) == {"one": "done", "two": "void"}


@pytest.mark.parametrize("step", ["pm.timer_read", "pm.timer_emitted_not_marked"])
async def test_a_crash_in_a_timer_has_its_effect_once(store: Store, step: str):
    await set_timer(store, "one", -1)
    failpoints.configure(f"{step}:error@1")
    runner = TimerRunner(store, {"alarm": write_down})
    with pytest.raises(failpoints.FailpointError):
        await runner.step()
    failpoints.configure("")
    async with store.connection() as conn:
        await clock.shift(conn, 10)
    await run_timers(TimerRunner(store, {"alarm": write_down}))
    assert await notes(store, "note-one") == ["alarm 7"]


async def test_a_handler_may_set_its_own_timer_again(store: Store):
    times = []

    async def again(tx: Transaction, timer: Timer) -> str:
        times.append(timer.due_at)
        if len(times) < 3:
            await tx.set_timer("alarm", timer.key, timer.due_at, {})
        return "done"

    await set_timer(store, "one", -1)
    await run_timers(TimerRunner(store, {"alarm": again}))
    assert len(times) == 3
    assert await timer_states(store) == {"one": "done"}


async def test_a_cancelled_timer_does_not_run(store: Store):
    await set_timer(store, "one", -1)
    async with store.transaction(counters.meta()) as tx:
        await tx.cancel_timer("alarm", "one")
    await run_timers(TimerRunner(store, {"alarm": write_down}))
    assert await timer_states(store) == {"one": "void"}
