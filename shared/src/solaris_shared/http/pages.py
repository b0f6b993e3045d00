"""Lists in pages: `?limit=&cursor=`; the body is {"items", "next"}, the next page also stands in a Link
header.

A cursor is opaque and signed: it holds the sort key of the last item, so inserts while paging neither
repeat nor skip what was there at the start.
"""

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar
from urllib.parse import urlencode

from fastapi import Query, Request, Response
from pydantic import BaseModel

from solaris_shared.errors import BadRequest

MAX_LIMIT = 200
Item = TypeVar("Item")
Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT)]
Cursor = Annotated[str | None, Query(max_length=600)]


class Page(BaseModel, Generic[Item]):
    """One page of a list; `next` is the cursor of the following page or null."""

    items: list[Item]
    next: str | None = None


class Cursors:
    """Makes and reads cursors of one service; `secret` signs them."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def write(self, listing: str, key: Sequence[Any]) -> str:
        """`listing` names the list with its filters: a cursor of another list is refused."""
        body = json.dumps([listing, list(key)], separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(self._mac(body) + body).decode().rstrip("=")

    def read(self, listing: str, cursor: str | None) -> list[Any] | None:
        """The sort key to go on after; None for the first page. Raises BadRequest `cursor-invalid`."""
        if cursor is None:
            return None
        try:
            raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        except (binascii.Error, ValueError) as error:
            raise BadRequest("cursor-invalid", "The cursor is not one of ours.") from error
        mac, body = raw[:16], raw[16:]
        if not hmac.compare_digest(mac, self._mac(body)):
            raise BadRequest("cursor-invalid", "The cursor is not one of ours.")
        named, key = json.loads(body)
        if named != listing:
            raise BadRequest("cursor-invalid", "The cursor belongs to another list.")
        return list(key)

    def _mac(self, body: bytes) -> bytes:
        return hmac.new(self._secret, body, hashlib.sha256).digest()[:16]

    def page(
        self,
        request: Request,
        response: Response,
        listing: str,
        rows: Sequence[Item],
        *,
        limit: int,
        key: Callable[[Item], Sequence[Any]],
    ) -> dict[str, Any]:
        """The page of `rows`, which were selected with limit + 1; sets the Link header."""
        items = list(rows[:limit])
        following = self.write(listing, key(items[-1])) if len(rows) > limit else None
        if following:
            query = {**request.query_params, "cursor": following, "limit": str(limit)}
            response.headers["Link"] = f'<{request.url.path}?{urlencode(query)}>; rel="next"'
        return {"items": items, "next": following}
