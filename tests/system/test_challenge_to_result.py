"""A full game by two people over REST only: they enter the league, one challenges, they fight, it counts."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from worlds import SECRET, Service, open_service

from solaris_combat.domain.verify import verify
from solaris_combat.engines.battletech import house_pilot, order_writing
from solaris_combat.engines.dice import SeededDice
from solaris_combat.main import definition as combat_definition
from solaris_combat.rulesets import rulesets
from solaris_economy.application.transfers import ensure_bank
from solaris_economy.main import definition as economy_definition
from solaris_league import bootstrap
from solaris_league.adapters.tables import load_rules
from solaris_league.domain.rules import LeagueRules
from solaris_league.main import definition as league_definition
from solaris_shared.ids import derived_id
from solaris_shared.log.unit_of_work import Command, Transaction
from solaris_shared.messaging.jetstream import Bus
from solaris_shared.settings import Settings
from solaris_shared.worker import importer_step

PASSWORD = "correct horse battery"
POOL = [{"instance_id": str(uuid4()), "model": model} for model in ("CPLT-C1", "ON1-V")]
TERMS = {"class": 5, "arenas": ["la-cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}
EXAMPLE = Path(__file__).parents[2] / "docs/reference/examples/planning-example.json"
LOADS = dict(zip(("CPLT-C1", "ON1-V"), json.loads(EXAMPLE.read_text()).values(), strict=True))
CHARGES = {"CPLT-C1": 150_000, "ON1-V": 250_000}
"""The planning example of the clarifications: load-outs for ten turns, and what they cost."""
RULES = replace(load_rules(), entry_class=5)
"""So that two who enter fight in Class 5, where length and special ammunition are free."""


@dataclass
class Town:
    """The league, combat and economy, and the importers between them."""

    league: Service
    combat: Service
    economy: Service
    imports: list[Any]

    async def settle(self) -> None:
        """Until nothing moves in any service and all know of each other."""
        busy = True
        while busy:
            for service in (self.league, self.combat, self.economy):
                await service.settle()
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

    async def refused(self, service: Service, method: str, path: str, body: Any) -> tuple[int, str]:
        """Status and code of a command that is refused."""
        headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": uuid4().hex}
        got = await service.client.request(method, path, json=body, headers=headers)
        return got.status_code, got.json()["code"]


@asynccontextmanager
async def open_town(databases: Any, nats_url: str, folder: Path, rules: LeagueRules) -> AsyncIterator[Town]:
    """Three services with a broker between them, in a league of these rules."""
    signing, jwks = folder / "signing.json", folder / "jwks.json"
    bootstrap.make_keys(signing, jwks)
    definitions = {
        "league": league_definition(rules),
        "combat": combat_definition(Settings(service="combat", data_key=SECRET), rulesets()),
        "economy": economy_definition(),
    }
    urls = {name: await databases.create(made.migrations) for name, made in definitions.items()}
    common = {"nats_url": nats_url, "jwks_file": jwks, "cursor_key": SECRET, "database_pool": 5}
    common |= {"data_key": SECRET, "signing_key_file": signing}
    bus = Bus(nats_url, "town-test")
    async with AsyncExitStack() as stack:
        services = {}
        for name, made in definitions.items():
            settings = Settings(service=name, database_url=urls[name], **common)
            services[name] = await stack.enter_async_context(open_service(made, settings, relays=True))
            await services[name].settle()
        await open_bank(services["economy"])
        imports = [
            (services[source], services[target], source, importer_step(services[target].runtime, bus, source))
            for source, target in LISTENERS
        ]
        yield Town(**services, imports=imports)
        await bus.close()
    for url in urls.values():
        await databases.drop(url)


LISTENERS = (("league", "combat"), ("combat", "league"), ("league", "economy"), ("combat", "economy"))


async def open_bank(economy: Service) -> None:
    """As the first worker does."""

    async def work(tx: Transaction) -> dict[str, Any]:
        await ensure_bank(tx)
        return {}

    command = Command(derived_id("economy", "open-bank"), b"", "economy", "open-bank")
    await economy.runtime.store.run(command, work)


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
    async with open_town(databases, nats_server, tmp_path, RULES) as one:
        yield one


@dataclass
class Match:
    """A fight between two people, and the Commission's member who looks after it."""

    town: Town
    commission: Person
    sides: dict[str, Person]
    path: str

    async def page(self) -> Any:
        return await self.commission.call(self.town.combat, "GET", self.path)


