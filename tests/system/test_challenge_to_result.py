"""A full game by two people over REST only: they enter the league, one challenges, they fight, it counts."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from worlds import SECRET, Service, open_service

from solaris_combat.domain.verify import verify
from solaris_combat.engines.battletech import house_pilot, order_writing
from solaris_combat.engines.dice import SeededDice
from solaris_combat.main import MIGRATIONS as COMBAT
from solaris_combat.main import definition as combat_definition
from solaris_combat.rulesets import rulesets
from solaris_league import bootstrap
from solaris_league.main import MIGRATIONS as LEAGUE
from solaris_league.main import definition as league_definition
from solaris_shared.messaging.jetstream import Bus
from solaris_shared.settings import Settings
from solaris_shared.worker import importer_step

PASSWORD = "correct horse battery"
POOL = [{"instance_id": str(uuid4()), "model": model} for model in ("PNT-9R", "JVN-10N")]
TERMS = {"class": 3, "arenas": ["la-cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}


@dataclass
class Town:
    """The league and combat, and the importers between them."""

    league: Service
    combat: Service
    imports: list[Any]

    async def settle(self) -> None:
        """Until nothing moves in either service and both know of each other."""
        busy = True
        while busy:
            await self.league.settle()
            await self.combat.settle()
            busy = False
            for source, target, name, step in self.imports:
                if await _behind(source, target, name):
                    await step()
                    busy = True


async def _behind(source: Service, target: Service, name: str) -> bool:
    last = await source.pool.fetchval("SELECT publication FROM head")
    query = "SELECT coalesce(max(version), 0) FROM event WHERE stream = $1"
    return bool(await target.pool.fetchval(query, f"import-{name}") < last)


@dataclass
class Person:
    """Somebody with a token; every command has a key of its own."""

    town: Town
    token: str = ""

    async def call(self, service: Service, method: str, path: str, body: Any = None, **headers: str) -> Any:
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": uuid4().hex} if method != "GET" else {}
        if isinstance(body, str):
            got = await service.client.request(method, path, content=body.encode(), headers=headers)
        else:
            got = await service.client.request(method, path, json=body, headers=headers)
        assert got.status_code < 300, (method, path, got.text)
        await self.town.settle()
        return (
            got.json()
            if "json" in got.headers["content-type"] and "ndjson" not in got.headers["content-type"]
            else got.content
        )


@asynccontextmanager
async def open_town(databases: Any, nats_url: str, folder: Path) -> AsyncIterator[Town]:
    """Two services with a broker between them."""
    signing, jwks = folder / "signing.json", folder / "jwks.json"
    bootstrap.make_keys(signing, jwks)
    common = {"nats_url": nats_url, "jwks_file": jwks, "cursor_key": SECRET, "database_pool": 5}
    league_url, combat_url = await databases.create(LEAGUE), await databases.create(COMBAT)
    league = Settings(service="league", database_url=league_url, signing_key_file=signing, **common)
    combat = Settings(service="combat", database_url=combat_url, data_key=SECRET, **common)
    bus = Bus(nats_url, "town-test")
    async with (
        open_service(league_definition(), league, relays=True) as one,
        open_service(combat_definition(combat, rulesets()), combat, relays=True) as other,
    ):
        await one.settle()
        await other.settle()
        imports = [
            (one, other, "league", importer_step(other.runtime, bus, "league")),
            (other, one, "combat", importer_step(one.runtime, bus, "combat")),
        ]
        yield Town(one, other, imports)
        await bus.close()
    for url in (league_url, combat_url):
        await databases.drop(url)


async def enter(town: Town, handle: str) -> tuple[Person, str]:
    """Register, log in, enter a mechwarrior."""
    nobody = Person(town)
    account = {"handle": handle, "password": PASSWORD}
    await nobody.call(town.league, "POST", "/v1/persons", account)
    session = await nobody.call(town.league, "POST", "/v1/sessions", account)
    person = Person(town, session["token"])
    entry = {"name": f"Piloto {handle}", "affiliation": "Kurita"}
    entered = await person.call(town.league, "POST", "/v1/mechwarriors", entry)
    return person, entered["mechwarrior_id"]


async def act(person: Person, fight: str, number: int, level: int) -> None:
    """Give what is asked, written as text; also the answer to a question."""
    combat = person.town.combat
    page = await person.call(combat, "GET", fight)
    you = page["you"]
    if you["asked"] is None or (you["sealed"] is not None and you["question"] is None):
        return
    options = (await person.call(combat, "GET", f"{fight}/options"))["options"]
    dice = SeededDice(f"{you['side']} {number}".encode().ljust(32))
    orders = house_pilot.choose(page["game"], options, level, dice)
    text = order_writing.write(orders, "es" if level > 1 else "en")
    plain = {"Content-Type": "text/plain"}
    receipt = await person.call(combat, "PUT", f"{fight}/orders", text, **plain)
    assert len(receipt["receipt"]) == 64


@pytest.fixture
async def town(databases: Any, nats_server: Any, tmp_path: Path) -> AsyncIterator[Town]:
    async with open_town(databases, nats_server, tmp_path) as one:
        yield one


async def test_from_challenge_to_result(town: Town) -> None:
    """R 4.4: a challenge is one of the two ways to a fight."""
    league, combat = town.league, town.combat
    url = str(league.runtime.settings.database_url)
    await bootstrap.first_account(url, league_definition().log, "comisión", PASSWORD)
    session = await Person(town).call(
        league, "POST", "/v1/sessions", {"handle": "comisión", "password": PASSWORD}
    )
    commission = Person(town, session["token"])
    (ana, _), (ben, bens) = await enter(town, "ana"), await enter(town, "ben")
    round_id = (await commission.call(league, "POST", "/v1/rounds", TERMS))["round_id"]
    path = f"/v1/rounds/{round_id}/challenges"
    challenge = await ana.call(league, "POST", path, {"against": bens})
    await ben.call(league, "POST", f"{path}/{challenge['challenge_id']}/answer", {"accepted": True})
    drawn = await commission.call(league, "POST", f"/v1/rounds/{round_id}/draw")
    fight = f"/v1/fights/{drawn['fight_ids'][0]}"
    for number in range(60):
        if (await ana.call(combat, "GET", fight))["state"] == "concluded":
            break
        await act(ana, fight, number, 2)
        await act(ben, fight, number, 1)
    end = await ana.call(combat, "GET", fight)
    assert end["state"] == "concluded"
    record = await ana.call(combat, "GET", f"{fight}/record")
    assert verify(record, rulesets())["seed"] == end["result"]["seed"]
    shown = await Person(town).call(league, "GET", fight)
    assert shown["state"] == "concluded"
    points = {side["side"]: side["victory_points"] for side in end["result"]["sides"]}
    assert {side["side"]: side["victory_points"] for side in shown["result"]} == points
    table = await Person(town).call(league, "GET", "/v1/standings?class=3")
    assert table["final"] is True and sum(row["fights"] for row in table["items"]) == 2
    assert json.dumps(end)
