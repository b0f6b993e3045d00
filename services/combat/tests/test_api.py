"""Combat over HTTP: pages, options, orders, records; what each caller may see; what bad input gets."""

import json
import time
from uuid import uuid4

import httpx
import pytest
from hall import answer, initial, throw

from solaris_combat.domain.verify import verify
from solaris_shared.http.app import create_app
from solaris_shared.http.tokens import Claims, sign


@pytest.fixture
async def client(service, settings):
    app = create_app(service, settings)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as one:
            yield one


@pytest.fixture
def bearer(signing_key):
    def make(person, roles=("player",), kind="session", scopes=("*",)):
        now = int(time.time())
        claims = Claims(person, frozenset(roles), frozenset(scopes), f"t-{person}", kind, now, now + 900)
        return {"Authorization": f"Bearer {sign(signing_key, claims)}"}

    return make


@pytest.fixture
def ana(bearer):
    return bearer("ana")


@pytest.fixture
def ben(bearer):
    return bearer("ben")


def keyed(headers, key=None):
    return {**headers, "Idempotency-Key": key or str(uuid4())}


def url(hall, *parts):
    return "/".join(("/v1/fights", hall.fight_id, *parts))


async def put(client, hall, who, orders, **headers):
    return await client.put(url(hall, "orders"), json=orders, headers={**keyed(who), **headers})


async def play_on(client, hall, ana, ben):
    while (page := (await client.get(url(hall))).json())["request"]:
        turn = page["request"]["turn"]
        for who in (ana, ben):
            await put(client, hall, who, throw(turn, 2) if turn else initial())
        await hall.settle()
        for who in (ana, ben):
            if (await client.get(url(hall), headers=who)).json()["you"]["question"]:
                assert (await put(client, hall, who, answer(turn))).status_code == 200
        await hall.settle()


async def test_a_fight_over_http(client, hall, ana, ben):
    await hall.schedule()
    page = (await client.get(url(hall), headers=ana)).json()
    assert page["state"] == "open" and page["request"]["kind"] == "initial"
    assert page["you"] == {
        "side": "A",
        "asked": {"turn": 0, "kind": "initial"},
        "sealed": None,
        "question": None,
    }
    await play_on(client, hall, ana, ben)
    page = (await client.get(url(hall))).json()
    assert page["state"] == "concluded" and page["you"] is None
    record = await client.get(url(hall, "record"))
    assert record.status_code == 200 and verify(record.content, hall.registry)
    assert page["result"]["record_digest"] == json.loads(record.content.splitlines()[-1])["sha256"]
    assert record.headers["etag"] == f'"{page["result"]["record_digest"]}"'


async def test_the_record_waits_for_the_end(client, hall):
    await hall.schedule()
    early = await client.get(url(hall, "record"))
    assert (early.status_code, early.json()["code"]) == (409, "fight-not-over")


async def test_receipt_own_orders_and_replacing_them(client, hall, ana):
    await hall.schedule()
    assert (await client.get(url(hall, "orders/mine"), headers=ana)).status_code == 404
    first = await put(client, hall, ana, initial())
    assert first.status_code == 200 and set(first.json()) == {
        "receipt",
        "commitment",
        "request",
        "sealed_at",
    }
    mine = await client.get(url(hall, "orders/mine"), headers=ana)
    assert mine.json()["orders"] == initial()
    assert mine.headers["etag"] == f'"{first.json()["commitment"]}"'
    second = await put(client, hall, ana, initial("1" * 64), **{"If-Match": mine.headers["etag"]})
    assert second.status_code == 200
    stale = await put(client, hall, ana, initial("2" * 64), **{"If-Match": mine.headers["etag"]})
    assert (stale.status_code, stale.json()["code"]) == (412, "orders-changed")
    page = (await client.get(url(hall), headers=ana)).json()
    assert page["you"]["sealed"]["commitment"] == second.json()["commitment"]


async def test_a_view_and_its_etag_never_change_because_the_rival_sealed(client, hall, ana, ben):
    """SEC1 on one service: A's bytes, ETag and headers, and a spectator's, before and after B sealed."""
    await hall.schedule()
    paths = [url(hall), url(hall, "options"), url(hall, "events"), "/v1/fights?mine=true", "/v1/fights"]

    async def look(headers):
        answers = [await client.get(path, headers=headers) for path in paths]
        kept = ("etag", "content-length", "content-type", "link", "cache-control", "solaris-token")
        return [
            (one.status_code, one.content, [one.headers.get(name) for name in kept])
            for one in answers
            if one.status_code != 401
        ]

    before = [await look(ana), await look({})]
    assert (await put(client, hall, ben, initial())).status_code == 200
    await hall.settle()
    assert [await look(ana), await look({})] == before


