"""Letters from the facts of the league and of combat, by the real reactors on real rows."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from solaris_mail.application.desk import Desk
from solaris_mail.application.mailbox import letter_of
from solaris_mail.application.reactors import (
    FIGHT_CONCLUDED,
    FIGHT_OPENED,
    FIGHT_SCHEDULED,
    FIGHT_VOIDED,
    PHASE_RESOLVED,
    fight_reactor,
    schedule_reactor,
)
from solaris_mail.domain.contact import Reader
from solaris_mail.foreign_events import COMBAT, LEAGUE
from solaris_shared.errors import Unavailable
from solaris_shared.log.codec import EventUnreadable
from solaris_shared.log.event_log import Meta, Stored
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.log.unit_of_work import Store

FIGHT, ANA, BEA = str(UUID(int=0xF)), str(UUID(int=0xA)), str(UUID(int=0xB))
DEADLINE = datetime(2099, 12, 4, 22, 59, tzinfo=UTC)
AGAINST = "contra Lobo Gris: órdenes hasta el"
PURSE = {"win": 300_000, "draw": 200_000, "loss": 100_000}


def side(letter: str, person: str, name: str, owner: str = "organisers") -> dict:
    mech = {"instance_id": str(uuid4()), "model": "PNT-9R", "owner": owner}
    return {"side": letter, "mechwarrior_id": str(uuid4()), "person_id": person, "name": name, "mech": mech}


SIDES = [side("A", ANA, "Halcón"), side("B", BEA, "Lobo\r\nGris", owner="m-2")]
COMMON = {"fight_id": FIGHT, "round": 1, "class": 3, "arena": "la-cantera", "turns": 8, "sides": SIDES}
SCHEDULED = COMMON | {"turn_seconds": 90, "purse": PURSE, "kind": "ranking", "referee": None}
OPENED = COMMON | {"deadline": "2099-12-04T22:59:00Z", "seed_commitment": "00"}


def resolved(turn: int | None, kind: str = "fire_and_movement") -> dict:
    following = None if turn is None else {"turn": turn, "kind": kind}
    deadline = None if turn is None else "2099-12-06T22:59:00Z"
    return {"fight_id": FIGHT, "turn": 1, "phase": "movement", "next": following, "deadline": deadline}


def concluded() -> dict:
    harm = {"damaged": True, "destroyed": False}
    pilot = {"wounds": 1, "conscious": True, "dead": False}
    results = (("win", 43), ("loss", 12))
    sides = [
        {name: value for name, value in one.items() if name != "name"}
        | {"result": word, "victory_points": points, "mech": one["mech"] | harm, "pilot": pilot, "kills": 0}
        for one, (word, points) in zip(SIDES, results, strict=True)
    ]
    return {"fight_id": FIGHT, "turns": 8, "ended_by": "turn-limit", "purse": PURSE, "round": 1, "class": 3,
            "seed": "00", "record_digest": "00", "sides": sides}  # fmt: skip


def imported(type_: str, data: dict, event_id: UUID | None = None) -> Stored:
    event = ForeignTypes(LEAGUE | COMBAT).decode(type_, data, {})
    return Stored(1, 1, "import-x", 1, event_id or uuid4(), type_, event, {}, datetime.now(UTC))


@pytest.fixture
def react(store: Store, desk: Desk):
    async def react_to(type_: str, data: dict, event_id: UUID | None = None) -> Stored:
        stored = imported(type_, data, event_id)
        for reactor in (schedule_reactor(desk), fight_reactor(desk)):
            if handler := reactor.handles.get(type_):
                async with store.transaction(Meta(uuid4(), "c", "c", "reactor")) as tx:
                    await handler(tx, stored)
        return stored

    return react_to


async def letters(store: Store) -> list:
    return await store.pool.fetch(
        "SELECT *, facts::text FROM letter ORDER BY created_at, person_id = $1 DESC", ANA
    )


async def told(store: Store, post_office) -> list[tuple[str, str, str]]:
    """(person, kind, subject) of every letter."""
    rows = await store.pool.fetch("SELECT *, facts::text AS facts FROM letter ORDER BY created_at, person_id")
    return [
        (row["person_id"], row["kind"], post_office.composer.text(letter_of(row), Reader()).subject)
        for row in rows
    ]


async def test_a_whole_fight_in_letters(store, react, post_office):
    await react(FIGHT_SCHEDULED, SCHEDULED)
    await react(FIGHT_OPENED, OPENED)
    await react(PHASE_RESOLVED, resolved(1, "movement"))
    await react(PHASE_RESOLVED, resolved(1))
    await react(PHASE_RESOLVED, resolved(8, "fire"))
    await react(PHASE_RESOLVED, resolved(None))
    await react(FIGHT_CONCLUDED, concluded())
    found = await told(store, post_office)
    assert [one for one in found if one[0] == ANA] == [
        (ANA, "scheduled", "Solaris 7 · Ronda 1: combates contra Lobo Gris"),
        (ANA, "turn", f"Solaris 7 · Turno inicial {AGAINST} vie 4 dic, 23:59"),
        (ANA, "turn", f"Solaris 7 · Movimiento del turno 1 {AGAINST} dom 6 dic, 23:59"),
        (ANA, "turn", f"Solaris 7 · Fuego del turno 1 y movimiento del 2 {AGAINST} dom 6 dic, 23:59"),
        (ANA, "turn", f"Solaris 7 · Fuego del turno 8 {AGAINST} dom 6 dic, 23:59"),
        (ANA, "result", "Solaris 7 · Victoria ante Lobo Gris"),
    ]
    assert [one[2] for one in found if one[0] == BEA][-1] == "Solaris 7 · Derrota ante Halcón"


async def test_a_repeated_fact_makes_no_second_letter(store, react):
    event = uuid4()
    for _ in range(3):
        await react(FIGHT_SCHEDULED, SCHEDULED, event)
    rows = await letters(store)
    assert [row["message_id"] for row in rows] == [
        f"<{event}.{person}@solaris7.example>" for person in (ANA, BEA)
    ]


async def test_a_turn_letter_expires_at_its_deadline_and_others_after_five_days(store, react):
    await react(FIGHT_SCHEDULED, SCHEDULED)
    await react(FIGHT_OPENED, OPENED)
    for row in await letters(store):
        if row["kind"] == "turn":
            assert row["expires_at"] == row["deadline"] == DEADLINE
        else:
            assert row["expires_at"] - row["created_at"] == timedelta(days=5)


async def test_a_letter_of_a_turn_that_is_over_is_not_sent_any_more(store, react):
    await react(FIGHT_OPENED, OPENED)
    await react(PHASE_RESOLVED, resolved(1, "movement"))
    assert [(row["kind"], row["state"]) for row in await letters(store)] == [
        ("turn", "superseded"), ("turn", "superseded"), ("turn", "queued"), ("turn", "queued")
    ]  # fmt: skip
    await react(FIGHT_CONCLUDED, concluded())
    assert [row["state"] for row in await letters(store)][2:4] == ["superseded", "superseded"]
    assert [row["state"] for row in await letters(store)][4:] == ["queued", "queued"]


async def test_only_the_sides_that_are_asked_get_a_letter(store, react):
    """DL3: whoever has nothing to order is not asked for orders."""
    await react(FIGHT_OPENED, OPENED | {"next": {"turn": 0, "kind": "initial", "sides": ["A", "B"]}})
    phase = resolved(4)
    phase["next"]["sides"] = ["B"]
    await react(PHASE_RESOLVED, phase)
    assert [row["person_id"] for row in await letters(store)] == [ANA, BEA, BEA]


async def test_a_turn_of_an_unknown_fight_waits(store, react):
    """The reactor halts visibly and tries again; nothing is dropped."""
    with pytest.raises(Unavailable, match="fight-unknown"):
        await react(PHASE_RESOLVED, resolved(1))
    assert await letters(store) == []


@pytest.mark.parametrize("missing", ["person_id", "name", "mech"])
def test_a_fact_without_its_people_breaks_the_contract(missing: str):
    sides = [{key: value for key, value in one.items() if key != missing} for one in SIDES]
    with pytest.raises(EventUnreadable, match="foreign-contract-broken"):
        imported(FIGHT_OPENED, OPENED | {"sides": sides})


async def test_both_sides_get_the_same_turn_letter_at_the_same_time(store, react, post_office):
    """A letter never tells who has sealed: what one side reads differs from the other's in names alone."""
    await react(FIGHT_OPENED, OPENED)
    mine, theirs = await letters(store)
    assert (mine["created_at"], mine["expires_at"]) == (theirs["created_at"], theirs["expires_at"])
    mine, theirs = (post_office.composer.text(letter_of(row), Reader()).body for row in (mine, theirs))
    assert mine.replace("Lobo Gris", "?").replace("Halcón", "?") == theirs.replace("Halcón", "?").replace(
        "Lobo Gris", "?"
    )