async def challenged(town: Town) -> Match:
    """R 4.4: a challenge is one of the two ways to a fight."""
    league = town.league
    url = str(league.runtime.settings.database_url)
    await bootstrap.first_account(url, league_definition().log, "comisión", PASSWORD)
    account = {"handle": "comisión", "password": PASSWORD}
    session = await Person(town).call(league, "POST", "/v1/sessions", account)
    commission = Person(town, session["token"])
    (ana, anas), (ben, bens) = await enter(town, "ana"), await enter(town, "ben")
    round_id = (await commission.call(league, "POST", "/v1/rounds", TERMS))["round_id"]
    path = f"/v1/rounds/{round_id}/challenges"
    challenge = await ana.call(league, "POST", path, {"against": bens})
    await ben.call(league, "POST", f"{path}/{challenge['challenge_id']}/answer", {"accepted": True})
    drawn = await commission.call(league, "POST", f"/v1/rounds/{round_id}/draw")
    fight = f"/v1/fights/{drawn['fight_ids'][0]}"
    people = {anas: ana, bens: ben}
    seats = (await commission.call(league, "GET", fight))["sides"]
    return Match(town, commission, {seat["side"]: people[seat["mechwarrior_id"]] for seat in seats}, fight)


async def agree_on_ten_turns(match: Match) -> None:
    """R 4.2: 9 and 12 turns wished make 10; 7 and 15 are no lengths."""
    combat, path = match.town.combat, f"{match.path}/length"
    ana, ben = match.sides.values()
    for turns in (7, 15):
        assert await ana.refused(combat, "PUT", path, {"turns": turns}) == (422, "act-refused")
    assert (await ana.call(combat, "PUT", path, {"turns": 9}))["turns"] == 8
    assert (await ben.call(combat, "PUT", path, {"turns": 12}))["turns"] == 10
    assert (await match.page())["game"]["turns"] == 10


async def load(match: Match) -> None:
    """Belts in their order; the special ones are charged for, and the ledger says so."""
    combat, economy = match.town.combat, match.town.economy
    seats = {seat["side"]: seat for seat in (await match.page())["sides"]}
    models = {side: seat["mech"]["model"] for side, seat in seats.items()}
    for side, person in match.sides.items():
        bins = LOADS[models[side]]["bins"]
        orders = {"turn": 0, "initial": {"nonce": f"{ord(side):02x}" * 32, "bins": bins}}
        previewed = await person.call(combat, "POST", f"{match.path}/orders/preview", orders)
        assert previewed["legal"], previewed
        await person.call(combat, "PUT", f"{match.path}/orders", orders)
    facts = await facts_of(match, "loadout-fixed")
    assert {fact["side"] for fact in facts} == set(models)
    for fact in facts:
        model = models[fact["side"]]
        assert fact["charge"] == sum(one["price"] for one in fact["special"]) == CHARGES[model]
        for name, belt in LOADS[model]["bins"].items():
            assert fact["belts"][name] == belt, name
        person, owner = match.sides[fact["side"]], seats[fact["side"]]["mechwarrior_id"]
        [entry] = (await person.call(economy, "GET", f"/v1/accounts/{owner}/ledger"))["items"]
        told = (entry["purpose"], entry["amount"], entry["reference"])
        assert told == ("special-ammo", -CHARGES[model], match.path.rpartition("/")[2])


async def facts_of(match: Match, name: str) -> list[Any]:
    """Public facts of combat with this name."""
    news = await match.commission.call(match.town.combat, "GET", "/v1/events?limit=500")
    kind = f"solaris.combat.{name}.v1"
    return [one["event"]["data"] for one in news["items"] if one["event"]["type"] == kind]


async def put_right(match: Match) -> None:
    """A correction within the turn opens the request again for everybody; A had sealed already."""
    combat, ana = match.town.combat, match.sides["A"]
    await act(ana, match.path, 0, 1)
    assert (await ana.call(combat, "GET", match.path))["you"]["sealed"]
    wrong = {"side": "A", "changes": {"heat": 7}, "reason": "El calor de la ñ: “siete”, no cero 🔥"}
    assert await ana.refused(combat, "POST", f"{match.path}/corrections", wrong) == (403, "not-allowed")
    ruled = await match.commission.call(combat, "POST", f"{match.path}/corrections", wrong)
    assert ruled == {**wrong, "by": "commission"}
    page = await ana.call(combat, "GET", match.path)
    assert page["game"]["sides"]["A"]["heat"] == 7 and page["you"]["sealed"] is None
    [fact] = await facts_of(match, "unit-corrected")
    assert (fact["side"], fact["changes"], fact["reason"]) == ("A", {"heat": 7}, wrong["reason"])


