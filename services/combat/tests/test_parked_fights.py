"""Changed tables under open fights: each stands still by itself, is shown, and goes on when they are back."""

from uuid import uuid4

import pytest
from hall import initial, throw
from test_api import ana, bearer, client, put, url  # noqa: F401
from test_fights import facts

from solaris_combat.domain.verify import verify

OTHER = "f" * 64


@pytest.fixture
def tables(registry):
    """Changes the tables of the game, as a restart with other files does."""
    (engine,) = registry

    def change(content_hash):
        object.__setattr__(engine, "ruleset_hash", content_hash)

    was = engine.ruleset_hash
    yield change, was
    change(was)


async def both(hall, orders):
    for person in ("ana", "ben"):
        await hall.put(person, orders)
    await hall.settle()


async def stopped(hall):
    return await hall.store.pool.fetch(
        "SELECT name FROM reactor WHERE state <> 'running' OR error IS NOT NULL"
    )


async def test_a_fight_under_changed_tables_is_parked_and_the_others_go_on(hall, client, tables):  # noqa: F811
    change, was = tables
    await hall.schedule()
    await hall.put("ana", initial())
    change(OTHER)
    first, hall.fight_id = hall.fight_id, str(uuid4())
    await hall.schedule()
    await hall.move_clock(3600)
    await hall.settle()
    assert await stopped(hall) == []
    page = (await client.get(f"/v1/fights/{first}")).json()
    assert (page["state"], page["request"]["turn"]) == ("parked", 0)
    assert {name: page["parked"][name] for name in ("code", "pinned", "carried")} == {
        "code": "ruleset-changed", "pinned": was, "carried": OTHER,
    }  # fmt: skip
    listed = (await client.get("/v1/fights?state=parked")).json()["items"]
    assert [one["fight_id"] for one in listed] == [first]
    other = (await client.get(f"/v1/fights/{hall.fight_id}")).json()
    assert (other["state"], other["parked"], other["request"]["turn"]) == ("open", None, 1), "by default"
    for _ in range(3):
        await hall.move_clock(3700)
        await hall.settle()
    assert len(facts(await hall.outbox(), "fight-parked")) == 1, "said once, however often it is looked after"

    change(was)
    await hall.move_clock(3800)
    await hall.settle()
    page = (await client.get(f"/v1/fights/{first}")).json()
    assert (page["state"], page["parked"], page["request"]["turn"]) == ("open", None, 0)
    (resumed,) = facts(await hall.outbox(), "fight-resumed")
    assert resumed["deadline"] == page["deadline"], "who could not order meanwhile has a full turn"
    hall.fight_id = first
    await hall.put("ben", initial("1" * 64))
    await hall.settle()
    while (await hall.fight()).request:
        await both(hall, throw((await hall.fight()).request.turn))
    assert verify(b"".join((await hall.fight()).lines), hall.registry)["turns"] == 3


async def test_a_preview_is_refused_as_orders_are(hall, client, ana, tables):  # noqa: F811
    change, was = tables
    await hall.schedule()
    change(OTHER)
    preview = await client.post(url(hall, "orders/preview"), json=initial(), headers=ana)
    for refused in (preview, await put(client, hall, ana, initial())):
        assert (refused.status_code, refused.json()["code"]) == (409, "ruleset-changed")
    change(was)
    again = await client.post(url(hall, "orders/preview"), json=initial(), headers=ana)
    assert (again.status_code, again.json()["legal"]) == (200, True)


async def test_orders_that_were_all_in_are_carried_out_when_the_tables_are_back(hall, tables):
    change, was = tables
    await hall.schedule()
    await hall.put("ana", initial())
    await hall.put("ben", initial())
    change(OTHER)
    await hall.settle()
    assert (await hall.fight()).parked is not None and await stopped(hall) == []
    await hall.move_clock(4000)
    await hall.settle()
    change(was)
    await hall.move_clock(4100)
    await hall.settle()
    fight = await hall.fight()
    assert (fight.parked, fight.request.turn) == (None, 1), "the deadline that passed costs nobody anything"
    assert facts(await hall.outbox(), "all-orders-sealed")[0]["missing"] == []


async def test_a_parked_fight_may_be_called_off(hall, tables):
    change, _ = tables
    await hall.schedule()
    change(OTHER)
    await hall.move_clock(3600)
    await hall.settle()
    await hall.import_fact("solaris.league.fight-voided.v1", {"fight_id": hall.fight_id, "reason": "tables"})
    await hall.settle()
    fight = await hall.fight()
    assert (fight.ended, fight.parked) == ("voided", None)
    waiting = "SELECT count(*) FROM timer WHERE state = 'waiting'"
    assert await hall.store.pool.fetchval(waiting) == 0
