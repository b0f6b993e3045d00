"""SEC16: pages, lines and streams tell the same numbers and the same bytes, and a cut costs nothing."""

import asyncio
import importlib.util
import json
import os
import signal
import sys
import textwrap
import time
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI

from solaris_shared.foreign_feed import ForeignFeed
from solaris_shared.http import streams
from solaris_shared.http.feeds import form
from solaris_shared.http.server import GRACE_SECONDS, SideServer, make_server
from solaris_shared.log.codec import EventTypes
from solaris_shared.log.event_log import EventLog, Meta
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.messaging.envelope import PublicEvent

ROOT = Path(__file__).parents[3]
CONSUMER = ROOT / "examples" / "sse_consumer.py"


@dataclass(frozen=True, slots=True)
class NoteAdded:
    owner: str
    text: str
    amount: int


SSE = {"Accept": "text/event-stream"}
NDJSON = {"Accept": "application/x-ndjson"}


@pytest.fixture
def event_log(note_types):
    def publish(event, stream):
        return (
            PublicEvent("solaris.test.note-added.v1", "note/1", {"text": event.text})
            if event.amount
            else None
        )

    return EventLog("test", note_types, publish)


@pytest.fixture
def note_types():
    return EventTypes({"note-added": NoteAdded})


@pytest.fixture
def store(app: FastAPI):
    return app.state.context.store


async def publish(store, texts, first=0):
    """A public note for each text, with a private one before it: positions run ahead of publications."""
    async with store.transaction(Meta(uuid4(), "c", "c", "p")) as tx:
        notes = [note for text in texts for note in (NoteAdded("o", "", 0), NoteAdded("o", text, 1))]
        await tx.append(f"notes-{uuid4()}", 0, *notes)
    await sequence_all(store)


async def envelopes(store):
    return [
        bytes(row[0]) for row in await store.pool.fetch("SELECT envelope FROM outbox ORDER BY publication")
    ]


async def until(true, seconds=10):
    for _ in range(seconds * 20):
        if true():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it does not become true")


@asynccontextmanager
async def serving(app):
    """The application behind a real server; its address."""
    server = make_server(app, "127.0.0.1", 0, SideServer)
    server.on_stop = app.state.context.streams.stop
    task = asyncio.create_task(server.serve())
    await until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


@pytest.fixture
async def address(app):
    async with serving(app) as url:
        yield url


@asynccontextmanager
async def reading(address, after=None, **more):
    """A stream; iterate to get its blocks."""
    headers = SSE | ({} if after is None else {"Last-Event-ID": str(after)}) | more
    async with (
        httpx.AsyncClient(base_url=address, timeout=20) as client,
        client.stream("GET", "/v1/events", headers=headers) as answer,
    ):
        assert answer.status_code == 200, await answer.aread()
        yield answer, blocks(answer)


async def blocks(answer):
    buffer = b""
    async for chunk in answer.aiter_bytes():
        *whole, buffer = (buffer + chunk).split(b"\n\n")
        for block in whole:
            yield block
    assert buffer == b""


async def take(found, count):
    return [await asyncio.wait_for(anext(found), 5) for _ in range(count)]


async def test_a_page_has_the_frozen_bytes_and_tells_where_to_go_on(client, store):
    await publish(store, ["one", "Íñigo \u2028 'El Rápido'", "three"])
    frozen = await envelopes(store)
    got = await client.get("/v1/events?limit=2")
    page = got.json()
    assert [item["number"] for item in page["items"]] == [1, 2]
    assert (page["after"], page["next"]) == (2, "/v1/events?after=2&limit=2")
    assert got.headers["link"] == '</v1/events?after=2&limit=2>; rel="next"'
    assert all(frozen[n] in got.content for n in (0, 1)) and frozen[2] not in got.content
    last = (await client.get(page["next"])).json()
    assert ([item["number"] for item in last["items"]], last["after"], last["next"]) == ([3], 3, None)
    assert (await client.get("/v1/events?after=3")).json() == {"items": [], "after": 3, "next": None}


