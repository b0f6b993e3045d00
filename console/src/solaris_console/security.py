"""What every answer carries and every form must: headers, and the proof that a form is our own."""

import hmac
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": CSP,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
HSTS: Final = "max-age=31536000; includeSubDomains"


class SecurityHeaders:
    """Adds the headers; pages are personal and never kept unless they say otherwise."""

    def __init__(self, app: ASGIApp, *, https: bool) -> None:
        self.app = app
        self._headers = HEADERS | ({"Strict-Transport-Security": HSTS} if https else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, guarded)


def own_origin(headers: Mapping[str, str], public_url: str) -> bool:
    """Whether the browser says that a form was sent from our own pages."""
    origin = headers.get("origin", "")
    if public_url:
        return origin == public_url.rstrip("/")
    return bool(origin) and urlsplit(origin).netloc == headers.get("host", "")


def same_token(expected: str, given: str) -> bool:
    """Whether the form carries the token of the session."""
    return bool(expected) and hmac.compare_digest(expected.encode(), given.encode())
