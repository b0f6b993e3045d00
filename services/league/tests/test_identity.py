"""Persons over the API: registering, logging in, tokens, roles; and those who try to get in otherwise."""

import asyncio
import json
import time
from uuid import uuid4

import pytest

from solaris_league import bootstrap
from solaris_league.application.renewal import Renewals, Ticket
from solaris_shared.errors import Unauthenticated
from solaris_shared.http.tokens import make_key, public_jwks, sign

PASSWORD = "correct horse battery"


def code(answer, status):
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json"), (
        answer.text
    )
    return answer.json()["code"]


async def register(anybody, handle, password=PASSWORD, **headers):
    return await anybody.post("/v1/persons", {"handle": handle, "password": password}, **headers)


async def test_a_person_registers_logs_in_and_sees_himself(worker, person):
    ana = await person("Íñigo O'Núñez | 'El Rápido' 🤖")
    me = (await ana.get("/v1/me")).json()
    assert me["handle"] == "Íñigo O'Núñez | 'El Rápido' 🤖"
    assert (me["roles"], me["mechwarrior_id"], me["person_id"]) == (["player"], None, ana.person_id)


@pytest.mark.parametrize(
    "other", ["INIGO NUNEZ", "íñigo  núñez", "Ｉｎｉｇｏ Ｎｕｎｅｚ", "in\u0303igo nun\u0303ez "]
)
async def test_handles_are_one_under_case_accents_and_width(anybody, other):
    assert (await register(anybody, "Íñigo Núñez")).status_code == 201
    assert code(await register(anybody, other), 409) == "handle-taken"


async def test_many_registrations_of_one_handle_at_once_make_one_person(anybody, store):
    answers = []

    async def one(n):
        answers.append(await register(anybody, "ANA" if n % 2 else "ana"))

    for _ in range(3):
        await asyncio.gather(*(one(n) for n in range(8)))
    statuses = [answer.status_code for answer in answers]
    assert statuses.count(201) == 1 and set(statuses) <= {201, 409, 429}
    assert await store.pool.fetchval("SELECT count(*) FROM account") == 1
    assert await store.pool.fetchval("SELECT count(*) FROM event WHERE type = 'person-registered'") == 1


async def test_the_same_key_at_once_registers_once_and_answers_the_same(anybody):
    """In flight: 409, and later the stored answer; never the refusal of its own handle as taken."""
    answers = await asyncio.gather(*(register(anybody, "ana", Idempotency_Key="k") for _ in range(6)))
    again = await register(anybody, "ana", Idempotency_Key="k")
    for one in answers:
        if one.status_code == 409:
            assert (one.json()["code"], one.headers["retry-after"]) == ("idempotency-key-in-flight", "1")
        else:
            assert (one.status_code, one.text) == (201, again.text)
    assert again.headers["idempotency-replayed"] == "true"
    assert code(await register(anybody, "bea", Idempotency_Key="k"), 422) == "idempotency-key-reused"


@pytest.mark.parametrize(
    ("handle", "password"),
    [("a", PASSWORD), ("", PASSWORD), ("x" * 61, PASSWORD), ("a\u202eb", PASSWORD), ("a\x07b", PASSWORD),
     ("\u0301\u0301", PASSWORD), ("ana", "short"), ("ana", "x" * 129), ("ana\x00", PASSWORD), (7, PASSWORD)],
)  # fmt: skip
async def test_what_is_no_handle_or_no_password(anybody, handle, password):
    assert code(await register(anybody, handle, password), 422) == "invalid"


async def test_more_fields_change_no_role(anybody):
    body = {"handle": "ana", "password": PASSWORD, "roles": ["commission"]}
    assert (await anybody.post("/v1/persons", body)).json()["errors"][0]["code"] == "unknown-field"


async def test_a_wrong_password_and_an_unknown_handle_answer_alike(anybody, person):
    await person("ana")
    wrong = await anybody.post("/v1/sessions", {"handle": "ana", "password": "x" * 12})
    unknown = await anybody.post("/v1/sessions", {"handle": "nobody", "password": "x" * 12})
    assert code(wrong, 401) == code(unknown, 401) == "login-failed"
    assert wrong.json()["detail"] == unknown.json()["detail"]


