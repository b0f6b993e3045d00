"""Outbox, JetStream, import (cases D)."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

import nats
import pytest

from solaris_shared import foreign_feed, operations
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes, ForeignUnreadable
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging import jetstream
from solaris_shared.messaging.importer import Importer
from solaris_shared.messaging.jetstream import Bus, BusAway, Message
from solaris_shared.messaging.relay import Relay
from solaris_shared.operations import Operator
from solaris_shared.processing.progress import HandlerHalted
from solaris_shared.processing.reactor import Reactor, ReactorRunner
from solaris_shared.testing import counters, failpoints
from solaris_shared.testing.counters import Counted

FACT = "solaris.test.counted.v1"
BY = Operator("olga", "the test wants it")
SUBJECT = "solaris.test.counter.a.counted.v1"


@pytest.fixture
def event_log() -> EventLog:
    return counters.LOG.with_imports({"test": ForeignTypes({FACT: Counted})})


@asynccontextmanager
async def bus_at(url: str) -> AsyncIterator[Bus]:
    bus = Bus(url, "test")
    try:
        yield bus
    finally:
        await bus.close()


async def count(store: Store, *amounts: int) -> None:
    async with store.transaction(counters.meta()) as tx:
        version = await tx.conn.fetchval(
            "SELECT coalesce(max(version), 0) FROM event WHERE stream = 'counter-a'"
        )
        await tx.append("counter-a", version, *(Counted(amount) for amount in amounts))
    await sequence_all(store)


async def outbox(store: Store) -> list[tuple[int, bytes]]:
    async with store.connection() as conn:
        found = await conn.fetch("SELECT publication, envelope FROM outbox ORDER BY publication")
    return [tuple(row) for row in found]


async def stream(url: str) -> list[tuple[int, bytes]]:
    client = await nats.connect(url)
    try:
        last = (await client.jetstream().stream_info("TEST")).state.last_seq
        found = [await client.jetstream().get_msg("TEST", number) for number in range(1, last + 1)]
        return [(message.seq, message.data) for message in found]
    finally:
        await client.close()


async def imported(store: Store) -> list[int]:
    """The amounts that were imported, in order; checks that the versions have no hole."""
    async with store.connection() as conn:
        found = await store.log.load(conn, "import-test")
    assert [event.version for event in found] == list(range(1, len(found) + 1))
    return [event.event.amount for event in found]


async def relay_all(relay: Relay) -> None:
    while await relay.step():
        pass


async def until(step, check, seconds: float = 15) -> float:
    """Repeat `step`, outliving an absent broker, until `check()`; how long it took."""
    begin = monotonic()
    while not await check():
        assert monotonic() - begin < seconds, "it took too long"
        try:
            await step()
        except BusAway:
            await asyncio.sleep(0.05)
    return monotonic() - begin


async def test_acknowledged_messages_that_the_broker_lost_are_published_again(store: Store, private_nats):
    """D01, D02: truth is PostgreSQL; the relay resumes from the stream's real end, recreates a lost stream
    and refills it with the same numbers; the importer goes on at its own position.
    """
    async with bus_at(private_nats.url) as bus, bus_at(private_nats.url) as importer_bus:
        relay, importer = Relay(store, bus), Importer(store, importer_bus, "test", "other")
        expected = []
        for number in range(5):
            amounts = [10 * number + n for n in range(10)]
            await count(store, *amounts)
            expected += amounts

            async def both() -> None:
                await relay.step()
                await importer.step()

            async def arrived(all_of=tuple(expected)) -> bool:
                return await imported(store) == list(all_of)

            await until(both, arrived)
            private_nats.kill()
            if number % 2:
                private_nats.wipe()
            private_nats.start()
        await until(relay.step, lambda: _ends_at(private_nats.url, 50))
    assert await stream(private_nats.url) == await outbox(store)
    assert await imported(store) == expected
    assert await operations.standing(store) == []


async def test_an_importer_that_is_up_to_date_says_so_after_the_stream_was_refilled(store, private_nats):
    """A consumer made at a start beyond the end of a stream that is being refilled is told of messages
    below it.
    """
    async with bus_at(private_nats.url) as bus, bus_at(private_nats.url) as importer_bus:
        await count(store, *range(50))
        await relay_all(Relay(store, bus))
        importer = Importer(store, importer_bus, "test", "other")

        async def all_there() -> bool:
            return await imported(store) == list(range(50))

        await until(importer.step, all_there)
        private_nats.kill()
        private_nats.wipe()
        private_nats.start()
        relay, again = Relay(store, bus, 1 << 20), Importer(store, importer_bus, "test", "other")
        await until(
            lambda: bus.create_stream("TEST", relay.subject, *relay.limits),
            lambda: _ends_at(private_nats.url, 0),
        )
        await until(again.step, lambda: _bound(private_nats.url))
        await until(relay.step, lambda: _ends_at(private_nats.url, 50))
        seen = []
        for _ in range(4):
            await again.step()
            seen.append(again.pending)
        assert seen[-1] == 0, seen
    assert await operations.standing(store) == []


async def _bound(url: str) -> bool:
    client = await nats.connect(url)
    try:
        return bool(await client.jetstream().consumers_info("TEST"))
    finally:
        await client.close()


async def _ends_at(url: str, last: int) -> bool:
    client = await nats.connect(url)
    try:
        return (await client.jetstream().stream_info("TEST")).state.last_seq == last
    except nats.js.errors.NotFoundError:
        return False
    finally:
        await client.close()


async def test_the_stream_never_drops_anything_by_itself(store: Store, nats_server: str):
    """D05: no limits but bytes, discard=new, no purge, no delete; store synchronised as the server says
    itself.
    """
    async with bus_at(nats_server) as bus:
        await Relay(store, bus).step()
    client = await nats.connect(nats_server)
    config = (await client.jetstream().stream_info("TEST")).config
    await client.close()
    assert (config.discard, config.max_msgs, config.max_age) == ("new", -1, 0)
    assert config.deny_delete and config.deny_purge and config.retention == "limits"
    assert config.subjects == ["solaris.test.>"]


async def test_a_full_stream_stops_the_relay_and_loses_nothing(store: Store, nats_server: str):
    """D05: the outbox simply waits; with room again it goes on."""
    await count(store, *range(20))
    async with bus_at(nats_server) as bus:
        relay = Relay(store, bus, max_bytes=6000)
        with pytest.raises(BusAway, match="full"):
            await relay_all(relay)
        client = await nats.connect(nats_server)
        config = (await client.jetstream().stream_info("TEST")).config
        await client.jetstream().update_stream(config, max_bytes=1 << 20)
        await client.close()
        await relay_all(relay)
    assert await stream(nats_server) == await outbox(store)


async def test_a_duplicate_acknowledged_at_its_number_is_success(nats_server: str):
    """D03, D04: `duplicate=true` says that the message is in the stream; the sequence decides, never the
    window.
    """
    async with bus_at(nats_server) as bus:
        await bus.create_stream("TEST", "solaris.test.>", 1 << 20, 1)
        message = Message(1, SUBJECT, b"x", {"Nats-Msg-Id": "one"})
        assert await bus.publish([message]) == 1
        assert await bus.publish([message]) in (0, 1)  # 2.15 looks at the expected sequence before the id
        without_id = Message(1, SUBJECT, b"x", {})
        assert await bus.publish([without_id]) == 0
        assert await bus.publish([Message(3, SUBJECT, b"y", {})]) == 0
        assert await bus.publish([Message(2, SUBJECT, b"z", {"Nats-Msg-Id": "one"})]) == 0
        assert (await bus.stream_end("TEST")).last == 1


async def test_of_two_relays_each_number_is_published_by_one(store: Store, nats_server: str):
    """D12, D13, D14, D16: the fence is the stream's sequence; no ownership, a second relay starts at once."""
    await count(store, *range(300))
    async with bus_at(nats_server) as one, bus_at(nats_server) as two, bus_at(nats_server) as three:
        await asyncio.gather(*(relay_all(Relay(store, bus)) for bus in (one, two, three)))
        await relay_all(Relay(store, one))
    assert await stream(nats_server) == await outbox(store)
    assert await operations.standing(store) == []


