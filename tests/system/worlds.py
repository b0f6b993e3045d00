"""A world: combat and mail with their own databases, a broker, and the eyes that look at them.

Each world's database clock stands still and moves only when told to, entropy is constant, ids are given: two
worlds in which the same things happen are equal byte for byte. Only what a broker or a process measures by
its own clock is left out of a look, each with its reason (see NOT_COMPARED).
"""

import json
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import asyncpg
import httpx
import nats
from aiosmtpd.smtp import SMTP
from fastapi import FastAPI
from prometheus_client import generate_latest

from solaris_combat.engines.battletech import house_pilot
from solaris_combat.engines.battletech.engine import BattleTech
from solaris_combat.engines.battletech.ground_events import TrapsHidden
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.traps import may_hold
from solaris_combat.engines.dice import SeededDice
from solaris_combat.engines.registry import Registry
from solaris_combat.main import MIGRATIONS as COMBAT_MIGRATIONS
from solaris_combat.main import definition as combat_definition
from solaris_combat.rulesets import rulesets
from solaris_mail.adapters.post_office import PostOffice
from solaris_mail.main import definition as mail_definition
from solaris_mail.main import derive_code_key, make_composer, make_relay
from solaris_mail.settings import MailSettings
from solaris_shared import clock
from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.app import create_app
from solaris_shared.http.limits import Limiter
from solaris_shared.http.tokens import Claims, make_key, public_jwks, sign
from solaris_shared.log.event_log import Row, append_rows
from solaris_shared.messaging.jetstream import Bus
from solaris_shared.settings import Settings
from solaris_shared.worker import Runtime, importer_step, log_loops, open_runtime, relay_step
from solaris_shared.worker_side import LAGS, WorkerMetrics

NAMES = UUID("00000000-0000-4000-8000-000000000007")
ANA, BEN, CAI, DEA, EVE, FAY = (
    str(uuid5(NAMES, name)) for name in ("ana", "ben", "cai", "dea", "eve", "fay")
)
FIGHT = str(uuid5(NAMES, "fight"))
SECRET = "0123456789abcdef" * 4
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SCHEDULED = "solaris.league.fight-scheduled.v1"

FREEZE = """
CREATE SCHEMA frozen;
CREATE FUNCTION frozen.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    AS $$ SELECT timestamptz '2026-11-30 12:00:00+00' $$;
"""
CONTACT = """
INSERT INTO contact (person_id, address, language, zone, channels, confirmed_at, updated_at)
VALUES ($1, $2, 'es', 'Europe/Madrid', '{mail}', $3, $3)
"""

NOT_COMPARED = {
    "_bucket|_sum": "seconds a request took, measured by the process",
    "_created": "when the process first counted something",
    "ts": "the broker's own clock",
    "created": "the broker's own clock",
    "first_ts": "the broker's own clock",
    "last_ts": "the broker's own clock",
    "last_active": "the broker's own clock",
    "reply": "the observer's own random inbox",
}
"""Every thing left out of a look, and why. Nothing else is."""

FEEDS = ("/v1/events", "/v1/me/events")
FEED_FORMS = ("application/x-ndjson", "text/event-stream")

Look = dict[str, Any]


def side(name: str, person: str, model: str) -> dict[str, Any]:
    return {
        "side": name,
        "mechwarrior_id": str(uuid5(NAMES, f"mechwarrior {name}")),
        "person_id": person,
        "name": f"Callsign {name}",
        "gunnery": 4,
        "piloting": 5,
        "mech": {"instance_id": str(uuid5(NAMES, name)), "model": model, "owner": "organisers"},
    }


def schedule(macro: bool = False) -> dict[str, Any]:
    """FightScheduled as the league publishes it; a macro fight has two 'Mechs in each of two teams."""
    sides, arena = [side("A", ANA, "PNT-9R"), side("B", BEN, "JVN-10N")], "la-cantera"
    if macro:
        arena = "hartford-gardens"
        sides += [side("C", CAI, "PXH-1"), side("D", DEA, "WSP-1A")]
        sides = [one | {"team": team} for one, team in zip(sides, "1212", strict=True)]
    return {
        "fight_id": FIGHT,
        "round": 1,
        "ruleset": "solaris7/1",
        "class": 3,
        "arena": arena,
        "turns": 8,
        "kind": "ranking",
        "turn_seconds": 172800,
        "referee": None,
        "purse": {"win": 30000, "draw": 20000, "loss": 10000},
        "sides": sides,
    }


