"""A season over the API: mechwarriors enter, a round is drawn and fought, the ranking explains itself."""

import asyncio
import hashlib
import json
from uuid import uuid4

import pytest

from solaris_league.domain.lot import Lot
from solaris_league.domain.pairing import LentMech, draw_round

NAMES = ("Íñigo O'Núñez | 'El Rápido'", "Bea 🤖", '"Comillas"', "d'Artagnan; DROP TABLE")
POOL = [{"instance_id": str(uuid4()), "model": f"PNT-{n}R"} for n in range(6)]
TERMS = {"class": 3, "arenas": ["cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}


def code(answer, status):
    assert answer.status_code == status, answer.text
    return answer.json()["code"]


@pytest.fixture
async def fighters(worker, person):
    people = []
    for number, name in enumerate(NAMES):
        one = await person(f"player {number}")
        answer = await one.post("/v1/mechwarriors", {"name": name, "affiliation": "St. Ives"})
        assert answer.status_code == 201, answer.text
        one.mechwarrior_id = answer.json()["mechwarrior_id"]
        people.append(one)
    return people


@pytest.fixture
async def opened(commission):
    answer = await commission.post("/v1/rounds", TERMS)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def listed(anybody, path):
    answer = await anybody.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


async def facts(store, name):
    rows = await store.pool.fetch("SELECT subject, envelope FROM outbox ORDER BY publication")
    events = [json.loads(row["envelope"]) for row in rows]
    return [event for event in events if event["type"] == f"solaris.league.{name}.v1"]


async def test_a_mechwarrior_enters_class_3_with_the_skills_of_a_beginner(fighters, anybody):
    one = await fighters[0].get(f"/v1/mechwarriors/{fighters[0].mechwarrior_id}")
    body = one.json()
    assert (body["name"], body["class"], body["gunnery"], body["piloting"]) == (NAMES[0], 3, 4, 5)
    assert body["experience"]["category"] == "Principiante"
    assert {row["name"] for row in await listed(anybody, "/v1/mechwarriors?class=3")} == set(NAMES)
    assert (await fighters[0].get("/v1/me")).json()["mechwarrior_id"] == fighters[0].mechwarrior_id


async def test_one_character_each_and_no_callsign_twice(fighters, person):
    entry = {"name": "Otra", "affiliation": "Kurita"}
    assert code(await fighters[0].post("/v1/mechwarriors", entry), 409) == "has-mechwarrior"
    late = await person("late")
    same = {"name": "bea  🤖", "affiliation": "Kurita"}
    assert code(await late.post("/v1/mechwarriors", same), 409) == "callsign-taken"
    unknown = await late.post("/v1/mechwarriors", {"name": "Nueva", "affiliation": "Clan"})
    assert code(unknown, 422) == "invalid"


async def test_two_entries_at_once_make_one_mechwarrior(worker, person, store):
    ana = await person("ana")
    answers = await asyncio.gather(
        *(ana.post("/v1/mechwarriors", {"name": f"N {n}", "affiliation": "Kurita"}) for n in range(6))
    )
    assert sorted(one.status_code for one in answers) == [201] + [409] * 5
    assert await store.pool.fetchval("SELECT count(*) FROM roster") == 1


async def test_only_the_commission_opens_and_draws(fighters, opened, anybody):
    for who, status in ((anybody, 401), (fighters[0], 403)):
        assert (await who.post("/v1/rounds", TERMS)).status_code == status
        assert (await who.post(f"/v1/rounds/{opened['round_id']}/draw")).status_code == status


@pytest.mark.parametrize(
    "changes",
    [{"class": 6}, {"class": "3"}, {"arenas": []}, {"arenas": ["a b"]}, {"pool": POOL[:1]}, {"turns": 10**26},
     {"turn_seconds": 0}, {"seed": "00" * 32}, {"pool": [{"instance_id": "x", "model": "y"}] * 2},
     {"pool": [POOL[0], POOL[0]]}, {"ruleset": "\x00"}],
)  # fmt: skip
async def test_terms_that_are_invalid(worker, commission, changes):
    assert code(await commission.post("/v1/rounds", {**TERMS, **changes}), 422) == "invalid"


async def test_terms_that_the_rules_refuse(worker, commission, opened):
    assert code(await commission.post("/v1/rounds", {**TERMS, "turns": 9}), 409) == "round-open"
    assert (
        code(await commission.post("/v1/rounds", {**TERMS, "class": 4, "turns": 9}), 409)
        == "fight-length-fixed"
    )
    draw = f"/v1/rounds/{opened['round_id']}/draw"
    assert code(await commission.post(draw), 409) == "too-few-entrants"
    assert code(await commission.post(f"/v1/rounds/{uuid4()}/draw"), 404) == "not-found"


async def test_eight_openings_at_once_open_one_round(worker, commission):
    answers = await asyncio.gather(*(commission.post("/v1/rounds", TERMS) for _ in range(8)))
    assert sorted(one.status_code for one in answers) == [201] + [409] * 7


async def test_the_draw_is_committed_repeatable_and_public(
    fighters, commission, opened, anybody, store, eventually
):
    before = (await commission.get(f"/v1/rounds/{opened['round_id']}")).json()
    assert (before["state"], before["lot"]["seed"]) == ("open", None)
    answer = await commission.post(f"/v1/rounds/{opened['round_id']}/draw")
    assert answer.status_code == 200, answer.text
    anybody.last = commission.last
    round_ = (await anybody.get(f"/v1/rounds/{opened['round_id']}")).json()
    lot = round_["lot"]
    assert hashlib.sha256(bytes.fromhex(lot["seed"])).hexdigest() == opened["seed_commitment"]
    pool = [LentMech(mech["instance_id"], mech["model"]) for mech in round_["terms"]["pool"]]
    again = draw_round(Lot(lot["seed"]), lot["entrants"], round_["terms"]["arenas"], pool, {})
    fights = await listed(anybody, f"/v1/fights?round_id={opened['round_id']}")
    seats = [[side["mechwarrior_id"] for side in fight["sides"]] for fight in fights]
    assert seats == [[one.a.mechwarrior_id, one.b.mechwarrior_id] for one in again.pairings]
    assert code(await commission.post(f"/v1/rounds/{opened['round_id']}/draw"), 409) == "already-drawn"
    published = await facts(store, "round-opened")
    assert "seed" not in published[0]["data"] and lot["seed"] not in json.dumps(published)


async def test_the_public_fact_of_a_scheduled_fight_has_its_agreed_form(
    fighters, commission, opened, store, eventually
):
    await commission.post(f"/v1/rounds/{opened['round_id']}/draw")
    first, _ = await eventually(lambda: facts(store, "fight-scheduled"), lambda found: len(found) == 2)
    data = first["data"]
    assert first["subject"] == f"fight/{data['fight_id']}"
    agreed = ("round", "ruleset", "class", "arena", "turns", "kind", "turn_seconds")
    assert {name: data[name] for name in agreed} == {
        "round": 1, "ruleset": "solaris7/1", "class": 3, "arena": "cantera", "turns": 8, "kind": "ranking",
        "turn_seconds": 3600,
    }  # fmt: skip
    assert (data["referee"], data["purse"]) == (None, {"win": 300000, "draw": 200000, "loss": 100000})
    side = data["sides"][0]
    assert set(side) >= {"side", "mechwarrior_id", "person_id", "name", "gunnery", "piloting", "mech"}
    assert set(side["mech"]) == {"instance_id", "model", "owner"} and side["mech"]["owner"] == "organisers"
    entered = await facts(store, "mechwarrior-entered")
    assert set(entered[0]["data"]) == {
        "mechwarrior_id", "person_id", "name", "affiliation", "class", "gunnery", "piloting",
    }  # fmt: skip


async def test_a_round_is_fought_ranked_explained_and_followed_by_the_next(
    fighters, commission, opened, anybody, store, conclude, eventually
):
    await commission.post(f"/v1/rounds/{opened['round_id']}/draw")
    anybody.last = commission.last
    first, second = await listed(anybody, "/v1/fights?state=scheduled")
    await conclude(first, ("win", "loss"), (31, 4))
    table = await eventually(
        lambda: anybody.get("/v1/standings?class=3"), lambda answer: answer.json()["items"][0]["points"] == 3
    )
    assert table.json()["final"] is False
    await conclude(first, ("win", "loss"), (31, 4))
    await conclude(second, ("draw", "draw"), (7, 6))
    table = await eventually(
        lambda: anybody.get("/v1/standings?class=3"), lambda answer: answer.json()["final"]
    )
    rows = table.json()["items"]
    assert [(row["rank"], row["points"]) for row in rows] == [(1, 3), (2, 1), (2, 1), (4, 0)]
    winner, loser = (side["mechwarrior_id"] for side in first["sides"])
    assert (rows[0]["mechwarrior_id"], rows[3]["mechwarrior_id"]) == (winner, loser)

    why = (await anybody.get(rows[0]["explanation"])).json()
    assert (why["rank"], why["points"], why["counted_rounds"], why["level_with"]) == (1, 3, [1], [])
    fight = why["fights"][0]
    assert (fight["fight_id"], fight["result"], fight["points"], fight["victory_points"]) == (
        first["fight_id"], "win", 3, 31,
    )  # fmt: skip
    assert fight["opponent"] == first["sides"][1]["name"] and fight["counted"] is True
    assert why["experience"] == {
        "halves": 2, "category": "Rookie", "next_at_halves": 6, "rule": "R 6",
    }  # fmt: skip
    assert why["text"]["es"] == "Puesto 1: 3 puntos en las rondas 1-1: 3 (victoria, ronda 1)."
    level = (await anybody.get(rows[1]["explanation"])).json()
    assert [one["mechwarrior_id"] for one in level["level_with"]] == [rows[2]["mechwarrior_id"]]
    assert (await anybody.get(f"/v1/mechwarriors/{winner}")).json()["piloting"] == 4

    shown = (await anybody.get(f"/v1/fights/{first['fight_id']}")).json()
    assert (shown["state"], shown["result"][0]["victory_points"]) == ("concluded", 31)
    (ranking,) = await eventually(lambda: facts(store, "ranking-published"), lambda found: len(found) == 1)
    assert [row["points"] for row in ranking["data"]["standings"]] == [3, 1, 1, 0]
    round_ = (await anybody.get(f"/v1/rounds/{opened['round_id']}")).json()
    assert (round_["state"], round_["fights"], round_["concluded"]) == ("closed", 2, 2)

    following = await commission.post("/v1/rounds", TERMS)
    assert following.json()["number"] == 2
    await commission.post(f"/v1/rounds/{following.json()['round_id']}/draw")
    anybody.last = commission.last
    fights = await listed(anybody, f"/v1/fights?round_id={following.json()['round_id']}")
    pairs = {frozenset(side["mechwarrior_id"] for side in fight["sides"]) for fight in fights}
    earlier = {frozenset(side["mechwarrior_id"] for side in fight["sides"]) for fight in (first, second)}
    assert not pairs & earlier
    skills = {side["mechwarrior_id"]: side["piloting"] for fight in fights for side in fight["sides"]}
    assert (skills[winner], skills[loser]) == (4, 5)


async def test_a_fight_of_nobody_here_counts_for_nobody(
    fighters, commission, opened, conclude, store, eventually
):
    stranger = {
        "fight_id": str(uuid4()),
        "sides": [{"side": s, "mechwarrior_id": str(uuid4())} for s in "AB"],
    }
    await conclude(stranger, ("win", "loss"), (9, 0))
    progress = "SELECT checkpoint = (SELECT position FROM head) FROM reactor WHERE name = 'ranking-office'"
    await eventually(lambda: store.pool.fetchval(progress), lambda done: done)
    assert await store.pool.fetchval("SELECT state FROM reactor") == "running"
    assert await store.pool.fetchval("SELECT count(*) FROM event WHERE type = 'fight-recorded'") == 0


async def test_lists_page_without_loss(fighters, anybody):
    anybody.last = fighters[-1].last
    seen, path = [], "/v1/mechwarriors?limit=3"
    while path:
        answer = await anybody.get(path)
        seen += [row["mechwarrior_id"] for row in answer.json()["items"]]
        link = answer.headers.get("link")
        path = link and link.split(">")[0][1:]
    assert sorted(seen) == sorted(one.mechwarrior_id for one in fighters)


async def test_unknown_things_are_404_and_malformed_ids_422(worker, anybody):
    for path in ("rounds", "fights", "mechwarriors"):
        assert code(await anybody.get(f"/v1/{path}/{uuid4()}"), 404) == "not-found"
        assert code(await anybody.get(f"/v1/{path}/'; DROP TABLE event"), 422) == "invalid"
    assert code(await anybody.get(f"/v1/standings/{uuid4()}/explanation"), 404) == "not-found"
    assert code(await anybody.get("/v1/standings?class=9"), 422) == "invalid"


async def test_a_read_that_asks_for_its_own_write_never_gets_the_past(worker, person, app):
    ana = await person("ana")
    await ana.get("/v1/me")
    worker.signals.stop()
    await asyncio.sleep(0.3)
    entered = await ana.post("/v1/mechwarriors", {"name": "Ana", "affiliation": "Kurita"})
    answer = await ana.get(f"/v1/mechwarriors/{entered.json()['mechwarrior_id']}")
    assert code(answer, 503) == "not-yet-visible" and answer.headers["retry-after"] == "1"
    ana.last = ""
    assert (await ana.get("/v1/me")).json()["mechwarrior_id"] is None