async def test_lines_end_with_a_line_that_says_so(client, store):
    await publish(store, [f"note {n}" for n in range(1200)])
    got = await client.get("/v1/events?after=10", headers=NDJSON)
    lines = got.content.split(b"\n")
    assert got.headers["content-type"] == "application/x-ndjson" and lines.pop() == b""
    assert json.loads(lines.pop()) == {"type": "end", "after": 1200, "more": False}
    assert [json.loads(line)["number"] for line in lines] == list(range(11, 1201))
    assert [line[line.index(b"{", 1) : -1] for line in lines] == (await envelopes(store))[10:]
    some = (await client.get("/v1/events?limit=3", headers=NDJSON)).content.split(b"\n")
    assert json.loads(some[3]) == {"type": "end", "after": 3, "more": True}


async def test_an_importer_reads_the_feed_of_another_service(address, store):
    """D20: the same bytes under the same subject and number as on the broker."""
    await publish(store, [f"n{n}" for n in range(6)])
    found = await ForeignFeed(address).read(2, 3)
    rows = await store.pool.fetch("SELECT publication, subject, envelope FROM outbox ORDER BY 1")
    kept = [(row[0], row[1], bytes(row[2])) for row in rows][2:5]
    assert [(one.sequence, one.subject, one.data) for one in found] == kept
    assert await ForeignFeed(address).read(6, 3) == []


async def test_beyond_the_end_there_is_nothing_to_go_on_from(client, store):
    await publish(store, ["one"])
    for headers in ({}, NDJSON):
        got = await client.get("/v1/events?after=2", headers=headers)
        assert (got.status_code, got.json()["code"], got.json()["last"]) == (409, "beyond-the-end", 1)
    for wrong in ("-1", "x", str(2**63)):
        assert (await client.get(f"/v1/events?after={wrong}")).status_code == 422
        assert (await client.get("/v1/events", headers={"Last-Event-ID": wrong})).status_code == 422


async def test_a_stream_replays_then_follows(address, store):
    await publish(store, ["one", "two"])
    frozen = await envelopes(store)
    async with reading(address, after=1) as (answer, found):
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert await take(found, 2) == [
            b"retry: 3000",
            b"id: 2\nevent: solaris.test.note-added.v1\ndata: " + frozen[1],
        ]
        await publish(store, ["three"])
        [third] = await take(found, 1)
        assert third.startswith(b"id: 3\n") and third.endswith((await envelopes(store))[2])


async def test_silence_is_filled_with_comments_without_a_number(app, address):
    app.state.context.streams.beat = 0.2
    async with reading(address) as (_, found):
        assert await take(found, 3) == [b"retry: 3000", b": still here", b": still here"]


async def test_what_cannot_be_served_is_told(address, store):
    """A reader who knows more than there is (a restored back-up) hears of it, and the stream goes on."""
    await publish(store, ["one"])
    async with reading(address, after=7) as (_, found):
        assert (await take(found, 2))[1] == b'id: 1\nevent: gap\ndata: {"asked":7,"last":1}'
        await publish(store, ["two"])
        assert (await take(found, 1))[0].startswith(b"id: 2\n")


async def test_a_hole_is_told():
    class Holed:
        owner = None

        async def last(self):
            return 5

        async def read(self, after, limit):
            return [streams.News(5, "t", b"{}")] if after < 5 else []

    from prometheus_client import CollectorRegistry

    opened = streams.Streams(CollectorRegistry())
    opened.stop()
    seen = [text async for text in streams.frames(opened, Holed(), 2)]
    assert seen[1:] == [
        b'id: 4\nevent: gap\ndata: {"asked":2,"last":4}\n\n',
        b"id: 5\nevent: t\ndata: {}\n\n",
    ]


async def test_a_reader_who_is_not_admitted_any_more_gets_nothing_new():
    """Asked before every page: what came after the token was revoked is not told."""
    from prometheus_client import CollectorRegistry

    good = True

    class Mine:
        owner = "ana"

        async def last(self):
            return 0

        async def read(self, after, limit):
            return [streams.News(after + 1, "t", b"{}")]

    async def admitted():
        return good

    seen = []
    async for text in streams.frames(streams.Streams(CollectorRegistry()), Mine(), 0, admitted):
        seen.append(text)
        good = len(seen) < 4
    assert seen[-1].startswith(b"id: 3") and len(seen) == 4


