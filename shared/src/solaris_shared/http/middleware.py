"""The outer ring of every request: correlation id, body limit, log line and metrics. Plain ASGI, no
buffering."""

import asyncio
import re
import time
from uuid import uuid4

import structlog
from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from solaris_shared.http.limits import UNWATCHED, cost_of
from solaris_shared.http.problems import CORRELATION_HEADER, problem
from solaris_shared.ops.metrics import HttpMetrics

MAX_BODY = 256 * 1024
BODY_SECONDS = 10.0
"""How long a body may take to come in, from the end of its headers."""
FORM = "application/x-www-form-urlencoded"
"""What browsers send from the operators' pages."""
TEXT = "text/plain"
CORRELATION_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
log = structlog.get_logger()


class Ring:
    """Wraps the application; `max_body` in bytes holds for streamed bodies too. Paths that match `plain_text`
    take text as well as JSON."""

    def __init__(
        self, app: ASGIApp, metrics: HttpMetrics, max_body: int = MAX_BODY, plain_text: str = "(?!)"
    ) -> None:
        self._app = app
        self._plain_text = re.compile(plain_text)
        self._metrics = metrics
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        head = scope["method"] == "HEAD"  # answered as GET; the server below still knows what was asked
        scope = {**scope, "method": "GET"} if head else scope
        answer = _Answer(scope, send, head)
        try:
            if refused := self._refusal(scope):
                await refused(scope, receive, answer)
            else:
                await self._app(scope, self._limited(receive), answer)
        finally:
            self._account(scope, answer)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        """Requests that no route should see."""
        headers, request = Headers(scope=scope), Request(scope)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length[:12]) > self._max_body:
            return problem(request, 413, "too-large", f"At most {self._max_body} bytes.")
        if "\x00" in scope["path"]:
            return problem(request, 404, "not-found")
        if b"%00" in scope.get("query_string", b"").lower():
            return problem(request, 422, "invalid", "NUL is not allowed in a query.")
        kind = headers.get("content-type", "application/json").partition(";")[0].strip().lower()
        has_body = length != "0" or "transfer-encoding" in headers
        wanted = FORM if scope["path"].startswith("/ops/") else "application/json"
        text = kind == TEXT and self._plain_text.fullmatch(scope["path"])
        if has_body and kind != wanted and not text:
            return problem(request, 415, "unsupported-media-type", f"Send {wanted}.")
        return None

    def _limited(self, receive: Receive) -> Receive:
        seen, coming, until = 0, True, time.monotonic() + BODY_SECONDS

        async def limited() -> Message:
            nonlocal seen, coming
            try:
                async with asyncio.timeout(until - time.monotonic() if coming else None):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, headers={"Connection": "close"}) from None
            seen += len(message.get("body", b""))
            coming = message.get("more_body", False)
            if seen > self._max_body:
                raise HTTPException(413)
            return message

        return limited

    def _account(self, scope: Scope, answer: "_Answer") -> None:
        seconds = (answer.answered or time.perf_counter()) - answer.began
        route = getattr(scope.get("route"), "path_format", "other")
        watched = cost_of(scope.get("endpoint"), scope["method"]) not in UNWATCHED
        if watched:
            self._metrics.count(scope["method"], route, answer.status, seconds)
        log.info(
            "request",
            method=scope["method"],
            path=scope["path"] if watched else route,
            status=answer.status,
            milliseconds=round(seconds * 1000, 1),
        )


class _Answer:
    """The `send` of one request: adds the headers every answer has; remembers the status and when it
    began (a stream may then last for an hour). Of a HEAD request no body goes out."""

    def __init__(self, scope: Scope, send: Send, head: bool) -> None:
        given = Headers(scope=scope).get(CORRELATION_HEADER, "")
        self.correlation_id = given if CORRELATION_ID.fullmatch(given) else uuid4().hex
        self.began = time.perf_counter()
        self.answered = 0.0
        self.status = 500
        self._head = head
        self._state = scope.setdefault("state", {})
        self._state["correlation_id"] = self.correlation_id
        self._send = send
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(correlation_id=self.correlation_id)

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.answered = message["status"], time.perf_counter()
            headers = MutableHeaders(scope=message)
            headers[CORRELATION_HEADER] = self.correlation_id
            headers["X-Content-Type-Options"] = "nosniff"
            for name, value in self._state.get("rate_headers", {}).items():
                headers.setdefault(name, value)
        elif self._head:
            return
        await self._send(message)
        if self._head:
            await self._send({"type": "http.response.body"})
