"""Permanence fights (R 3, R 4.3): who fights them, who goes where, and that both go down who stay level."""

import json
from dataclasses import replace
from types import SimpleNamespace
from uuid import uuid4

import pytest

from solaris_league.domain import permanence
from solaris_league.domain.lot import Lot
from solaris_league.domain.mechwarrior import (
    FightOutcome,
    Mechwarrior,
    Promoted,
    Relegated,
    evolve,
    record_fight,
)
from solaris_league.domain.ranking import EARLIER, RANKING

POOL = [{"instance_id": str(uuid4()), "model": f"PNT-{n}R"} for n in range(4)]
TERMS = {"class": 3, "arenas": ["cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}
CALL = {"class": 4, "arenas": ["cantera", "coliseum"], "pool": POOL[:3], "turn_seconds": 3600}


@pytest.fixture
async def drawn(worker, person, commission):
    """Four of Class 3, whose round has been drawn."""
    made = []
    for number in range(4):
        one = await person(f"player {number}")
        entered = await one.post("/v1/mechwarriors", {"name": f"Piloto {number}", "affiliation": "Kurita"})
        made.append(entered.json()["mechwarrior_id"])
    round_id = (await commission.post("/v1/rounds", TERMS)).json()["round_id"]
    seed = (await commission.post(f"/v1/rounds/{round_id}/draw")).json()["seed"]
    return made, round_id, seed


async def call(commission, defender, challenger, **changes):
    body = {**CALL, "defender": defender, "challenger": challenger, **changes}
    return await commission.post("/v1/permanence-fights", body)


async def seen(commission, anybody, path):
    anybody.last = commission.last
    return (await anybody.get(path)).json()


async def test_classes_follow_the_fight_and_level_both_go_down(
    drawn, commission, anybody, conclude, eventually, store
):
    (ana, ben, cid, _), _, _ = drawn

    async def classes():
        return [(await anybody.get(f"/v1/mechwarriors/{one}")).json()["class"] for one in (ana, ben, cid)]

    for who, results, after in (
        ((ana, ben), ("win", "loss"), [4, 3, 3]),
        ((ana, cid), ("draw", "draw"), [3, 3, 3]),
    ):
        called = await call(commission, *who)
        assert called.status_code == 201, called.text
        fight = await seen(commission, anybody, f"/v1/fights/{called.json()['fight_id']}")
        assert (fight["kind"], fight["turns"], fight["class"]) == ("permanence", 8, 4)
        await conclude(fight, results, (9, 9))
        assert await eventually(classes, lambda found, after=after: found == after) == after
    rows = await store.pool.fetch("SELECT envelope FROM outbox ORDER BY publication")
    events = [json.loads(row["envelope"]) for row in rows]
    moved = [(one["type"].split(".")[2], one["data"]) for one in events if "to_class" in one["data"]]
    assert [(name, data["mechwarrior_id"], data["to_class"]) for name, data in moved] == [
        ("promoted", ana, 4),
        ("relegated", ana, 3),
    ]
    table = (await anybody.get("/v1/standings?class=3")).json()["items"]
    assert {row["mechwarrior_id"] for row in table} >= {ana, ben, cid}
    assert {row["fights"] for row in table} == {0}, "no ranking points come of it (C-33)"
    assert (await anybody.get(f"/v1/mechwarriors/{ana}")).json()["experience"]["halves"] == 3


async def test_the_lot_of_a_permanence_fight_can_be_repeated_and_it_is_in_no_draw(
    drawn, commission, anybody, conclude, eventually
):
    (ana, ben, _, _), round_id, seed = drawn
    got = await call(commission, ana, ben)
    fight = await seen(commission, anybody, f"/v1/fights/{got.json()['fight_id']}")
    lot = Lot(seed, f"permanence {ana} {ben}")
    mechs = lot.shuffled(sorted(CALL["pool"], key=lambda mech: mech["instance_id"]))
    assert [side["mech"]["instance_id"] for side in fight["sides"]] == [m["instance_id"] for m in mechs[:2]]
    assert fight["arena"] == CALL["arenas"][lot.below(2)]
    for one in (await seen(commission, anybody, f"/v1/fights?round_id={round_id}"))["items"]:
        if one["kind"] == "ranking":
            await conclude(one, ("win", "loss"), (9, 3))
    path = f"/v1/rounds/{round_id}"
    await eventually(lambda: anybody.get(path), lambda one: one.json()["state"] == "closed")
    again = (await commission.post("/v1/rounds", TERMS)).json()["round_id"]
    await commission.post(f"/v1/rounds/{again}/draw")
    (next_,) = (await seen(commission, anybody, f"/v1/fights?round_id={again}"))["items"]
    assert not {ana, ben} & {side["mechwarrior_id"] for side in next_["sides"]}


async def test_what_a_permanence_fight_may_not_be(drawn, commission, person):
    (ana, ben, cid, _), _, _ = drawn
    stranger = await person("stranger")
    refused = await stranger.post("/v1/permanence-fights", {**CALL, "defender": ana, "challenger": ben})
    assert refused.status_code == 403
    for code, one, other, changes in (
        ("permanence-self", ana, ana, {}),
        ("waiting-list-not-built", ana, ben, {"class": 3}),
        ("round-not-drawn", ana, ben, {"class": 5}),
        ("not-found", ana, str(uuid4()), {}),
    ):
        got = await call(commission, one, other, **changes)
        assert got.json()["code"] == code, got.text
    for pointer, code, words, changes in (
        ("/pool/1/instance_id", "mech-lent-twice", ("está dos veces", "lent twice"), {"pool": POOL[:1] * 2}),
        ("/arenas/1", "arena-twice", ("está dos veces", "in the lot twice"), {"arenas": ["cantera"] * 2}),
    ):
        got = await call(commission, ana, ben, **changes)
        (error,) = got.json()["errors"]
        assert (got.status_code, error["pointer"], error["code"]) == (422, pointer, code)
        assert all(word in error["detail"] for word in words), error
    mine = await commission.post("/v1/mechwarriors", {"name": "Comisario", "affiliation": "Kurita"})
    own = await call(commission, ana, mine.json()["mechwarrior_id"])
    assert (own.status_code, own.json()["code"]) == (403, "conflict-of-interest")
    called = (await call(commission, ana, ben)).json()["fight_id"]
    assert (await call(commission, ana, cid)).json()["code"] == "mechwarrior-out", "one at a time"
    void = {"reason": "La arena está cerrada."}
    assert (await commission.post(f"/v1/fights/{called}/void", void)).status_code == 200
    assert (await commission.post(f"/v1/fights/{called}/void", void)).json()["code"] == "fight-voided"
    assert (await call(commission, ana, cid)).status_code == 201, "free again"


def test_who_is_hurt_misses_as_many_rounds_in_the_class_he_comes_to(rules):
    """R 4.7: every class counts its own rounds; the rest of his time out goes with him."""
    ana = Mechwarrior("m-1", "p-1", "Ana", "Davion", 3, 4, 5, out_until=22)
    fight = SimpleNamespace(class_=4, fight_id="f")
    moved = permanence.decided(rules, fight, ana, "win", {3: 20, 4: 2})
    assert (type(moved), moved.out_until) == (Promoted, 4)
    up = evolve(ana, moved)
    assert (up.class_, [up.fights_in(number) for number in (3, 4, 5)]) == (4, [False, False, True])
    down = permanence.decided(rules, fight, up, "draw", {3: 21, 4: 2})
    assert (type(down), down.out_until) == (Relegated, 23)
    assert permanence.decided(rules, fight, replace(ana, out_until=20), "win", {3: 20, 4: 2}).out_until == 0
    assert evolve(ana, replace(moved, out_until=None)).out_until == 22, "a fact from before it was told"


def test_a_ranking_fight_that_ends_after_its_mechwarrior_has_moved_is_of_the_class_before(rules):
    ana = Mechwarrior("m-1", "p-1", "Ana", "Davion", 4, 4, 5)
    (recorded, *_) = record_fight(rules, ana, FightOutcome("f", 7, "win", 20, "m-2", class_=3))
    assert (recorded.kind, recorded.points) == (EARLIER, 0)
    (recorded, *_) = record_fight(rules, ana, FightOutcome("f", 7, "win", 20, "m-2", class_=4))
    assert (recorded.kind, recorded.points) == (RANKING, 3)


def test_both_go_to_the_waiting_list_from_the_entry_class(rules):
    assert permanence.goes_down_to(rules, 3) == "waiting_list"
    assert permanence.goes_down_to(rules, 5) == "class_4"