async def test_lists(client, hall, ana, ben, bearer):
    await hall.schedule()
    mine = (await client.get("/v1/fights?mine=true", headers=ana)).json()["items"]
    assert [item["task"] for item in mine] == ["orders"]
    await put(client, hall, ana, initial())
    await hall.settle()
    mine = (await client.get("/v1/fights?mine=true", headers=ana)).json()["items"]
    assert [item["task"] for item in mine] == ["sealed"]
    assert (await client.get("/v1/fights?mine=true", headers=bearer("eve"))).json()["items"] == []
    assert (await client.get("/v1/fights?mine=true")).status_code == 401
    assert "task" not in (await client.get("/v1/fights")).json()["items"][0]
    assert (await client.get("/v1/fights?state=concluded")).json()["items"] == []


async def test_lists_come_in_pages(client, hall):
    ids = [hall.fight_id]
    await hall.schedule()
    for _ in range(4):
        hall.fight_id = str(uuid4())
        ids.append(hall.fight_id)
        await hall.schedule()
    seen, path = [], "/v1/fights?limit=2"
    while path:
        page = (await client.get(path)).json()
        seen += [item["fight_id"] for item in page["items"]]
        path = page["next"] and f"/v1/fights?limit=2&cursor={page['next']}"
    assert seen == ids[::-1]


async def test_events_are_the_public_ones_numbered_among_themselves(client, hall, ana, ben):
    await hall.schedule()
    await put(client, hall, ana, initial())
    await put(client, hall, ben, initial())
    await hall.settle()
    first = (await client.get(url(hall, "events") + "?limit=3")).json()
    assert [item["number"] for item in first["items"]] == [1, 2, 3]
    rest = (await client.get(url(hall, "events") + f"?cursor={first['next']}")).json()
    types = [item["type"].split(".")[2] for item in first["items"] + rest["items"]]
    assert types == [
        "fight-opened",
        "match-began",
        "all-orders-sealed",
        "orders-opened",
        "lot-drawn",
        "lot-drawn",
        "phase-resolved",
    ]


async def test_options_and_preview_are_the_sides_own(client, hall, ana, ben, bearer):
    await hall.schedule()
    await put(client, hall, ana, initial())
    await put(client, hall, ben, initial())
    await hall.settle()
    options = (await client.get(url(hall, "options"), headers=ana)).json()
    assert options == {
        "request": {"turn": 1, "kind": "throw"},
        "question": None,
        "options": {"dice": [1, 2, 3]},
    }
    legal = await client.post(url(hall, "orders/preview"), json=throw(1, 3), headers=ana)
    assert legal.json() == {
        "legal": True,
        "violations": [],
        "preview": {"breath": 6},
        "orders": {"turn": 1, "throw": {"dice": 3, "cry": ""}},
        "text": {"es": "throw 3", "en": "throw 3"},
    }
    illegal = await client.post(url(hall, "orders/preview"), json=throw(1, 9), headers=ana)
    assert illegal.json()["legal"] is False
    assert illegal.json()["violations"][0]["rule"] == "Ropes 2"
    for who, status in ((bearer("eve"), 403), ({}, 401)):
        for path in ("options", "orders/mine"):
            assert (await client.get(url(hall, path), headers=who)).status_code == status
        assert (
            await client.post(url(hall, "orders/preview"), json=throw(1, 1), headers=who)
        ).status_code == status
    assert (await hall.types()).count("orders-sealed") == 2


async def test_no_role_opens_sealed_orders(client, hall, ben, bearer):
    """SEC17: no route of any role shows B's sealed token; there is no route that could."""
    await hall.schedule()
    for who in ("ana", "ben"):
        await hall.put(who, initial())
    await hall.settle()
    await put(client, hall, ben, throw(1, 1, "CANARY"))
    await hall.settle()
    paths = ["", "/options", "/orders/mine", "/orders", "/events", "/record"]
    for role in ("player", "referee", "commission", "operator"):
        for person in ("ana", "eve"):
            for path in paths:
                got = await client.get(url(hall) + path, headers=bearer(person, (role,)))
                assert b"CANARY" not in got.content and got.status_code < 500
    assert (
        b"CANARY" not in (await client.get("/metrics")).content and (await client.get("/metrics")).is_success
    )
    assert b"CANARY" in (await client.get(url(hall, "orders/mine"), headers=ben)).content


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/mechs", 200),
        ("/v1/mechs/hemp", 200),
        ("/v1/mechs/nylon", 404),
        ("/v1/arenas", 200),
        ("/v1/arenas/quay", 200),
        ("/v1/arenas/moon", 404),
        ("/v1/rulesets/ropes/1", 200),
        ("/v1/rulesets/chess/1", 404),
        ("/v1/fights/not-a-uuid", 422),
        (f"/v1/fights/{uuid4()}", 404),
        (f"/v1/fights/{uuid4()}/events", 404),
        (f"/v1/fights/{uuid4()}/record", 404),
        ("/v1/fights?state=odd", 422),
        ("/v1/fights?limit=0", 422),
        ("/v1/fights?cursor=zzz", 400),
    ],
)
async def test_catalogue_and_unknown_things(client, hall, path, status):
    got = await client.get(path)
    assert got.status_code == status
    if status >= 400:
        assert got.headers["content-type"] == "application/problem+json"


