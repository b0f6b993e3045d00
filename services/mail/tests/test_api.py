"""Mail over REST: a contact is given, proved, changed; letters are read; deliveries are watched."""

import json
import re
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from solaris_mail.api.policy import POLICY
from solaris_mail.application.delivery import Outcome, claim, settle
from solaris_mail.domain.retry import RetrySchedule
from solaris_mail.main import build_api, definition
from solaris_mail.settings import MailSettings
from solaris_shared import clock
from solaris_shared.database import open_engine
from solaris_shared.http.auth import Principal
from solaris_shared.http.tokens import Claims, make_key, public_jwks, sign
from solaris_shared.log.unit_of_work import Store
from solaris_shared.processing.projector import Projector

KEY = make_key()
ADDRESS = "ana@players.example"


def header(person: str, *roles: str, **more: str) -> dict[str, str]:
    now = int(time.time())
    claims = Claims(person, frozenset(roles or ("player",)), frozenset({"*"}), "t", "session", now, now + 900)
    return {"Authorization": f"Bearer {sign(KEY, claims)}", "Idempotency-Key": str(uuid4())} | more


@pytest.fixture
async def client(store: Store, database: str, tmp_path) -> AsyncIterator[httpx.AsyncClient]:
    (tmp_path / "jwks.json").write_text(json.dumps(public_jwks(KEY)))
    settings = MailSettings(
        jwks_file=tmp_path / "jwks.json", cursor_key="k" * 32, data_key="d" * 64, database_url=database
    )
    engine = open_engine(database)
    for projection in definition(settings).projections:
        runner = Projector(store, engine, projection)
        await runner.prepare()
        await runner.step()
    await engine.dispose()
    app = build_api(settings)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as one:
            yield one


def contact(**changes: Any) -> dict[str, Any]:
    wanted = {"address": ADDRESS, "language": "es", "zone": "Europe/Madrid", "channels": ["mail"]}
    return wanted | changes


async def put(client: httpx.AsyncClient, person: str = "ana", **changes: Any) -> httpx.Response:
    """Give a contact, with the ETag of the one there is."""
    seen = await client.get("/v1/me/contact", headers=header(person))
    match = {"If-Match": seen.headers["etag"]} if seen.status_code == 200 else {}
    return await client.put("/v1/me/contact", json=contact(**changes), headers=header(person, **match))


def code_in(mailbox, number: int = -1) -> str:
    """The code as a person copies it out of the letter."""
    text = mailbox.accepted[number][1].get_content()
    return re.search(r"^C(?:ódigo|ode): (\S+)\s*$", text, re.MULTILINE)[1]


async def prove(client: httpx.AsyncClient, code: str) -> httpx.Response:
    headers = {"Idempotency-Key": str(uuid4())}
    return await client.post("/v1/contact-confirmations", json={"token": code}, headers=headers)


async def test_an_address_is_given_proved_and_used(store, client, mailbox, post_office, write, letter):
    assert (await client.get("/v1/me/contact", headers=header("ana"))).status_code == 404
    answer = await put(client)
    assert (answer.status_code, answer.json()) == (200, {"confirmation": "sent"}), answer.text
    waiting = await write("ana")
    await post_office.run_once(store)
    ((address, message),) = mailbox.accepted
    assert address == ADDRESS
    assert message["Subject"] == "Solaris 7 · Confirma tu dirección de correo"
    seen = (await client.get("/v1/me/contact", headers=header("ana"))).json()
    assert (seen["address"], seen["pending_address"], seen["confirmed_at"]) == (None, ADDRESS, None)

    answer = await prove(client, code_in(mailbox))
    assert (answer.status_code, answer.json()) == (201, {"confirmed": True}), answer.text
    seen = (await client.get("/v1/me/contact", headers=header("ana"))).json()
    assert (seen["address"], seen["pending_address"]) == (ADDRESS, None)
    assert seen["confirmed_at"] is not None
    await post_office.run_once(store)
    assert (await letter(waiting))["state"] == "sent"


async def test_the_public_fact_names_the_person_and_nothing_else(store, client, mailbox, post_office):
    await put(client, person="p-1")
    await post_office.run_once(store)
    await prove(client, code_in(mailbox))
    (row,) = await store.pool.fetch("SELECT subject, envelope FROM pending WHERE envelope IS NOT NULL")
    envelope = json.loads(row["envelope"])
    assert row["subject"] == "solaris.mail.contact.p-1.contact-confirmed.v1"
    assert envelope["data"] == {"person_id": "p-1"}


