"""Feeds: numbered news from any number on, as a JSON page, as NDJSON or as server-sent events.

The caller chooses by `Accept`. Numbers are gapless; the bytes of an event are handed on as they were frozen.
In the public feed (`/v1/events` of every service) the number is the publication, the same as on JetStream; an
owner's feed has a numbering of its own. No feed tells a position of the log.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Protocol
from urllib.parse import urlencode

import sqlalchemy as sa
from fastapi import APIRouter, Depends, Header, Query, Request
from pydantic import BaseModel
from starlette.responses import Response, StreamingResponse

from solaris_shared.errors import Conflict, SolarisError
from solaris_shared.http.auth import bearer_token
from solaris_shared.http.context import context_of
from solaris_shared.http.gate import authenticate
from solaris_shared.http.streams import Admitted, News, Stream
from solaris_shared.log.codec import dump, to_json
from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging.envelope import type_of_nats_subject
from solaris_shared.views import Views

NDJSON, EVENT_STREAM, JSON = "application/x-ndjson", "text/event-stream", "application/json"
WEIGHT = re.compile(r";\s*q=(0(\.\d{0,3})?)\s*(;|$)", re.IGNORECASE)
"""Of a media type in Accept, where it is less than one; 0 is no."""
MAX_LIMIT = 500
PAGE = 500
NUMBER = 2**53 - 1
OUTBOX = """
SELECT publication, subject, envelope FROM outbox WHERE publication > $1 ORDER BY publication LIMIT $2
"""


class Feed(Protocol):
    """News of one kind for one reader. `owner` = None: for everybody."""

    @property
    def owner(self) -> str | None: ...

    async def last(self) -> int:
        """The highest number there is, 0 for none."""

    async def read(self, after: int, limit: int) -> Sequence[News]:
        """Up to `limit` news beyond number `after`, in order."""


@dataclass(frozen=True, slots=True)
class PublicFeed:
    """The outbox: what the whole world may know."""

    store: Store
    owner: str | None = None

    async def last(self) -> int:
        async with self.store.connection() as conn:
            return await conn.fetchval("SELECT publication FROM head")

    async def read(self, after: int, limit: int) -> Sequence[News]:
        async with self.store.connection() as conn:
            rows = await conn.fetch(OUTBOX, after, limit)
        return [News(row[0], type_of_nats_subject(row[1]), row[2]) for row in rows]


@dataclass(frozen=True, slots=True)
class OwnerFeed:
    """Rows of a read model, for their owner alone, numbered 1, 2, 3... by the read model itself.

    `rows` selects the owner's; `number` is their column; `tell` makes the news of a row.
    """

    views: Views
    projection: str
    owner: str | None
    rows: sa.Select[Any]
    number: sa.Column[int]
    tell: Callable[[sa.RowMapping], News]

    async def last(self) -> int:
        highest = self.rows.with_only_columns(sa.func.coalesce(sa.func.max(self.number), 0))
        async with self.views.open(self.projection) as conn:
            return (await conn.execute(highest)).scalar_one()

    async def read(self, after: int, limit: int) -> Sequence[News]:
        query = self.rows.where(self.number > after).order_by(self.number).limit(limit)
        async with self.views.open(self.projection) as conn:
            return [self.tell(row) for row in (await conn.execute(query)).mappings()]


def owner_news(number: int, kind: str, at: datetime, data: Mapping[str, Any]) -> News:
    """News of an owner's feed: {"type", "time", "data"}."""
    time = at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return News(number, kind, dump({"type": kind, "time": time, "data": to_json(data)}).encode())


@dataclass(frozen=True, slots=True)
class From:
    """Where a reader goes on. `Last-Event-ID` (a stream that was cut) wins over `after`."""

    after: int
    limit: int | None


def asked(
    after: Annotated[int, Query(ge=0, le=NUMBER, description="News beyond this number")] = 0,
    limit: Annotated[int | None, Query(ge=1, le=MAX_LIMIT, description="JSON: 100 if absent")] = None,
    last_event_id: Annotated[
        int | None,
        Header(ge=0, le=NUMBER, description="Number of the last event received; wins over `after`"),
    ] = None,
) -> From:
    return From(after if last_event_id is None else last_event_id, limit)


Asked = Annotated[From, Depends(asked)]