async def test_a_ghost_publish_after_an_outage_changes_nothing(store: Store, private_nats):
    """Reliability 2.2: a time-out is unknown, never failed; what arrives later is refused by its number."""
    await count(store, 1, 2)
    async with bus_at(private_nats.url) as bus:
        relay = Relay(store, bus)
        await relay_all(relay)
        private_nats.kill()
        await count(store, 3)
        with pytest.raises(BusAway):
            for _ in range(5):
                await relay.step()
        private_nats.start()
        await until(relay.step, lambda: _ends_at(private_nats.url, 3))
    assert await stream(private_nats.url) == await outbox(store)


@pytest.mark.parametrize(
    "step", ["relay.read", "relay.before_publish", "relay.published_not_acked", "relay.acked_not_checked"]
)
async def test_a_relay_that_dies_anywhere_publishes_nothing_twice(store: Store, nats_server: str, step: str):
    """D14, O05."""
    await count(store, *range(150))
    failpoints.configure(f"{step}:error@1")
    async with bus_at(nats_server) as bus:
        with pytest.raises(failpoints.FailpointError):
            await relay_all(Relay(store, bus))
        failpoints.configure("")
        await relay_all(Relay(store, bus))
    assert await stream(nats_server) == await outbox(store)


@pytest.mark.parametrize("step", ["con.fetched", "con.before_commit", "con.committed_not_acked", "con.acked"])
async def test_an_importer_that_dies_anywhere_imports_everything_once(
    store: Store, nats_server: str, step: str
):
    """D15, D17, O05: acknowledged only after the commit; the version check absorbs what comes again."""
    amounts = list(range(40))
    await count(store, *amounts)
    async with bus_at(nats_server) as bus:
        await relay_all(Relay(store, bus))
        failpoints.configure(f"{step}:error@1")
        dying = Importer(store, bus, "test", "other")
        with pytest.raises(failpoints.FailpointError):
            while True:
                await dying.step()
        failpoints.configure("")
        await dying.close()
        await count(store, 99)
        await relay_all(Relay(store, bus))
        importer = Importer(store, bus, "test", "other")

        async def arrived() -> bool:
            return await imported(store) == [*amounts, 99]

        await until(importer.step, arrived, seconds=45)