class Elsewhere(BattleTech):
    """The engine, with its traps hidden in the middle, or nowhere at all."""

    def __init__(self, traps: int) -> None:
        self.traps = traps

    def decide(self, state: State, ordered: Any, dice: Any) -> Any:
        """The engine's own events, but for where the traps are."""
        decided = super().decide(state, ordered, dice)
        if not isinstance(decided, tuple):
            return decided
        return tuple(
            replace(event, hexes=self._far(state)) if isinstance(event, TrapsHidden) else event
            for event in decided
        )

    def _far(self, state: State) -> tuple[str, ...]:
        board = state.ground.base
        free = [one for one in board.hexes() if may_hold(board.ground(one))]
        middle = Hex(board.width // 2, board.height // 2)
        return tuple(str(one) for one in sorted(free, key=lambda one: distance(one, middle))[: self.traps])


@dataclass
class Service:
    """One service's API and its loops, stepped by hand."""

    runtime: Runtime
    app: FastAPI
    client: httpx.AsyncClient
    steps: list[Any]
    imports: list[Any] = field(default_factory=list)

    @property
    def pool(self) -> asyncpg.Pool:
        return self.runtime.store.pool

    async def settle(self) -> bool:
        """Step every loop until none finds work; whether any did."""
        moved = False
        while any([await step() for step in self.steps]):
            moved = True
        return moved

    async def import_fact(self, type_: str, data: Any) -> None:
        """Store a fact of the league at the next number, as the importer does."""
        meta = {"id": str(uuid5(NAMES, type_)), "subject": f"fight/{FIGHT}", "time": "2026-11-30T12:00:00Z"}
        row = Row(uuid5(NAMES, type_), type_, 1, json.dumps(data), json.dumps(meta))
        async with self.runtime.store.atomic() as conn:
            await append_rows(conn, "import-league", 0, [row], await clock.now(conn))


class Mailbox:
    """Keeps every letter as it came in."""

    def __init__(self) -> None:
        self.letters: list[tuple[tuple[str, ...], bytes]] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.letters.append((tuple(envelope.rcpt_tos), envelope.original_content))
        return "250 OK"


@contextmanager
def keys(folder: Path) -> Iterator[dict[str, Any]]:
    """One signing key for all worlds of a test."""
    key = make_key()
    (folder / "jwks.json").write_text(json.dumps(public_jwks(key)))
    yield key


class Eyes:
    """Tokens of everybody who looks; the same ones in every world."""

    def __init__(self, key: dict[str, Any]) -> None:
        now = int(time.time())

        def token(person: str, *roles: str, kind: str = "session", scopes: tuple[str, ...] = ("*",)) -> str:
            claims = Claims(person, frozenset(roles), frozenset(scopes), f"t-{person}", kind, now, now + 3000)
            return f"Bearer {sign(key, claims)}"

        self.ana = token(ANA, "player")
        self.ben = token(BEN, "player")
        self.judge = token(FAY, "commission")
        self.mates = {"cai": token(CAI, "player"), "dea": token(DEA, "player")}
        self.viewers = {
            "ana": self.ana,
            "spectator": "",
            "partner": token(EVE, "player", kind="personal", scopes=("read",)),
            "referee": token(EVE, "referee"),
            "operator": token(EVE, "operator", "commission"),
        }


@dataclass
class World:
    """Everything that runs, and what was seen so far."""

    combat: Service
    mail: Service
    post_office: PostOffice
    mailbox: Mailbox
    nats_url: str
    eyes: Eyes
    macro: bool = False

    @property
    def viewers(self) -> dict[str, str]:
        """Everybody who looks: in a macro fight the two mates too, B's own among them."""
        return self.eyes.viewers | (self.eyes.mates if self.macro else {})

    async def at(self, seconds: int) -> None:
        """Put the league's clock so far after noon."""
        for service in (self.combat, self.mail):
            async with service.runtime.store.connection() as conn:
                await clock.shift(conn, seconds)

    async def settle(self) -> None:
        """Run combat, then mail, until everything that happened has been dealt with."""
        await self.combat.settle()
        while await self._behind():
            for step in self.mail.imports:
                await step()
        while await self.mail.settle() or await self.post_office.run_once(self.mail.runtime.store):
            pass

    async def _behind(self) -> bool:
        last = await self.combat.pool.fetchval("SELECT publication FROM head")
        query = "SELECT coalesce(max(version), 0) FROM event WHERE stream = 'import-combat'"
        return await self.mail.pool.fetchval(query) < last

    async def ask(self, service: Service, method: str, path: str, token: str, **more: Any) -> Look:
        """One request and all of its answer."""
        headers = {"X-Correlation-Id": "same", **more.pop("headers", {})}
        if token:
            headers["Authorization"] = token
        got = await service.client.request(method, path, headers=headers, **more)
        return {"status": got.status_code, "headers": sorted(got.headers.items()), "body": got.content}

    async def put(self, token: str, orders: Any, key: str, **headers: str) -> Look:
        """Send orders."""
        path = f"/v1/fights/{FIGHT}/orders"
        headers = {"Idempotency-Key": key, **headers}
        return await self.ask(self.combat, "PUT", path, token, json=orders, headers=headers)

    async def post(self, token: str, path: str, body: Any, key: str) -> Look:
        """An act beside the orders."""
        headers = {"Idempotency-Key": key}
        path = f"/v1/fights/{FIGHT}/{path}"
        return await self.ask(self.combat, "POST", path, token, json=body, headers=headers)

    async def choose(self, token: str, level: int, seed: str) -> Any:
        """Orders a house pilot would send, from what that side sees. Not part of any look."""
        headers = {"Authorization": token}
        page = (await self.combat.client.get(f"/v1/fights/{FIGHT}", headers=headers)).json()
        got = (await self.combat.client.get(f"/v1/fights/{FIGHT}/options", headers=headers)).json()
        return house_pilot.choose(page["game"], got["options"], level, SeededDice(seed.encode().ljust(32)))

    async def look(self) -> Look:
        """Everything anybody but B can observe now."""
        seen = await self.look_rest()
        seen["jetstream"] = await self.look_bus()
        seen["letters"] = sorted(
            self.mailbox.letters
        )  # several hands send side by side: no order is promised
        for name, service in (("combat", self.combat), ("mail", self.mail)):
            seen[f"{name} metrics"] = await self.look_metrics(service)
            seen[f"{name} worker metrics"] = await look_worker(service)
            seen[f"{name} operators' page"] = await self.look_operations(service)
        return seen

    async def look_rest(self) -> Look:
        """Every GET route of every service for every viewer; feeds in their three forms."""
        seen: Look = {}
        for name, service in (("combat", self.combat), ("mail", self.mail)):
            for path in get_paths(service.app):
                for viewer, token in self.viewers.items():
                    seen[f"{viewer} GET {name}{path}"] = await self.ask(service, "GET", path, token)
                    for form in FEED_FORMS if path in FEEDS else ():
                        look = await self.look_feed(service, path, token, form)
                        seen[f"{viewer} GET {name}{path} as {form}"] = look
        return seen

    async def look_feed(self, service: Service, path: str, token: str, form: str) -> Look:
        """A feed as lines, or as the stream that has been open up to now."""
        streams = service.app.state.context.streams
        streams.stop()
        try:
            return await self.ask(service, "GET", path, token, headers={"Accept": form})
        finally:
            streams.stopping.clear()

    async def look_operations(self, service: Service) -> str:
        """What an operator sees on the service's pages; tokens of forms are his session's own."""
        headers = {"Origin": "https://test"}
        token = self.eyes.viewers["operator"].removeprefix("Bearer ")
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(service.app), base_url="https://test"
        ) as browser:
            got = await browser.post("/ops/login", data={"token": token}, headers=headers)
            assert got.headers["location"] == "/ops", got.text
            page = await browser.get("/ops")
        assert page.status_code == 200 and "Handlers and streams" in page.text
        return re.sub(r'name="form_token" value="\w+"', "", page.text)

    async def look_metrics(self, service: Service) -> list[str]:
        text = (await service.client.get("/metrics")).text
        return [line for line in text.splitlines() if not re.search(r"(_bucket|_sum|_created)\b", line)]

    async def look_bus(self) -> Look:
        """What a partner with a durable consumer on the stream can find out."""
        client = await nats.connect(self.nats_url)
        try:
            js = client.jetstream()
            consumer = await js.pull_subscribe("solaris.combat.>", durable="partner", stream="COMBAT")
            seen: Look = {"messages": []}
            stream = await client.request("$JS.API.STREAM.INFO.COMBAT", b'{"subjects_filter":">"}')
            seen["stream"] = without_clock(json.loads(stream.data))
            info = await client.request("$JS.API.CONSUMER.INFO.COMBAT.partner", b"")
            seen["consumer"] = without_clock(json.loads(info.data))
            total = seen["stream"]["state"]["messages"]
            for number in range(1, total + 1):
                raw = await client.request("$JS.API.STREAM.MSG.GET.COMBAT", b'{"seq":%d}' % number)
                message = json.loads(raw.data)["message"]
                message.pop("time")
                seen["messages"].append(message)
            new = seen["consumer"]["num_pending"]
            for message in await consumer.fetch(new, timeout=2) if new else []:
                await message.ack_sync()
            return seen
        finally:
            await client.close()