async def test_the_caller_is_whom_a_trusted_proxy_names_and_nobody_elses_word_counts(app):
    """Limits count visitors behind a TLS terminator and the console, and cannot be dodged without them."""
    for trusted, seen in (("127.0.0.0/8", "net:203.0.113.9/32"), ("10.0.0.0/8", "net:127.0.0.1/32")):
        server = make_server(app, "127.0.0.1", 0, SideServer, trusted)
        task = asyncio.create_task(server.serve())
        await until(lambda server=server: server.started)
        url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        async with httpx.AsyncClient(base_url=url) as client:
            forwarded = {"X-Forwarded-For": "198.51.100.1, 203.0.113.9"}
            assert (await client.get("/v1/numbers", headers=forwarded)).status_code == 200
        server.should_exit = True
        await task
        assert (seen, "read") in app.state.context.limiter._buckets, seen


async def test_streams_are_bounded_and_their_places_come_back(app, address):
    async with AsyncExitStack() as stack:
        for _ in range(streams.MAX_PER_CALLER):
            await stack.enter_async_context(reading(address))
        async with httpx.AsyncClient(base_url=address) as client:
            refused = await client.get("/v1/events", headers=SSE)
            assert (refused.status_code, refused.json()["code"]) == (429, "too-many-streams")
            assert refused.headers["retry-after"] == "5"
            assert 'solaris_streams{feed="public"} 5.0' in (await client.get("/metrics")).text
    await until(lambda: not app.state.context.streams._callers)
    async with reading(address) as (_, found):
        await take(found, 1)


async def test_a_reader_who_does_not_read_is_let_go(app, address, store, monkeypatch):
    monkeypatch.setattr(streams, "SEND_SECONDS", 0.3)
    await publish(store, ["x" * 30_000 for _ in range(300)])
    port = int(address.rpartition(":")[2])
    _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(b"GET /v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
    await writer.drain()
    await until(lambda: app.state.context.streams._callers)
    await until(lambda: not app.state.context.streams._callers)
    writer.close()


async def test_a_stream_ends_while_the_database_is_away(app, monkeypatch):
    """The reader comes back with his number; he is never told a gap that is none."""

    class Away:
        owner = None

        async def last(self):
            return 1

        async def read(self, after, limit):
            raise ConnectionResetError

    seen = [text async for text in streams.frames(app.state.context.streams, Away(), 1)]
    assert seen == [b"retry: 3000\n\n"]


async def test_sigterm_ends_a_process_with_open_streams_at_once(settings, tmp_path):
    """Reliability 2.4: a stream watches for the stop; without it the process hangs until it is killed."""
    script = tmp_path / "service.py"
    script.write_text(
        textwrap.dedent("""
        from solaris_shared.definition import ServiceDefinition
        from solaris_shared.log.codec import EventTypes
        from solaris_shared.log.event_log import EventLog
        from solaris_shared.service_main import main
        main(ServiceDefinition("test", EventLog("test", EventTypes({}), lambda event, stream: None)))
    """)
    )
    port = free_port()
    environment = os.environ | {
        "SOLARIS_DATABASE_URL": settings.database_url,
        "SOLARIS_JWKS_FILE": str(settings.jwks_file),
        "SOLARIS_CURSOR_KEY": "k" * 32,
        "SOLARIS_HTTP_PORT": str(port),
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), "api", env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=address) as client:
        for _ in range(300):
            try:
                if (await client.get("/health/ready")).status_code == 200:
                    break
            except httpx.TransportError:
                await asyncio.sleep(0.1)
    async with reading(address) as (_, found):
        await take(found, 1)
        process.send_signal(signal.SIGTERM)
        assert [block async for block in found] == []
        assert await asyncio.wait_for(process.wait(), GRACE_SECONDS - 1) == 0


async def test_head_answers_as_get_without_a_body_and_leaves_no_stream_open(app, address, store):
    """Over the wire: a page, an unknown address, a stream that would never end."""
    await publish(store, ["one", "two"])
    streams = app.state.context.streams
    async with httpx.AsyncClient(base_url=address, timeout=5) as client:
        for _ in range(2):  # the connection goes on
            got, head = [await client.request(method, "/v1/events?limit=1") for method in ("GET", "HEAD")]
            assert (head.status_code, head.content) == (200, b"") and len(got.content) > 100
            for name in ("content-length", "content-type", "link", "vary", "cache-control"):
                assert head.headers[name] == got.headers[name], name
            assert head.headers["x-correlation-id"]
        assert (await client.head("/v1/nope")).status_code == 404
        stream = await client.head("/v1/events", headers=SSE)
        assert (stream.status_code, stream.content) == (200, b"")
        assert stream.headers["content-type"].startswith("text/event-stream")
        await until(lambda: streams._callers.total() == 0)