async def test_two_importers_at_once_import_everything_once(store: Store, nats_server: str):
    """D06, D15: one check gives dedupe, order and gap detection."""
    amounts = list(range(200))
    await count(store, *amounts)
    async with bus_at(nats_server) as bus, bus_at(nats_server) as other:
        await relay_all(Relay(store, bus))
        importers = [Importer(store, bus, "test", "other"), Importer(store, other, "test", "other")]

        async def both() -> None:
            await asyncio.gather(*(importer.step() for importer in importers), return_exceptions=True)

        async def arrived() -> bool:
            return await imported(store) == amounts

        await until(both, arrived, seconds=45)
    assert await operations.standing(store) == []


async def test_import_goes_on_within_five_seconds_of_a_broker_restart(store: Store, private_nats):
    """D08: also in mid-fetch, the client's silent pull."""
    await count(store, 1)
    async with bus_at(private_nats.url) as bus, bus_at(private_nats.url) as importer_bus:
        relay, importer = Relay(store, bus), Importer(store, importer_bus, "test", "other")
        await relay_all(relay)

        async def first() -> bool:
            return await imported(store) == [1]

        await until(importer.step, first)
        fetching = asyncio.create_task(importer.step())
        await asyncio.sleep(0.3)
        private_nats.kill()
        private_nats.start()
        await count(store, 2)
        await until(relay.step, lambda: _ends_at(private_nats.url, 2))
        begin = monotonic()
        await asyncio.gather(fetching, return_exceptions=True)

        async def second() -> bool:
            return await imported(store) == [1, 2]

        await until(importer.step, second)
        assert monotonic() - begin < 5