async def test_a_ruleset_shows_how_deadlines_are_extended(client):
    """The figures of extension.toml with their mark, though no dice and no hash depend on them."""
    shown = (await client.get("/v1/rulesets/ropes/1")).json()["extension"]
    assert (shown["mark"], shown["zone"], shown["budget_seconds"]) == ("PROPOSED", "Europe/Madrid", 432_000)


BAD_BODIES = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"orders"',
    b"1e400",
    b'{"turn": 1.5}',
    b'{"turn": 0, "initial": {"nonce": "\\u0000"}}',
    b'{"turn": 0, "initial": {"nonce": "\\ud800"}}',
    b'{"turn": 0, "initial": {"nonce": "zz"}}',
    b'{"turn": 0, "\\ud800": 1}',
    b'{"turn": 99999999999999999999999}',
    b'{"turn": -1, "throw": {"dice": 1}}',
    b'{"turn": true, "throw": {"dice": 1}}',
    b'{"turn": 0, "throw": {"dice": "1"}}',
    b"\xff\xfe{}",
    b'{"turn":' * 2000 + b"1" + b"}" * 2000,
    b'{"a":' * 40 + b"1" + b"}" * 40,
]


@pytest.mark.parametrize("number", range(len(BAD_BODIES)))
async def test_bodies_that_are_wrong_get_a_precise_error(client, hall, ana, number):
    await hall.schedule()
    for path, method in (("orders", "PUT"), ("orders/preview", "POST")):
        headers = {**keyed(ana), "Content-Type": "application/json"}
        got = await client.request(method, url(hall, path), content=BAD_BODIES[number], headers=headers)
        if got.status_code == 200:  # well-formed: the preview says what is illegal about it
            assert path == "orders/preview" and got.json()["legal"] is False
            continue
        assert got.status_code in (400, 422), got.text
        assert got.headers["content-type"] == "application/problem+json" and got.json()["code"]
    assert "orders-sealed" not in await hall.types()


async def test_requests_that_are_wrong(client, hall, ana, bearer):
    await hall.schedule()
    target = url(hall, "orders")
    assert (await client.put(target, json=initial(), headers=ana)).status_code == 400
    assert (await client.put(target, json=initial(), headers=keyed({}))).status_code == 401
    assert (await client.put(target, json=initial(), headers=keyed(bearer("eve")))).status_code == 403
    no_role = keyed(bearer("ana", roles=("referee",)))
    assert (await client.put(target, json=initial(), headers=no_role)).status_code == 403
    no_scope = keyed(bearer("ana", kind="personal", scopes=("read",)))
    assert (await client.put(target, json=initial(), headers=no_scope)).status_code == 403
    big = {"turn": 0, "initial": {"nonce": "0" * 300_000}}
    assert (await client.put(target, json=big, headers=keyed(ana))).status_code == 413
    unknown = f"/v1/fights/{uuid4()}/orders"
    assert (await client.put(unknown, json=initial(), headers=keyed(ana))).status_code == 404
    assert "orders-sealed" not in await hall.types()


async def test_late_orders_over_http(client, hall, ana):
    await hall.schedule()
    await hall.move_clock(3600)
    late = await put(client, hall, ana, initial())
    assert (late.status_code, late.json()["code"]) == (409, "phase-closed")
    assert late.json()["server_time"]


async def test_a_repeated_request_gets_the_stored_answer(client, hall, ana):
    await hall.schedule()
    headers = keyed(ana)
    first = await client.put(url(hall, "orders"), json=initial(), headers=headers)
    again = await client.put(url(hall, "orders"), json=initial(), headers=headers)
    assert again.json() == first.json() and again.headers["idempotency-replayed"] == "true"
    other = await client.put(url(hall, "orders"), json=initial("1" * 64), headers=headers)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