def without_clock(value: Any) -> Any:
    """The answer without what the broker's clock wrote into it."""
    if isinstance(value, dict):
        return {key: without_clock(item) for key, item in value.items() if key not in NOT_COMPARED}
    return value


async def look_worker(service: Service) -> str:
    """The gauges of the worker's side port."""
    metrics = WorkerMetrics()
    metrics.show(await service.pool.fetch(LAGS), service.runtime)
    return generate_latest(metrics.registry).decode()


def get_paths(app: FastAPI) -> list[str]:
    """Every GET route with things of this world in its parameters."""
    things = {
        "fight_id": FIGHT,
        "model": "JVN-10N",
        "arena_id": "la-cantera",
        "ruleset": "solaris7/1",
    }
    paths = [path for path, methods in app.openapi()["paths"].items() if "get" in methods]
    filled = [re.sub(r"{(\w+)}", lambda match: things.get(match[1], ANA), path) for path in paths]
    return [*filled, "/v1/fights?mine=true", "/v1/fights?state=open"] if "/v1/fights" in paths else filled


@asynccontextmanager
async def open_service(
    definition: ServiceDefinition, settings: Settings, relays: bool
) -> AsyncIterator[Service]:
    """A service on its database and broker."""
    async with open_runtime(definition, settings) as runtime:
        bus = Bus(settings.nats_url, f"{definition.name}-test")
        steps = [loop.step for loop in log_loops(runtime)]
        steps += [relay_step(runtime, bus)] if relays else []
        app = create_app(definition, settings)
        async with app.router.lifespan_context(app):
            app.state.context.limiter = Limiter(clock=lambda: 0.0)
            transport = httpx.ASGITransport(app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                imports = [] if relays else [importer_step(runtime, bus, "combat")]
                yield Service(runtime, app, client, steps, imports)
        await bus.close()


async def freeze(url: str) -> None:
    """Make the database's clock stand at noon."""
    conn = await asyncpg.connect(url)
    try:
        await conn.execute(FREEZE)
        name = await conn.fetchval("SELECT current_database()")
        await conn.execute(f"ALTER DATABASE {name} SET search_path = frozen, public, pg_catalog")
    finally:
        await conn.close()


@asynccontextmanager
async def open_world(
    databases: Any, nats_url: str, folder: Path, eyes: Eyes, macro: bool = False, traps: int = 0
) -> AsyncIterator[World]:
    """A world in which a fight has been scheduled and both players get mail; a macro fight takes place where
    so many traps are hidden."""
    combat_url = await databases.create(COMBAT_MIGRATIONS)
    mail_url = await databases.create(mail_definition().migrations)
    for url in (combat_url, mail_url):
        await freeze(url)
    common = {
        "nats_url": nats_url,
        "jwks_file": folder / "jwks.json",
        "data_key": SECRET,
        "cursor_key": SECRET,
        "database_pool": 5,
    }
    mailbox = Mailbox()
    async with smtp_server(mailbox) as port:
        combat_settings = Settings(service="combat", database_url=combat_url, **common)
        mail_settings = MailSettings(
            service="mail",
            database_url=mail_url,
            smtp_port=port,
            combat_public_url="https://combat.example",
            **common,
        )
        games = Registry([Elsewhere(traps)]) if macro else rulesets()
        combat = combat_definition(combat_settings, games, lambda length: b"\x07" * length)
        async with (
            open_service(combat, combat_settings, relays=True) as one,
            open_service(mail_definition(mail_settings), mail_settings, relays=False) as other,
        ):
            office = PostOffice(
                make_composer(mail_settings), make_relay(mail_settings).send, derive_code_key(mail_settings)
            )
            world = World(one, other, office, mailbox, nats_url, eyes, macro)
            for person, address in ((ANA, "ana@players.example"), (BEN, "ben@players.example")):
                await other.pool.execute(CONTACT, person, address, NOON)
            for service in (one, other):
                await service.import_fact(SCHEDULED, schedule(macro))
            await world.settle()
            yield world
    for url in (combat_url, mail_url):
        await databases.drop(url)


@asynccontextmanager
async def smtp_server(mailbox: Mailbox) -> AsyncIterator[int]:
    """A mail server on a free port."""
    import asyncio

    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(mailbox, loop=loop, ident="test"), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


def differences(looks: dict[str, Look]) -> list[str]:
    """What differs between worlds, named so that a person finds it."""
    names = list(looks)
    first = looks[names[0]]
    found = []
    for name in names[1:]:
        other = looks[name]
        for key in sorted(first.keys() | other.keys()):
            if first.get(key) != other.get(key):
                where = parting(repr(first.get(key)), repr(other.get(key)))
                found.append(f"{names[0]} / {name}: {key}: {where}")
    return found


def parting(one: str, other: str) -> str:
    """The place at which two texts part."""
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    start = max(0, at - 80)
    return f"...{one[start : at + 80]} != ...{other[start : at + 80]}"
