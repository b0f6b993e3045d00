"""The four REST APIs as the console asks them: bounded in time, and every trouble is a value with a name.

A service that does not answer is left alone for a moment, so that a page never waits for it twice.
"""

import asyncio
import time
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import httpx

T = TypeVar("T")
Json = dict[str, Any]

REST_SECONDS: Final = 3.0
"""How long a service that timed out is not asked again."""
MAX_ANSWER: Final = 8 << 20


class Trouble(Exception):
    """An API said no or nothing at all. `status` is 0 where nobody answered."""

    def __init__(self, service: str, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(f"{service}: {status} {problem.get('code')}")
        self.service = service
        self.status = status
        self.code = str(problem.get("code", ""))
        self.title = str(problem.get("title", ""))
        self.detail = str(problem.get("detail", ""))
        self.errors: list[dict[str, str]] = list(problem.get("errors") or [])

    @property
    def down(self) -> bool:
        """The service does not work now; another moment it may."""
        return self.status == 0 or self.status >= 500


@dataclass(slots=True)
class Apis:
    """The addresses and one pool of connections for everybody."""

    http: httpx.AsyncClient
    bases: Mapping[str, str]
    seconds: float = 5.0
    """How long one answer may take from the question to its last byte."""
    _resting: dict[str, float] = field(default_factory=dict)

    async def send(self, method: str, service: str, path: str, **options: Any) -> Json:
        """The document of one answer of success; raises Trouble."""
        if self._resting.get(service, 0) > time.monotonic():
            raise Trouble(service, 0, {"code": "no-answer"})
        request = self.http.build_request(method, f"{self.bases[service]}{path}", **options)
        try:
            async with asyncio.timeout(self.seconds):
                answer = await self._whole(service, request)
        except (httpx.TimeoutException, TimeoutError) as error:
            self._resting[service] = time.monotonic() + REST_SECONDS
            raise Trouble(service, 0, {"code": "no-answer"}) from error
        except httpx.TransportError as error:
            raise Trouble(service, 0, {"code": "no-answer"}) from error
        found = _document(answer)
        if answer.is_success and (found is not None or not answer.content):
            return found or {}
        status = 0 if answer.is_success else answer.status_code
        raise Trouble(service, status, found or {"code": "no-answer"})

    async def _whole(self, service: str, request: httpx.Request) -> httpx.Response:
        """The answer with its body, however slowly it trickles; none that is too big."""
        answer = await self.http.send(request, stream=True)
        try:
            body = bytearray()
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > MAX_ANSWER:
                    raise Trouble(service, 0, {"code": "no-answer"})
        finally:
            await answer.aclose()
        return httpx.Response(answer.status_code, content=bytes(body))


def _document(answer: httpx.Response) -> Json | None:
    """The JSON object of an answer; None for whatever else came."""
    try:
        found = answer.json()
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody at the APIs: nobody (no token) or a person, in a language."""

    apis: Apis
    token: str = ""
    language: str = "es"
    visitor: str = ""
    """The browser's address, so that the APIs' limits (if they trust the console) count visitors."""

    async def get(self, service: str, path: str, **query: Any) -> Json:
        """A JSON document; raises Trouble."""
        return await self.apis.send("GET", service, path, params=query, headers=self._headers())

    async def all(self, service: str, path: str, **query: Any) -> list[Json]:
        """Every item of a list, page by page; raises Trouble."""
        items: list[Json] = []
        cursor: str | None = None
        while True:
            page = await self.get(service, path, **query, **({"cursor": cursor} if cursor else {}))
            items += page["items"]
            if not (cursor := page.get("next")):
                return items

    async def command(
        self, method: str, service: str, path: str, body: Json, key: str = "", if_match: str = ""
    ) -> Json:
        """A command and its answer; the same key repeats the same command. Raises Trouble."""
        headers = self._headers()
        if key:
            headers["Idempotency-Key"] = key
        if if_match:
            headers["If-Match"] = f'"{if_match}"'
        return await self.apis.send(method, service, path, json=body, headers=headers)

    def _headers(self) -> dict[str, str]:
        headers = {"Accept-Language": self.language}
        headers |= {"X-Forwarded-For": self.visitor} if self.visitor else {}
        return headers | {"Authorization": f"Bearer {self.token}"} if self.token else headers


@dataclass(frozen=True, slots=True)
class Panel(Generic[T]):
    """One part of a page: what an API said, or why it is missing. The rest of the page stands without it."""

    value: T | None = None
    trouble: Trouble | None = None


async def panel(asked: Awaitable[T]) -> Panel[T]:
    """Ask for one part of a page."""
    try:
        return Panel(await asked)
    except Trouble as trouble:
        return Panel(trouble=trouble)