async def test_messages_dropped_inside_the_client_are_noticed_by_their_numbers(
    store: Store, nats_server: str
):
    """D09: fetches cancelled at random and their messages thrown away: contiguity notices, the consumer is
    made anew.
    """
    amounts = list(range(120))
    rng = random.Random(3)
    async with bus_at(nats_server) as bus:
        await count(store, *amounts)
        await relay_all(Relay(store, bus))
        importer = Importer(store, bus, "test", "other")
        original = jetstream.Puller.fetch

        async def lossy(self, limit: int):
            messages = await original(self, 7)
            return [message for message in messages if rng.random() < 0.8]

        importer_fetch = jetstream.Puller.fetch
        jetstream.Puller.fetch = lossy
        try:
            for _ in range(30):
                await importer.step()
        finally:
            jetstream.Puller.fetch = importer_fetch
        await importer.close()

        async def arrived() -> bool:
            if await operations.standing(store):
                await operations.retry(store, "messaging", "import-test", BY)
            return await imported(store) == amounts

        await until(importer.step, arrived, seconds=45)


async def test_nothing_yet_is_an_empty_list_in_every_form(store: Store, nats_server: str):
    """D10: time-out, empty answer, no stream at all."""
    async with bus_at(nats_server) as bus:
        importer = Importer(store, bus, "test", "other")
        assert not await importer.step()
        await bus.create_stream("TEST", "solaris.test.>", 1 << 20, 1)
        assert not await importer.step()
        assert not await importer.step()


def test_the_time_to_acknowledge_is_far_longer_than_a_fetch():
    """D07."""
    assert jetstream.ACK_WAIT_SECONDS >= 10 * jetstream.FETCH_SECONDS
    assert jetstream.FETCH_SECONDS <= 2


async def test_the_consumer_redelivers_without_end_and_is_made_at_our_position(
    store: Store, nats_server: str
):
    """D06, D11: no limit of deliveries, no NAK, no dead-letter subject; the consumer is disposable."""
    await count(store, 1, 2, 3)
    async with bus_at(nats_server) as bus:
        await relay_all(Relay(store, bus))
        importer = Importer(store, bus, "test", "other")
        await importer.step()
        client = await nats.connect(nats_server)
        config = (await client.jetstream().consumer_info("TEST", "other")).config
        assert (config.max_deliver, config.ack_policy, config.filter_subject) == (-1, "all", "solaris.test.>")
        await client.jetstream().delete_consumer("TEST", "other")
        await count(store, 4)
        await relay_all(Relay(store, bus))

        async def arrived() -> bool:
            return await imported(store) == [1, 2, 3, 4]

        await until(importer.step, arrived)
        assert (await client.jetstream().consumer_info("TEST", "other")).config.opt_start_seq == 3
        await client.close()


async def test_the_outbox_is_read_by_its_primary_key(store: Store):
    """D18: `publication > n`, however long the outbox is; rows are kept."""
    await count(store, *range(2000))
    async with store.connection() as conn:
        await conn.execute("ANALYZE outbox")
        plan = await conn.fetchval(
            "EXPLAIN (FORMAT JSON)"
            " SELECT * FROM outbox WHERE publication > 1990 ORDER BY publication LIMIT 100"
        )
    assert json.loads(plan)[0]["Plan"]["Plans"][0]["Index Name"] == "outbox_pkey"


async def test_a_checkpoint_is_the_position_of_an_event_actually_handled(store: Store):
    """D19."""
    handled = []

    async def react(_tx, stored) -> None:
        handled.append(stored.position)

    runner = ReactorRunner(store, Reactor("r", {"counted": react}))
    await runner.prepare()
    await count(store, 1, 2)
    while await runner.step():
        pass
    async with store.connection() as conn:
        assert await conn.fetchval("SELECT checkpoint FROM reactor") == handled[-1] == 2


async def _damaged_stream(url: str, store: Store, without: int) -> nats.NATS:
    """The stream as after a bit error: one message from the middle is gone."""
    client = await nats.connect(url)
    await client.jetstream().add_stream(name="TEST", subjects=["solaris.test.>"])
    for number, data in await outbox(store):
        await client.jetstream().publish(SUBJECT, data)
        if number == without:
            await client.jetstream().delete_msg("TEST", number)
    return client


