"""Append, load and the conflicts of a stream."""

from dataclasses import dataclass

import asyncpg
import pytest

from solaris_shared import clock, ids
from solaris_shared.errors import VersionConflict
from solaris_shared.log.codec import EventTypes
from solaris_shared.log.event_log import EventLog, Meta
from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging.envelope import PublicEvent


@dataclass(frozen=True, slots=True)
class Counted:
    amount: int


def publish(event: object, stream: str) -> PublicEvent | None:
    if event.amount < 0:
        return None
    return PublicEvent("solaris.test.counted.v1", f"counter/{stream.split('-')[1]}", {"amount": event.amount})


@pytest.fixture
def event_log() -> EventLog:
    return EventLog("test", EventTypes({"counted": Counted}), publish)


def meta() -> Meta:
    return Meta(ids.new_id(), "correlation", "cause", "somebody")


async def test_events_come_back_in_order_with_their_versions_and_what_they_were_caused_by(store: Store):
    origin = meta()
    async with store.transaction(origin) as tx:
        assert await tx.append("counter-a", 0, Counted(1), Counted(2)) == 2
        assert await tx.append("counter-a", 2, Counted(3)) == 3
    async with store.connection() as conn:
        loaded = await store.log.load(conn, "counter-a")
    assert [(event.version, event.event) for event in loaded] == [
        (1, Counted(1)),
        (2, Counted(2)),
        (3, Counted(3)),
    ]
    assert [event.event_id for event in loaded] == [ids.event_id(origin.command_id, n) for n in range(3)]
    assert [event.ordinal for event in loaded] == sorted(event.ordinal for event in loaded)
    assert loaded[0].meta == origin.as_json() and loaded[0].position is None


@pytest.mark.parametrize("expected", [0, 1, 3, 7])
async def test_only_the_present_version_can_be_appended_to(store: Store, expected: int):
    async with store.transaction(meta()) as tx:
        await tx.append("counter-a", 0, Counted(1), Counted(2))
    with pytest.raises(VersionConflict):
        async with store.transaction(meta()) as tx:
            await tx.append("counter-a", expected, Counted(3))
    async with store.connection() as conn:
        assert len(await store.log.load(conn, "counter-a")) == 2
        assert await conn.fetchval("SELECT count(*) FROM pending") == 2


async def test_only_what_publish_returns_becomes_an_envelope(store: Store):
    async with store.transaction(meta()) as tx:
        await tx.append("counter-a", 0, Counted(5), Counted(-5))
    async with store.connection() as conn:
        rows = await conn.fetch("SELECT subject, envelope FROM pending ORDER BY ordinal")
    assert rows[0]["subject"] == "solaris.test.counter.a.counted.v1"
    assert b'"data":{"amount":5}' in rows[0]["envelope"]
    assert rows[1]["subject"] is None and rows[1]["envelope"] is None


@pytest.mark.parametrize(
    "statement", ["UPDATE event SET type = 'x'", "DELETE FROM event", "TRUNCATE event CASCADE"]
)
async def test_the_log_refuses_every_change_of_what_stands_in_it(store: Store, statement: str):
    async with store.transaction(meta()) as tx:
        await tx.append("counter-a", 0, Counted(1))
    async with store.connection() as conn:
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append only"):
            await conn.execute(statement)


async def test_the_clock_is_the_databases_plus_the_offset_of_a_simulation(store: Store):
    async with store.connection() as conn:
        before = await clock.now(conn)
        await clock.shift(conn, 3600)
        ahead = await clock.now(conn)
        assert 3599 < (ahead - before).total_seconds() < 3605
        await clock.shift(conn, 0)
        assert (await clock.now(conn) - before).total_seconds() < 5
