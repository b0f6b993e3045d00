"""The league service for tests: its API on a real database, its worker's log loops beside it."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI

from solaris_league import bootstrap
from solaris_league.adapters.tables import load_rules
from solaris_league.domain.rules import LeagueRules
from solaris_league.main import MIGRATIONS
from solaris_league.main import definition as build_definition
from solaris_shared.database import open_engine
from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.app import create_app
from solaris_shared.log.event_log import EventLog, Row, append_rows
from solaris_shared.settings import Settings
from solaris_shared.views import Views
from solaris_shared.worker import Runtime, log_loops

PASSWORD = "correct horse battery"
Call = Callable[..., Awaitable[httpx.Response]]


@pytest.fixture(scope="session")
def rules() -> LeagueRules:
    return load_rules()


@pytest.fixture
def migrations() -> Path:
    return MIGRATIONS


@pytest.fixture
def definition(rules: LeagueRules) -> ServiceDefinition:
    return build_definition(rules)


@pytest.fixture
def event_log(definition: ServiceDefinition) -> EventLog:
    return definition.log


@pytest.fixture
def settings(database: str, tmp_path: Path) -> Settings:
    signing, jwks = tmp_path / "signing.json", tmp_path / "jwks.json"
    bootstrap.make_keys(signing, jwks)
    return Settings(database_url=database, signing_key_file=signing, jwks_file=jwks, cursor_key="k" * 32)


@pytest.fixture
async def app(definition: ServiceDefinition, settings: Settings) -> AsyncIterator[FastAPI]:
    application = create_app(definition, settings)
    async with application.router.lifespan_context(application):
        yield application


@pytest.fixture
async def worker(definition: ServiceDefinition, settings: Settings, store: Any) -> AsyncIterator[Runtime]:
    """Sequencer, projections and reactors, running."""
    engine = open_engine(settings.database_url)
    runtime = Runtime(definition, settings, store, engine, Views(engine, definition.projections))
    tasks = [asyncio.create_task(loop.run()) for loop in log_loops(runtime)]
    live = "SELECT count(*) FROM projection WHERE stage = 'live'"
    while await store.pool.fetchval(live) < len(definition.projections):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    yield runtime
    runtime.signals.stop()
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*tasks), 5)
    await engine.dispose()


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://league") as one:
        yield one


class Player:
    """Somebody who calls the API; every POST, PUT and DELETE gets a fresh key unless one is given."""

    def __init__(self, client: httpx.AsyncClient, token: str = "", person_id: str = "") -> None:
        self.client, self.token, self.person_id = client, token, person_id
        self.last = ""

    async def call(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        sent = {"Idempotency-Key": uuid4().hex} if method != "GET" else {}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if method == "GET" and self.last:
            sent["Solaris-Token"] = self.last
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        content = None if body is None else json.dumps(body).encode()
        if body is not None:
            sent["Content-Type"] = "application/json"
        answer = await self.client.request(method, path, content=content, headers=sent)
        self.last = answer.headers.get("solaris-token", self.last)
        return answer

    async def get(self, path: str) -> httpx.Response:
        return await self.call("GET", path)

    async def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return await self.call("POST", path, body, **headers)


@pytest.fixture
def anybody(client: httpx.AsyncClient) -> Player:
    return Player(client)


@pytest.fixture
def as_player(client: httpx.AsyncClient) -> Callable[[str], Player]:
    """Whoever holds this token."""
    return lambda token: Player(client, token)


@pytest.fixture
def log_in(client: httpx.AsyncClient) -> Callable[..., Awaitable[Player]]:
    async def enter(handle: str, password: str = PASSWORD) -> Player:
        answer = await Player(client).post("/v1/sessions", {"handle": handle, "password": password})
        assert answer.status_code == 201, answer.text
        return Player(client, answer.json()["token"], answer.json()["person_id"])

    return enter


@pytest.fixture
def person(client: httpx.AsyncClient, log_in: Any) -> Callable[..., Awaitable[Player]]:
    """A registered and logged in person."""

    async def make(handle: str = "ana") -> Player:
        answer = await Player(client).post("/v1/persons", {"handle": handle, "password": PASSWORD})
        assert answer.status_code == 201, answer.text
        return await log_in(handle)

    return make


@pytest.fixture
async def commission(settings: Settings, definition: ServiceDefinition, log_in: Any) -> Player:
    await bootstrap.first_account(settings.database_url, definition.log, "comisión", PASSWORD)
    return await log_in("comisión")


@pytest.fixture
def import_fact(store: Any) -> Callable[..., Awaitable[None]]:
    """A public fact of combat, as the importer stores it."""

    async def stored(name: str, data: dict[str, Any]) -> None:
        meta = json.dumps({"subject": f"fight/{data['fight_id']}"})
        row = Row(uuid4(), f"solaris.combat.{name}.v1", 1, json.dumps(data), meta)
        async with store.atomic() as conn:
            version = await conn.fetchval(
                "SELECT coalesce(max(version), 0) FROM event WHERE stream = 'import-combat'"
            )
            now = await conn.fetchval("SELECT clock_timestamp()")
            await append_rows(conn, "import-combat", version, [row], now)

    return stored


@pytest.fixture
def conclude(import_fact: Any) -> Callable[..., Awaitable[None]]:
    """Combat's fact that a fight is over. `results`: of sides A and B."""

    async def concluded(
        fight: dict[str, Any],
        results: tuple[str, str],
        points: tuple[int, int],
        dead: tuple[bool, bool] = (False, False),
        seed: str = "0f" * 32,
    ) -> None:
        sides = [
            {
                "side": side["side"],
                "mechwarrior_id": side["mechwarrior_id"],
                "result": result,
                "victory_points": scored,
                "pilot": {"dead": died, "wounds": 6 * died, "conscious": not died, "ejected": False},
            }
            for side, result, scored, died in zip(fight["sides"], results, points, dead, strict=True)
        ]
        fact = {"fight_id": fight["fight_id"], "sides": sides, "seed": seed, "unknown": "is ignored"}
        await import_fact("fight-concluded", fact)

    return concluded


@pytest.fixture
def eventually() -> Callable[..., Awaitable[Any]]:
    """Ask until the answer satisfies; at most 10 seconds."""

    async def ask(question: Callable[[], Awaitable[Any]], satisfied: Callable[[Any], bool]) -> Any:
        answer = None
        for _ in range(200):
            answer = await question()
            if satisfied(answer):
                return answer
            await asyncio.sleep(0.05)
        raise AssertionError(f"still {answer!r}")

    return ask
