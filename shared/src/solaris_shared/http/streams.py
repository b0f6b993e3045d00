"""Server-sent events: `id` is the feed's number, a comment is the heartbeat, what cannot be served is told by
a `gap` event, and at shutdown a stream ends by itself.

Every stream is bounded: in number, in life (a reader comes back with Last-Event-ID and is authenticated anew)
and in how long it waits for a reader who does not read.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import asyncpg
from prometheus_client import CollectorRegistry, Gauge
from sqlalchemy.exc import DBAPIError
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from solaris_shared.errors import RateLimited, Unavailable

MAX_STREAMS = 200
MAX_PER_CALLER = 5
RETRY_MILLISECONDS = 3000
BEAT_SECONDS = 15.0
LIFE_SECONDS = 3600.0
OWNER_LIFE_SECONDS = 300.0
SEND_SECONDS = 10.0
POLL_SECONDS = 0.2
OWNER_POLL_SECONDS = 1.0
PAGE = 200
OUTAGE = (asyncpg.PostgresError, asyncpg.InterfaceError, DBAPIError, OSError, TimeoutError)


@dataclass(frozen=True, slots=True)
class News:
    """One event of a feed; `body` is one line of JSON, handed on byte for byte."""

    number: int
    type: str
    body: bytes


class Readable(Protocol):
    """What a stream needs of a feed (see feeds.Feed)."""

    @property
    def owner(self) -> str | None: ...

    async def last(self) -> int: ...
    async def read(self, after: int, limit: int) -> Sequence[News]: ...


Admitted = Callable[[], Awaitable[bool]]
"""Whether a reader's token is still good: neither over nor revoked."""


class Streams:
    """All streams of this process. Its length of life is the application's: `stopping` ends them all."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.stopping = asyncio.Event()
        self.beat = BEAT_SECONDS
        self._callers: Counter[str] = Counter()
        self._open = Gauge("solaris_streams", "Open event streams", ("feed",), registry=registry)
        self._last = 0
        self._watched = 0.0
        self._asking: asyncio.Future[int] | None = None
        for kind in ("public", "owner"):
            self._open.labels(kind).set(0)

    def stop(self) -> None:
        """Let every stream end."""
        self.stopping.set()

    def enter(self, caller: str, owned: bool) -> Callable[[], None]:
        """Take a place; the answer gives it back. Raises RateLimited, Unavailable."""
        wait = {"Retry-After": "5"}
        if self._callers.total() >= MAX_STREAMS:
            raise Unavailable("streams-full", "No stream is free at the moment.", headers=wait)
        if self._callers[caller] >= MAX_PER_CALLER:
            text = f"At most {MAX_PER_CALLER} streams at once."
            raise RateLimited("too-many-streams", text, headers=wait)
        gauge = self._open.labels("owner" if owned else "public")
        self._callers[caller] += 1
        gauge.inc()

        def leave() -> None:
            self._callers[caller] -= 1
            self._callers += Counter()  # drops those who have none left
            gauge.dec()

        return leave

    async def more(self, feed: Readable, after: int, until: float) -> None:
        """Return when the feed may have news beyond `after`, when `until` has come, or at the stop."""
        while not self.stopping.is_set() and monotonic() < until:
            pause = OWNER_POLL_SECONDS if feed.owner else POLL_SECONDS
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), max(0, min(pause, until - monotonic())))
            if feed.owner or await self._public_end(feed) > after:
                return

    async def _public_end(self, feed: Readable) -> int:
        """Where the public feed ends: one query per POLL_SECONDS, however many streams ask."""
        if self._asking is not None:
            return await asyncio.shield(self._asking)
        if monotonic() - self._watched >= POLL_SECONDS / 2:
            self._asking = asyncio.ensure_future(feed.last())
            try:
                self._last = await asyncio.shield(self._asking)
            finally:
                self._asking, self._watched = None, monotonic()
        return self._last


class Stream(StreamingResponse):
    """The answer that stays open. Raises RateLimited or Unavailable when made."""

    def __init__(
        self,
        streams: Streams,
        feed: Readable,
        after: int,
        caller: str,
        headers: Mapping[str, str],
        admitted: Admitted | None = None,
    ) -> None:
        self._leave = streams.enter(caller, feed.owner is not None)
        shown = {**headers, "X-Accel-Buffering": "no"}
        text = frames(streams, feed, after, admitted)
        super().__init__(text, media_type="text/event-stream", headers=shown)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()

    async def stream_response(self, send: Send) -> None:
        """As Starlette's, but a reader who takes nothing for SEND_SECONDS is let go."""

        async def bounded(message: Message) -> None:
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        with suppress(TimeoutError):
            await super().stream_response(bounded)


async def frames(
    streams: Streams, feed: Readable, after: int, admitted: Admitted | None = None
) -> AsyncIterator[bytes]:
    """The text of a stream. It ends at the end of its life, at the stop, while the database is away, and
    before the next news once the reader is not `admitted` any more.
    """
    ends = monotonic() + (OWNER_LIFE_SECONDS if feed.owner else LIFE_SECONDS)
    yield b"retry: %d\n\n" % RETRY_MILLISECONDS
    with suppress(*OUTAGE):
        last = await feed.last()
        if after > last:
            yield gap(after, last)
            after = last
        while admitted is None or await admitted():
            page = await feed.read(after, PAGE)
            for news in page:
                if news.number != after + 1:
                    yield gap(after, news.number - 1)
                yield frame(news)
                after = news.number
            if streams.stopping.is_set() or monotonic() > ends:
                return
            if page:
                continue
            beat = monotonic() + streams.beat
            await streams.more(feed, after, min(beat, ends))
            if monotonic() >= beat:
                yield b": still here\n\n"


def frame(news: News) -> bytes:
    """One event; its body is one line."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (news.number, news.type.encode(), news.body)


def gap(asked: int, last: int) -> bytes:
    """Told when numbers cannot be served: what was asked for lies beyond the end, or a range is missing.

    A reader whose `asked` is greater than `last` knows facts that this service has lost (it was restored from
    an older back-up): he begins again from 0. The stream goes on after `last`.
    """
    return b'id: %d\nevent: gap\ndata: {"asked":%d,"last":%d}\n\n' % (last, asked, last)
