"""The edges named in docs/explanation/append-sequence-relay-import.md, one test each."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import nats
import pytest

from solaris_shared.errors import VersionConflict
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes, ForeignUnreadable
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging.importer import Importer
from solaris_shared.messaging.jetstream import Bus
from solaris_shared.messaging.relay import Relay
from solaris_shared.operations import Operator, retry, standing
from solaris_shared.testing import counters
from solaris_shared.testing.counters import Counted


@pytest.fixture
def event_log() -> EventLog:
    return counters.LOG.with_imports({"test": ForeignTypes({"solaris.test.counted.v1": Counted})})


@asynccontextmanager
async def bus_at(url: str) -> AsyncIterator[Bus]:
    bus = Bus(url, "test")
    try:
        yield bus
    finally:
        await bus.close()


async def count(store: Store, *amounts: int) -> None:
    async with store.transaction(counters.meta()) as tx:
        version = len(await store.log.load(tx.conn, "counter-a"))
        await tx.append("counter-a", version, *(Counted(amount) for amount in amounts))
    await sequence_all(store)


async def outbox(store: Store) -> list[tuple[int, str, bytes]]:
    async with store.connection() as conn:
        found = await conn.fetch("SELECT publication, subject, envelope FROM outbox ORDER BY publication")
    return [tuple(row) for row in found]


async def stream(url: str, name: str = "TEST") -> list[tuple[int, str, bytes]]:
    client = await nats.connect(url)
    try:
        context = client.jetstream()
        last = (await context.stream_info(name)).state.last_seq
        found = [await context.get_msg(name, number) for number in range(1, last + 1)]
        return [(message.seq, message.subject, message.data) for message in found]
    finally:
        await client.close()


async def publish_as_somebody_else(url: str, subject: str, data: bytes) -> None:
    client = await nats.connect(url)
    await client.jetstream().publish(subject, data)
    await client.close()


async def relay_all(relay: Relay) -> None:
    while await relay.step():
        pass


async def test_a_version_above_the_next_writes_nothing(store: Store):
    await count(store, 1, 2)
    for expected in (3, 7, 1, 0):
        with pytest.raises(VersionConflict):
            async with store.transaction(counters.meta()) as tx:
                await tx.append("counter-a", expected, Counted(9))
    async with store.connection() as conn:
        assert await conn.fetch("SELECT version FROM event ORDER BY version") == [(1,), (2,)]


async def test_an_exception_in_publish_fails_the_command(store: Store):
    def publish(event: object, _stream: str) -> None:
        raise ZeroDivisionError(event)

    store.log.publish = publish
    with pytest.raises(ZeroDivisionError):
        async with store.transaction(counters.meta()) as tx:
            await tx.append("counter-a", 0, Counted(1))
    async with store.connection() as conn:
        assert await conn.fetchval("SELECT count(*) FROM event") == 0


async def test_published_bytes_never_change_not_even_in_a_refill_by_other_code(store: Store, private_nats):
    await count(store, 1, 2, 3)
    frozen = await outbox(store)
    async with bus_at(private_nats.url) as bus:
        await relay_all(Relay(store, bus))
    assert await stream(private_nats.url) == frozen
    private_nats.kill()
    private_nats.wipe()
    private_nats.start()
    store.log.publish = lambda _event, _stream: None
    async with bus_at(private_nats.url) as bus:
        await relay_all(Relay(store, bus))
    assert await stream(private_nats.url) == frozen == await outbox(store)


async def test_a_foreign_message_in_the_stream_halts_the_relay(store: Store, nats_server: str):
    await count(store, 1)
    async with bus_at(nats_server) as bus:
        await relay_all(Relay(store, bus))
        await publish_as_somebody_else(nats_server, "solaris.test.counter.a.counted.v1", b"{}")
        await count(store, 2)
        await relay_all(Relay(store, bus))
    assert len(await stream(nats_server)) == 2
    (row,) = await standing(store)
    assert (row["kind"], row["name"], row["state"]) == ("messaging", "relay", "halted")
    assert "2" in row["error"]


async def test_a_stream_that_diverged_halts_the_relay_until_an_operators_reset(
    store: Store, nats_server: str
):
    client = await nats.connect(nats_server)
    await client.jetstream().add_stream(name="TEST", subjects=["solaris.test.>"])
    for _ in range(3):
        await client.jetstream().publish("solaris.test.counter.a.counted.v1", b"another history")
    await count(store, 1, 2)
    async with bus_at(nats_server) as bus:
        relay = Relay(store, bus)
        await relay_all(relay)
        assert [row["state"] for row in await standing(store)] == ["halted"]
        await client.jetstream().delete_stream("TEST")
        await relay_all(relay)
        assert [row["state"] for row in await standing(store)] == ["halted"]
        await retry(store, "messaging", "relay", Operator("olga", "stream deleted, refill"))
        await relay_all(relay)
    await client.close()
    assert await stream(nats_server) == await outbox(store)


BROKEN = {
    "not JSON": b"\xff\x00nonsense",
    "not a CloudEvent": b'{"hello":"world"}',
    "deep": b"[" * 100_000,
    "a NUL inside": b'{"specversion":"1.0","id":"6f7c1c6e-6f0b-5d0c-9c7e-7a1f2d3b4c5d",'
    b'"source":"/solaris/test",'
    b'"type":"solaris.test.counted.v1","subject":"counter/a","time":"","data":{"amount":1,"x":"\\u0000"}}',
    "a model that does not fit": b'{"specversion":"1.0","id":"6f7c1c6e-6f0b-5d0c-9c7e-7a1f2d3b4c5e",'
    b'"source":"/solaris/test","type":"solaris.test.counted.v1","subject":"counter/a","time":"",'
    b'"data":{"amount":"many"}}',
}


async def test_what_cannot_be_decoded_is_stored_raw_at_its_number(store: Store, nats_server: str):
    client = await nats.connect(nats_server)
    await client.jetstream().add_stream(name="TEST", subjects=["solaris.test.>"])
    for data in BROKEN.values():
        await client.jetstream().publish("solaris.test.counter.a.counted.v1", data)
    await client.close()
    async with bus_at(nats_server) as bus:
        importer = Importer(store, bus, "test", "other")
        while not await importer.step():
            pass
        await importer.close()
    async with store.connection() as conn:
        imported = await store.log.load(conn, "import-test")
    assert [event.version for event in imported] == list(range(1, len(BROKEN) + 1))
    assert {type(event.event) for event in imported} == {ForeignUnreadable}
    assert {event.event.type for event in imported} == {"solaris.test.counted.v1"}
    assert [event.event.bytes for event in imported] == list(BROKEN.values())