async def test_a_message_lost_from_the_middle_halts_importer_and_relay_until_the_reset(
    store: Store, nats_server: str
):
    """D20: the importer makes its consumer anew, then halts at the number where it knows no feed of the
    producer; the relay halts too; after the operator's reset and refill both go on.
    """
    await count(store, *range(10))
    client = await _damaged_stream(nats_server, store, without=4)
    async with bus_at(nats_server) as bus:
        importer, relay = Importer(store, bus, "test", "other"), Relay(store, bus)

        async def halted() -> bool:
            return {row["name"] for row in await operations.standing(store)} == {"import-test", "relay"}

        async def both() -> None:
            await importer.step()
            await relay.step()

        await until(both, halted)
        assert await imported(store) == [0, 1, 2]
        errors = {row["name"]: row["error"] for row in await operations.standing(store)}
        assert errors["import-test"] == "message 4 of stream TEST is missing, later ones are there"
        assert errors["relay"] == "stream TEST holds 9 of 10 messages"
        await client.jetstream().delete_stream("TEST")
        await client.close()
        by = Operator("olga", "reset after a bit error")
        await operations.retry(store, "messaging", "relay", by)
        await operations.retry(store, "messaging", "import-test", by)

        async def arrived() -> bool:
            return await imported(store) == list(range(10))

        await until(both, arrived)
    assert await stream(nats_server) == await outbox(store)


class Kept:
    """A producer's feed: what its outbox has; away at first, if the test says so."""

    def __init__(self, store: Store, away: int = 0) -> None:
        self.store, self.away, self.asked = store, away, []

    async def read(self, after: int, count: int) -> list[Message]:
        self.asked.append((after, count))
        if len(self.asked) <= self.away:
            raise BusAway("the producer does not answer")
        return [
            Message(n, SUBJECT, data, {})
            for n, data in await outbox(self.store)
            if after < n <= after + count
        ]


async def test_messages_lost_from_the_middle_come_from_the_producers_feed(store: Store, nats_server: str):
    """D20: numbers that the broker has lost are read from the producer, also if it answers late only."""
    await count(store, *range(10))
    client = await _damaged_stream(nats_server, store, without=4)
    await client.jetstream().delete_msg("TEST", 5)
    await client.close()
    feed = Kept(store, away=2)
    async with bus_at(nats_server) as bus:
        importer = Importer(store, bus, "test", "other")
        importer.feed = feed.read

        async def arrived() -> bool:
            return await imported(store) == list(range(10))

        await until(importer.step, arrived)
    assert feed.asked == [(3, 2)] * 3
    assert await operations.standing(store) == []


async def test_a_feed_that_has_them_neither_halts_the_importer(store: Store, nats_server: str):
    await count(store, *range(5))
    await (await _damaged_stream(nats_server, store, without=3)).close()

    class Empty(Kept):
        async def read(self, after: int, count: int) -> list[Message]:
            return []

    async with bus_at(nats_server) as bus:
        importer = Importer(store, bus, "test", "other")
        importer.feed = Empty(store).read

        async def halted() -> bool:
            return bool(await operations.standing(store))

        await until(importer.step, halted)
    assert await imported(store) == [0, 1]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b'{"number":4,"event":{}}\n',
        b'{"number":5,"event":{}}\n{"type":"end"}\n',
        b'{"number":4,"event":{"type":"x","subject":"y"}}\n{"type":"end"}\n',
        b"<html>",
    ],
)
async def test_an_answer_that_is_no_feed_is_not_believed(monkeypatch, text: bytes):
    monkeypatch.setattr(foreign_feed, "_get", lambda _address: text)
    with pytest.raises(BusAway):
        await foreign_feed.ForeignFeed("http://producer").read(3, 2)


