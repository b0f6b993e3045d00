"""Economy over REST, with the read model that the worker keeps."""

import json
import time
from collections.abc import AsyncIterator, Callable
from uuid import UUID, uuid4

import httpx
import pytest

from solaris_economy.adapters.tables import load_repair_terms
from solaris_economy.api.policy import POLICY
from solaris_economy.application.audit import faults
from solaris_economy.application.mechs import take_damage
from solaris_economy.application.transfers import ensure_account, ensure_bank, lock_accounts, post
from solaris_economy.domain.account import ORGANISERS, WORKSHOP
from solaris_economy.domain.transfer import PursePaid, Transfer
from solaris_economy.main import definition
from solaris_shared.database import open_engine
from solaris_shared.http.app import create_app
from solaris_shared.http.auth import Principal
from solaris_shared.http.tokens import Claims, make_key, public_jwks, sign
from solaris_shared.log.event_log import EventLog, Meta
from solaris_shared.log.sequencer import sequence
from solaris_shared.log.unit_of_work import Store
from solaris_shared.processing.projector import Projector
from solaris_shared.settings import Settings

KEY = make_key()
MECH = UUID(int=0xC)


def header(person: str, *roles: str) -> dict[str, str]:
    now = int(time.time())
    claims = Claims(person, frozenset(roles), frozenset({"*"}), "t", "session", now, now + 900)
    return {"Authorization": f"Bearer {sign(KEY, claims)}", "Idempotency-Key": str(uuid4())}


COMMISSION = header("boss", "commission")


@pytest.fixture
def event_log() -> EventLog:
    return definition().log


@pytest.fixture
async def catch_up(store: Store, database: str) -> AsyncIterator[Callable]:
    """Sequence the log and fold the books, as the worker does all the time."""
    engine = open_engine(database)
    runners = [Projector(store, engine, projection) for projection in definition().projections]

    async def run() -> None:
        while (await sequence(store))[1]:
            pass
        for runner in runners:
            await runner.prepare()
            while await runner.step():
                pass

    yield run
    await engine.dispose()


@pytest.fixture
async def client(store: Store, database: str, tmp_path, catch_up) -> AsyncIterator[httpx.AsyncClient]:
    (tmp_path / "jwks.json").write_text(json.dumps(public_jwks(KEY)))
    settings = Settings(
        service="economy",
        jwks_file=tmp_path / "jwks.json",
        cursor_key="k" * 32,
        data_key="",
        database_url=database,
        database_pool=4,
    )
    app = create_app(definition(), settings)
    await catch_up()
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as one:
            yield one


def mech_body(**changes) -> dict:
    return {"instance_id": str(MECH), "model": "PNT-9R", "price": 2_476_260, "owner": "organisers"} | changes


async def settle_a_fight(store: Store) -> str:
    """Ana and Bea get 300.000 each; the 'Mech MECH is damaged. The fight's id."""
    fight = uuid4()
    async with store.transaction(Meta(uuid4(), "c", "c", "reactor:settlement")) as tx:
        await lock_accounts(tx, ("ana-1", "bea-1", ORGANISERS, WORKSHOP))
        await ensure_bank(tx)
        for name in ("ana", "bea"):
            await ensure_account(tx, f"{name}-1", "mechwarrior", name)
            fact = PursePaid(fight, 1, 3, f"{name}-1", "win", 300_000)
            await post(
                tx, Transfer(uuid4(), ORGANISERS, f"{name}-1", 300_000, "purse", str(fight), fact=fact)
            )
        await take_damage(tx, load_repair_terms(), MECH, fight, destroyed=False)
    return str(fight)


async def test_a_ledger_is_its_owners_and_the_commissions(store: Store, client: httpx.AsyncClient, catch_up):
    fight = await settle_a_fight(store)
    await catch_up()
    for reader in (header("ana", "player"), COMMISSION):
        answer = await client.get("/v1/accounts/ana-1", headers=reader)
        assert answer.status_code == 200, answer.text
        assert answer.json() == {
            "owner": "ana-1", "kind": "mechwarrior", "balance": 300_000, "held": 0, "free": 300_000, "floor":
            0
        }  # fmt: skip
        assert answer.headers["cache-control"] == "no-store"
        (line,) = (await client.get("/v1/accounts/ana-1/ledger", headers=reader)).json()["items"]
        assert (line["amount"], line["balance"], line["purpose"]) == (300_000, 300_000, "purse")
        assert (line["counterparty"], line["reference"], line["number"]) == ("organisers", fight, 1)


async def test_a_ledger_is_a_feed_of_its_owner_too(store: Store, client: httpx.AsyncClient, catch_up):
    fight = await settle_a_fight(store)
    await catch_up()
    ana = header("ana", "player")
    [item] = (await client.get("/v1/accounts/ana-1/events", headers=ana)).json()["items"]
    assert (item["number"], item["event"]["type"]) == (1, "ledger-entry")
    assert item["event"]["time"].endswith("Z")
    data = item["event"]["data"]
    assert (data["amount"], data["balance"], data["reference"]) == (300_000, 300_000, fight)
    assert set(data) == {"transfer_id", "amount", "balance", "purpose", "counterparty", "reference"}
    assert (await client.get("/v1/accounts/ana-1/events?after=1", headers=ana)).json()["items"] == []