async def appeal(match: Match, side: str, granted: bool, late: bool) -> None:
    """Asked of the Commission, answered once, for everybody to read."""
    league, path = match.town.league, f"{match.path}/appeals"
    asked = {"turn": 1, "text": "¿Contaba el bosque en el turno 1?"}
    lodged = await match.sides[side].call(league, "POST", path, asked)
    waiting = (await match.commission.call(league, "GET", "/v1/appeals"))["items"]
    assert [one["text"] for one in waiting] == [asked["text"]]
    answer = {"granted": granted, "answer": "Llega tarde." if late else "Sí: +1, se corrige."}
    ruling = f"{path}/{lodged['appeal_id']}/ruling"
    assert (await match.sides[side].refused(league, "POST", ruling, answer))[0] == 403
    await match.commission.call(league, "POST", ruling, answer)
    assert await match.commission.refused(league, "POST", ruling, answer) == (409, "appeal-answered")
    public = (await Person(match.town).call(league, "GET", path))["items"][-1]
    shown = {name: public[name] for name in ("side", "turn", "granted", "late", "answer")}
    assert shown == {"side": side, "turn": 1, "late": late, **answer}


async def fight_on(match: Match) -> Any:
    """To the end, by orders written as text; its page."""
    for number in range(80):
        if (await match.page())["state"] == "concluded":
            break
        for side, level in (("A", 2), ("B", 1)):
            await act(match.sides[side], match.path, number, level)
    end = await match.page()
    assert end["state"] == "concluded" and end["result"]["turns"] <= 10
    return end


async def check_dice(match: Match, record: bytes) -> None:
    """The statistics are those of the record, counted here anew; each side's are its player's."""
    rolls: list[tuple[str | None, Any]] = []
    for line in map(json.loads, record.splitlines()):
        data = line.get("data") or {}
        rolls += [(data.get("side"), roll) for roll in data.get("rolls", []) if roll["sides"] == 6]
    seats = {seat["side"]: seat["person_id"] for seat in (await match.page())["sides"]}
    for side, query in (("", ""), *((side, f"?person_id={who}") for side, who in seats.items())):
        mine = [roll["faces"] for by, roll in rolls if side in ("", by)]
        pairs = [sum(faces) for faces in mine if len(faces) == 2]
        shown = await Person(match.town).call(match.town.combat, "GET", f"/v1/dice/statistics{query}")
        for name, found in (("faces", [face for faces in mine for face in faces]), ("totals", pairs)):
            counted = {row["value"]: row["count"] for row in shown[name]["values"] if row["count"]}
            assert counted == Counter(found), (side, name)
            assert shown[name]["rolled"] == len(found) > 0
            for row in shown[name]["values"]:
                assert row["band"][0] <= row["expected"] <= row["band"][1]
                assert row["inside"] == (row["value"] not in shown[name]["outside"])


async def check_result(match: Match, end: Any) -> None:
    """What combat says is what the league counts and the bank pays."""
    league, economy = match.town.league, match.town.economy
    shown = await Person(match.town).call(league, "GET", match.path)
    assert shown["state"] == "concluded"
    results = {side["side"]: side for side in end["result"]["sides"]}
    assert {side["side"]: side["victory_points"] for side in shown["result"]} == {
        side: one["victory_points"] for side, one in results.items()
    }
    table = await Person(match.town).call(league, "GET", "/v1/standings?class=5")
    assert table["final"] is True and [row["fights"] for row in table["items"]] == [1, 1]
    points = {row["mechwarrior_id"]: row["points"] for row in table["items"]}
    for seat in end["sides"]:
        owner, result = seat["mechwarrior_id"], results[seat["side"]]["result"]
        assert points[owner] == {"win": 3, "draw": 1, "loss": 0}[result]
        person = match.sides[seat["side"]]
        ledger = (await person.call(economy, "GET", f"/v1/accounts/{owner}/ledger"))["items"]
        paid = {entry["purpose"]: entry["amount"] for entry in ledger}
        assert paid["special-ammo"] == -CHARGES[seat["mech"]["model"]]
        assert paid["purse"] == shown["purse"][result]
        [account] = (await person.call(economy, "GET", "/v1/balances"))["items"]
        assert account["balance"] == sum(entry["amount"] for entry in ledger)


async def test_from_challenge_to_result(town: Town) -> None:
    """Two people over REST alone: challenge, length, load-outs, a correction, appeals, the fight, the result,
    and what the dice showed."""
    match = await challenged(town)
    await agree_on_ten_turns(match)
    await load(match)
    await put_right(match)
    await appeal(match, "B", granted=True, late=False)
    end = await fight_on(match)
    late = {"side": "A", "changes": {"heat": 0}, "reason": "demasiado tarde"}
    refused = await match.commission.refused(town.combat, "POST", f"{match.path}/corrections", late)
    assert refused == (409, "fight-over")
    await appeal(match, "A", granted=False, late=True)
    record = await match.commission.call(town.combat, "GET", f"{match.path}/record")
    assert verify(record, rulesets())["seed"] == end["result"]["seed"]
    await check_dice(match, record)
    await check_result(match, end)
