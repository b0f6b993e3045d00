"""The ring around every service: problems, limits, keys, pages, ETags, health and metrics."""

import asyncio
import json

import pytest

from solaris_shared.http.limits import Rate

PROBLEM = "application/problem+json"
NOTE = {"text": "hola"}


def keyed(headers, key="k-1"):
    return {**headers, "Idempotency-Key": key}


async def add(client, headers, body=None, key="k-1", owner="ana"):
    return await client.post(f"/v1/notes/{owner}", json=body or NOTE, headers=keyed(headers, key))


def expect(answer, status, code):
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM), answer.text
    body = answer.json()
    assert (body["status"], body["code"], body["type"]) == (status, code, f"/v1/problems/{code}")
    assert body["instance"] == answer.headers["x-correlation-id"]
    return body


# --- problems


async def test_unknown_routes_and_methods_are_problems(client):
    expect(await client.get("/nope"), 404, "not-found")
    expect(await client.get("/v1/nope"), 404, "not-found")
    expect(await client.delete("/v1/numbers"), 405, "method-not-allowed")
    expect(await client.get("/v1/numbers/"), 404, "not-found")


async def test_titles_are_spanish_first_and_english_on_request(client):
    assert (await client.get("/nope")).json()["title"] == "No encontrado"
    answer = await client.get("/nope", headers={"Accept-Language": "en-GB,es;q=0.5"})
    assert (answer.json()["title"], answer.headers["content-language"]) == ("Not found", "en")


async def test_a_bug_answers_500_without_a_word_of_its_inside(client):
    for path in ("/v1/bug", "/v1/database-bug"):
        answer = await client.get(path)
        expect(answer, 500, "internal")
        assert "hunter2" not in answer.text and "column" not in answer.text