async def test_a_strangers_account_is_as_unknown_as_none(store: Store, client: httpx.AsyncClient, catch_up):
    await settle_a_fight(store)
    await catch_up()
    bea = header("bea", "player")
    for path in ("/v1/accounts/{}", "/v1/accounts/{}/ledger", "/v1/accounts/{}/events"):
        strange = await client.get(path.format("ana-1"), headers=bea)
        missing = await client.get(path.format("nobody"), headers=bea)
        bank = await client.get(path.format("organisers"), headers=bea)
        assert [one.status_code for one in (strange, missing, bank)] == [404, 404, 404]
        bodies = [{**one.json(), "instance": ""} for one in (strange, missing, bank)]
        assert bodies[0] == bodies[1] == bodies[2]
        assert (await client.get(path.format("ana-1"))).status_code == 401
        assert (await client.get(path.format("nobody"), headers=COMMISSION)).status_code == 404


async def test_balances_are_all_for_the_commission_and_ones_own_for_a_player(store, client, catch_up):
    await settle_a_fight(store)
    await catch_up()
    first = (await client.get("/v1/balances?limit=3", headers=COMMISSION)).json()
    rest = (await client.get(f"/v1/balances?limit=3&cursor={first['next']}", headers=COMMISSION)).json()
    found = {row["owner"]: row["balance"] for row in first["items"] + rest["items"]}
    assert found == {"ana-1": 300_000, "bea-1": 300_000, "organisers": -600_000, "workshop": 0}
    assert rest["next"] is None
    own = (await client.get("/v1/balances", headers=header("bea", "player"))).json()["items"]
    assert [row["owner"] for row in own] == ["bea-1"]
    assert (await client.get("/v1/balances")).status_code == 401
    assert (await client.get("/v1/balances", headers=header("r", "referee"))).status_code == 403


async def test_the_commission_registers_a_mech_and_waiting_damage_is_charged(store, client, catch_up):
    await settle_a_fight(store)
    await catch_up()
    (waiting,) = (await client.get("/v1/mech-instances")).json()["items"]
    assert (waiting["state"], waiting["open_damage"], waiting["model"]) == ("unregistered", 1, None)
    registration = header("boss", "commission")
    answer = await client.post("/v1/mech-instances", json=mech_body(), headers=registration)
    assert answer.status_code == 201, answer.text
    assert answer.json() == mech_body() | {"state": "ready", "open_damage": 0}
    again = await client.post("/v1/mech-instances", json=mech_body(), headers=registration)
    assert (again.json(), again.headers["idempotency-replayed"]) == (answer.json(), "true")
    await catch_up()
    (known,) = (await client.get("/v1/mech-instances?owner=organisers")).json()["items"]
    assert known == mech_body() | {"state": "ready", "open_damage": 0}
    workshop = await client.get("/v1/accounts/workshop", headers=COMMISSION)
    assert workshop.json()["balance"] == 247_626
    async with store.connection() as conn:
        assert await faults(conn, store.log) == []


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"owner": "nobody"}, 404, "account-unknown"),
        ({"price": 0}, 422, "invalid"),
        ({"price": -1}, 422, "invalid"),
        ({"price": 10**30}, 422, "invalid"),
        ({"price": "1,5"}, 422, "invalid"),
        ({"price": 1.5}, 422, "invalid"),
        ({"model": "a b"}, 422, "invalid"),
        ({"instance_id": "x"}, 422, "invalid"),
        ({"colour": "red"}, 422, "invalid"),
    ],
)
async def test_a_registration_that_cannot_be_is_refused(client, changes: dict, status: int, code: str):
    """ECO3 and its kin: never a 500."""
    body = mech_body(instance_id=str(uuid4())) | changes
    answer = await client.post("/v1/mech-instances", json=body, headers=header("boss", "commission"))
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


async def test_a_mech_is_registered_once(client: httpx.AsyncClient):
    for status in (201, 409):
        answer = await client.post(
            "/v1/mech-instances", json=mech_body(), headers=header("boss", "commission")
        )
        assert answer.status_code == status, answer.text


REACHES = {
    ("account.read", "player"): "own",
    ("account.read", "commission"): "any",
    ("balances.read", "player"): "own",
    ("balances.read", "commission"): "any",
    ("mech.read", "public"): "any",
    ("mech.register", "commission"): "any",
}


def test_the_table_of_rights():
    """role x action x own/other: what is not listed is refused."""
    assert {(name, role): reach for name, role, reach in POLICY.rows()} == REACHES
    for name in {name for name, _ in REACHES}:
        for role in ("public", "player", "referee", "commission", "operator"):
            person = None if role == "public" else "me"
            principal = Principal(person, frozenset({role, "public"}), frozenset({"*"}))
            reach = REACHES.get((name, role)) or REACHES.get((name, "public"))
            assert POLICY.allows(principal, name, "me") is (
                reach == "any" or (reach == "own" and person == "me")
            )
            assert POLICY.allows(principal, name, "other") is (reach == "any")
