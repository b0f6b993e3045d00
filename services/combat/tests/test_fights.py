"""The fight as a service: schedule, sealed orders, questions, deadlines, conclusion, on a real database."""

import asyncio
import json
import random
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hall import SCHEDULED, VOIDED, answer, initial, scheduled, throw

from solaris_combat.application.fights import expire, stream_of
from solaris_combat.application.publish import FACTS, publisher
from solaris_combat.application.telling import load_stream, tell
from solaris_combat.domain.acts import take
from solaris_combat.domain.events import (
    FIGHT_EVENTS,
    ActTaken,
    AnswerAsked,
    AnswerSealed,
    Box,
    DeadlineReached,
    FightVoided,
    LengthWished,
    OrdersSealed,
    SeedDrawn,
)
from solaris_combat.domain.fight import check_rules
from solaris_combat.domain.sealing import check_open, refuse_any
from solaris_combat.domain.verify import verify
from solaris_combat.engines.battletech.loading import LOCKED
from solaris_combat.engines.canonical import sha256
from solaris_shared.errors import (
    Forbidden,
    NotFound,
    PreconditionFailed,
    Rejected,
    SolarisError,
    Unprocessable,
)
from solaris_shared.ids import new_id
from solaris_shared.log.event_log import Meta


async def seal_both(hall, orders_a, orders_b=None):
    await hall.put("ana", orders_a)
    await hall.put("ben", orders_b or orders_a)
    await hall.settle()


async def play_on(hall, dice=1):
    """Both throw until the fight is over, pulling at every tangle."""
    while (fight := await hall.fight()).request is not None:
        turn = fight.request.turn
        await seal_both(hall, throw(turn, dice) if turn else initial())
        while asked := (await hall.fight()).asked:
            for side in asked:
                await hall.put({"A": "ana", "B": "ben"}[side], answer(turn))
            await hall.settle()


def facts(outbox, name):
    return [envelope["data"] for _, envelope in outbox if envelope["type"] == f"solaris.combat.{name}.v1"]


async def test_a_scheduled_fight_opens_once(hall):
    await hall.schedule()
    await hall.schedule()
    assert await hall.types() == ["fight-opened", "seed-drawn", "match-began"]
    (opened,) = facts(await hall.outbox(), "fight-opened")
    assert opened["fight_id"] == hall.fight_id
    assert opened["class"] == 3 and opened["turns"] == 3 and opened["round"] == 1
    assert opened["next"] == {"turn": 0, "kind": "initial", "sides": ["A", "B"]}
    assert opened["deadline"].endswith("Z")
    assert opened["sides"][0] == {
        "side": "A",
        "team": None,
        "mechwarrior_id": "mw-A",
        "person_id": "ana",
        "name": "Callsign A",
        "gunnery": 4,
        "piloting": 5,
        "mech": {"instance_id": "instance-A", "model": "hemp", "owner": "organisers"},
    }


async def test_the_seed_is_secret_and_committed(hall):
    """S03: the public carries the commitment only, until the fight ends."""
    await hall.schedule()
    fight = await hall.fight()
    seed = bytes.fromhex(hall.referee.vault.open(f"{stream_of(hall.fight_id)}/seed", fight.seed))
    assert len(seed) == 32
    assert fight.seed_commitment == sha256(seed)
    assert seed.hex() not in json.dumps(await hall.outbox())
    assert seed.hex() not in await dump(hall)


async def test_a_whole_fight(hall):
    await hall.schedule()
    await play_on(hall, dice=2)
    fight = await hall.fight()
    assert fight.ended == "concluded"
    outbox = await hall.outbox()
    (concluded,) = facts(outbox, "fight-concluded")
    data = b"".join(fight.lines)
    assert verify(data, hall.registry)["seed"] == concluded["seed"]
    assert concluded["record_digest"] == json.loads(data.splitlines()[-1])["sha256"]
    assert concluded["purse"] == {"win": 30, "draw": 20, "loss": 10}
    assert {side["result"] for side in concluded["sides"]} in ({"win", "loss"}, {"draw"})
    side = concluded["sides"][0]
    assert side["name"] == "Callsign A" and side["mechwarrior_id"] == "mw-A"
    assert side["mech"]["instance_id"] == "instance-A" and side["mech"]["damaged"] is True
    assert concluded["round"] == 1 and concluded["class"] == 3 and concluded["ended_by"] == "turn-limit"
    phases = facts(outbox, "phase-resolved")
    assert [phase["turn"] for phase in phases] == [0, 1, 2, 3]
    assert phases[-1]["next"] is None and phases[-1]["deadline"] is None
    assert await hall.store.pool.fetchval("SELECT count(*) FROM timer WHERE state = 'waiting'") == 0