async def test_no_event_and_no_stored_answer_holds_an_address(store, client, mailbox, post_office):
    """Personal data lives in mutable tables outside the log."""
    await put(client)
    await post_office.run_once(store)
    await prove(client, code_in(mailbox))
    for query in ("SELECT data::text || meta::text FROM event", "SELECT body::text FROM command_result"):
        kept = [row[0] for row in await store.pool.fetch(query)]
        assert kept
        assert not any("ana@" in text or "players.example" in text for text in kept)


async def test_a_code_works_once_and_only_the_latest(store, client, mailbox, post_office):
    await put(client)
    await post_office.run_once(store)
    await put(client, address="ana2@players.example")
    await post_office.run_once(store)
    old, new = code_in(mailbox, 0), code_in(mailbox, 1)
    assert (await prove(client, old)).json()["code"] == "code-expired"
    assert (await prove(client, new)).status_code == 201
    again = await prove(client, new)
    assert (again.status_code, again.json()["code"]) == (409, "code-used")


async def test_a_code_is_out_of_date_after_two_days(store, client, mailbox, post_office):
    await put(client)
    await post_office.run_once(store)
    async with store.connection() as conn:
        await clock.shift(conn, 48 * 3600)
    answer = await prove(client, code_in(mailbox))
    assert (answer.status_code, answer.json()["code"]) == (409, "code-expired")


@pytest.mark.parametrize(
    "code", ["", " ", "x", "A" * 43, "ñ" * 43, "A" * 201, "=" * 43, "../x", "A" * 42 + "\n"]
)
async def test_no_other_code_proves_anything(client, code: str):
    answer = await prove(client, code)
    assert answer.status_code == 422, answer.text


async def test_a_code_for_another_address_or_person_is_worth_nothing(store, client, mailbox, post_office):
    """Whoever can read the database but not the key cannot make codes."""
    await put(client)
    await post_office.run_once(store)
    code = code_in(mailbox)
    await store.pool.execute("UPDATE confirmation SET address = 'eve@evil.example'")
    assert (await prove(client, code)).json()["code"] == "code-invalid"


async def test_the_address_stays_in_use_until_the_new_one_is_proved(
    store, client, mailbox, post_office, reader, write
):
    person = await reader("old@players.example")
    await put(client, person=person, address="new@players.example")
    await write(person)
    await post_office.run_once(store)
    assert {address for address, _ in mailbox.accepted} == {"old@players.example", "new@players.example"}
    kinds = {address: message["Subject"] for address, message in mailbox.accepted}
    assert "Confirma" in kinds["new@players.example"]


async def test_changing_the_language_needs_no_new_proof(store, client, mailbox, post_office, reader, write):
    person = await reader()
    answer = await put(client, person=person, language="en", zone="America/Bogota")
    assert answer.json() == {"confirmation": "not-needed"}
    await write(person)
    await post_office.run_once(store)
    ((_, message),) = mailbox.accepted
    assert message["Subject"].startswith("Solaris 7 · Fire of turn 3")


async def test_a_bounce_is_the_owners_news_and_the_address_can_be_proved_anew(
    store, client, mailbox, post_office, reader, write
):
    mailbox.faults = ["rcpt-5xx"]
    person = await reader()
    await write(person)
    await post_office.run_once(store)
    seen = (await client.get("/v1/me/contact", headers=header(person))).json()
    assert seen["bounce"]["address"] == ADDRESS
    assert seen["bounce"]["reason"].startswith("550")
    answer = await put(client, person=person)
    assert answer.json() == {"confirmation": "sent"}
    await post_office.run_once(store)
    await prove(client, code_in(mailbox))
    assert (await client.get("/v1/me/contact", headers=header(person))).json()["bounce"] is None


async def test_a_change_needs_the_etag_of_what_is_there(client, reader):
    person = await reader()
    for match, status in ({}, 428), ({"If-Match": '"old"'}, 412):
        answer = await client.put("/v1/me/contact", json=contact(), headers=header(person, **match))
        assert answer.status_code == status, answer.text


async def test_strangers_are_not_flooded_with_codes(client):
    statuses = [(await put(client, address=f"x{number}@players.example")).status_code for number in range(7)]
    assert statuses == [200] * 5 + [409] * 2


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"address": "bob@x.example,eve@y.example"}, "/address"),
        ({"address": "bob@x.example\r\nBcc: eve@y.example"}, "/address"),
        ({"address": 7}, "/address"),
        ({"language": "fr"}, "/language"),
        ({"zone": "Mars/Base"}, "/zone"),
        ({"zone": "../../etc/passwd"}, "/zone"),
        ({"channels": ["pigeon"]}, "/channels/0"),
        ({"channels": ["mail", "mail"]}, "/channels"),
        ({"role": "commission"}, "/role"),
    ],
)
async def test_what_cannot_be_a_contact_is_refused_with_a_pointer(client, changes: dict, pointer: str):
    answer = await put(client, **changes)
    assert answer.status_code == 422, answer.text
    assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