async def test_mail_reads_no_fact_that_tells_who_has_sealed():
    """Non-interference: mail models no fact between the opening of a turn and its resolution."""
    league, combat = {FIGHT_SCHEDULED, FIGHT_VOIDED}, {FIGHT_OPENED, PHASE_RESOLVED, FIGHT_CONCLUDED}
    assert set(LEAGUE | COMBAT) == league | combat
    fields = {name for model in (LEAGUE | COMBAT).values() for name in model.__annotations__}
    assert not fields & {"commitments", "missing", "sealed", "sealed_at", "orders"}


def voided(cause: str = "commission", reason: str = "La arena\r\nestá cerrada.") -> dict:
    return {
        "fight_id": FIGHT, "round_id": str(uuid4()), "round": 1, "class": 3, "arena": "la-cantera",
        "cause": cause, "reason": reason, "sides": SIDES,
    }  # fmt: skip


async def test_both_fighters_hear_that_their_fight_is_off_and_are_asked_for_nothing_more(
    store, react, post_office
):
    await react(FIGHT_OPENED, OPENED)
    event = uuid4()
    for _ in range(2):
        await react(FIGHT_VOIDED, voided(), event)
    await react(PHASE_RESOLVED, resolved(1, "movement"))
    await react(FIGHT_CONCLUDED, concluded())
    rows = await letters(store)
    assert [(row["person_id"], row["kind"], row["state"]) for row in rows] == [
        (ANA, "turn", "superseded"),
        (BEA, "turn", "superseded"),
        (ANA, "voided", "queued"),
        (BEA, "voided", "queued"),
    ]
    text = post_office.composer.text
    texts = [text(letter_of(row), Reader(language)) for row in rows[2:] for language in ("es", "en")]
    assert [text.subject for text in texts] == [
        "Solaris 7 · Ronda 1: anulado tu combate contra Lobo Gris",
        "Solaris 7 · Round 1: your fight against Lobo Gris is off",
        "Solaris 7 · Ronda 1: anulado tu combate contra Halcón",
        "Solaris 7 · Round 1: your fight against Halcón is off",
    ]
    assert texts[0].body.startswith(
        "Hola, Halcón:\n\n"
        "Tu combate contra Lobo Gris en La Cantera ha sido anulado.\n\n"
        "La Comisión ha dado este motivo:\n\n"
        "  La arena está cerrada.\n\n"
        "Un combate anulado no cuenta: no da puntos ni bolsa, y la ronda sigue sin\n"
        "él. No tienes que enviar más órdenes.\n\n"
        f"El combate:\nhttps://combat.example/v1/fights/{FIGHT}\n"
    )
    assert "The Commission gives this reason:\n\n  La arena está cerrada.\n\nA fight" in texts[1].body


@pytest.mark.parametrize(
    ("codes", "spanish_reason", "english_reason"),
    [
        (
            ["unknown-model"],
            "Uno de los modelos de 'Mech no está en el catálogo.",
            "One of the models of 'Mechs is not in the catalogue.",
        ),
        (["not-known-here"], "El árbitro dice (en inglés): no model 'PNT-0R'", "no model 'PNT-0R'"),
        ([], "no model 'PNT-0R'", "no model 'PNT-0R'"),
    ],
)
async def test_a_fight_that_cannot_be_set_up_is_told_with_the_reason_in_the_readers_language(
    store, react, post_office, codes, spanish_reason, english_reason
):
    await react(FIGHT_SCHEDULED, SCHEDULED)
    await react(FIGHT_VOIDED, voided("refused", "no model 'PNT-0R'") | {"codes": codes})
    ana = next(row for row in await letters(store) if row["kind"] == "voided" and row["person_id"] == ANA)
    spanish, english = (post_office.composer.text(letter_of(ana), Reader(one)).body for one in ("es", "en"))
    assert f"no se puede disputar tal como se programó:\n\n  {spanish_reason}\n\nUn combate" in spanish
    assert f"cannot be fought as it was scheduled:\n\n  {english_reason}\n\nA fight" in english