async def test_receipt_is_the_hash_in_the_resolution(hall):
    """DL5: the receipt's hash stands in the resolution and proves the orders that were used."""
    await hall.schedule()
    await seal_both(hall, initial())
    receipt = (await hall.put("ana", throw(1, 1, "mine"))).body
    await hall.put("ben", throw(1, 1))
    await hall.settle()
    outbox = await hall.outbox()
    assert facts(outbox, "all-orders-sealed")[1]["commitments"]["A"] == receipt["receipt"]
    opened = facts(outbox, "orders-opened")[1]["sides"][0]
    assert opened["orders"]["throw"]["cry"] == "mine"
    canonical = json.dumps(opened["orders"], sort_keys=True, separators=(",", ":")).encode()
    assert sha256(bytes.fromhex(opened["salt"]) + canonical) == receipt["receipt"]


async def test_orders_may_be_replaced_until_the_deadline(hall):
    """CON2, CON7: the last orders count; If-Match names the ones the caller means to replace."""
    await hall.schedule()
    await seal_both(hall, initial())
    first = (await hall.put("ana", throw(1, 1, "first"))).body
    second = (await hall.put("ana", throw(1, 1, "second"), if_match=first["commitment"])).body
    with pytest.raises(PreconditionFailed):
        await hall.put("ana", throw(1, 1, "third"), if_match=first["commitment"])
    await hall.put("ben", throw(1, 1))
    await hall.settle()
    outbox = await hall.outbox()
    assert facts(outbox, "all-orders-sealed")[1]["commitments"]["A"] == second["commitment"]
    assert facts(outbox, "orders-opened")[1]["sides"][0]["orders"]["throw"]["cry"] == "second"


async def test_a_replayed_command_is_one_command(hall):
    await hall.schedule()
    first = await hall.put("ana", initial(), key="k")
    again = await hall.put("ana", initial(), key="k")
    assert again.replayed and again.body == first.body
    assert (await hall.types()).count("orders-sealed") == 1
    with pytest.raises(Unprocessable) as reused:
        await hall.put("ana", initial("1" * 64), key="k")
    assert reused.value.code == "idempotency-key-reused"


async def test_nobody_learns_that_a_side_sealed(hall):
    await hall.schedule()
    before = await hall.outbox()
    await hall.put("ben", initial())
    await hall.settle()
    assert await hall.outbox() == before


async def test_fifty_last_submissions_make_one_resolution(hall):
    """CON1: fifty parallel last submissions, one resolution event, and every one of them has an answer."""
    await hall.schedule()
    await hall.put("ana", initial())
    results = await asyncio.gather(*(hall.put("ben", initial(f"{n:064x}")) for n in range(50)))
    assert len({one.body["receipt"] for one in results}) == 50
    await asyncio.gather(hall.settle(), hall.put("ana", initial("1" * 64)), return_exceptions=True)
    await hall.settle()
    assert (await hall.types()).count("phase-resolved") == 1
    assert len(facts(await hall.outbox(), "all-orders-sealed")) == 1


async def test_a_deadline_takes_defaults_for_the_missing(hall):
    """SIM2: DL1: what was saved counts, what is missing is the documented default."""
    await hall.schedule()
    await hall.put("ana", initial("7" * 64))
    await hall.move_clock(3601)
    await hall.settle()
    assert "deadline-reached" in await hall.types()
    (sealed,) = facts(await hall.outbox(), "all-orders-sealed")
    assert sealed["missing"] == ["B"] and set(sealed["commitments"]) == {"A"}
    fight = await hall.fight()
    _, steps = await load_stream(hall.store, hall.fight_id)
    (said,) = [line["text"] for line in tell(fight, steps, "es") if line["type"] == "all-orders-sealed"]
    name = next(seat.unit.name for seat in fight.terms.seats if seat.unit.side == "B")
    assert said.startswith(f"Sin órdenes a tiempo: {name}. Se aplican las órdenes por defecto")
    assert fight.nonces == (bytes.fromhex("7" * 64), bytes(32))
    assert fight.request.turn == 1 and not fight.expired
    assert not any("deadline-reached" in subject for subject, _ in await hall.outbox())


