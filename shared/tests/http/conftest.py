"""A small service behind the real app factory, on a real database."""

import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

import httpx
import pytest
from fastapi import APIRouter, FastAPI, Request, Response
from pydantic import Field

from solaris_shared.definition import ServiceDefinition
from solaris_shared.errors import Rejected
from solaris_shared.http.app import create_app
from solaris_shared.http.auth import CurrentPrincipal, Policy, action
from solaris_shared.http.commands import Keyed, run_command
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import require_match, tagged
from solaris_shared.http.limits import cost
from solaris_shared.http.pages import Cursor, Limit
from solaris_shared.http.schemas import Amount, Body, Flag, Text
from solaris_shared.http.tokens import Claims, make_key, public_jwks, sign
from solaris_shared.log.codec import EventTypes
from solaris_shared.log.event_log import EventLog
from solaris_shared.settings import Settings

KEY = make_key()
POLICY = Policy({"note.add": action("notes:write", player="own"), "note.read": action(None, public="any")})


@dataclass(frozen=True, slots=True)
class NoteAdded:
    owner: str
    text: str
    amount: int


class NoteBody(Body):
    text: Text
    amount: Amount = 0
    loud: Flag = False
    free: dict[str, Any] = Field(default_factory=dict)


def make_router(_context: Any) -> list[APIRouter]:  # noqa: C901 - a list of small routes
    router = APIRouter(prefix="/v1")
    numbers = list(range(10))

    @router.post("/notes/{owner}", dependencies=[Keyed])
    async def add_note(owner: str, body: NoteBody, request: Request, principal: CurrentPrincipal) -> Response:
        POLICY.require(principal, "note.add", owner)

        async def work(tx: Any) -> dict[str, Any]:
            if body.text == "never":
                raise Rejected("never-said", "Not that.", "R 1")
            loaded = await tx.load(f"notes-{owner}", lambda state, event: (state or 0) + 1)
            await tx.append(loaded.stream, loaded.version, NoteAdded(owner, body.text, body.amount))
            return {"version": loaded.version + 1, "text": body.text}

        return await run_command(request, principal, body, work, status=201)

    @router.put("/notes/{owner}/orders")
    @cost("orders")
    async def seal(owner: str) -> dict[str, str]:
        return {"sealed": owner}

    @router.get("/notes/{owner}/state")
    async def state(owner: str, request: Request, response: Response) -> Any:
        return tagged(request, response, {"owner": owner})

    @router.put("/notes/{owner}/state")
    async def change(owner: str, request: Request) -> dict[str, str]:
        require_match(request, {"owner": owner})
        return {"changed": owner}

    @router.get("/numbers")
    async def listed(request: Request, response: Response, limit: Limit = 3, cursor: Cursor = None) -> Any:
        cursors = context_of(request).cursors
        after = cursors.read("numbers", cursor)
        rows = [n for n in numbers if after is None or n > after[0]][: limit + 1]
        return cursors.page(request, response, "numbers", rows, limit=limit, key=lambda n: [n])

    @router.get("/things/{thing}")
    async def thing(thing: UUID) -> dict[str, str]:
        return {"thing": str(thing)}

    @router.get("/bug")
    async def bug(secret: Annotated[str, Field(max_length=9)] = "x") -> None:
        raise RuntimeError(f"hunter2 {secret}")

    @router.get("/database-bug")
    async def database_bug(request: Request) -> None:
        await context_of(request).store.pool.fetch("SELECT hunter2")

    return [router]


@pytest.fixture
def event_log() -> EventLog:
    return EventLog("test", EventTypes({"note-added": NoteAdded}), lambda _event, _stream: None)


@pytest.fixture
def settings(database: str, tmp_path: Any) -> Settings:
    (tmp_path / "jwks.json").write_text(json.dumps(public_jwks(KEY)))
    return Settings(jwks_file=tmp_path / "jwks.json", cursor_key="k" * 32, database_url=database)


@pytest.fixture
async def app(event_log: EventLog, settings: Settings) -> AsyncIterator[FastAPI]:
    application = create_app(ServiceDefinition("test", event_log, routers=make_router), settings)
    async with application.router.lifespan_context(application):
        yield application


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as one:
        yield one


@pytest.fixture
def token() -> Callable[..., dict[str, str]]:
    """Authorization header of a person."""

    def make(person: str = "ana", roles: tuple[str, ...] = ("player",), **changes: Any) -> dict[str, str]:
        kind, scopes = changes.get("kind", "session"), changes.get("scopes", ("*",))
        expires = int(time.time()) + changes.get("seconds", 900)
        claims = Claims(person, frozenset(roles), frozenset(scopes), "t-1", kind, expires - 900, expires)
        return {"Authorization": f"Bearer {sign(KEY, claims)}"}

    return make