# --- the fight told


async def test_the_log_tells_every_fact_with_its_numbers_and_dice(client, hall, ana, ben):
    await hall.schedule()
    await play_on(client, hall, ana, ben)
    rows = (await client.get(url(hall, "log"))).json()["items"]
    facts = {row["number"]: row for row in (await client.get(url(hall, "events"))).json()["items"]}
    assert rows and all(row["text"] and row["time"] == facts[row["number"]]["time"] for row in rows)
    for row in rows:
        fact = facts[row["number"]]["data"]
        assert [roll["faces"] for roll in row["rolls"]] == [roll["faces"] for roll in fact.get("rolls", [])]
    first = (await client.get(url(hall, "log") + "?limit=1")).json()
    rest = (await client.get(url(hall, "log"), params={"cursor": first["next"]})).json()
    assert first["items"] + rest["items"] == rows


async def test_the_replay_begins_with_nothing_and_ends_at_the_page(client, hall, ana, ben):
    await hall.schedule()
    first = (await client.get(url(hall, "replay", "1"))).json()
    assert first["number"] == 1
    await play_on(client, hall, ana, ben)
    facts = (await client.get(url(hall, "replay", "1"))).json()["facts"]
    page = (await client.get(url(hall))).json()
    assert (await client.get(url(hall, "replay", str(facts)))).json()["game"] == page["game"]
    assert (await client.get(url(hall, "replay", str(facts + 1)))).status_code == 404
    assert (await client.get(url(hall, "replay", "0"))).status_code == 422


async def test_before_the_reveal_log_and_replay_do_not_move(client, hall, ana):
    await hall.schedule()
    paths = [url(hall, "log"), url(hall, "replay", "1")]
    before = [(await client.get(path)).content for path in paths]
    assert (await put(client, hall, ana, initial())).status_code == 200
    await hall.settle()
    assert [(await client.get(path)).content for path in paths] == before


async def test_words_are_known_in_two_languages(client):
    found = [(await client.get(f"/v1/words/{language}")).json() for language in ("es", "en")]
    assert [one["words"] for one in found] == [{"rope": "cuerda"}, {"rope": "rope"}]
    assert (await client.get("/v1/words/fr")).status_code == 422


async def test_a_players_own_feed_has_his_receipts_and_nobody_elses(client, hall, ana, ben):
    await hall.schedule()
    receipts = [(await put(client, hall, ana, initial())).json() for _ in range(2)]
    await hall.settle()
    page = (await client.get("/v1/me/events", headers=ana)).json()
    assert [item["number"] for item in page["items"]] == [1, 2]
    assert [item["event"]["type"] for item in page["items"]] == ["orders-saved"] * 2
    data = page["items"][1]["event"]["data"]
    assert data == {
        "fight_id": hall.fight_id,
        "side": "A",
        "turn": 0,
        "kind": "initial",
        "commitment": receipts[1]["commitment"],
    }
    more = (await client.get("/v1/me/events?after=1", headers={**ana, "Accept": "application/x-ndjson"})).text
    assert [json.loads(line).get("number") for line in more.splitlines()] == [2, None]
    assert (await client.get("/v1/me/events", headers=ben)).json() == {"items": [], "after": 0, "next": None}
    assert (await client.get("/v1/me/events")).status_code == 401
    await put(client, hall, ben, initial())
    await hall.settle()
    [bens] = (await client.get("/v1/me/events", headers=ben)).json()["items"]
    assert (bens["number"], bens["event"]["data"]["side"]) == (1, "B")


async def test_orders_as_plain_text_are_the_same_as_their_json(client, hall, ana):
    """text/plain, the field `text`, and JSON seal the same orders; the receipt has a hash."""
    await hall.schedule()
    lot = "lot " + "1" * 64
    plain = {**keyed(ana), "Content-Type": "text/plain; charset=utf-8"}
    sent = [
        await client.put(url(hall, "orders"), content=lot.encode(), headers=plain),
        await put(client, hall, ana, {"text": lot}),
        await put(client, hall, ana, initial("1" * 64)),
    ]
    assert [one.status_code for one in sent] == [200, 200, 200]
    assert all(len(one.json()["receipt"]) == 64 for one in sent)
    mine = (await client.get(url(hall, "orders/mine"), headers=ana)).json()
    assert mine["orders"] == initial("1" * 64)
    assert mine["text"] == {"es": lot, "en": lot} and mine["comment"] == ""
    previewed = await client.post(
        url(hall, "orders/preview"), content=lot, headers={**ana, "Content-Type": "text/plain"}
    )
    assert previewed.json()["orders"] == initial("1" * 64)