async def test_a_fight_nobody_shows_up_for_still_ends(hall):
    await hall.schedule()
    for turn in range(4):
        await hall.move_clock(3700 * (turn + 1))
        await hall.settle()
    fight = await hall.fight()
    assert fight.ended == "concluded"
    assert verify(b"".join(fight.lines), hall.registry)


async def test_late_by_the_database_clock(hall):
    """CON5: the deadline is an open end by the database's clock, whether or not the timer has run."""
    await hall.schedule()
    await hall.move_clock(3590)
    await hall.put("ana", initial())
    await hall.move_clock(3600)
    with pytest.raises(Rejected) as late:
        await hall.put("ana", initial("1" * 64))
    assert late.value.code == "phase-closed" and late.value.extra["server_time"]


async def test_late_by_the_stream_whatever_the_clock_says(hall):
    """CON5: DeadlineReached in the stream closes the phase even for a clock that went back."""
    await hall.schedule()
    fight = await hall.fight()
    meta = Meta(new_id(), "c", "c", "test")
    async with hall.store.transaction(meta) as tx:
        assert await expire(tx, hall.referee, stream_of(hall.fight_id), fight.deadline) == "done"
    with pytest.raises(Rejected) as late:
        await hall.put("ana", initial())
    assert late.value.code == "phase-closed"
    async with hall.store.transaction(Meta(new_id(), "c", "c", "test")) as tx:
        assert await expire(tx, hall.referee, stream_of(hall.fight_id), fight.deadline) == "void"


async def test_a_timer_of_a_past_phase_is_void(hall):
    await hall.schedule()
    old = (await hall.fight()).deadline
    await seal_both(hall, initial())
    async with hall.store.transaction(Meta(new_id(), "c", "c", "test")) as tx:
        assert await expire(tx, hall.referee, stream_of(hall.fight_id), old) == "void"
        later = old + timedelta(seconds=1)
        assert await expire(tx, hall.referee, stream_of(hall.fight_id), later) == "void"


async def until_asked(hall):
    """Play until exactly one side is asked a question; its side and the turn."""
    await hall.schedule(turns=60)
    await seal_both(hall, initial())
    for turn in range(1, 5):
        before = len(await hall.outbox())
        await seal_both(hall, throw(turn, 3), throw(turn, 1))
        asked = (await hall.fight()).asked
        if asked:
            assert len(await hall.outbox()) == before
            return next(iter(asked)), turn
    raise AssertionError("no rope ever tangled")


async def test_a_question_is_put_to_one_side_and_the_world_sees_nothing(hall):
    side, turn = await until_asked(hall)
    assert side == "A"
    assert (await hall.types())[-1] == "answer-asked"
    with pytest.raises(Rejected) as fixed:
        await hall.put("ana", throw(turn, 1))
    assert fixed.value.code == "orders-fixed"
    with pytest.raises(Unprocessable):
        await hall.put("ana", {"turn": turn + 1, "answers": [True]})
    await hall.put("ana", answer(turn))
    await hall.settle()
    opened = facts(await hall.outbox(), "orders-opened")[-1]
    assert opened["sides"][0]["answers"][0]["orders"] == answer(turn)
    assert (await hall.fight()).request.turn == turn + 1


async def test_the_other_side_may_still_replace_while_one_is_asked(hall):
    """A refusal would tell B that everything is sealed and A is being asked."""
    _, turn = await until_asked(hall)
    await hall.put("ben", throw(turn, 1, "changed my mind"))
    await hall.settle()
    await hall.put("ana", answer(turn))
    await hall.settle()
    opened = facts(await hall.outbox(), "orders-opened")[-1]
    assert opened["sides"][1]["orders"]["throw"]["cry"] == "changed my mind"