def test_the_form_that_weighs_most_is_taken_and_of_equals_the_first():
    """RFC 9110, 12.5.1: what weighs nothing is not wanted."""
    assert form("text/event-stream;q=0") == form("text/event-stream; Q=0.000, */*") == "application/json"
    assert form("text/event-stream;q=0.2, application/x-ndjson;q=0.9") == "application/x-ndjson"
    assert form("application/x-ndjson, text/event-stream") == "application/x-ndjson"
    assert form("text/event-stream;charset=utf-8;q=0.5, application/json;q=0.4") == "text/event-stream"
    assert form("text/event-stream;q=x") == "text/event-stream"
    assert form("*/*") == form("") == form("text/html") == "application/json"
    assert form("text/event-stream, application/json;q=0.5") == "text/event-stream"
    assert form("application/x-ndjson;q=1") == "application/x-ndjson"


def free_port():
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cutter:
    """A proxy that resets every connection each `seconds`, wherever in an event that is."""

    def __init__(self, target, seconds):
        self.target, self.seconds, self.cuts = target, seconds, 0

    @asynccontextmanager
    async def running(self):
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()

    async def _serve(self, reader, writer):
        host, port = self.target.removeprefix("http://").split(":")
        there, back = await asyncio.open_connection(host, int(port))
        tasks = [asyncio.create_task(self._pipe(*pair)) for pair in ((reader, back), (there, writer))]
        await asyncio.wait(tasks, timeout=self.seconds, return_when=asyncio.FIRST_COMPLETED)
        self.cuts += 1
        for task in tasks:
            task.cancel()
        for end in (writer, back):
            end.transport.abort()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _pipe(self, reader, writer):
        while data := await reader.read(1000):
            writer.write(data)
            await writer.drain()


def consumer():
    spec = importlib.util.spec_from_file_location("sse_consumer", CONSUMER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("cut", "seconds", "least"),
    [
        pytest.param(1, 15, 6, id="short"),
        pytest.param(20, 300, 13, id="five-minutes", marks=pytest.mark.soak),
    ],
)
async def test_a_client_cut_again_and_again_has_every_event_once(
    address, store, tmp_path, cut, seconds, least
):
    """SEC16: the example consumer behind a proxy that cuts the line: each event once, in order."""
    path, cutter = tmp_path / "events.jsonl", Cutter(address, cut)
    total, ends = 0, time.monotonic() + seconds
    async with cutter.running() as proxy:
        follower = asyncio.create_task(run_follower(proxy, path))
        while time.monotonic() < ends:
            size = total % 7 + 1
            await publish(store, [f"{total + n} " + "x" * (400 * n) for n in range(size)])
            total += size
            await asyncio.sleep(0.05)
        written = lambda: path.exists() and path.read_bytes().count(b"\n") >= total  # noqa: E731
        await until(written, cut + 20)
        follower.cancel()
        await asyncio.gather(follower, return_exceptions=True)
    lines = path.read_bytes().splitlines()
    assert [json.loads(line)["number"] for line in lines] == list(range(1, total + 1))
    assert [line[line.index(b"{", 1) : -1] for line in lines] == await envelopes(store)
    assert cutter.cuts >= least, cutter.cuts
    print(f"{total} events, {cutter.cuts} cuts")


async def run_follower(proxy, path):
    process = await asyncio.create_subprocess_exec(sys.executable, str(CONSUMER), proxy, str(path))
    try:
        await process.wait()
        raise AssertionError(f"the consumer ended with {process.returncode}")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def test_the_consumer_takes_up_after_half_a_line(tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"number":1,"event":{}}\n{"number":2,"ev')
    with path.open("a+b") as file:
        assert consumer().bookmark(file) == 1
    assert path.read_bytes() == b'{"number":1,"event":{}}\n'
