"""HTTP/1.1 on the wire: uvicorn's protocol, which sets no bound to the head of a request, neither in bytes
nor in time, and answers what is no HTTP, or comes while it is full, in plain text."""

import asyncio
import json
from uuid import uuid4

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from solaris_shared.titles import TITLES

MAX_HEAD = 16 * 1024  # bytes of request line and headers
HEAD_SECONDS = 10.0
MAX_CONCURRENT = 1000
NO_HTTP, TOO_SLOW = (400, "not-http"), (408, "too-slow")
TOO_LONG, TOO_BUSY = (431, "head-too-large"), (503, "too-busy")
ANSWER = b"""content-type: application/problem+json\r\nx-correlation-id: %s\r\ncontent-length: %d\r
content-language: es, en\r\ncache-control: no-store\r\nconnection: close\r\n\r\n%s"""


class BoundedProtocol(HttpToolsProtocol):
    """What breaks a bound or is no HTTP gets a problem document, and its connection ends."""

    _head: int | None = None  # bytes of the head that is coming in
    _timer: asyncio.TimerHandle | None = None
    _cause = NO_HTTP

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._head is None:
            self._begin_head(1)

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._head += len(data)
        super().data_received(data)
        if self._head is not None and self._head > MAX_HEAD:
            self._refuse(*TOO_LONG)

    def on_headers_complete(self) -> None:
        self._end_head()
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > MAX_HEAD or len(self.connections) > MAX_CONCURRENT:
            self._cause = TOO_LONG if size > MAX_HEAD else TOO_BUSY
            raise ValueError(self._cause)  # the parser stops and asks for send_400_response
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(*self._cause)

    def _begin_head(self, heard: int = 0) -> None:
        self._head, self._timer = heard, self.loop.call_later(HEAD_SECONDS, self._refuse, *TOO_SLOW)

    def _end_head(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._head = self._timer = None

    def _refuse(self, status: int, code: str) -> None:
        """Answer whoever has said anything, in both languages since nobody knows his, and close."""
        if self._head != 0 and not self.transport.is_closing():
            which = {"type": f"/v1/problems/{code}", "title": " / ".join(TITLES[status]), "status": status}
            body = json.dumps(which | {"code": code, "instance": (instance := uuid4().hex)}).encode()
            self.transport.write(STATUS_LINE[status] + ANSWER % (instance.encode(), len(body), body))
        self._end_head()
        self.transport.close()