async def test_a_question_not_answered_in_time_gets_the_default(hall):
    _, turn = await until_asked(hall)
    await hall.move_clock(3601)
    await hall.settle()
    opened = facts(await hall.outbox(), "orders-opened")[-1]["sides"][0]
    assert opened["answers"] == [{"orders": answer(turn, False), "salt": "", "commitment": ""}]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"arena": "moon"}, "unknown-arena"),
        ({"ruleset": "chess/1"}, "unknown-ruleset"),
        ({"turn_seconds": 0}, "turn-seconds-invalid"),
        ({"turn_seconds": 10**12}, "turn-seconds-invalid"),
        ({"sides": scheduled("x")["sides"][:1]}, "sides-invalid"),
        ({"sides": [scheduled("x")["sides"][0]] * 2}, "sides-invalid"),
    ],
)
async def test_terms_nobody_plays_are_refused_in_public(hall, changes, code):
    await hall.schedule(**changes)
    assert await hall.types() == ["fight-refused"]
    (refused,) = facts(await hall.outbox(), "fight-refused")
    assert refused["violations"][0]["code"] == code
    with pytest.raises(NotFound):
        await hall.put("ana", initial())


async def test_an_unknown_model_is_refused_and_the_next_fight_opens(hall):
    sides = scheduled("x")["sides"]
    sides[1]["mech"]["model"] = "nylon"
    await hall.schedule(sides=sides)
    assert await hall.types() == ["fight-refused"]
    hall.fight_id = str(uuid4())
    await hall.schedule()
    assert (await hall.types())[0] == "fight-opened"


async def test_a_voided_fight_takes_no_more_orders(hall):
    await hall.schedule()
    await hall.import_fact(VOIDED, {"fight_id": hall.fight_id, "reason": "round cancelled"})
    await hall.settle()
    assert (await hall.types())[-1] == "fight-voided"
    with pytest.raises(Rejected) as over:
        await hall.put("ana", initial())
    assert over.value.code == "fight-over"
    await hall.import_fact(VOIDED, {"fight_id": str(uuid4()), "reason": "never opened"})
    await hall.settle()


async def test_a_schedule_that_breaks_its_contract_stops_the_reactor_visibly(hall):
    """Nothing is skipped silently: the fact is kept, the handler's row tells what is wrong."""
    await hall.import_fact(SCHEDULED, {"fight_id": "not-a-uuid"})
    for _ in range(6):
        try:
            await hall.settle()
        except Exception as error:  # noqa: BLE001 - the runner loop of a worker does the same
            assert "foreign-contract-broken" in str(error)
    row = await hall.store.pool.fetchrow("SELECT state, error FROM reactor WHERE name = 'schedule'")
    assert row["state"] in ("failed", "halted") and "fight_id" in row["error"]


@pytest.mark.parametrize(
    ("orders", "code", "pointer"),
    [
        ("text", "orders-malformed", "/turn"),
        ([], "orders-malformed", "/turn"),
        ({}, "orders-malformed", "/turn"),
        ({"turn": 1, "dance": {}}, "orders-malformed", ""),
        (throw(2, 1), "orders-illegal", "/turn"),
        (throw(1, 9), "orders-illegal", "/throw/dice"),
        (answer(1), "orders-illegal", "/turn"),
    ],
)
async def test_orders_that_are_wrong(hall, orders, code, pointer):
    await hall.schedule()
    await seal_both(hall, initial())
    with pytest.raises(Unprocessable) as refused:
        await hall.put("ana", orders)
    assert refused.value.code == code
    assert refused.value.extra["errors"][0]["pointer"] == pointer
    assert "orders-sealed" not in (await hall.types())[5:]


def test_a_load_out_that_comes_too_late_is_a_conflict():
    """HOT3: 409 `loadout-locked`; what is merely wrong is 422."""
    with pytest.raises(Rejected) as late:
        refuse_any([LOCKED])
    assert (late.value.code, late.value.status) == ("loadout-locked", 409)


