"""A REST client as any player could write it: tokens, idempotency keys, retries of the same command."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

PAUSE_SECONDS: Final = 0.1
PATIENCE_SECONDS: Final = 60.0
TRANSIENT: Final = (429, 502, 503, 504)


class Refused(RuntimeError):
    """A problem document: what the service says it will not do, and why."""

    def __init__(self, status: int, problem: Mapping[str, Any], where: str) -> None:
        self.status = status
        self.problem = dict(problem)
        super().__init__(
            f"{where}: {status} {problem.get('code')}: {problem.get('detail')} {problem.get('errors', '')}"
        )

    @property
    def code(self) -> str:
        """The problem's code."""
        return str(self.problem.get("code", ""))


@dataclass(slots=True)
class Client:
    """One caller: nobody (no token) or a person who logged in. `bases` maps a service to its address."""

    http: httpx.AsyncClient
    bases: Mapping[str, str]
    token: str = ""
    seen: dict[str, str] = field(default_factory=dict)

    def person(self, token: str) -> "Client":
        """The same connections for another caller."""
        return Client(self.http, self.bases, token)

    async def get(self, service: str, path: str, **query: Any) -> Any:
        """A JSON document; what this caller last wrote at the service is visible in it."""
        headers = {"Solaris-Token": self.seen[service]} if service in self.seen else {}
        return (await self._send("GET", service, path, headers, params=query)).json()

    async def raw(self, service: str, path: str) -> bytes:
        """A document as bytes."""
        return (await self._send("GET", service, path, {})).content

    async def pages(self, service: str, path: str, **query: Any) -> AsyncIterator[dict[str, Any]]:
        """Every item of a list, page by page."""
        cursor: str | None = None
        while True:
            page = await self.get(service, path, **query, **({"cursor": cursor} if cursor else {}))
            for item in page["items"]:
                yield item
            if not (cursor := page.get("next")):
                return

    async def post(self, service: str, path: str, key: str, body: Mapping[str, Any]) -> Any:
        """A command; the same key repeats the same command and gets the same answer."""
        return await self._command("POST", service, path, key, body)

    async def put(self, service: str, path: str, key: str, body: Mapping[str, Any]) -> Any:
        """A command that replaces something."""
        return await self._command("PUT", service, path, key, body)

    async def _command(self, method: str, service: str, path: str, key: str, body: Mapping[str, Any]) -> Any:
        answer = await self._send(method, service, path, {"Idempotency-Key": key}, json=dict(body))
        if seen := answer.headers.get("Solaris-Token"):
            self.seen[service] = seen
        return answer.json() if answer.content else None

    async def _send(
        self, method: str, service: str, path: str, headers: dict[str, str], **options: Any
    ) -> httpx.Response:
        """Send until an answer comes; an outage or "slow down" is waited out, a refusal is raised."""
        if self.token:
            headers = headers | {"Authorization": f"Bearer {self.token}"}
        until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while True:
            answer = await self._once(method, f"{self.bases[service]}{path}", headers, options)
            if answer is not None and answer.status_code not in TRANSIENT and not _in_flight(answer):
                return _accepted(answer, f"{method} {service}{path}")
            if asyncio.get_running_loop().time() > until:
                raise TimeoutError(f"{service} does not answer {method} {path}")
            await asyncio.sleep(float(answer.headers.get("Retry-After", 1)) if answer else PAUSE_SECONDS)

    async def _once(
        self, method: str, address: str, headers: dict[str, str], options: dict[str, Any]
    ) -> httpx.Response | None:
        try:
            return await self.http.request(method, address, headers=headers, **options)
        except httpx.TransportError:
            return None


def _in_flight(answer: httpx.Response) -> bool:
    """Whether the same command is still being carried out, sent once more after its answer got lost."""
    return answer.status_code == 409 and answer.json().get("code") == "idempotency-key-in-flight"


def _accepted(answer: httpx.Response, where: str) -> httpx.Response:
    if answer.is_success:
        return answer
    kind = answer.headers.get("content-type", "")
    problem = answer.json() if "json" in kind else {"code": "unexpected", "detail": answer.text[:200]}
    raise Refused(answer.status_code, problem, where)


async def until(question: Any, what: str, seconds: float = PATIENCE_SECONDS) -> Any:
    """Ask again and again until the answer is true; TimeoutError names what was waited for."""
    end = asyncio.get_running_loop().time() + seconds
    while not (answer := await question()):
        if asyncio.get_running_loop().time() > end:
            raise TimeoutError(f"waited {seconds:.0f} s for {what}")
        await asyncio.sleep(PAUSE_SECONDS)
    return answer
