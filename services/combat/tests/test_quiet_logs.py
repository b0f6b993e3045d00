"""What the logs tell operators about orders: that some request was answered, never whose or where."""

import json
import logging
import time
from uuid import uuid4

import httpx
import pytest
import structlog
from hall import initial, throw

from solaris_shared.http.app import create_app
from solaris_shared.http.tokens import Claims, sign
from solaris_shared.ops.logging import configure_logging


@pytest.fixture
def lines(capsys):
    """The first call lets the process log as the real ones do; each later one gives the lines written since,
    as text and decoded. The HTTP client's own lines are no service's."""
    root, http_client = logging.getLogger(), logging.getLogger("httpx")
    before = (root.handlers[:], root.level, structlog.get_config())

    started = []

    def written():
        if not started:
            started.append(configure_logging("combat", "api"))
            http_client.setLevel(logging.WARNING)
        text = capsys.readouterr().out
        return text, [json.loads(line) for line in text.splitlines()]

    yield written
    root.handlers[:], _ = before[0], root.setLevel(before[1])
    http_client.setLevel(logging.NOTSET)
    structlog.configure(**before[2])


@pytest.fixture
async def client(service, settings):
    app = create_app(service, settings)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as one:
            yield one


@pytest.fixture
def headers(signing_key):
    """Of one request by this person."""

    def make(person):
        now = int(time.time())
        role, scopes = frozenset({"player"}), frozenset({"*"})
        claims = Claims(person, role, scopes, f"t-{person}", "session", now, now + 900)
        return {"Authorization": f"Bearer {sign(signing_key, claims)}", "Idempotency-Key": str(uuid4())}

    return make


async def test_nobody_reads_in_the_logs_who_has_sealed(hall, client, headers, lines):
    await hall.schedule()
    fight = f"/v1/fights/{hall.fight_id}"
    lines()
    answers = [
        await client.put(f"{fight}/orders", json=initial(), headers=headers("ana")),
        await client.put(f"{fight}/orders", json=initial("1" * 64), headers=headers("ana")),
        await client.put(f"{fight}/orders", json={"turn": 0}, headers=headers("ben")),
        await client.get(f"{fight}/orders/mine", headers=headers("ana")),
        await client.post(f"{fight}/orders/preview", json=initial(), headers=headers("ben")),
        await client.put(f"{fight}/orders", json=throw(7), headers=headers("carla")),
        await client.get(f"{fight}/options", headers=headers("ana")),
    ]
    assert [one.status_code for one in answers] == [200, 200, 422, 200, 200, 403, 200]
    text, logged = lines()
    assert [line["event"] for line in logged] == ["request"] * 7
    for line, answer in zip(logged, answers, strict=True):
        assert set(line) == {
            "event", "correlation_id", "method", "path", "status", "milliseconds", "level", "logger",
            "timestamp", "service", "process",
        }  # fmt: skip
        assert line["path"].startswith(("/v1/fights/{fight_id}/orders", "/v1/fights/{fight_id}/options"))
        assert line["correlation_id"] == answer.headers["x-correlation-id"]
    secrets = ("ana", "ben", "carla", "person", hall.fight_id, answers[1].json()["commitment"])
    assert [word for word in secrets if word in text] == []
    assert "orders" not in (metrics := (await client.get("/metrics")).text) and "options" not in metrics


async def test_other_requests_still_name_the_caller(hall, client, headers, lines):
    await hall.schedule()
    lines()
    await client.get(f"/v1/fights/{hall.fight_id}", headers=headers("ana"))
    _, (line,) = lines()
    assert (line["principal"], line["path"]) == ("person:ana", f"/v1/fights/{hall.fight_id}")


async def test_the_worker_writes_no_line_when_somebody_seals(hall, lines):
    """Sequencer, reactors, projections and timers over a sealing, its replacement and the resolution."""
    await hall.schedule()
    lines()
    for person, nonce in (("ana", "0"), ("ana", "1"), ("ben", "2")):
        await hall.put(person, initial(nonce * 64))
        await hall.settle()
    assert (await hall.types())[-1] == "phase-resolved"
    assert lines() == ("", [])