async def test_nothing_of_a_password_is_stored_but_its_argon2id_hash(person, store):
    await person("ana")
    hashed = await store.pool.fetchval("SELECT password_hash FROM account")
    assert hashed.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    rows = await store.pool.fetch("SELECT data::text || meta::text AS text FROM event")
    results = await store.pool.fetch("SELECT body::text AS text FROM command_result")
    everything = " ".join(row["text"] for row in [*rows, *results])
    assert PASSWORD not in everything and hashed not in everything
    assert "ana" not in " ".join(row["text"] for row in rows)


async def test_one_account_is_guessed_at_no_more_than_so_often(anybody, app):
    answers = [
        await anybody.post("/v1/sessions", {"handle": name, "password": "x" * 12})
        for name in ["ana", "ANA"] * 11
    ]
    assert code(answers[-1], 429) == "rate-limited"
    assert (await anybody.post("/v1/sessions", {"handle": "bea", "password": "x" * 12})).status_code == 401


async def test_a_new_password_needs_the_old_one(person, anybody, log_in):
    ana = await person("ana")
    body = {"old_password": "x" * 12, "new_password": "another horse battery"}
    assert code(await ana.call("PUT", "/v1/me/password", body), 403) == "password-wrong"
    answer = await ana.call("PUT", "/v1/me/password", {**body, "old_password": PASSWORD})
    assert answer.status_code == 200
    assert await log_in("ana", "another horse battery")
    old = await anybody.post("/v1/sessions", {"handle": "ana", "password": PASSWORD})
    assert old.status_code == 401


# --- renewing a session


async def opened(anybody, handle="ana", password=PASSWORD):
    return (await anybody.post("/v1/sessions", {"handle": handle, "password": password})).json()


async def renewed(anybody, ticket):
    return await anybody.post("/v1/sessions/renewals", {"renewal": ticket})


async def test_a_session_goes_on_without_the_password(worker, person, anybody, as_player):
    ana = await person("ana")
    first = await opened(anybody)
    answer = await renewed(anybody, first["renewal"])
    assert answer.status_code == 201 and answer.headers["cache-control"] == "no-store"
    assert answer.json()["person_id"] == ana.person_id
    assert (await as_player(answer.json()["token"]).get("/v1/me")).json()["handle"] == "ana"
    assert (await renewed(anybody, answer.json()["renewal"])).status_code == 201


async def test_a_renewal_ticket_is_no_token_and_a_token_is_no_ticket(person, anybody, as_player):
    await person("ana")
    first = await opened(anybody)
    assert code(await as_player(first["renewal"]).get("/v1/me"), 401) == "token-invalid"
    assert code(await renewed(anybody, first["token"]), 401) == "session-over"
    for forged in ("", "x.y.z", first["renewal"][:-4] + "AAAA", "é" * 10):
        assert code(await renewed(anybody, forged), 401) == "session-over"


async def test_a_new_password_ends_the_sessions_of_the_old_one(person, anybody):
    ana = await person("ana")
    ticket = (await opened(anybody))["renewal"]
    body = {"old_password": PASSWORD, "new_password": "another horse battery"}
    await ana.call("PUT", "/v1/me/password", body)
    assert code(await renewed(anybody, ticket), 401) == "session-over"


@pytest.mark.parametrize(
    ("idle", "age", "lives"), [(0, 0, True), (12 * 3600, 0, False), (0, 14 * 86400, False)]
)
def test_a_session_ends_idle_or_old(idle, age, lives):
    renewals, now = Renewals(make_key()), int(time.time())
    text = renewals.issue(Ticket("p", now - age, "m"), now - idle)
    if lives:
        assert renewals.read(text) == Ticket("p", now, "m")
    else:
        with pytest.raises(Unauthenticated):
            renewals.read(text)


# --- personal tokens


async def issue(who, scopes=("fights:read",), days=90):
    return await who.post("/v1/tokens", {"name": "mi robot", "scopes": list(scopes), "days": days})


async def test_a_personal_token_works_until_it_is_revoked(worker, person, client, as_player, eventually):
    ana = await person("ana")
    issued = (await issue(ana)).json()
    robot = as_player(issued["token"])
    assert issued["token"].startswith("s7p_")
    assert (await robot.get("/v1/me")).json()["scopes"] == ["fights:read"]
    assert [one["name"] for one in (await ana.get("/v1/tokens")).json()["items"]] == ["mi robot"]
    revoked = await ana.call("DELETE", f"/v1/tokens/{issued['token_id']}")
    assert revoked.json() == {"token_id": issued["token_id"], "revoked": True}
    refused = await eventually(lambda: robot.get("/v1/me"), lambda answer: answer.status_code == 401)
    assert refused.json()["code"] == "token-revoked"
    assert (await ana.get("/v1/tokens")).json()["items"] == []