async def test_a_rule_that_says_no_names_its_paragraph(client, token):
    body = expect(await add(client, token(), {"text": "never"}), 409, "never-said")
    assert (body["rule"], body["detail"]) == ("R 1", "Not that.")


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"text": "a", "admin": True}, "/admin", "unknown-field"),
        ({}, "/text", "missing"),
        ({"text": 7}, "/text", "string-type"),
        ({"text": ""}, "/text", "string-too-short"),
        ({"text": "x" * 2001}, "/text", "string-too-long"),
        ({"text": "a", "amount": -1}, "/amount", "greater-than-equal"),
        ({"text": "a", "amount": 10**12 + 1}, "/amount", "less-than-equal"),
        ({"text": "a", "amount": "1"}, "/amount", "int-type"),
        ({"text": "a", "amount": True}, "/amount", "int-type"),
        ({"text": "a", "amount": 12345678901234567890123456}, "/amount", "number-out-of-range"),
        ({"text": "a", "amount": 1.0}, "/amount", "number-out-of-range"),
        ({"text": "a", "loud": "yes"}, "/loud", "bool-type"),
        ({"text": "a\x00b"}, "/text", "text-not-allowed"),
        ({"text": "\ud800"}, "/text", "text-not-allowed"),
        ({"text": "a", "free": {"x/y": [{"z": "\udfff"}]}}, "/free/x~1y/0/z", "text-not-allowed"),
        ({"text": "a", "free": {"\x00": 1}}, "/free", "text-not-allowed"),
        ({"text": "a", "free": {"n": 2**53}}, "/free/n", "number-out-of-range"),
        ([], "", "model-attributes-type"),
        ("text", "", "model-attributes-type"),
    ],
)
async def test_invalid_bodies_are_422_with_a_pointer(client, token, body, pointer, code):
    raw = json.dumps(body)
    headers = {**keyed(token()), "Content-Type": "application/json"}
    problem = expect(await client.post("/v1/notes/ana", content=raw, headers=headers), 422, "invalid")
    assert [(e["pointer"], e["code"]) for e in problem["errors"]] == [(pointer, code)]


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"{", 400), (b"", 422), (b"\xff\xfe", 400), (b'{"text": NaN}', 422), (b"[" * 200_000, 400),
        (b'{"text":"a","amount":' + b"9" * 5000 + b"}", 400), (b'{"text":"a","free":{"n":1e400}}', 422),
        (b'{"text":"a","free":' + b'{"a":' * 40 + b"1" + b"}" * 41, 422),
    ],
)  # fmt: skip
async def test_broken_json_is_never_a_500(client, token, raw, status):
    headers = {**keyed(token()), "Content-Type": "application/json"}
    answer = await client.post("/v1/notes/ana", content=raw, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (status, PROBLEM), answer.text


async def test_only_json_is_read(client, token):
    headers = {**keyed(token()), "Content-Type": "text/plain"}
    expect(await client.post("/v1/notes/ana", content=b"{}", headers=headers), 415, "unsupported-media-type")


async def test_paths_and_queries_with_nul_are_refused(client):
    expect(await client.get("/v1/notes/a%00b/state"), 404, "not-found")
    expect(await client.get("/v1/numbers?cursor=%00"), 422, "invalid")


async def test_path_and_query_errors_point_at_their_place(client):
    body = expect(await client.get("/v1/things/not-a-uuid"), 422, "invalid")
    assert body["errors"][0]["pointer"] == "/path/thing"
    for limit in ("0", "201", "x", "9" * 26):
        body = expect(await client.get(f"/v1/numbers?limit={limit}"), 422, "invalid")
        assert body["errors"][0]["pointer"] == "/query/limit"


# --- limits


async def test_bodies_over_256_kb_are_refused_declared_or_streamed(client, token):
    big = b'{"text":"' + b"x" * (256 * 1024) + b'"}'
    headers = {**keyed(token()), "Content-Type": "application/json"}
    expect(await client.post("/v1/notes/ana", content=big, headers=headers), 413, "too-large")

    async def stream():
        for start in range(0, len(big), 65536):
            yield big[start : start + 65536]

    expect(await client.post("/v1/notes/ana", content=stream(), headers=headers), 413, "too-large")


async def test_a_flood_of_reads_leaves_the_budget_of_orders_alone(client, app, token):
    app.state.context.limiter._rates = {"read": Rate(2, 6), "write": Rate(2, 6), "orders": Rate(2, 6)}
    answers = [await client.get("/v1/numbers", headers=token()) for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert answers[0].headers["ratelimit"] == '"read";r=1;t=0'
    assert expect(answers[2], 429, "rate-limited")
    assert int(answers[2].headers["retry-after"]) > 0
    assert (await client.put("/v1/notes/ana/orders", headers=token())).status_code == 200
    assert (await client.get("/v1/numbers", headers=token("bea"))).status_code == 200


# --- who


async def test_without_a_token_a_forged_an_expired_or_a_foreign_one(client, token):
    answer = await add(client, {})
    expect(answer, 401, "login-required")
    assert answer.headers["www-authenticate"] == "Bearer"
    expect(await add(client, {"Authorization": "Bearer x.y.z"}), 401, "token-invalid")
    expect(await add(client, {"Authorization": "Basic YTpi"}), 401, "token-invalid")
    expect(await add(client, token(seconds=-1)), 401, "token-expired")
    expect(await add(client, token("bea")), 403, "not-allowed")
    expect(await add(client, token(kind="personal", scopes=("notes:read",))), 403, "not-allowed")
    assert (await add(client, token(kind="personal", scopes=("notes:write",)))).status_code == 201


# --- commands


@pytest.mark.parametrize(
    ("key", "code"),
    [(None, "missing"), ("", "invalid"), ("x" * 256, "invalid"), ("x" * 300, "invalid"), ("a b", "invalid")],
)
async def test_keys(client, token, key, code):
    headers = token() if key is None else keyed(token(), key)
    expect(await client.post("/v1/notes/ana", json=NOTE, headers=headers), 400, f"idempotency-key-{code}")


async def test_the_same_key_gives_the_same_answer_and_one_effect(client, token):
    first, again = await add(client, token()), await add(client, token())
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json() == {"version": 1, "text": "hola"}
    assert first.headers["solaris-token"] == again.headers["solaris-token"]
    assert again.headers["idempotency-replayed"] == "true" and "idempotency-replayed" not in first.headers
    assert (await add(client, token(), key="k-2")).json()["version"] == 2


async def test_the_same_key_with_another_body_is_422(client, token):
    await add(client, token())
    expect(await add(client, token(), {"text": "adiós"}), 422, "idempotency-key-reused")


async def test_keys_of_two_callers_do_not_meet(client, token):
    await add(client, token("ana"))
    answer = await add(client, token("bea"), {"text": "otra"}, owner="bea")
    assert answer.json() == {"version": 1, "text": "otra"}


async def test_one_key_twenty_times_at_once_is_one_effect(client, token):
    answers = await asyncio.gather(*(add(client, token()) for _ in range(20)))
    again = await add(client, token())
    for one in answers:
        if one.status_code == 409:
            expect(one, 409, "idempotency-key-in-flight")
            assert one.headers["retry-after"] == "1"
        else:
            assert (one.status_code, one.text) == (201, again.text)
    assert again.headers["idempotency-replayed"] == "true"
    assert (await add(client, token(), key="k-2")).json()["version"] == 2


async def test_an_answer_to_a_read_carries_no_token(client, token):
    assert "solaris-token" not in (await client.get("/v1/numbers", headers=token())).headers


# --- pages and etags


async def test_pages_link_to_the_next_until_there_is_none(client):
    seen, path = [], "/v1/numbers?limit=4"
    while path:
        answer = await client.get(path)
        seen += answer.json()["items"]
        link = answer.headers.get("link")
        assert (link is None) == (answer.json()["next"] is None)
        path = link and link.split(">")[0][1:]
    assert seen == list(range(10))


async def test_a_changed_cursor_is_refused(client):
    cursor = (await client.get("/v1/numbers")).json()["next"]
    for broken in (cursor[:-3] + "AAA", "A" * 40, "é", "%%%"):
        expect(await client.get("/v1/numbers", params={"cursor": broken}), 400, "cursor-invalid")


async def test_etags_guard_changes(client):
    tag = (await client.get("/v1/notes/ana/state")).headers["etag"]
    again = await client.get("/v1/notes/ana/state", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    expect(await client.put("/v1/notes/ana/state"), 428, "precondition-required")
    stale = await client.put("/v1/notes/ana/state", headers={"If-Match": '"old"'})
    assert expect(stale, 412, "precondition-failed")["current"] == {"owner": "ana"}
    assert (await client.put("/v1/notes/ana/state", headers={"If-Match": tag})).status_code == 200


# --- operations


async def test_health_and_a_database_that_goes_away(client, app):
    assert (await client.get("/health/live")).json() == {"status": "live"}
    assert (await client.get("/health/ready")).json() == {"status": "ready"}
    await app.state.context.store.pool.close()
    answer = await client.get("/health/ready")
    assert (answer.status_code, answer.headers["content-type"]) == (503, PROBLEM)
    assert (await client.get("/health/live")).status_code == 200
    expect(await client.get("/v1/database-bug"), 503, "unavailable")


async def test_metrics_count_routes_but_never_orders(client, token):
    await client.get("/v1/numbers")
    await client.get("/nope")
    await client.put("/v1/notes/ana/orders", headers=token())
    text = (await client.get("/metrics")).text
    assert 'solaris_http_requests_total{method="GET",route="/v1/numbers",status="200"} 1.0' in text
    assert 'route="other",status="404"' in text
    assert "orders" not in text and "ana" not in text


async def test_correlation_ids_are_taken_over_or_made(client):
    answer = await client.get("/v1/numbers", headers={"X-Correlation-Id": "abc-1"})
    assert answer.headers["x-correlation-id"] == "abc-1"
    answer = await client.get("/v1/numbers", headers={"X-Correlation-Id": "a b\tc"})
    assert len(answer.headers["x-correlation-id"]) == 32


async def test_openapi_lists_the_key_header(client):
    spec = (await client.get("/openapi.json")).json()
    names = {p["name"].lower() for p in spec["paths"]["/v1/notes/{owner}"]["post"]["parameters"]}
    assert "idempotency-key" in names


async def test_openapi_promises_problems_and_nothing_else_for_errors(client):
    spec = (await client.get("/openapi.json")).json()
    for path in spec["paths"].values():
        for operation in path.values():
            errors = {status for status in operation["responses"] if status[0] in "45"}
            assert errors == {"4XX", "5XX"}
    reference = operation["responses"]["4XX"]["content"]["application/problem+json"]["schema"]["$ref"]
    assert reference == "#/components/schemas/Problem"
    assert "HTTPValidationError" not in spec["components"]["schemas"]
