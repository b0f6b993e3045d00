"""A round that cannot be drawn holds up its class no longer: more 'Mechs are lent, or it is called off."""

import json
from uuid import uuid4

import pytest

from solaris_league.application.championship import read
from solaris_league.domain import mechwarrior as mechwarriors
from solaris_league.domain.injuries import InjuriesRolled
from solaris_league.domain.lot import Lot
from solaris_league.domain.pairing import LentMech, draw_round
from solaris_league.domain.round import LotSeeded, RoundVoided
from solaris_shared.log.event_log import Meta

POOL = [{"instance_id": str(uuid4()), "model": f"PNT-{n}R"} for n in range(2)]
MORE = [{"instance_id": str(uuid4()), "model": "JVN-10N"} for _ in range(2)]
TERMS = {"class": 3, "arenas": ["cantera"], "pool": POOL, "turns": 8, "turn_seconds": 3600}
REASON = {"reason": "Faltan 'Mechs."}


async def published(store, name):
    rows = await store.pool.fetch("SELECT envelope FROM outbox ORDER BY publication")
    events = [json.loads(row["envelope"]) for row in rows]
    return [event["data"] for event in events if event["type"] == f"solaris.league.{name}.v1"]


@pytest.fixture
async def players(worker, person):
    made = []
    for number in range(4):
        one = await person(f"player {number}")
        entered = await one.post("/v1/mechwarriors", {"name": f"Piloto {number}", "affiliation": "Kurita"})
        one.mechwarrior = entered.json()["mechwarrior_id"]
        made.append(one)
    return made


@pytest.fixture
async def path(players, commission):
    """An open round that lends two 'Mechs to four mechwarriors."""
    opened = await commission.post("/v1/rounds", TERMS)
    return f"/v1/rounds/{opened.json()['round_id']}"


async def test_more_mechs_are_lent_and_the_round_is_drawn(path, commission, anybody, eventually, store):
    """C-30: who has no 'Mech gets one of the organisers; anybody can repeat the lot from the public facts."""
    refused = await commission.post(f"{path}/draw")
    assert (refused.status_code, refused.json()["code"]) == (409, "lending-pool-too-small")
    again = await commission.post(f"{path}/pool", {"pool": POOL[:1], **REASON})
    error = again.json()["errors"][0]
    told = (again.status_code, error["pointer"], error["code"])
    assert told == (422, "/pool/0/instance_id", "mech-lent-twice"), "it is lent already"
    doubled = await commission.post(f"{path}/pool", {"pool": [*MORE, MORE[1]], **REASON})
    assert (doubled.status_code, doubled.json()["errors"][0]["pointer"]) == (422, "/pool/2/instance_id")
    extended = await commission.post(f"{path}/pool", {"pool": MORE, **REASON})
    assert (extended.status_code, extended.json()["pool"]) == (200, 4)
    assert (await commission.post(f"{path}/draw")).status_code == 200
    anybody.last = commission.last
    shown = (await anybody.get(path)).json()
    assert shown["terms"]["pool"] == POOL + MORE
    lot, pool = shown["lot"], [LentMech(**mech) for mech in shown["terms"]["pool"]]
    drawn = draw_round(Lot(lot["seed"]), lot["entrants"], TERMS["arenas"], pool, {})
    fights = (await anybody.get(f"/v1/fights?round_id={path.rsplit('/', 1)[1]}")).json()["items"]
    lent = [tuple(side["mech"]["instance_id"] for side in one["sides"]) for one in fights]
    assert lent == [(one.a.mech.instance_id, one.b.mech.instance_id) for one in drawn.pairings]
    (fact,) = await eventually(lambda: published(store, "pool-extended"), bool)
    assert (fact["mechs"], fact["reason"]) == (MORE, REASON["reason"])
    for change in ("pool", "void"):
        body = REASON if change == "void" else {"pool": MORE, **REASON}
        late = await commission.post(f"{path}/{change}", body)
        assert (late.status_code, late.json()["code"]) == (409, "already-drawn")


async def test_a_round_is_called_off_and_the_next_one_opens(
    path, players, commission, anybody, eventually, store, rules
):
    ana, ben, *_ = players
    issued = await ana.post(f"{path}/challenges", {"against": ben.mechwarrior})
    assert (await ana.post(f"{path}/void", REASON)).status_code == 403
    assert (await commission.post(f"{path}/void", {})).status_code == 422
    assert (await commission.post("/v1/rounds", TERMS)).json()["code"] == "round-open"
    off = await commission.post(f"{path}/void", REASON)
    assert (off.status_code, off.json()["state"]) == (200, "voided")
    anybody.last = commission.last
    shown = (await anybody.get(path)).json()
    assert (shown["state"], shown["reason"], shown["fights"]) == ("voided", REASON["reason"], 0)
    (fact,) = await eventually(lambda: published(store, "round-voided"), bool)
    assert {one["person_id"] for one in fact["fighters"]} == {one.person_id for one in players}
    answer = f"{path}/challenges/{issued.json()['challenge_id']}/answer"
    for who, late, body in (
        (commission, f"{path}/draw", None),
        (commission, f"{path}/void", REASON),
        (commission, f"{path}/pool", {"pool": MORE, **REASON}),
        (ben, answer, {"accepted": True}),
        (ben, f"{path}/challenges", {"against": ana.mechwarrior}),
    ):
        refused = await who.post(late, body)
        assert (refused.status_code, refused.json()["code"]) == (409, "round-voided"), late
    kept = [fact.event for fact in read((await anybody.get("/v1/championship")).content, rules)]
    assert RoundVoided in map(type, kept) and LotSeeded not in map(type, kept)
    following = await commission.post("/v1/rounds", TERMS | {"pool": POOL + MORE})
    assert (following.status_code, following.json()["number"]) == (201, 2)
    assert (await commission.post(f"/v1/rounds/{following.json()['round_id']}/draw")).status_code == 200


async def test_a_month_without_fights_counts_for_who_recovers(path, players, commission, store):
    """R 4.7, PROPOSED: a class of which all but one are out is not held up for ever."""
    events = []
    for one in players[1:]:
        data = {"mechwarrior_id": one.mechwarrior, "fight_id": str(uuid4()), "round": 0, "rounds_out": 1}
        events.append(data | {"faces": [4, 5], "result": "recovery", "gunnery": 0, "piloting": 0, "wounds": 0,
                              "reputation": 0, "person_id": one.person_id, "name": "x"})  # fmt: skip
    await inject(store, events)
    alone = await commission.post(f"{path}/draw")
    assert (alone.status_code, alone.json()["code"]) == (409, "too-few-entrants")
    assert (await commission.post(f"{path}/void", REASON)).status_code == 200
    following = await commission.post("/v1/rounds", TERMS | {"pool": POOL + MORE})
    drawn = await commission.post(f"/v1/rounds/{following.json()['round_id']}/draw")
    assert len(drawn.json()["fight_ids"]) == 2


async def inject(store, events):
    """What a fight before would have left."""
    for data in events:
        stream = f"mechwarrior-{data['mechwarrior_id']}"
        async with store.transaction(Meta(uuid4(), "c", "c", "reactor")) as tx:
            loaded = await tx.load(stream, mechwarriors.evolve)
            await tx.append(stream, loaded.version, InjuriesRolled(**{**data, "faces": (4, 5)}))