class Numbered(BaseModel):
    """One piece of news; `event` is what was frozen when it happened."""

    number: int
    event: dict[str, Any]


class FeedPage(BaseModel):
    """`after` is the number to ask with next; `next` is the address of the next page, null at the end."""

    items: list[Numbered]
    after: int
    next: str | None


ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "model": FeedPage,
        "description": "A page; or lines that end with one of type `end`; or a stream of server-sent events",
        "content": {NDJSON: {"schema": {"type": "string"}}, EVENT_STREAM: {"schema": {"type": "string"}}},
    }
}
"""For `@router.get(..., responses=ANSWERS)` of every feed."""


def form(accept: str) -> str:
    """Which of the three media types the caller prefers (the first of equals); JSON if he names none."""
    weights: dict[str, float] = {}
    for part in accept.split(","):
        below_one = WEIGHT.search(part)
        weights[part.partition(";")[0].strip().lower()] = float(below_one[1]) if below_one else 1.0
    known = [kind for kind in (NDJSON, EVENT_STREAM, JSON) if weights.get(kind)]
    return max(known, key=lambda kind: (weights[kind], -list(weights).index(kind)), default=JSON)


async def answer(request: Request, feed: Feed, start: From) -> Response:
    """The feed from `start` on in the form asked for.

    Raises Conflict `beyond-the-end` (not for a stream, which tells it by an event), RateLimited, Unavailable.
    """
    headers = {"Cache-Control": "no-store" if feed.owner else "no-cache", "Vary": "Accept"}
    kind = form(request.headers.get("accept", ""))
    if kind == EVENT_STREAM:
        admitted = _admission(request) if feed.owner else None
        return Stream(context_of(request).streams, feed, start.after, _caller(request), headers, admitted)
    last = await feed.last()
    if start.after > last:
        raise Conflict("beyond-the-end", "There is no such number yet: begin again.", last=last)
    if kind == NDJSON:
        return StreamingResponse(_lines(feed, start, last), media_type=NDJSON, headers=headers)
    return await _page(request, feed, start, headers)


def _admission(request: Request) -> Admitted:
    """Asks, as often as it is called, whether the token of this request would still be let in."""
    context, token = context_of(request), bearer_token(request) or ""

    async def admitted() -> bool:
        try:
            await authenticate(context, token)
        except SolarisError:
            return False
        return True

    return admitted


def _caller(request: Request) -> str:
    """Whose streams are counted together: the person's, or those of his network."""
    principal = request.state.principal
    return principal.key if principal.person else request.state.network


def _item(news: News) -> bytes:
    return b'{"number":%d,"event":%b}' % (news.number, news.body)


async def _page(request: Request, feed: Feed, start: From, headers: dict[str, str]) -> Response:
    limit = start.limit or 100
    found = await feed.read(start.after, limit + 1)
    page = found[:limit]
    after = page[-1].number if page else start.after
    following = b"null"
    if len(found) > limit:
        path = f"{request.url.path}?{urlencode({'after': after, 'limit': limit})}"
        headers["Link"], following = f'<{path}>; rel="next"', f'"{path}"'.encode()
    items = b",".join(map(_item, page))
    body = b'{"items":[%b],"after":%d,"next":%b}' % (items, after, following)
    return Response(body, media_type="application/json", headers=headers)


async def _lines(feed: Feed, start: From, last: int) -> AsyncIterator[bytes]:
    """A line per event up to where the feed ended when it was asked; without the closing line it was cut."""
    after, left = start.after, start.limit or NUMBER
    while left > 0 and after < last:
        page = [news for news in await feed.read(after, min(PAGE, left)) if news.number <= last]
        for news in page:
            yield _item(news) + b"\n"
        if not page:
            break
        after, left = page[-1].number, left - len(page)
    yield b'{"type":"end","after":%d,"more":%b}\n' % (after, b"true" if after < last else b"false")


def feed_router() -> APIRouter:
    """The public feed, alike in every service."""
    router = APIRouter(prefix="/v1", tags=["feeds"])

    @router.get("/events", response_class=Response, responses=ANSWERS)
    async def public_events(request: Request, start: Asked) -> Response:
        """Every public fact of this service, oldest first: page, NDJSON or server-sent events by `Accept`."""
        return await answer(request, PublicFeed(context_of(request).store), start)

    return router
