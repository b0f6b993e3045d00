"""The one invariant checker: what must hold after any run of faults."""

import asyncio
import time
from collections import Counter
from typing import Any

import sqlalchemy as sa
from chaos_world import World, definitions

from solaris_economy.application.audit import faults as ledger_faults
from solaris_shared import operations
from solaris_shared.database import open_engine
from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging.jetstream import Bus, BusAway
from solaris_shared.processing.projection import Projection
from solaris_shared.processing.projector import Projector
from solaris_shared.views import Views

BEHIND = """
SELECT (SELECT count(*) FROM pending)
    + (SELECT coalesce(sum(head.position - checkpoint), 0) FROM projection, head WHERE stage = 'live')
    + (SELECT count(*) FROM projection WHERE stage = 'building')
    + (SELECT coalesce(sum(head.position - checkpoint), 0) FROM reactor, head)
    + (SELECT count(*) FROM timer WHERE state = 'waiting')
"""
STREAMS = """
SELECT e.stream, array_agg(e.version ORDER BY l.position) AS versions
FROM event e LEFT JOIN log l ON l.ordinal = e.ordinal GROUP BY e.stream
"""


async def settled(world: World, seconds: float) -> None:
    """Wait until everything has gone everywhere (liveness); AssertionError with what is behind otherwise."""
    end = time.monotonic() + seconds
    while behind := await _behind(world):
        assert time.monotonic() < end, f"not settled: {behind}"
        await asyncio.sleep(0.3)


async def _behind(world: World) -> dict[str, Any]:
    behind: dict[str, Any] = {}
    bus = Bus(world.nats.url, "checker")
    try:
        for name, store in world.stores.items():
            async with store.connection() as conn:
                if rows := await conn.fetchval(BEHIND):
                    behind[name] = rows
                published = await conn.fetchval("SELECT publication FROM head")
            end = await bus.stream_end(name.upper())
            if (end.last if end else 0) != published:
                behind[f"stream {name}"] = (end, published)
            for foreign in definitions()[name].imports:
                if (missing := await _not_imported(world, store, foreign)) != 0:
                    behind[f"{name} from {foreign}"] = missing
    except BusAway as error:
        behind["bus"] = str(error)
    finally:
        await bus.close()
    for name, store in world.stores.items():
        if standing := await operations.standing(store):
            raise AssertionError(f"{name} stands still: {[dict(row) for row in standing]}")
    return behind


async def _not_imported(world: World, store: Store, foreign: str) -> int:
    async with world.stores[foreign].connection() as conn:
        there = await conn.fetchval("SELECT publication FROM head")
    async with store.connection() as conn:
        return there - await conn.fetchval(
            "SELECT count(*) FROM event WHERE stream = $1", f"import-{foreign}"
        )


async def check(world: World) -> None:
    """Every invariant."""
    for name, store in world.stores.items():
        await log_is_gapless_and_in_order(name, store)
        await stream_equals_outbox(world, name, store)
        for foreign in definitions()[name].imports:
            await imported_once_and_in_order(world, name, store, foreign)
        for projection in definitions()[name].projections:
            await live_equals_rebuilt(world, name, store, projection)
    await every_command_has_one_outcome(world)
    await the_money_is_right(world)
    await every_purse_was_seen_and_rung_once(world)


async def log_is_gapless_and_in_order(name: str, store: Store) -> None:
    """I3: positions and publications 1..n; every event in the log; versions of each stream in order."""
    async with store.connection() as conn:
        events = await conn.fetchval("SELECT count(*) FROM event")
        for table, number in (("log", "position"), ("outbox", "publication")):
            count, least, most = await conn.fetchrow(
                f"SELECT count(*), min({number}), max({number}) FROM {table}"
            )
            assert (count, least or 1) == (most or 0, 1), f"{name}.{table} has a hole"
            assert table != "log" or count == events, f"{name}: {events - count} events are not in the log"
        for row in await conn.fetch(STREAMS):
            assert row["versions"] == list(range(1, len(row["versions"]) + 1)), f"{name}: {row['stream']}"


async def stream_equals_outbox(world: World, name: str, store: Store) -> None:
    """I3: byte by byte."""
    bus = Bus(world.nats.url, "checker")
    async with store.connection() as conn:
        rows = await conn.fetch("SELECT publication, envelope FROM outbox ORDER BY publication")
    for row in rows:
        assert await bus.message(name.upper(), row["publication"]) == row["envelope"], (
            f"{name} {row['publication']}"
        )
    await bus.close()


async def imported_once_and_in_order(world: World, name: str, store: Store, foreign: str) -> None:
    """I4, I13: the import stream is the producer's outbox; nothing is unreadable."""
    async with world.stores[foreign].connection() as conn:
        there = await conn.fetch(
            "SELECT publication, e.event_id::text AS id FROM outbox o JOIN log l USING (position)"
            " JOIN event e ON e.ordinal = l.ordinal ORDER BY publication"
        )
    async with store.connection() as conn:
        here = await conn.fetch(
            "SELECT version, meta->>'id' AS id FROM event WHERE stream = $1 ORDER BY version",
            f"import-{foreign}",
        )
    assert [tuple(row) for row in here] == [tuple(row) for row in there], f"{name} from {foreign}"


async def live_equals_rebuilt(world: World, name: str, store: Store, projection: Projection) -> None:
    """I5: every live read model equals one made from the log from scratch, row by row."""
    engine = open_engine(world.urls[name])
    try:
        live = await dump(engine, projection)
        await Projector(store, engine, projection).rebuild()
        assert await dump(engine, projection) == live, f"{name}.{projection.name}"
    finally:
        await engine.dispose()


async def dump(engine: Any, projection: Projection) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of a read model in the order of their keys."""
    async with Views(engine, [projection]).open(projection.name) as conn:
        tables = projection.metadata.sorted_tables
        chosen = {table.name: sa.select(table).order_by(*table.primary_key) for table in tables}
        return {table: [tuple(row) for row in await conn.execute(query)] for table, query in chosen.items()}


async def every_command_has_one_outcome(world: World) -> None:
    """I2: what was answered is there, once, and nothing else is."""
    for name in ("league", "combat"):
        async with world.stores[name].connection() as conn:
            found = Counter(
                row[0] for row in await conn.fetch("SELECT data->>'subject' FROM event WHERE type = 'said'")
            )
        asked = Counter(
            fact.subject for fact in world.acked.values() if fact.type.startswith(f"solaris.{name}.")
        )
        assert found == asked, name


async def the_money_is_right(world: World) -> None:
    """I1: the ledger's own audit, and every purse as the load reckons it."""
    async with world.stores["economy"].connection() as conn:
        assert await ledger_faults(conn, world.stores["economy"].log) == []
        paid = await conn.fetch(
            "SELECT account, sum(amount)::bigint FROM posting WHERE amount > 0 GROUP BY 1"
        )
    assert {account: amount for account, amount in paid if account in world.warriors} == dict(world.owed())


async def every_purse_was_seen_and_rung_once(world: World) -> None:
    """I4, I9: the watcher's reactor and timers had their effect once for each purse, and the sums agree."""
    async with world.stores["watcher"].connection() as conn:
        rows = await conn.fetch("SELECT data->>'what', sum((data->>'amount')::bigint)::bigint FROM event"
                                " WHERE type = 'seen' GROUP BY 1")  # fmt: skip
    total = sum(world.owed().values())
    assert dict(tuple(row) for row in rows) == {"purse": total, "ring": total}
