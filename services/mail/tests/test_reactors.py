"""Letters from the facts of the league and of combat, by the real reactors on real rows."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from solaris_mail.application.desk import Desk
from solaris_mail.application.league_letters import league_reactor
from solaris_mail.application.mailbox import letter_of
from solaris_mail.application.reactors import fight_reactor, schedule_reactor
from solaris_mail.domain.contact import Reader
from solaris_mail.foreign_events import (
    CHALLENGE_ANSWERED,
    CHALLENGE_ISSUED,
    COMBAT,
    DEADLINE_EXTENDED,
    FIGHT_CONCLUDED,
    FIGHT_OPENED,
    FIGHT_PARKED,
    FIGHT_RESUMED,
    FIGHT_SCHEDULED,
    FIGHT_VOIDED,
    INJURIES_ROLLED,
    LEAGUE,
    LENGTH_SET,
    LOT_DRAWN,
    OVERTIME_GRANTED,
    PHASE_RESOLVED,
    REQUEST_RENEWED,
    ROUND_VOIDED,
    RULING_PUBLISHED,
    SIDE_SUBSTITUTED,
    SIDE_YIELDED,
    UNIT_CORRECTED,
)
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
        for reactor in (schedule_reactor(desk), fight_reactor(desk), league_reactor(desk)):
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
    """Non-interference: between the opening of a turn and its resolution mail models acts of the referee, of
    the Commission and of who gives up, and how long the fight lasts, and whether it stands still, nothing
    else."""
    assert [name.split(".")[2] for name in LEAGUE] == [
        "fight-scheduled", "fight-voided", "ruling-published", "challenge-issued", "challenge-answered",
        "injuries-rolled", "lot-drawn", "promoted", "relegated", "round-voided",
    ]  # fmt: skip
    assert [name.split(".")[2] for name in COMBAT] == [
        "fight-opened", "phase-resolved", "fight-concluded", "unit-corrected", "side-yielded",
        "request-renewed", "deadline-extended", "side-substituted", "length-set", "overtime-granted",
        "fight-parked", "fight-resumed",
    ]  # fmt: skip
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


CID = str(UUID(int=0xC))
NEXT = {"turn": 1, "kind": "movement", "sides": ["A", "B"]}
LATER = "2099-12-08T23:00:00Z"
SUBSTITUTED = {
    "fight_id": FIGHT,
    "side": "B",
    "person_id": CID,
    "before": BEA,
    "by": "referee",
    "reason": "No responde.",
}


async def bodies(store, post_office, after: int = 0) -> list[tuple[str, str, str]]:
    """(person, subject, body) of every letter still to be sent, in Spanish."""
    rows = [row for row in await letters(store) if row["state"] == "queued"][after:]
    texts = [(row["person_id"], post_office.composer.text(letter_of(row), Reader())) for row in rows]
    return [(person, text.subject.removeprefix("Solaris 7 · "), text.body) for person, text in texts]


@pytest.fixture
async def running(react):
    """A fight in which the movement of turn 1 is asked of both."""
    await react(FIGHT_OPENED, OPENED)
    await react(PHASE_RESOLVED, resolved(1, "movement") | {"next": NEXT})


async def test_a_correction_asks_everybody_anew_and_says_why(store, react, post_office, running):
    await react(
        UNIT_CORRECTED,
        {"fight_id": FIGHT, "turn": 1, "side": "B", "changes": {"heat": 3}, "reason": "Contado\ndos veces."},
    )
    assert len(await bodies(store, post_office)) == 2, "the correction alone writes nothing"
    renewed = {"fight_id": FIGHT, "next": NEXT, "deadline": LATER, "reopened": True}
    await react(REQUEST_RENEWED, renewed)
    (ana, subject, body), (bea, _, _) = await bodies(store, post_office)
    assert (ana, bea) == (ANA, BEA)
    assert subject == "Otra vez: Movimiento del turno 1 contra Lobo Gris: órdenes hasta el mié 9 dic, 00:00"
    assert body.startswith(
        "Hola, Halcón:\n\n"
        "Se ha corregido lo que estaba mal en el bando de Lobo Gris:\n\n"
        "  Contado dos veces.\n\n"
        "Se piden órdenes de nuevo a todos: lo que hubieras enviado ya no cuenta.\n\n"
        "Tu combate contra Lobo Gris sigue adelante. Ahora se pide el\nmovimiento del turno 1.\n"
    )
    await react(PHASE_RESOLVED, resolved(1) | {"next": {**NEXT, "kind": "fire_and_movement"}})
    assert "Otra vez" not in (await bodies(store, post_office))[0][1], "told once"


async def test_everybody_who_plays_hears_how_long_the_fight_lasts_now(store, react, post_office, running):
    await react(SIDE_SUBSTITUTED, SUBSTITUTED)
    before = len(await bodies(store, post_office))
    await react(LENGTH_SET, {"fight_id": FIGHT, "turns": 10, "before": 8})
    await react(REQUEST_RENEWED, {"fight_id": FIGHT, "next": NEXT, "deadline": LATER, "reopened": False})
    (ana, subject, body), (cid, _, _) = (await bodies(store, post_office))[before:]
    assert (ana, cid) == (ANA, CID), "not whom somebody plays for"
    assert subject == "Tu combate contra Lobo Gris durará 10 turnos"
    assert "(La Cantera): 10 turnos en lugar de 8.\n\nLo que hayas enviado sigue contando" in body
    await react(OVERTIME_GRANTED, {"fight_id": FIGHT, "turn": 10, "to_turn": 12})
    told = (await bodies(store, post_office))[before + 2 :]
    assert [one[:2] for one in told] == [
        (ANA, "Prórroga hasta el turno 12 en tu combate contra Lobo Gris"),
        (CID, "Prórroga hasta el turno 12 en tu combate contra Halcón"),
    ]
    assert await store.pool.fetchval("SELECT turns FROM fight") == 12
    await react(FIGHT_VOIDED, voided())
    await react(LENGTH_SET, {"fight_id": FIGHT, "turns": 13, "before": 12})
    assert len([one for one in await letters(store) if one["kind"] == "length"]) == 4


async def test_who_plays_hears_that_his_fight_stands_still_and_of_the_new_deadline(
    store, react, post_office, running
):
    await react(SIDE_SUBSTITUTED, SUBSTITUTED)
    before = len(await bodies(store, post_office))
    await react(FIGHT_PARKED, {"fight_id": FIGHT, "code": "ruleset-changed", "pinned": "0", "carried": "1"})
    (ana, subject, body), (cid, _, _) = (await bodies(store, post_office))[before:]
    assert (ana, cid, subject) == (ANA, CID, "Parado tu combate contra Lobo Gris")
    assert "está parado por ahora.\nLas tablas del reglamento no son" in body
    await react(FIGHT_RESUMED, {"fight_id": FIGHT, "next": NEXT, "deadline": resolved(1)["deadline"]})
    assert len(await bodies(store, post_office)) == before + 2, "everything was in: it is carried out at once"
    await react(FIGHT_RESUMED, {"fight_id": FIGHT, "next": NEXT, "deadline": LATER})
    asked = [one for one in await bodies(store, post_office) if one[1].startswith("Más tiempo: Movimiento")]
    assert [one[0] for one in asked] == [ANA, CID]
    assert "estaba parado y sigue adelante: hay un plazo nuevo." in asked[0][2]


async def test_a_side_that_gives_up_asks_the_others_anew_and_an_agreed_length_nobody(
    store, react, post_office, running
):
    await react(REQUEST_RENEWED, {"fight_id": FIGHT, "next": NEXT, "deadline": LATER, "reopened": False})
    assert all("Otra vez" not in subject for _, subject, _ in await bodies(store, post_office))
    await react(SIDE_YIELDED, {"fight_id": FIGHT, "turn": 1, "side": "B", "how": "flight"})
    alone = {**NEXT, "sides": ["A"]}
    await react(REQUEST_RENEWED, {"fight_id": FIGHT, "next": alone, "deadline": LATER, "reopened": True})
    ((person, _, body),) = await bodies(store, post_office)
    assert person == ANA and "Lobo Gris ha huido; el combate sigue.\nSe piden órdenes de nuevo" in body
    await react(SIDE_YIELDED, {"fight_id": FIGHT, "turn": 1, "side": "A", "how": "surrender"})
    await react(REQUEST_RENEWED, {"fight_id": FIGHT, "next": None, "deadline": None, "reopened": True})
    assert await bodies(store, post_office) == [], "the result will be told"


async def test_more_time_replaces_the_letters_with_the_old_deadline(store, react, post_office, running):
    extended = {"fight_id": FIGHT, "turn": 1, "phase": "movement", "before": "2099-12-06T22:59:00Z"}
    await react(DEADLINE_EXTENDED, extended | {"deadline": LATER, "by": "referee", "reason": "Viaje."})
    found = await bodies(store, post_office)
    assert [person for person, _, _ in found] == [ANA, BEA]
    assert found[0][1].startswith("Más tiempo: Movimiento del turno 1 contra Lobo Gris: órdenes hasta")
    assert "El motivo:\n\n  Viaje.\n\nSi ya las habías enviado, siguen contando.\n" in found[0][2]
    assert "Plazo: miércoles, 9 de diciembre de 2099, 00:00" in found[0][2]
    (row,) = [row for row in await letters(store) if row["state"] == "queued" and row["person_id"] == ANA]
    assert row["expires_at"].isoformat() == "2099-12-08T23:00:00+00:00"


async def test_who_stands_in_gets_the_letters_from_then_on(store, react, post_office, running):
    await react(SIDE_SUBSTITUTED, SUBSTITUTED)
    found = {person: (subject, body) for person, subject, body in await bodies(store, post_office, 1)}
    assert set(found) == {ANA, BEA, CID}
    assert found[CID][0].startswith("Como sustituto: Movimiento del turno 1 contra Halcón: órdenes hasta")
    assert (
        "Desde ahora llevas tú a Lobo Gris en este combate. El motivo:\n\n  No responde.\n" in found[CID][1]
    )
    assert found[BEA][0] == "Te sustituyen en tu combate contra Halcón"
    assert "No tienes que enviar más órdenes" in found[BEA][1]
    assert found[ANA][0] == "Cambia quien lleva a Lobo Gris"
    await react(PHASE_RESOLVED, resolved(1))
    assert [row["person_id"] for row in await letters(store) if row["kind"] == "turn"][-2:] == [ANA, CID]
    await react(FIGHT_CONCLUDED, concluded())
    told = [row["person_id"] for row in await letters(store) if row["kind"] == "result"]
    assert sorted(told) == sorted([ANA, BEA, CID])


async def test_who_stands_in_and_has_nothing_to_order_hears_of_it_all_the_same(store, react, post_office):
    await react(FIGHT_OPENED, OPENED | {"next": {**NEXT, "sides": ["A"]}})
    await react(SIDE_SUBSTITUTED, SUBSTITUTED)
    found = {person: (subject, body) for person, subject, body in await bodies(store, post_office, 1)}
    assert found[CID][0] == "Sustituyes en un combate contra Halcón"
    assert "Ahora mismo no se te pide nada" in found[CID][1]


PEOPLE = {
    "challenger": {"mechwarrior_id": str(uuid4()), "person_id": ANA, "name": "Halcón"},
    "challenged": {"mechwarrior_id": str(uuid4()), "person_id": BEA, "name": "Lobo Gris"},
}
CHALLENGE = {"round_id": str(uuid4()), "round": 2, "class": 3, "challenge_id": str(uuid4()), **PEOPLE}


async def test_a_challenge_is_told_to_the_challenged_and_its_answer_to_the_challenger(
    store, react, post_office
):
    await react(CHALLENGE_ISSUED, CHALLENGE)
    await react(CHALLENGE_ANSWERED, CHALLENGE | {"accepted": True})
    await react(CHALLENGE_ANSWERED, CHALLENGE | {"accepted": False})
    assert [one[:2] for one in await bodies(store, post_office)] == [
        (BEA, "Halcón te reta en la ronda 2"),
        (ANA, "Lobo Gris acepta tu reto de la ronda 2"),
        (ANA, "Lobo Gris rechaza tu reto de la ronda 2"),
    ]


async def test_a_ruling_is_told_to_both_with_its_reason(store, react, post_office):
    ruling = {"ruling_id": str(uuid4()), "fight_id": FIGHT, "side": "A", "turn": 3, "granted": False}
    answer = {"answer": "El turno\n\nya está cerrado. " + "x" * 90, "sides": SIDES}
    await react(RULING_PUBLISHED, ruling | answer)
    (ana, mine, body), (bea, theirs, _) = await bodies(store, post_office)
    assert (ana, mine) == (ANA, "Desestimada: tu reclamación del turno 3")
    assert (bea, theirs) == (BEA, "Desestimada: la reclamación de Halcón del turno 3")
    assert "\n  El turno ya está cerrado. xxx" in body and max(map(len, body.splitlines())) <= 78
    old = {key: value for key, value in (ruling | answer).items() if key != "sides"}
    await react(RULING_PUBLISHED, old)
    assert len(await bodies(store, post_office)) == 2, "a fact from before it named its people"


async def test_a_substitute_hears_of_a_ruling_and_that_the_fight_is_off(store, react, post_office):
    """Who plays a side lodges its appeals; whom he plays for has an interest in it too."""
    stands_in = {"substitutes": [{"side": "B", "person_id": CID}, {"side": "B", "person_id": BEA}]}
    ruling = {"ruling_id": str(uuid4()), "fight_id": FIGHT, "side": "B", "turn": 3, "granted": True}
    await react(RULING_PUBLISHED, ruling | {"answer": "Se corrige.", "sides": SIDES} | stands_in)
    assert [one[:2] for one in await bodies(store, post_office)] == [
        (ANA, "Estimada: la reclamación de Lobo Gris del turno 3"),
        (BEA, "Estimada: tu reclamación del turno 3"),
        (CID, "Estimada: tu reclamación del turno 3"),
    ]
    await react(FIGHT_VOIDED, voided() | stands_in)
    assert [one[0] for one in await bodies(store, post_office, 3)] == [ANA, BEA, CID]


async def test_everybody_of_the_class_hears_that_a_round_is_off(store, react, post_office):
    off = {"round_id": str(uuid4()), "number": 4, "class": 3, "reason": "Faltan\n'Mechs."}
    await react(ROUND_VOIDED, off | {"fighters": list(PEOPLE.values())})
    (ana, subject, body), (bea, _, _) = await bodies(store, post_office)
    assert (ana, bea, subject) == (ANA, BEA, "Ronda 4: anulada")
    assert "La ronda 4 de Clase 3 no se disputa. El motivo:\n\n  Faltan 'Mechs.\n\nNo hay combates" in body


async def test_who_is_hurt_or_rests_hears_that_he_will_not_fight(store, react, post_office):
    hurt = {"mechwarrior_id": str(uuid4()), "fight_id": FIGHT, "round": 4, "faces": [3, 4], "result": "legs",
            "rounds_out": 2, "gunnery": 0, "piloting": 1, "wounds": 0, "reputation": 0}  # fmt: skip
    await react(INJURIES_ROLLED, hurt)
    assert await letters(store) == [], "a fact from before it named its person"
    await react(INJURIES_ROLLED, hurt | {"person_id": ANA, "name": "Halcón"})
    rester = {"mechwarrior_id": str(uuid4()), "person_id": BEA, "name": "Lobo Gris"}
    await react(LOT_DRAWN, {"number": 5, "class": 3, "rester": rester, "seed": "0" * 64})
    await react(LOT_DRAWN, {"number": 6, "class": 3, "rester": None})
    (ana, subject, body), (bea, rests, _) = await bodies(store, post_office)
    assert (ana, subject) == (ANA, "Halcón: lesiones tras la ronda 4")
    assert "(dados: 3 y 4):\n\n  Tiene las piernas destrozadas.\n" in body
    assert "No será sorteado hasta después de la ronda 6.\n" in body
    assert "Su habilidad de pilotaje empeora en 1 para siempre.\n" in body
    assert (bea, rests) == (BEA, "Ronda 5: descansas")
