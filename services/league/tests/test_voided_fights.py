"""A fight that cannot be set up, or that the Commission calls off: its round goes on and nothing of it
counts."""

import json
from uuid import uuid4

import pytest

POOL = [{"instance_id": str(uuid4()), "model": f"PNT-{n}R"} for n in range(4)]
TERMS = {"class": 3, "arenas": ["cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}
REASON = {"reason": "La arena está cerrada."}
REFUSAL = {"code": "unknown-model", "detail": "no model 'PNT-0R'", "pointer": "/sides/0", "rule": "R 4.2"}


@pytest.fixture
async def drawn(worker, person, commission, anybody):
    """Two fights of a drawn round, as they stand in the schedule."""
    for number in range(4):
        one = await person(f"player {number}")
        await one.post("/v1/mechwarriors", {"name": f"Piloto {number}", "affiliation": "Kurita"})
    round_id = (await commission.post("/v1/rounds", TERMS)).json()["round_id"]
    await commission.post(f"/v1/rounds/{round_id}/draw")
    anybody.last = commission.last
    fights = (await anybody.get(f"/v1/fights?round_id={round_id}")).json()["items"]
    return fights


async def round_of(anybody, fight):
    return (await anybody.get(f"/v1/rounds/{fight['round_id']}")).json()


async def published(store, name):
    rows = await store.pool.fetch("SELECT envelope FROM outbox ORDER BY publication")
    events = [json.loads(row["envelope"]) for row in rows]
    return [event for event in events if event["type"] == f"solaris.league.{name}.v1"]


async def test_a_fight_that_combat_refuses_is_voided_and_the_round_closes_without_it(
    drawn, anybody, conclude, import_fact, store, eventually
):
    refused, fought = drawn
    fact = {"fight_id": refused["fight_id"], "round": 1, "kind": "ranking", "violations": [REFUSAL]}
    await import_fact("fight-refused", fact)
    round_ = await eventually(lambda: round_of(anybody, refused), lambda one: one["voided"] == 1)
    assert (round_["state"], round_["concluded"]) == ("drawn", 0)
    await import_fact("fight-refused", fact)
    await conclude(fought, ("win", "loss"), (9, 3))
    round_ = await eventually(lambda: round_of(anybody, refused), lambda one: one["state"] == "closed")
    assert (round_["fights"], round_["concluded"], round_["voided"]) == (2, 1, 1)

    shown = (await anybody.get(f"/v1/fights/{refused['fight_id']}")).json()
    assert (shown["state"], shown["result"]) == ("voided", None)
    assert shown["voided"] == {"cause": "refused", "reason": "no model 'PNT-0R'"}
    listed = (await anybody.get("/v1/fights?state=voided")).json()["items"]
    assert [one["fight_id"] for one in listed] == [refused["fight_id"]]
    (voided,) = await eventually(lambda: published(store, "fight-voided"), bool)
    assert voided["subject"] == f"fight/{refused['fight_id']}"
    assert voided["data"] == {
        "fight_id": refused["fight_id"], "round_id": refused["round_id"], "round": 1, "class": 3,
        "arena": "cantera", "cause": "refused", "reason": "no model 'PNT-0R'",
        "codes": ["unknown-model"],
        "sides": voided["data"]["sides"],
        "substitutes": [],
    }  # fmt: skip
    seats = [(side["person_id"], side["mech"]["owner"]) for side in voided["data"]["sides"]]
    assert seats == [(side["person_id"], "organisers") for side in refused["sides"]]


async def test_no_points_come_of_a_voided_fight_and_the_standings_say_so(
    drawn, commission, anybody, conclude, eventually
):
    called_off, fought = drawn
    answer = await commission.post(f"/v1/fights/{called_off['fight_id']}/void", REASON)
    assert (answer.status_code, answer.json()["state"]) == (200, "voided")
    await conclude(called_off, ("win", "loss"), (31, 0))
    await conclude(fought, ("draw", "draw"), (5, 5))
    table = await eventually(
        lambda: anybody.get("/v1/standings?class=3"), lambda answer: answer.json()["final"]
    )
    points = {row["mechwarrior_id"]: (row["points"], row["fights"]) for row in table.json()["items"]}
    mine, rival = (side["mechwarrior_id"] for side in called_off["sides"])
    assert (points[mine], points[rival]) == ((0, 0), (0, 0))
    assert sorted(points.values()) == [(0, 0), (0, 0), (1, 1), (1, 1)]
    shown = (await anybody.get(f"/v1/fights/{called_off['fight_id']}")).json()
    assert (shown["state"], shown["result"]) == ("voided", None)

    why = (await anybody.get(f"/v1/standings/{mine}/explanation")).json()
    assert why["fights"] == []
    assert why["voided"] == [
        {
            "fight_id": called_off["fight_id"], "round": 1, "opponent_id": rival,
            "opponent": called_off["sides"][1]["name"], "cause": "commission", "reason": REASON["reason"],
            "points": 0, "rule": "R 3",
        }
    ]  # fmt: skip
    assert why["text"]["es"].endswith("Su combate de la ronda 1 fue anulado: no da puntos.")
    assert why["text"]["en"].endswith("The fight of round 1 was voided: it gives no points.")


async def test_a_round_whose_fights_are_all_voided_closes_and_the_next_opens(drawn, commission, anybody):
    for fight in drawn:
        assert (await commission.post(f"/v1/fights/{fight['fight_id']}/void", REASON)).status_code == 200
    anybody.last = commission.last
    assert (await round_of(anybody, drawn[0]))["state"] == "closed"
    following = await commission.post("/v1/rounds", TERMS)
    assert (following.status_code, following.json()["number"]) == (201, 2)


async def test_nobody_of_the_commission_acts_on_a_fight_of_his_own(worker, person, commission, anybody):
    """DL7: he calls it off no more than he answers an appeal about it."""
    rival = await person("rival")
    for one, name in ((rival, "Rival"), (commission, "Comisario")):
        await one.post("/v1/mechwarriors", {"name": name, "affiliation": "Kurita"})
    round_id = (await commission.post("/v1/rounds", TERMS)).json()["round_id"]
    (fight_id,) = (await commission.post(f"/v1/rounds/{round_id}/draw")).json()["fight_ids"]
    called_off = await commission.post(f"/v1/fights/{fight_id}/void", REASON)
    assert (called_off.status_code, called_off.json()["code"]) == (403, "conflict-of-interest")
    anybody.last = commission.last
    assert (await anybody.get(f"/v1/fights/{fight_id}")).json()["state"] == "scheduled"
    path = f"/v1/fights/{fight_id}/appeals"
    for one in (rival, commission):
        lodged = (await one.post(path, {"turn": 1, "text": "El calor no era ese."})).json()
        ruling = {"granted": True, "answer": "Se corrige."}
        refused = await commission.post(f"{path}/{lodged['appeal_id']}/ruling", ruling)
        assert (refused.status_code, refused.json()["code"]) == (403, "conflict-of-interest")


async def test_a_substitute_has_an_interest_in_the_fight(
    drawn, commission, import_fact, person, store, eventually
):
    """DL7: who plays instead of another appeals for the side, and neither rules nor calls the fight off."""
    fight = drawn[0]
    fact = {"fight_id": fight["fight_id"], "reason": "no answers", "by": "referee"}
    taken = {"side": "A", "person_id": commission.person_id, "before": fight["sides"][0]["person_id"]}
    await import_fact("side-substituted", fact | taken)
    await import_fact("side-substituted", fact | taken | {"fight_id": str(uuid4())})
    count = "SELECT count(*) FROM event WHERE type = 'substitute-seated'"
    await eventually(lambda: store.pool.fetchval(count), bool)
    called_off = await commission.post(f"/v1/fights/{fight['fight_id']}/void", REASON)
    assert (called_off.status_code, called_off.json()["code"]) == (403, "conflict-of-interest")
    path = f"/v1/fights/{fight['fight_id']}/appeals"
    lodged = (await commission.post(path, {"turn": 1, "text": "El calor no era ese."})).json()
    assert lodged["side"] == "A"
    refused = await commission.post(
        f"{path}/{lodged['appeal_id']}/ruling", {"granted": True, "answer": "Se corrige."}
    )
    assert (refused.status_code, refused.json()["code"]) == (403, "conflict-of-interest")
    assert await store.pool.fetchval(count) == 1
    other = await commission.post(f"/v1/fights/{drawn[1]['fight_id']}/void", REASON)
    assert other.status_code == 200


async def test_facts_about_a_fight_name_its_substitutes(
    drawn, commission, import_fact, person, store, eventually
):
    """So that they get the letters about appeals of theirs, and about a fight that is off."""
    fight, other = drawn
    stand_in = await person("stand-in")
    fact = {"fight_id": fight["fight_id"], "reason": "no answers", "by": "referee"}
    taken = {"side": "A", "person_id": stand_in.person_id, "before": fight["sides"][0]["person_id"]}
    await import_fact("side-substituted", fact | taken)
    count = "SELECT count(*) FROM event WHERE type = 'substitute-seated'"
    await eventually(lambda: store.pool.fetchval(count), bool)
    path = f"/v1/fights/{fight['fight_id']}"
    lodged = (await stand_in.post(f"{path}/appeals", {"turn": 1, "text": "El calor no era ese."})).json()
    ruling = {"granted": True, "answer": "Se corrige."}
    assert (await commission.post(f"{path}/appeals/{lodged['appeal_id']}/ruling", ruling)).status_code == 200
    assert (await commission.post(f"{path}/void", REASON)).status_code == 200
    assert (await commission.post(f"/v1/fights/{other['fight_id']}/void", REASON)).status_code == 200
    facts = [await eventually(lambda: published(store, "ruling-published"), bool)]
    facts.append(await eventually(lambda: published(store, "fight-voided"), lambda found: len(found) == 2))
    (ruled,), off = ([one["data"]["substitutes"] for one in found] for found in facts)
    stands_in = [{"side": "A", "person_id": stand_in.person_id}]
    assert ruled == stands_in and off == [stands_in, []]


async def test_what_cannot_be_voided(drawn, commission, person, anybody, conclude, eventually):
    first, second = drawn
    path = f"/v1/fights/{first['fight_id']}/void"
    stranger = await person("stranger")
    assert (await anybody.post(path, REASON)).status_code == 401
    assert (await stranger.post(path, REASON)).status_code == 403
    for body in ({}, {"reason": "  "}, {"reason": "x" * 501}, {"reason": 7}, {**REASON, "more": 1}):
        assert (await commission.post(path, body)).status_code == 422
    unknown = await commission.post(f"/v1/fights/{uuid4()}/void", REASON)
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not-found")
    await commission.post(path, REASON)
    again = await commission.post(path, REASON)
    assert (again.status_code, again.json()["code"]) == (409, "fight-voided")
    await conclude(second, ("win", "loss"), (1, 0))
    await eventually(lambda: round_of(anybody, second), lambda one: one["concluded"] == 1)
    over = await commission.post(f"/v1/fights/{second['fight_id']}/void", REASON)
    assert (over.status_code, over.json()["code"]) == (409, "fight-over")