@pytest.mark.parametrize(
    ("content", "status", "code"),
    [(b"dance", 422, "orders-malformed"), (b"\xff", 400, "text-not-utf8"), (b"a\x00b", 422, "invalid")],
)
async def test_a_text_that_is_not_understood_is_refused(client, hall, ana, content, status, code):
    await hall.schedule()
    headers = {**keyed(ana), "Content-Type": "text/plain"}
    got = await client.put(url(hall, "orders"), content=content, headers=headers)
    assert (got.status_code, got.json()["code"]) == (status, code)
    if code == "orders-malformed":
        assert got.json()["errors"][0]["pointer"] == "/text"
    both = await put(client, hall, ana, {"text": "throw 1", "turn": 0})
    assert (both.status_code, both.json()["errors"][0]["code"]) == (422, "text-or-parts")


@pytest.mark.parametrize(
    ("content", "pointers"),
    [
        ('{"turn": 0, "initial": {"nonce": "%s"}, "turn": 0}', ["/turn"]),
        ('{"turn": 0, "initial": {"nonce": "00", "nonce": "%s"}}', ["/initial/nonce"]),
        ('{"turn": 0, "a/~": [{"b": 1, "b": 1, "b": 2}], "c": {"d": 1, "d": 1}}', ["/c/d", "/a~1~0/0/b"]),
        ('{"turn": 0, "comment": "x", "\\u0063omment": "y", "initial": {"nonce": "%s"}}', ["/comment"]),
    ],
)
async def test_orders_that_name_a_key_twice_are_refused_with_its_place(client, hall, ana, content, pointers):
    """Which of the two was meant nobody can tell: neither the first nor the last counts silently."""
    await hall.schedule()
    body = content.replace("%s", "1" * 64).encode()
    json_kind = {"Content-Type": "application/json"}
    for answer_ in (
        await client.put(url(hall, "orders"), content=body, headers={**keyed(ana), **json_kind}),
        await client.post(url(hall, "orders/preview"), content=body, headers={**ana, **json_kind}),
    ):
        assert (answer_.status_code, answer_.json()["code"]) == (422, "invalid")
        assert [(one["code"], one["pointer"]) for one in answer_.json()["errors"]] == [
            ("key-repeated", pointer) for pointer in pointers
        ]
    assert (await client.get(url(hall, "orders/mine"), headers=ana)).status_code == 404


async def test_deep_nesting_in_orders_is_no_bug(client, hall, ana):
    await hall.schedule()
    for depth in (300, 900, 990, 5000):
        body = b'{"turn": 0, "x": ' + b"[" * depth + b"]" * depth + b"}"
        headers = {**keyed(ana), "Content-Type": "application/json"}
        answer_ = await client.put(url(hall, "orders"), content=body, headers=headers)
        assert answer_.status_code in (400, 422), depth


async def test_a_comment_reaches_the_referee_when_the_orders_are_opened(client, hall, ana, ben, bearer):
    """SEC17: sealed with the orders, never shown to the rival, to nobody before the reveal."""
    await hall.schedule(referee="eve")
    eve, boss = bearer("eve", ("referee",)), bearer("sue", ("commission",))
    wish = {**initial(), "comment": "an empty bin, please"}
    assert (await put(client, hall, ana, wish)).status_code == 200
    mine = (await client.get(url(hall, "orders/mine"), headers=ana)).json()
    assert mine["comment"] == wish["comment"] and mine["orders"] == initial()

    async def read(who):
        return await client.get(url(hall, "comments"), headers=who)

    for who in (ana, ben, eve, boss):
        assert (await read(who)).json() == {"items": []}
    await put(client, hall, ben, initial())
    await hall.settle()
    for who in (ana, eve, boss):
        (told,) = (await read(who)).json()["items"]
        assert (told["side"], told["turn"], told["comment"]) == ("A", 0, wish["comment"])
    assert (await read(ben)).json() == {"items": []}
    for who, status in ((bearer("zoe", ("referee",)), 403), (bearer("dan"), 403), ({}, 401)):
        assert (await read(who)).status_code == status
    assert wish["comment"] not in json.dumps(await hall.outbox())
    too_long = await put(client, hall, ana, {**throw(1), "comment": "x" * 1001})
    assert (too_long.status_code, too_long.json()["errors"][0]["pointer"]) == (422, "/comment")
