"""Challenges fix a pairing of the round; appeals get one public answer."""

import json
from uuid import uuid4

import pytest

from solaris_league.domain.lot import Lot
from solaris_league.domain.pairing import LentMech, draw_round

POOL = [{"instance_id": str(uuid4()), "model": f"PNT-{n}R"} for n in range(4)]
TERMS = {"class": 3, "arenas": ["cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}
LATE = {"turn": 3, "text": "El calor del turno 3 se contó dos veces."}


async def published(store, name):
    rows = await store.pool.fetch("SELECT envelope FROM outbox ORDER BY publication")
    events = [json.loads(row["envelope"]) for row in rows]
    return [event for event in events if event["type"] == f"solaris.league.{name}.v1"]


@pytest.fixture
async def drawn(players, commission, anybody):
    """Two fights of a drawn round."""
    _, path = players
    await commission.post(f"{path}/draw")
    anybody.last = commission.last
    return (await anybody.get(f"/v1/fights?round_id={path.rsplit('/', 1)[1]}")).json()["items"]


@pytest.fixture
async def players(worker, person, commission):
    """Five mechwarriors and an open round that has not been drawn."""
    made = []
    for number in range(5):
        one = await person(f"player {number}")
        entered = await one.post("/v1/mechwarriors", {"name": f"Piloto {number}", "affiliation": "Kurita"})
        one.mechwarrior = entered.json()["mechwarrior_id"]
        made.append(one)
    round_id = (await commission.post("/v1/rounds", TERMS)).json()["round_id"]
    return made, f"/v1/rounds/{round_id}"


async def challenge(one, other, path):
    return await one.post(f"{path}/challenges", {"against": other.mechwarrior})


async def test_an_accepted_challenge_is_a_fight_of_the_round(players, commission, anybody):
    """R 4.4: the rest is drawn by lot, and anybody can repeat it."""
    (ana, ben, cid, dee, eli), path = players
    issued = await challenge(ana, ben, path)
    assert issued.status_code == 201
    answer = f"{path}/challenges/{issued.json()['challenge_id']}/answer"
    assert (await cid.post(answer, {"accepted": True})).status_code == 403
    assert (await ben.post(answer, {"accepted": True})).json()["accepted"] is True
    assert (await ben.post(answer, {"accepted": False})).json()["code"] == "challenge-answered"
    declined = await challenge(cid, dee, path)
    assert declined.status_code == 201
    no = await dee.post(f"{path}/challenges/{declined.json()['challenge_id']}/answer", {"accepted": False})
    assert no.status_code == 200
    await commission.post(f"{path}/draw")
    anybody.last = commission.last
    shown = (await anybody.get(f"{path}/challenges")).json()["items"]
    assert [one["accepted"] for one in shown] == [True, False]
    fights = (await anybody.get(f"/v1/fights?round_id={path.rsplit('/', 1)[1]}")).json()["items"]
    first = {side["mechwarrior_id"] for side in fights[0]["sides"]}
    assert first == {ana.mechwarrior, ben.mechwarrior} and len(fights) == 2
    lot = (await anybody.get(path)).json()["lot"]
    assert lot["resting"] not in first
    pool = [LentMech(**mech) for mech in TERMS["pool"]]
    fixed = [tuple(pair) for pair in lot["challenged"]]
    again = draw_round(Lot(lot["seed"]), lot["entrants"], TERMS["arenas"], pool, {}, (), fixed)
    assert again.resting == lot["resting"]
    late = await challenge(cid, eli, path)
    assert (late.status_code, late.json()["code"]) == (409, "already-drawn")


async def test_what_a_challenge_may_not_be(players, commission):
    (ana, ben, cid, _, _), path = players
    assert (await challenge(ana, ana, path)).json()["code"] == "challenge-self"
    nobody = await commission.post(f"{path}/challenges", {"against": ana.mechwarrior})
    assert nobody.status_code in (403, 409)
    first = (await challenge(ana, ben, path)).json()["challenge_id"]
    assert (await challenge(ben, ana, path)).json()["code"] == "challenge-stands"
    await ben.post(f"{path}/challenges/{first}/answer", {"accepted": True})
    assert (await challenge(cid, ben, path)).json()["code"] == "challenge-taken"


async def test_an_appeal_gets_one_public_answer(drawn, commission, anybody, log_in, eventually, store):
    fight = drawn[0]
    path = f"/v1/fights/{fight['fight_id']}/appeals"
    fighters = {}
    for number in range(5):
        one = await log_in(f"player {number}")
        fighters[one.person_id] = one
    mine = fighters[fight["sides"][0]["person_id"]]
    stranger = next(
        one for key, one in fighters.items() if key not in {s["person_id"] for s in fight["sides"]}
    )
    assert (await stranger.post(path, LATE)).json()["code"] == "not-your-fight"
    lodged = await mine.post(path, LATE)
    assert lodged.status_code == 201 and lodged.json()["late"] is False
    assert (await mine.post(path, LATE)).json()["code"] == "appeal-open"
    commission.last = mine.last
    (waiting,) = (await commission.get("/v1/appeals")).json()["items"]
    assert waiting["text"] == LATE["text"]
    assert (await anybody.get(path)).json()["items"] == []
    ruling = {"granted": True, "answer": "Se corrige el calor: eran 4 puntos."}
    answer = f"{path}/{lodged.json()['appeal_id']}/ruling"
    assert (await mine.post(answer, ruling)).status_code == 403
    assert (await commission.post(answer, ruling)).status_code == 200
    assert (await commission.post(answer, ruling)).json()["code"] == "appeal-answered"
    anybody.last = commission.last
    (told,) = (await anybody.get(path)).json()["items"]
    assert told["answer"] == ruling["answer"] and "text" not in told
    (fact,) = await eventually(lambda: published(store, "ruling-published"), bool)
    assert fact["data"]["granted"] is True and LATE["text"] not in json.dumps(fact)
    assert (await mine.post(path, LATE)).status_code == 201


async def test_an_appeal_about_a_fight_that_is_over_is_late(
    drawn, commission, conclude, log_in, eventually, anybody
):
    """Late ones may be declined, with a reason."""
    fight = drawn[1]
    await conclude(fight, ("win", "loss"), (9, 3))
    await eventually(
        lambda: anybody.get(f"/v1/fights/{fight['fight_id']}"), lambda one: one.json()["state"] == "concluded"
    )
    path = f"/v1/fights/{fight['fight_id']}/appeals"
    for number in range(5):
        one = await log_in(f"player {number}")
        if one.person_id == fight["sides"][1]["person_id"]:
            lodged = await one.post(path, LATE)
    assert lodged.json()["late"] is True
    declined = {"granted": False, "answer": "El turno ya está cerrado."}
    got = await commission.post(f"{path}/{lodged.json()['appeal_id']}/ruling", declined)
    assert got.status_code == 200 and got.json()["granted"] is False