async def test_another_history_under_the_same_numbers_halts_the_importer(store: Store, nats_server: str):
    """Reliability 2.1, checkpoint trap: the message at the own last version is compared after every new
    consumer.
    """
    await count(store, 1, 2, 3)
    async with bus_at(nats_server) as bus:
        await relay_all(Relay(store, bus))
        importer = Importer(store, bus, "test", "other")
        await importer.step()
        client = await nats.connect(nats_server)
        await client.jetstream().delete_stream("TEST")
        await client.jetstream().add_stream(name="TEST", subjects=["solaris.test.>"])
        for _ in range(5):
            await client.jetstream().publish(SUBJECT, b"another history")
        await client.close()

        async def halted() -> bool:
            return bool(await operations.standing(store))

        await until(importer.step, halted)
    (row,) = await operations.standing(store)
    assert row["error"] == "message 3 of TEST is not the one imported"


async def publish(url: str, *messages: tuple[bytes, dict[str, str] | None]) -> None:
    client = await nats.connect(url)
    await client.jetstream().add_stream(name="TEST", subjects=["solaris.test.>"])
    for data, headers in messages:
        await client.jetstream().publish(SUBJECT, data, headers=headers)
    await client.close()


def fact(amount: object, id_: str) -> bytes:
    return json.dumps(
        {
            "specversion": "1.0", "id": id_, "source": "/solaris/test", "type": FACT, "subject": "counter/a",
            "time": "2026-11-30T00:00:00Z", "data": {"amount": amount, "a later field": 1},
        }
    ).encode()  # fmt: skip


ONE, TWO = "6f7c1c6e-6f0b-5d0c-9c7e-7a1f2d3b4c01", "6f7c1c6e-6f0b-5d0c-9c7e-7a1f2d3b4c02"


async def test_broken_and_repeated_messages_take_their_number_and_nothing_more(
    store: Store, nats_server: str
):
    """D06, D13: a number beside the bytes that is not the stream's, an id that comes again with another
    body, a value that does not fit: stored raw, shown; what follows is imported.
    """
    await publish(
        nats_server,
        (fact(1, ONE), None),
        (fact(2, ONE), None),
        (fact(3, TWO), {"Solaris-Publication": "7"}),
        (fact(2.5, TWO), None),
        (fact(4, TWO), {"Solaris-Publication": "5"}),
    )
    async with bus_at(nats_server) as bus:
        importer = Importer(store, bus, "test", "other")
        while not await importer.step():
            pass
    async with store.connection() as conn:
        events = [stored.event for stored in await store.log.load(conn, "import-test")]
    assert events[0] == Counted(1) and events[4] == Counted(4)
    reasons = [event.reason for event in events if isinstance(event, ForeignUnreadable)]
    assert reasons == [
        "the id was used before", "envelope-misplaced: publication 7 at 3",
        "float-refused: /amount: floats are not stored",
    ]  # fmt: skip


async def test_a_handler_that_needs_an_unreadable_message_halts_and_others_pass(
    store: Store, nats_server: str
):
    """D06, R06: visible, at one position, until an operator skips it with a reason."""
    await publish(nats_server, (b"nonsense", None), (fact(5, ONE), None))
    seen: dict[str, list[object]] = {"needs": [], "other": [], "declares": []}

    def reactor(name: str, *types: str) -> ReactorRunner:
        async def react(_tx, stored) -> None:
            seen[name].append(stored.event)

        return ReactorRunner(store, Reactor(name, dict.fromkeys(types, react)))

    async with bus_at(nats_server) as bus:
        importer = Importer(store, bus, "test", "other")
        while not await importer.step():
            pass
    await sequence_all(store)
    needs = reactor("needs", FACT)
    others = [reactor("other", "solaris.test.something.v1"), reactor("declares", FACT, "foreign-unreadable")]
    for runner in (needs, *others):
        await runner.prepare()
    with pytest.raises(HandlerHalted, match="foreign-unreadable"):
        await needs.step()
    for runner in others:
        while await runner.step():
            pass
    assert [type(event) for event in seen["declares"]] == [ForeignUnreadable, Counted]
    assert [(row["name"], row["state"]) for row in await operations.standing(store)] == [("needs", "halted")]
    await operations.skip(store, "reactor", "needs", Operator("olga", "known to be noise"))
    while await needs.step():
        pass
    assert seen["needs"] == [Counted(5)] and seen["other"] == []
