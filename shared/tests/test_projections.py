"""Projections: live, rebuild, cut-over, failures (cases P and some of G)."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from solaris_shared import operations
from solaris_shared.database import open_engine
from solaris_shared.errors import Conflict, Unavailable
from solaris_shared.log.event_log import EventLog, Stored
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.log.unit_of_work import Command, Store
from solaris_shared.operations import Operator
from solaris_shared.processing.progress import MAX_ATTEMPTS, HandlerHalted
from solaris_shared.processing.projection import Projection
from solaris_shared.processing.projector import Projector
from solaris_shared.testing import counters, failpoints
from solaris_shared.testing.counters import LOG, TOTALS, Counted, Noted, totals
from solaris_shared.views import Views


@pytest.fixture
def event_log() -> EventLog:
    return LOG


@pytest.fixture
async def engine(database: str) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(database)
    yield engine
    await engine.dispose()


@pytest.fixture
async def projector(store: Store, engine: AsyncEngine) -> Projector:
    projector = Projector(store, engine, TOTALS)
    await projector.prepare()
    return projector


async def count(store: Store, *amounts: int, counter: str = "counter-a") -> None:
    async with store.transaction(counters.meta()) as tx:
        loaded = await store.log.load(tx.conn, counter)
        await tx.append(counter, len(loaded), *(Counted(amount) for amount in amounts))
    await sequence_all(store)


async def catch_up(projector: Projector) -> None:
    while await projector.step():
        pass


async def rows(engine: AsyncEngine, projection: Projection = TOTALS) -> list[tuple]:
    async with Views(engine, [projection]).open(projection.name) as conn:
        return [tuple(row) for row in await conn.execute(sa.select(totals).order_by(totals.c.counter))]


async def generations(store: Store) -> list[tuple]:
    async with store.connection() as conn:
        found = await conn.fetch(
            "SELECT generation, stage, state, checkpoint FROM projection ORDER BY generation"
        )
    return [tuple(row) for row in found]


async def test_a_projection_folds_the_log_in_order(store: Store, engine: AsyncEngine, projector: Projector):
    await count(store, 1, 2, 3)
    await count(store, 10, counter="counter-b")
    await catch_up(projector)
    assert await rows(engine) == [("counter-a", 6, 3), ("counter-b", 10, 1)]


async def test_events_it_does_not_handle_only_move_the_checkpoint(store: Store, projector: Projector):
    """P04: a projection declares its types; the rest is skipped cheaply, not even decoded, and the
    checkpoint moves.
    """
    async with store.transaction(counters.meta()) as tx:
        await tx.append("note-a", 0, Noted("x"), Noted("y"))
    await sequence_all(store)
    await catch_up(projector)
    assert await generations(store) == [(1, "live", "running", 2)]


async def test_a_rebuild_gives_the_live_rows_and_goes_on_living(
    store: Store, engine: AsyncEngine, projector: Projector
):
    """P01, P02: a rebuild is a second generation; the same code path gives the same rows; it works twice
    in one process and continues afterwards.
    """
    await count(store, 1, 2, 3)
    await catch_up(projector)
    live = await rows(engine)
    for generation in (2, 3):
        assert await projector.rebuild() == generation
        assert await rows(engine) == live
        await count(store, 0)
        await catch_up(projector)
        live = await rows(engine)
    assert live == [("counter-a", 6, 5)]
    assert [stage for _, stage, _, _ in await generations(store)] == ["retired", "retired", "live"]


async def test_a_rebuild_touches_no_other_tables(store: Store, engine: AsyncEngine, projector: Projector):
    """P03: each generation of each projection owns its schema."""
    other = Projector(store, engine, replace(TOTALS, name="others"))
    await other.prepare()
    await count(store, 5)
    await catch_up(projector)
    await catch_up(other)
    await projector.rebuild()
    async with Views(engine, [TOTALS, replace(TOTALS, name="others")]).open("others") as conn:
        assert (await conn.execute(sa.select(totals))).all() == [("counter-a", 5, 1)]


async def test_live_projector_and_rebuild_at_once_apply_every_event_once(
    store: Store, engine: AsyncEngine, projector: Projector
):
    """P05: a second runner blocks on the row, then finds the moved checkpoint."""
    await count(store, *range(40))
    second = Projector(store, engine, TOTALS)
    await asyncio.gather(catch_up(projector), catch_up(second), second.rebuild(), catch_up(projector))
    await catch_up(projector)
    assert await rows(engine) == [("counter-a", sum(range(40)), 40)]


async def test_within_a_batch_reads_see_earlier_writes(store: Store, engine: AsyncEngine):
    """P06: one page, one connection, event by event."""
    seen = []

    async def apply(conn: AsyncConnection, stored: Stored) -> None:
        seen.append((await conn.execute(sa.select(totals.c.times))).scalars().all())
        await counters.apply_total(conn, stored)

    projector = Projector(store, engine, replace(TOTALS, apply=apply))
    await projector.prepare()
    await count(store, 1, 1, 1)
    await catch_up(projector)
    assert seen == [[], [1], [2]]


@pytest.mark.parametrize("passing", [1, 2, 3])
async def test_a_crash_between_effect_and_checkpoint_applies_nothing_twice(
    store: Store, engine: AsyncEngine, projector: Projector, passing: int
):
    """P07, P08, G07: effect and checkpoint are one transaction; the oracle is the sum of the amounts, not
    the fold.
    """
    await count(store, 1, 20, 300)
    failpoints.configure(f"proj.mid_batch:error@{passing}")
    with pytest.raises(failpoints.FailpointError):
        await projector.step()
    assert await rows(engine) == []
    failpoints.configure("")
    await catch_up(Projector(store, engine, TOTALS))
    assert await rows(engine) == [("counter-a", 321, 3)]


async def test_a_rebuild_leaves_outbox_and_timers_as_they_are(store: Store, projector: Projector):
    """P09: projectors cannot send; rebuilding changes nothing outside their schema."""
    await count(store, 1, 2)
    before = await _side_effects(store)
    await projector.rebuild()
    assert await _side_effects(store) == before


async def _side_effects(store: Store) -> list[int]:
    tables = ("event", "pending", "log", "outbox", "timer", "reactor", "command_result")
    async with store.connection() as conn:
        return [await conn.fetchval(f"SELECT count(*) FROM {table}") for table in tables]


async def test_the_token_of_a_command_waits_until_its_write_is_visible(
    store: Store, engine: AsyncEngine, projector: Projector
):
    """P10: read your writes, bounded; the token tells no position."""

    async def work(tx):
        await tx.append("counter-a", 0, Counted(7))
        return {}

    result = await store.run(Command(counters.meta().command_id, b"", "p", "c"), work)
    views = Views(engine, [TOTALS])
    assert not await views.wait_for("totals", result.token, seconds=0.1)
    waiting = asyncio.create_task(views.wait_for("totals", result.token))
    await sequence_all(store)
    await catch_up(projector)
    assert await waiting
    assert await rows(engine) == [("counter-a", 7, 1)]


@pytest.mark.parametrize("token", ["", "nonsense", "00000000000000000000000000000000", "\x00", "é" * 40])
async def test_a_token_that_names_nothing_is_not_waited_for(
    engine: AsyncEngine, projector: Projector, token: str
):
    assert await Views(engine, [TOTALS]).wait_for("totals", token, seconds=30)


async def test_a_poison_event_stops_its_projection_alone_and_keeps_what_came_before(
    store: Store, engine: AsyncEngine, projector: Projector
):
    """R01, R04, R07: five attempts, then `failed`; nothing behind the event is applied, everything before
    it is.
    """

    async def apply(conn: AsyncConnection, stored: Stored) -> None:
        if stored.event.amount == 13:
            raise ZeroDivisionError("thirteen")
        await counters.apply_total(conn, stored)

    poisoned = Projector(store, engine, replace(TOTALS, name="poisoned", apply=apply))
    await poisoned.prepare()
    await count(store, 1, 2, 13, 4)
    attempts = await _until_standing(poisoned)
    assert MAX_ATTEMPTS <= attempts <= MAX_ATTEMPTS + 1
    await catch_up(projector)
    assert await rows(engine) == [("counter-a", 20, 4)]
    async with Views(engine, [poisoned.projection]).open("poisoned") as conn:
        assert (await conn.execute(sa.select(totals))).all() == [("counter-a", 3, 2)]
    standing = await operations.standing(store)
    assert [(row["name"], row["position"], row["state"]) for row in standing] == [("poisoned", 3, "failed")]
    assert standing[0]["error"] == "ZeroDivisionError: thirteen"


async def _until_standing(projector: Projector) -> int:
    """Step until nothing moves any more; the number of exceptions."""
    failures = 0
    for _ in range(50):
        try:
            if not await projector.step():
                return failures
        except (ZeroDivisionError, HandlerHalted):
            failures += 1
    raise AssertionError("it never stood still")


async def test_an_operators_skip_is_recorded_and_moves_only_that_checkpoint(
    store: Store, engine: AsyncEngine, projector: Projector
):
    """O03, R05, R06: one failed position per handler; retry is idempotent and moves nothing; a skip has a
    who and why.
    """
    failing = True

    async def apply(conn: AsyncConnection, stored: Stored) -> None:
        if failing and stored.event.amount == 2:
            raise ZeroDivisionError("two")
        await counters.apply_total(conn, stored)

    poisoned = Projector(store, engine, replace(TOTALS, apply=apply))
    await count(store, 1, 2, 3)
    await _until_standing(poisoned)
    by = Operator("olga", "known bad event")
    await operations.retry(store, "projection", "totals", by, key="1")
    with pytest.raises(Conflict, match="not-standing-still"):
        await operations.retry(store, "projection", "totals", by, key="1")
    assert (await generations(store))[0][3] == 1
    await _until_standing(poisoned)
    await operations.skip(store, "projection", "totals", by, key="1")
    await catch_up(poisoned)
    assert await rows(engine) == [("counter-a", 4, 2)]
    async with store.connection() as conn:
        actions = await conn.fetch(
            "SELECT kind, name, action, position, error, reason, operator FROM operator_action"
        )
    assert [tuple(row) for row in actions] == [
        ("projection", "totals 1", "retry", 2, "ZeroDivisionError: two", "known bad event", "olga"),
        ("projection", "totals 1", "skip", 2, "ZeroDivisionError: two", "known bad event", "olga"),
    ]


async def test_a_hole_in_the_log_halts_the_projection(store: Store, projector: Projector):
    """G03: contiguity is asserted, `next == last + 1`, else halt."""
    await count(store, 1, 2, 3)
    async with store.connection() as conn:
        await conn.execute("ALTER TABLE log DISABLE TRIGGER append_only")
        await conn.execute("DELETE FROM log WHERE position = 2")
    with pytest.raises(HandlerHalted, match="log-has-a-hole"):
        await projector.step()
    assert await generations(store) == [(1, "live", "halted", 0)]


async def test_new_code_builds_beside_the_old_and_cuts_over_when_it_has_caught_up(
    store: Store, engine: AsyncEngine, projector: Projector
):
    """V05: while the new version is being built, a query of it is refused as temporary and the old one
    goes on.
    """
    await count(store, 1, 2)
    await catch_up(projector)
    new = replace(TOTALS, version=2)
    newer = Projector(store, engine, new)
    await newer.prepare()
    with pytest.raises(Unavailable):
        await rows(engine, new)
    await count(store, 3)
    await catch_up(projector)
    assert await rows(engine) == [("counter-a", 6, 3)]
    await catch_up(newer)
    assert await rows(engine, new) == [("counter-a", 6, 3)]
    assert [stage for _, stage, _, _ in await generations(store)] == ["retired", "live"]


async def test_retired_generations_are_dropped_after_a_while(
    store: Store, engine: AsyncEngine, projector: Projector
):
    await projector.rebuild()
    await projector.drop_retired(age=0)
    assert [generation for generation, *_ in await generations(store)] == [2]
    async with store.connection() as conn:
        schemas = await conn.fetch("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'totals%'")
    assert [row[0] for row in schemas] == ["totals_v2"]


async def test_a_crash_in_the_cut_over_leaves_one_live_generation(
    store: Store, engine: AsyncEngine, projector: Projector
):
    await count(store, 1)
    await catch_up(projector)
    failpoints.configure("proj.before_swap:error")
    with pytest.raises(failpoints.FailpointError):
        await projector.rebuild()
    assert [stage for _, stage, _, _ in await generations(store)] == ["live", "building"]
    failpoints.configure("")
    await catch_up(projector)
    assert [stage for _, stage, _, _ in await generations(store)] == ["retired", "live"]
    assert await rows(engine) == [("counter-a", 1, 1)]
