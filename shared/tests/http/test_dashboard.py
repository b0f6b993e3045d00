"""The operators' pages: who gets in, what he sees, what he does and what is kept of it."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import asyncpg
import httpx
import pytest

from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.app import create_app
from solaris_shared.log.event_log import Meta
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.ops.overview import look
from solaris_shared.processing.projection import Projection
from solaris_shared.processing.projector import Projector
from solaris_shared.testing.counters import LOG, TOTALS, Counted, Noted

HERE = {"Origin": "https://test", "Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
async def app(settings):
    application = create_app(ServiceDefinition("test", LOG, projections=(TOTALS,)), settings)
    async with application.router.lifespan_context(application):
        yield application


@pytest.fixture
async def client(app):
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="https://test") as one:
        yield one


@pytest.fixture
def store(app):
    return app.state.context.store


@pytest.fixture
async def projector(app, store):
    one = Projector(store, app.state.context.engine, TOTALS)
    await one.prepare()
    return one


@pytest.fixture
def operator(token):
    return token("olga", ("operator",))["Authorization"].removeprefix("Bearer ")


@pytest.fixture
async def inside(client, operator):
    """A browser that has logged in."""
    got = await client.post("/ops/login", data={"token": operator}, headers=HERE)
    assert (got.status_code, got.headers["location"]) == (303, "/ops")
    return client


async def add(store, *events):
    async with store.transaction(Meta(uuid4(), "c", "c", "p")) as tx:
        await tx.append(f"counter-{uuid4()}", 0, *events)
    await sequence_all(store)


async def halt(store, name="totals", error="ValueError: no such counter"):
    change = "UPDATE projection SET state = 'failed', attempts = 5, error = $2 WHERE name = $1"
    await store.pool.execute(change, name, error)


def form_token(page):
    return re.search(r'name="form_token" value="([0-9a-f]{64})"', page.text)[1]


async def act(client, **fields):
    page = await client.get("/ops/act", params={k: v for k, v in fields.items() if k != "reason"})
    return await client.post("/ops/act", data={"form_token": form_token(page), **fields}, headers=HERE)


async def test_only_an_operators_session_gets_in(client, token, operator):
    for path in ("/ops", "/ops/act?action=retry&kind=reactor&name=x"):
        got = await client.get(path)
        assert (got.status_code, got.headers["location"]) == (303, "/ops/login")
    refused = {
        "nonsense": 401,
        token("ana")["Authorization"][7:]: 403,
        token("rita", ("referee", "commission"))["Authorization"][7:]: 403,
        token("olga", ("operator",), kind="personal", scopes=("commission",))["Authorization"][7:]: 403,
        token("olga", ("operator",), seconds=-1)["Authorization"][7:]: 401,
    }
    for text, status in refused.items():
        got = await client.post("/ops/login", data={"token": text}, headers=HERE)
        assert (got.status_code, "set-cookie" in got.headers) == (status, False)
    got = await client.post("/ops/login", data={"token": operator}, headers=HERE)
    cookie = got.headers["set-cookie"]
    assert cookie.startswith("__Host-solaris-test-ops=") and operator not in cookie
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert (await client.get("/ops")).status_code == 200


async def test_a_forged_cookie_or_a_bearer_token_is_nothing_here(client, operator):
    for value in ("", "x", "AAAA" * 40):
        got = await client.get("/ops", headers={"Cookie": f"__Host-solaris-test-ops={value}"})
        assert got.status_code == 303
    got = await client.post("/ops/act", headers={**HERE, "Authorization": f"Bearer {operator}"})
    assert (got.status_code, got.json()["code"]) == (401, "login-required")


async def test_a_form_with_more_fields_than_ours_is_refused_and_no_bug(client, operator):
    fields = {f"f{n}": "x" for n in range(40)} | {"token": operator}
    assert (await client.post("/ops/login", data=fields, headers=HERE)).status_code == 403


async def test_pages_allow_no_script_and_no_frame_and_are_not_kept(inside):
    for path in ("/ops", "/ops/login", "/ops/act?action=skip&kind=reactor&name=x"):
        page = await inside.get(path)
        policy = page.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; form-action 'self'")
        assert "frame-ancestors 'none'" in policy and page.headers["cache-control"] == "no-store"
        assert "<script" not in page.text and "style=" not in page.text and "http:" not in page.text
    style = await inside.get("/ops/style.css")
    assert style.headers["content-type"].startswith("text/css") and "url(" not in style.text


async def test_a_form_from_elsewhere_does_nothing(inside, store, projector):
    await halt(store)
    page = await inside.get("/ops")
    good = {"action": "retry", "kind": "projection", "name": "totals", "key": "1", "reason": "r"}
    signed = good | {"form_token": form_token(page)}
    attempts = [
        (good, HERE),
        (good | {"form_token": "0" * 64}, HERE),
        (signed, HERE | {"Origin": "https://evil"}),
        (signed, HERE | {"Sec-Fetch-Site": "cross-site"}),
        (signed, {name: text for name, text in HERE.items() if name != "Origin"}),
        (signed, HERE | {"Origin": "null"}),
    ]
    for fields, headers in attempts:
        got = await inside.post("/ops/act", data=fields, headers=headers)
        assert (got.status_code, got.json()["code"]) == (403, "not-from-here")
    assert await store.pool.fetchval("SELECT count(*) FROM operator_action") == 0
    assert (await inside.post("/ops/act", json=signed)).status_code == 415


async def test_what_stands_still_is_seen_at_a_glance(inside, store, projector):
    await add(store, Counted(1))
    await halt(store)
    page = (await inside.get("/ops")).text
    assert "projection totals stands still (failed)" in page and "no worker reports" in page
    assert "ValueError: no such counter" in page and "5 attempts" in page
    assert re.search(r"action=retry&amp;kind=projection&amp;name=totals&amp;key=1", page)
    assert "solaris.test.counted.v1" in page


async def test_retry_skip_and_rebuild_are_events_with_who_and_why(inside, store, projector):
    await add(store, Counted(1), Counted(2))
    where = {"kind": "projection", "name": "totals", "key": "1"}
    for action in ("retry", "skip"):
        await halt(store)
        got = await act(inside, action=action, reason=f"  because\n of {action} ", **where)
        assert (got.status_code, got.headers["location"]) == (303, f"/ops?done={action}#actions")
    assert await store.pool.fetchval("SELECT checkpoint FROM projection") == 1
    got = await act(inside, action="rebuild", reason="numbers look wrong", **where)
    assert got.status_code == 303
    await sequence_all(store)
    while await projector.step():
        pass
    generations = await store.pool.fetch("SELECT generation, stage FROM projection ORDER BY generation")
    assert [tuple(row) for row in generations] == [(1, "retired"), (2, "live")]
    async with store.connection() as conn:
        events = [stored.event for stored in await store.log.read(conn, 2)]
    assert [(e.kind, e.name, e.action, e.position, e.operator, e.reason) for e in events] == [
        ("projection", "totals 1", "retry", 1, "person:olga", "because of retry"),
        ("projection", "totals 1", "skip", 1, "person:olga", "because of skip"),
        ("projection", "totals", "rebuild", None, "person:olga", "numbers look wrong"),
    ]
    assert await store.pool.fetchval("SELECT count(*) FROM outbox") == 2
    page = (await inside.get("/ops")).text
    assert "numbers look wrong" in page and "person:olga" in page


async def test_a_rebuild_is_recorded_with_its_beginning_or_not_at_all(inside, store, projector, monkeypatch):
    wanted = {"action": "rebuild", "kind": "projection", "name": "totals", "reason": "repaired"}
    count = "SELECT count(*) FROM operator_action WHERE action = 'rebuild'"
    events = "SELECT count(*) FROM event WHERE type = 'operator-acted'"
    monkeypatch.setattr(Projection, "schema", lambda self, generation: 'broken"')
    assert (await act(inside, **wanted)).status_code >= 500
    monkeypatch.undo()
    assert await store.pool.fetchval(count) == await store.pool.fetchval(events) == 0
    assert (await act(inside, **wanted)).status_code == 303
    again = await act(inside, **wanted)
    assert again.status_code == 409 and "being built already" in again.text
    assert await store.pool.fetchval(count) == await store.pool.fetchval(events) == 1


async def test_an_action_needs_a_reason_and_something_to_act_on(inside, store, projector):
    where = {"kind": "projection", "name": "totals", "key": "1"}
    got = await act(inside, action="retry", reason="r", **where)
    assert got.status_code == 409 and "is running" in got.text
    await halt(store)
    for reason in ("", " \n "):
        got = await act(inside, action="retry", reason=reason, **where)
        assert got.status_code == 400 and "Say why" in got.text
    got = await act(inside, action="retry", reason="r", kind="projection", name="nothing", key="1")
    assert got.status_code == 404
    got = await act(inside, action="rebuild", reason="r", kind="projection", name="nothing", key="")
    assert got.status_code == 404
    got = await act(inside, action="skip", reason="r", kind="messaging", name="relay", key="")
    assert got.status_code == 409
    got = await act(inside, action="retry", reason="r", kind="projection", name="totals", key="x")
    assert got.status_code == 422
    assert (await inside.get("/ops/act?action=drop&kind=projection&name=totals")).status_code == 404
    assert await store.pool.fetchval("SELECT count(*) FROM operator_action") == 0


async def test_the_page_comes_anew_only_for_whom_asks(inside):
    """A page that reloads under a reader is a barrier (WCAG 2.2.1); somebody on call may want it."""
    assert "http-equiv" not in (await inside.get("/ops")).text
    assert '<meta http-equiv="refresh" content="10">' in (await inside.get("/ops?live=yes")).text


async def test_text_from_elsewhere_is_only_text(inside, store, projector):
    await add(store, Counted(1))
    await halt(store, error="<script>alert(1)</script>")
    page = (await inside.get("/ops")).text
    assert "<script>" not in page and "&lt;script&gt;" in page
    page = await inside.get("/ops/act", params={"action": "retry", "kind": '"><b>', "name": "<i>"})
    assert "<b>" not in page.text and "<i>" not in page.text


async def test_private_events_move_nothing_here(inside, store, projector):
    """Two looks that differ only in private events are equal; a handler that stands at one tells no more."""
    await add(store, Counted(1))
    while await projector.step():
        pass
    await add(store, Noted("one"))
    await halt(store, error="KeyError: 'side B'")
    before = await look(store)
    await add(store, Noted("sealed"), Noted("sealed again"))
    after = await look(store)
    assert [h.behind for h in after.handlers] == [0]
    assert after.handlers == before.handlers and after.troubles == before.troubles
    assert after.handlers[0].error == "KeyError at a private event (the worker's log has more)"
    assert (after.publication, list(after.events)) == (before.publication, list(before.events))
    page = (await inside.get("/ops")).text
    assert "side B" not in page
    await add(store, Counted(2), Counted(3))
    assert [h.behind for h in (await look(store)).handlers] == [2]


async def test_a_worker_that_reports_is_shown_and_one_that_fell_silent_is_missed(inside, store, projector):
    await store.pool.execute(
        "INSERT INTO worker_status VALUES ('host:1', now(), now(), '{\"relay\": 7}', '{\"timers\": 3}')"
    )
    await store.pool.execute("INSERT INTO messaging (name) VALUES ('relay')")
    seen = await look(store)
    assert [h.behind for h in seen.handlers if h.name == "relay"] == [7]
    assert seen.troubles == ["loop timers fails (3 in a row)"]
    await store.pool.execute("UPDATE worker_status SET seen_at = now() - interval '1 minute', failing = '{}'")
    assert (await look(store)).troubles == ["no worker reports"]
    await store.pool.execute("UPDATE worker_status SET seen_at = now()")
    assert "All is well." in (await inside.get("/ops")).text


async def test_timers_that_failed_or_are_overdue_are_shown(inside, store, projector):
    row = """INSERT INTO timer (kind, key, due_at, data, next_at, state, error)
        VALUES ($1, 'k', $2, '{}', $2, $3, $4)"""
    await store.pool.execute(row, "deadline", datetime(2020, 1, 1, tzinfo=UTC), "waiting", None)
    await store.pool.execute(row, "reminder", datetime(2020, 1, 1, tzinfo=UTC), "failed", "ValueError: x")
    seen = await look(store)
    assert seen.failed_timers == 1 and seen.overdue > 10**6
    page = (await inside.get("/ops")).text
    assert "1 timer(s) failed" in page and "overdue" in page
    got = await act(inside, action="skip", kind="timer", name="reminder", key="k", reason="no use any more")
    assert got.status_code == 303
    assert await store.pool.fetchval("SELECT state FROM timer WHERE kind = 'reminder'") == "void"


async def test_logging_out_takes_the_cookie_away(inside):
    page = await inside.get("/ops")
    got = await inside.post("/ops/logout", data={"form_token": form_token(page)}, headers=HERE)
    assert got.headers["location"] == "/ops/login" and "Max-Age=0" in got.headers["set-cookie"]
    assert (await inside.get("/ops")).status_code == 303


async def test_what_is_kept_of_an_action_cannot_be_changed(store, projector, inside):
    await halt(store)
    await act(inside, action="retry", kind="projection", name="totals", key="1", reason="r")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await store.pool.execute("DELETE FROM event WHERE type = 'operator-acted'")