async def test_a_fight_whose_rules_are_no_longer_carried_goes_no_further(hall):
    """A fight pins its ruleset by id and content hash: changed tables neither take orders nor resolve."""
    await hall.schedule()
    await seal_both(hall, initial())
    fight = await hall.fight()
    check_rules(fight)
    check_open(fight, "A", None)
    changed = replace(fight, ruleset_hash="0" * 64)
    act = ActTaken("lengthen", {"turns": 5}, "", "", None)
    for step in (
        lambda: check_rules(changed),
        lambda: check_open(changed, "A", None),
        lambda: take(changed, act, b"", None),
    ):
        with pytest.raises(Rejected) as stopped:
            step()
        assert (stopped.value.code, stopped.value.status) == ("ruleset-changed", 409)
        assert stopped.value.extra == {"pinned": "0" * 64, "carried": fight.playing.ruleset_hash}


async def test_strangers_and_unknown_fights(hall):
    await hall.schedule()
    with pytest.raises(Forbidden) as stranger:
        await hall.put("eve", initial())
    assert stranger.value.code == "not-your-fight"
    hall.fight_id = str(uuid4())
    with pytest.raises(NotFound):
        await hall.put("ana", initial())


async def test_a_finished_fight_takes_no_more_orders(hall):
    await hall.schedule(turns=1)
    await play_on(hall)
    with pytest.raises(Rejected) as over:
        await hall.put("ana", throw(1, 1))
    assert over.value.code == "fight-over"


async def dump(hall):
    """Every row of every table as text."""
    tables = await hall.store.pool.fetch(
        "SELECT schemaname, tablename FROM pg_tables"
        " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    )
    texts = []
    for table in tables:
        name = f'"{table["schemaname"]}"."{table["tablename"]}"'
        rows = await hall.store.pool.fetch(f"SELECT t::text AS line FROM {name} t")
        texts += [row["line"] for row in rows]
    return "\n".join(texts)


async def test_canary_a_token_in_sealed_orders_is_found_nowhere_before_the_reveal(hall):
    """SEC17: the token stands in no table, outbox included, in no spelling we use."""
    await hall.schedule()
    await seal_both(hall, initial())
    token = "CANARY-orders-of-ben"
    await hall.put("ben", throw(1, 1, token))
    await hall.settle()
    text = await dump(hall)
    assert token not in text and token.encode().hex() not in text
    assert json.dumps(token)[1:-1] not in text
    await hall.put("ana", throw(1, 1))
    await hall.settle()
    while (await hall.fight()).asked:
        await hall.put("ben", answer(1))
        await hall.put("ana", answer(1))
    assert token in await dump(hall)


def test_what_is_private_is_never_published(registry):
    """S02. The allow-list: everything that is not a public fact by name stays in the database."""
    publish = publisher(registry)
    box = Box("k", "n", "c")
    now = datetime(2026, 11, 30, tzinfo=UTC)
    private = [
        SeedDrawn(box),
        OrdersSealed("A", 1, "throw", box, "c", now),
        AnswerAsked("A", 1, "throw", box, "d"),
        AnswerSealed("A", 1, "throw", "d", box, "c", now),
        DeadlineReached(1, "throw", now),
        FightVoided("reason"),
        ActTaken("yield", {}, "side A", "ana", now),
        LengthWished("A", 9, now),
    ]
    assert {type(event) for event in private} | set(FACTS) == set(FIGHT_EVENTS.values())
    assert [publish(event, "fight-x") for event in private] == [None] * len(private)


@pytest.mark.parametrize("number", range(4))
async def test_fights_of_careless_players_end_and_prove_themselves(hall, number):
    """Whatever is sent, replaced, forgotten or refused: the fight ends, and its record verifies."""
    chance = random.Random(number)
    await hall.schedule(turns=4)
    shift = 0
    while (fight := await hall.fight()).request is not None:
        turn = fight.request.turn
        for person in chance.choices(["ana", "ben", "eve"], k=4):
            orders = chance.choice([initial(), throw(turn, chance.randint(0, 4)), answer(turn), {"turn": 99}])
            with suppress(SolarisError):
                await hall.put(person, orders)
        if chance.random() < 0.3:
            shift += 3601
            await hall.move_clock(shift)
        await hall.settle()
    assert (await hall.fight()).ended == "concluded"
    assert verify(b"".join((await hall.fight()).lines), hall.registry)
