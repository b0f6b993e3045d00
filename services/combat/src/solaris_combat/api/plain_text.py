"""Orders sent as plain text: `Content-Type: text/plain` is the same as JSON with it in the field `text`."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from solaris_shared.errors import BadRequest

PLAIN_TEXT = {
    "requestBody": {
        "content": {"text/plain": {"schema": {"type": "string"}, "example": "turno 1; andar adelante 2"}}
    }
}
"""For OpenAPI: the other content type these routes take."""
PATHS = "/v1/fights/[^/]+/orders(/preview)?"
"""Where text is taken as well as JSON."""
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class TextOrJson(APIRoute):
    """A route whose body may come as plain text in UTF-8."""

    def get_route_handler(self) -> Handler:
        """The handler, given JSON in either case."""
        handle = super().get_route_handler()

        async def read(request: Request) -> Response:
            kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
            return await handle(await _as_json(request) if kind == "text/plain" else request)

        return read


async def _as_json(request: Request) -> Request:
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError:
        raise BadRequest("text-not-utf8", "The text is not UTF-8.") from None
    body = json.dumps({"text": text}).encode()
    changed = (b"content-type", b"content-length")
    headers = [pair for pair in request.scope["headers"] if pair[0] not in changed]
    kept = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request({**request.scope, "headers": headers + kept}, receive)