async def test_a_person_reads_his_own_letters(store, client, mailbox, post_office, reader, write):
    person, other = await reader(), await reader("bea@players.example")
    for rival in ("Uno", "Dos", "Tres"):
        await write(person, rival=rival)
    await write(other)
    await put(client, person="carla")
    await post_office.run_once(store)
    first = (await client.get("/v1/me/letters?limit=2", headers=header(person))).json()
    rest = (await client.get(f"/v1/me/letters?limit=2&cursor={first['next']}", headers=header(person))).json()
    found = first["items"] + rest["items"]
    assert [one["subject"].split(":")[0] for one in found] == [
        f"Solaris 7 · Fuego del turno 3 y movimiento del 4 contra {rival}" for rival in ("Tres", "Dos", "Uno")
    ]
    assert found[0]["text"].startswith("Hola, Halcón:")
    assert (found[0]["state"], found[0]["attempts"], rest["next"]) == ("sent", 1, None)
    (own,) = (await client.get("/v1/me/letters", headers=header("carla"))).json()["items"]
    assert (own["kind"], own["text"]) == ("confirmation", None)
    assert (await client.get("/v1/me/letters")).status_code == 401


async def test_the_commission_watches_deliveries_without_addresses_or_words(
    store, client, mailbox, post_office, reader, write
):
    mailbox.faults = ["rcpt-5xx"]
    person = await reader()
    await write(person)
    await post_office.run_once(store)
    await write(person)
    answer = await client.get("/v1/deliveries", headers=header("boss", "commission"))
    waiting, refused = answer.json()["items"]
    assert (waiting["state"], waiting["attempts"]) == ("queued", [])
    (attempt,) = refused["attempts"]
    assert (refused["state"], attempt["outcome"], attempt["code"]) == ("refused", "refused", 550)
    assert "ana@" not in answer.text
    assert "Halcón" not in answer.text
    only = await client.get("/v1/deliveries?state=refused", headers=header("boss", "operator"))
    assert [one["letter_id"] for one in only.json()["items"]] == [refused["letter_id"]]
    assert (await client.get("/v1/deliveries", headers=header(person))).status_code == 403
    assert (await client.get("/v1/deliveries")).status_code == 401


OWN = {role: "own" for role in ("player", "referee", "commission", "operator")}
REACHES = {
    "contact.read": OWN,
    "contact.write": OWN,
    "contact.confirm": {"public": "any"},
    "letters.read": OWN,
    "deliveries.read": {"commission": "any", "operator": "any"},
}


def test_the_table_of_rights():
    """role x action x own/other: what is not listed is refused."""
    rows = {(name, role): reach for name, role, reach in POLICY.rows()}
    assert rows == {(name, role): reach for name, roles in REACHES.items() for role, reach in roles.items()}
    for name, roles in REACHES.items():
        for role in ("public", "player", "referee", "commission", "operator"):
            person = None if role == "public" else "me"
            principal = Principal(person, frozenset({role, "public"}), frozenset({"*"}))
            reach = roles.get("public") or roles.get(role)
            assert POLICY.allows(principal, name, "me") is (reach in ("any", "own"))
            assert POLICY.allows(principal, name, "other") is (reach == "any")


def test_mail_does_not_start_without_a_data_key():
    with pytest.raises(ValueError, match="SOLARIS_DATA_KEY"):
        build_api(MailSettings(cursor_key="k" * 32))


async def test_ones_own_feed_tells_of_letters_and_bounces(client: httpx.AsyncClient, store: Store, database):
    await put(client)
    [row] = await store.pool.fetch("SELECT letter_id, message_id FROM letter")
    async with store.atomic() as conn:
        now = await clock.now(conn)
        [one] = await claim(conn, now, timedelta(minutes=2), 4)
        await settle(conn, one, Outcome("refused", 550, "no such user"), RetrySchedule(), now)
    page = (await client.get("/v1/me/events", headers=header("ana"))).json()
    written, bounced = page["items"]
    assert (written["number"], written["event"]["type"]) == (1, "letter-written")
    data = written["event"]["data"]
    assert data.pop("deadline").endswith("Z")
    assert data == {"letter_id": str(row["letter_id"]), "letter": "confirmation", "fight_id": None}
    assert (bounced["number"], bounced["event"]["type"]) == (2, "letter-bounced")
    assert bounced["event"]["data"]["reason"] == "550 no such user"
    assert (await client.get("/v1/me/events", headers=header("bea"))).json()["items"] == []
    assert (await client.get("/v1/me/events")).status_code == 401
