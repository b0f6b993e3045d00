"""The four REST APIs as the console asks them: bounded in time, and every trouble is a value with a name.

A service that does not answer is left alone for a moment, so that a page never waits for it twice.
"""

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
        self.errors: list[dict[str, str]] = list(problem.get("errors", []))

    @property
    def down(self) -> bool:
        """The service does not work now; another moment it may."""
        return self.status == 0 or self.status >= 500


@dataclass(slots=True)
class Apis:
    """The addresses and one pool of connections for everybody."""

    http: httpx.AsyncClient
    bases: Mapping[str, str]
    _resting: dict[str, float] = field(default_factory=dict)

    async def send(self, method: str, service: str, path: str, **options: Any) -> httpx.Response:
        """One answer of success; raises Trouble."""
        if self._resting.get(service, 0) > time.monotonic():
            raise Trouble(service, 0, {"code": "no-answer"})
        try:
            answer = await self.http.request(method, f"{self.bases[service]}{path}", **options)
        except httpx.TimeoutException as error:
            self._resting[service] = time.monotonic() + REST_SECONDS
            raise Trouble(service, 0, {"code": "no-answer"}) from error
        except httpx.TransportError as error:
            raise Trouble(service, 0, {"code": "no-answer"}) from error
        if answer.is_success:
            return answer
        raise Trouble(service, answer.status_code, _problem(answer))


def _problem(answer: httpx.Response) -> Json:
    """The problem document; whatever else came is only its status."""
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody at the APIs: nobody (no token) or a person, in a language."""

    apis: Apis
    token: str = ""
    language: str = "es"

    async def get(self, service: str, path: str, **query: Any) -> Json:
        """A JSON document; raises Trouble."""
        answer = await self.apis.send("GET", service, path, params=query, headers=self._headers())
        return dict(answer.json())

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
        answer = await self.apis.send(method, service, path, json=body, headers=headers)
        return dict(answer.json()) if answer.content else {}

    def _headers(self) -> dict[str, str]:
        headers = {"Accept-Language": self.language}
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
