"""The checks DL, CON, SIM, LOG, PER and IO of comparable systems, by their ids, on the running service.

DL1, DL5, SIM2, CON1, CON2, CON5 and CON7 stand in test_fights and test_api, DL6 to DL14 in test_rulings.
"""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from hall import SCHEDULED, initial, scheduled, throw
from ropes import Ropes
from test_api import ana, bearer, ben, client, play_on, put, url  # noqa: F401
from test_replay import setup

from solaris_combat.application.fights import stream_of
from solaris_combat.domain.replay import Offline, default_answers, defaults
from solaris_combat.domain.resimulation import offline_terms
from solaris_combat.domain.verify import verify
from solaris_combat.engines.contract import OrderRequest
from solaris_combat.engines.registry import Registry


class Sleepy(Ropes):
    """Ropes in which a thrower without breath has nothing to order."""

    def request(self, state, side):
        if state.turn > state.turns:
            return None
        asleep = [one for one in state.sides if state.breath[one] <= 6]
        if side in asleep and len(asleep) < len(state.sides):
            return None
        return OrderRequest(state.turn, "throw" if state.turn else "initial")


@pytest.fixture
def registry():
    return Registry([Sleepy()])


async def test_a_side_with_nothing_to_order_is_not_absent(client, hall, ana, ben):  # noqa: F811
    """DL3: it is not asked, nobody waits for it, and it is not among the missing."""
    await hall.schedule()
    for who in (ana, ben):
        await put(client, hall, who, initial())
    await hall.settle()
    await put(client, hall, ana, throw(1, 3))
    await put(client, hall, ben, throw(1, 1))
    await hall.settle()
    for who in (ana, ben):
        page = (await client.get(url(hall), headers=who)).json()
        if page["you"]["question"]:
            await put(client, hall, who, {"turn": 1, "answers": [False]})
    await hall.settle()
    page = (await client.get(url(hall), headers=ana)).json()
    assert page["request"] == {"turn": 2, "kind": "throw", "sides": ["B"]}
    assert page["you"]["asked"] is None
    mine = (await client.get("/v1/fights?mine=true", headers=ana)).json()["items"]
    assert [item["task"] for item in mine] == ["none"]
    refused = await put(client, hall, ana, throw(2, 1))
    assert (refused.status_code, refused.json()["code"]) == (409, "not-asked")
    assert (await put(client, hall, ben, throw(2, 1))).status_code == 200
    await hall.settle()
    sealed = [env["data"] for _, env in await hall.outbox() if "all-orders-sealed" in env["type"]]
    assert sealed[-1]["turn"] == 2 and sealed[-1]["missing"] == []
    await play_on(client, hall, ana, ben)
    record = await client.get(url(hall, "record"))
    assert verify(record.content, hall.registry)


async def test_three_deadlines_passed_while_the_server_was_down(hall):
    """PER7: of three fights; each is dealt with once, in the order of the deadlines, and told as late."""
    fights = {str(uuid4()): hours for hours in (3, 1, 2)}
    for fight_id, hours in fights.items():
        await hall.import_fact(SCHEDULED, scheduled(fight_id, turn_seconds=hours * 3600))
    await hall.settle()
    await hall.move_clock(4 * 3600)
    await hall.settle()
    rows = await hall.store.pool.fetch(
        "SELECT stream, data->>'at' AS at FROM event WHERE type = 'deadline-reached' ORDER BY ordinal"
    )
    in_order = sorted(fights, key=fights.__getitem__)
    assert [row["stream"] for row in rows] == [stream_of(fight_id) for fight_id in in_order]
    missed = [facts["missing"] for facts in await _sealed(hall)]
    assert missed == [["A", "B"]] * 3
    opened = await hall.store.pool.fetchval("SELECT min(recorded_at) FROM event")
    assert all(datetime.fromisoformat(row["at"]) - opened >= timedelta(hours=4) for row in rows)


async def _sealed(hall):
    return [
        envelope["data"] for _, envelope in await hall.outbox() if "all-orders-sealed" in envelope["type"]
    ]


async def test_orders_after_a_deadline_that_nobody_has_dealt_with_are_late(client, hall, ana):  # noqa: F811
    """PER7: whether or not the server had seen it, what comes after a deadline is refused with the time."""
    await hall.schedule()
    await hall.move_clock(3600 * 3)
    late = await put(client, hall, ana, initial())
    assert (late.status_code, late.json()["code"]) == (409, "phase-closed")
    assert late.json()["server_time"]
    await hall.settle()
    assert (await client.get(url(hall))).json()["request"]["turn"] == 1


async def test_the_log_of_a_hidden_game_is_open_afterwards(client, hall, ana, ben):  # noqa: F811
    """LOG2: after the end the same log says everything to everybody, orders included."""
    await hall.schedule()
    await put(client, hall, ana, initial("7" * 64))
    early = (await client.get(url(hall, "events"))).text
    assert "7" * 64 not in early
    await put(client, hall, ben, initial())
    await hall.settle()
    await play_on(client, hall, ana, ben)
    late = (await client.get(url(hall, "events"))).text
    assert "7" * 64 in late and "orders-opened" in late


async def test_a_record_is_open_text_and_plays_again_elsewhere(client, hall, ana, ben):  # noqa: F811
    """IO7, PER5: JSON Lines; the same release gives the same bytes and the same digest anywhere."""
    await hall.schedule()
    await play_on(client, hall, ana, ben)
    record = (await client.get(url(hall, "record"))).content
    lines = [json.loads(line) for line in record.splitlines()]
    assert lines[0]["format"] == "s7r/1" and lines[-1]["line"] == "digest"
    assert verify(record, Registry([Sleepy()]))


async def test_stored_events_are_plain_data(hall):
    """PER2: no native object stands in storage, only JSON that any language reads."""
    await hall.schedule()
    await hall.put("ana", initial())
    rows = await hall.store.pool.fetch("SELECT pg_typeof(data)::text AS kind, data::text AS text FROM event")
    assert rows and all(row["kind"] == "jsonb" and isinstance(json.loads(row["text"]), dict) for row in rows)


def test_a_fight_ends_under_the_rules_it_began_with():
    """PER4: a newer version of the engine beside the old one changes nothing for a fight that pinned it."""

    class Newer(Sleepy):
        pass

    newer = Newer(version=2)

    old = Offline(Registry([Sleepy()]), offline_terms("o", setup()), b"1", defaults, default_answers).play()
    record = b"".join(old.lines)
    assert verify(record, Registry([Sleepy(), newer]))
    assert replace(old, lines=()).playing.version == 1