async def test_the_revocation_is_public_and_says_nothing_but_the_id(person, store):
    ana = await person("ana")
    issued = (await issue(ana)).json()
    await ana.call("DELETE", f"/v1/tokens/{issued['token_id']}")
    rows = await store.pool.fetch("SELECT envelope FROM pending WHERE envelope IS NOT NULL ORDER BY ordinal")
    facts = [json.loads(row["envelope"]) for row in rows]
    assert [(fact["type"], fact["data"]) for fact in facts] == [
        ("solaris.league.token-revoked.v1", {"token_id": issued["token_id"]})
    ]


async def test_a_token_is_shown_again_only_to_the_same_key_and_is_never_stored(person, store):
    ana = await person("ana")
    body = {"name": "robot", "scopes": ["orders:write"]}
    first = await ana.post("/v1/tokens", body, Idempotency_Key="k")
    again = await ana.post("/v1/tokens", body, Idempotency_Key="k")
    assert first.json() == again.json()
    stored = await store.pool.fetchval("SELECT string_agg(body::text, ' ') FROM command_result")
    assert first.json()["token"].split(".")[2] not in stored


async def test_a_token_does_only_what_its_scopes_say(worker, person, client, as_player, commission):
    ana = await person("ana")
    robot = as_player((await issue(ana, ["orders:write"])).json()["token"])
    assert code(await robot.get("/v1/me"), 403) == "not-allowed"
    assert code(await issue(robot), 403) == "not-allowed"
    assert code(await issue(ana, ["commission"]), 409) == "scope-without-role"
    assert code(await issue(ana, ["admin"]), 422) == "invalid"
    assert (await issue(commission, ["commission"])).status_code == 201


async def test_tokens_of_others_are_unknown(person):
    ana, bea = await person("ana"), await person("bea")
    issued = (await issue(ana)).json()
    foreign = await bea.call("DELETE", f"/v1/tokens/{issued['token_id']}")
    unknown = await bea.call("DELETE", f"/v1/tokens/{uuid4()}")
    assert code(foreign, 404) == code(unknown, 404) == "not-found"
    assert {**foreign.json(), "instance": ""} == {**unknown.json(), "instance": ""}


# --- roles and keys


async def test_the_commission_gives_and_takes_roles_and_tokens_go_with_them(
    worker, person, commission, client, as_player, log_in, eventually
):
    ana = await person("ana")
    path = f"/v1/persons/{ana.person_id}/roles"
    assert (await commission.call("PUT", path, {"roles": ["player", "commission"]})).status_code == 200
    ana = await log_in("ana")
    robot = as_player((await issue(ana, ["commission", "fights:read"])).json()["token"])
    assert (await robot.get("/v1/me")).json()["roles"] == ["commission", "player"]
    assert (await commission.call("PUT", path, {"roles": ["player"]})).status_code == 200
    await eventually(lambda: robot.get("/v1/me"), lambda answer: answer.status_code == 401)
    unknown = await commission.call("PUT", f"/v1/persons/{uuid4()}/roles", {"roles": ["player"]})
    assert code(unknown, 404) == "not-found"


async def test_the_first_account_is_made_once(settings, definition, commission, log_in):
    again = await bootstrap.first_account(settings.database_url, definition.log, "COMISIÓN", "x" * 12)
    assert again["existed"] is True
    assert await log_in("comisión")


def test_key_files_are_made_once_and_the_signing_key_is_for_its_owner_only(tmp_path):
    signing, jwks = tmp_path / "k" / "signing.json", tmp_path / "jwks.json"
    bootstrap.make_keys(signing, jwks)
    first = signing.read_text()
    bootstrap.make_keys(signing, jwks)
    assert signing.read_text() == first and signing.stat().st_mode & 0o777 == 0o600
    assert json.loads(jwks.read_text()) == public_jwks(json.loads(first))


async def test_the_published_keys_verify_and_forged_tokens_do_not_pass(
    worker, person, client, as_player, app
):
    ana = await person("ana")
    keys = (await client.get("/.well-known/jwks.json")).json()["keys"]
    assert len(keys) == 1 and "d" not in keys[0]
    claims = app.state.context.verifier.verify(ana.token)
    forged = as_player(sign({**make_key(), "kid": keys[0]["kid"]}, claims))
    assert code(await forged.get("/v1/me"), 401) == "token-invalid"
