"""What a reader sees: both languages, his own time, and nothing that a name could smuggle in."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_mail.application.compose import Composer
from solaris_mail.domain.address import check_address, clean_name
from solaris_mail.domain.contact import Reader, check_zone
from solaris_mail.domain.letter import Letter, letter_id, message_id
from solaris_mail.domain.when import long_time, money, short_time, span, utc_time
from solaris_mail.main import make_composer
from solaris_mail.settings import MailSettings
from solaris_shared.errors import Unprocessable

COMPOSER: Composer = make_composer(MailSettings(combat_public_url="https://combat.example/"))
FIGHT, EVENT = UUID(int=0xF), UUID(int=0xE)
DEADLINE = datetime(2026, 12, 4, 22, 59, tzinfo=UTC)
WRITTEN = datetime(2026, 12, 2, 10, 0, tzinfo=UTC)
YOU = {"name": "Ñandú", "model": "PNT-9R", "lent": True}
RIVAL = {"name": "Lobo Gris", "model": "JVN-10N"}
HARM = {"points": 12, "damaged": False, "destroyed": False, "wounds": 0, "conscious": True, "dead": False}


def letter(kind: str, deadline: datetime | None = None, /, **facts) -> Letter:
    return Letter(
        letter_id(EVENT, "p1"),
        message_id(EVENT, "p1", "solaris7.example"),
        "p1",
        kind,
        {"you": YOU, "rival": RIVAL} | facts,
        DEADLINE,
        FIGHT,
        deadline,
    )


def turn(kind: str, number: int, deadline: datetime | None = DEADLINE, **facts) -> Letter:
    return letter("turn", deadline, kind=kind, turn=number, arena="la-cantera", turns=8, **facts)


def result(outcome: str = "win", ended_by: str = "turn-limit", you=None, lent: bool = True) -> Letter:
    own = YOU | HARM | {"lent": lent} | (you or {})
    return letter(
        "result", result=outcome, turns=8, ended_by=ended_by, purse=300_000, you=own, rival=RIVAL | HARM
    )


SCHEDULED = letter(
    "scheduled",
    round=1,
    kind="ranking",
    arena="la-cantera",
    turns=8,
    turn_seconds=172_800,
    purse={"win": 300_000, "draw": 200_000, "loss": 100_000},
    **{"class": 3},
)


def test_the_whole_turn_letter_in_spanish():
    text = COMPOSER.text(turn("fire_and_movement", 3), Reader())
    asked = "Fuego del turno 3 y movimiento del 4 contra Lobo Gris"
    assert text.subject == f"Solaris 7 · {asked}: órdenes hasta el vie 4 dic, 23:59"
    assert text.body == (
        "Hola, Ñandú:\n\n"
        "Tu combate contra Lobo Gris sigue adelante. Ahora se piden, en un\n"
        "mismo sobre, el fuego del turno 3 y el movimiento del turno 4.\n\n"
        "Plazo: viernes, 4 de diciembre de 2026, 23:59 (Europe/Madrid, UTC+1)\n"
        "       2026-12-04 22:59 UTC\n\n"
        "Envía tus órdenes aquí; hasta que acabe el plazo puedes cambiarlas:\n"
        f"https://combat.example/v1/fights/{FIGHT}\n\n"
        "Si al acabar el plazo no hay órdenes tuyas, se aplicarán las órdenes por\n"
        "defecto.\n\n"
        "-- \n"
        "Liga Solaris 7. Carta automática: no hace falta que respondas.\n"
        "Idioma, zona horaria y correo: en los datos de contacto de tu cuenta.\n"
    )


def test_the_whole_turn_letter_in_english_in_the_readers_zone():
    text = COMPOSER.text(turn("fire_and_movement", 3), Reader("en", "Asia/Kolkata"))
    assert (
        text.subject
        == "Solaris 7 · Fire of turn 3 and movement of 4 against Lobo Gris: orders by Sat 5 Dec, 04:29"
    )
    assert "Deadline: Saturday, 5 December 2026, 04:29 (Asia/Kolkata, UTC+5:30)\n" in text.body
    assert "          2026-12-04 22:59 UTC\n" in text.body


def test_the_whole_schedule_letter():
    text = COMPOSER.text(SCHEDULED, Reader())
    assert text.subject == "Solaris 7 · Ronda 1: combates contra Lobo Gris"
    assert "Arena:            La Cantera\n" in text.body
    assert "Tu 'Mech:         PNT-9R (prestado por la organización)\n" in text.body
    assert "Plazo por turno:  2 días\n" in text.body
    assert "Bolsa:            300.000 BC si ganas,\n" in text.body


@pytest.mark.parametrize(
    ("kind", "number", "spanish"),
    [
        ("initial", 0, "elige cuánta munición lleva cada depósito"),
        ("movement", 1, "se pide el\nmovimiento del turno 1."),
        ("fire", 8, "Últimas órdenes de tu combate contra Lobo Gris: el fuego del turno 8."),
    ],
)
def test_each_request_is_named(kind: str, number: int, spanish: str):
    assert spanish in COMPOSER.text(turn(kind, number), Reader()).body


@pytest.mark.parametrize(
    ("change", "spanish"),
    [
        ({}, "Tu 'Mech no necesita reparación."),
        ({"damaged": True}, "La reparación de tu 'Mech corre a cargo de la organización"),
        (
            {"damaged": True, "lent": False},
            "La reparación de tu 'Mech se carga en la cuenta de su propietario.",
        ),
        ({"damaged": True, "destroyed": True}, "Era de la organización: no te cuesta nada."),
        ({"damaged": True, "destroyed": True, "lent": False}, "no tiene reparación y se da de baja."),
        ({"wounds": 1}, "Tu mechwarrior:      1 herida\n"),
        ({"wounds": 2, "conscious": False}, "Tu mechwarrior:      2 heridas, inconsciente\n"),
        ({"dead": True, "wounds": 6}, "Tu mechwarrior:      ha muerto\n"),
    ],
)
def test_the_result_tells_what_became_of_mech_and_mechwarrior(change: dict, spanish: str):
    text = COMPOSER.text(result(you=change, lent=change.get("lent", True)), Reader())
    assert spanish in text.body
    assert text.subject == "Solaris 7 · Victoria ante Lobo Gris"


@pytest.mark.parametrize(
    ("outcome", "ended_by", "spanish", "english"),
    [
        ("win", "out-of-action", "turno 8:\nvictoria por fuera de combate.", "turn 8:\nyou won by knockout."),
        ("draw", "turn-limit", "turno 8:\nempate.", "turn 8:\na draw."),
        ("loss", "turn-limit", "turno 8:\nderrota.", "turn 8:\nyou lost."),
    ],
)
def test_the_result_in_both_languages(outcome: str, ended_by: str, spanish: str, english: str):
    for language, words in (("es", spanish), ("en", english)):
        assert words in COMPOSER.text(result(outcome, ended_by), Reader(language)).body


WHY = "Un motivo largo, " * 12 + "y se acabó."


def substitution(role: str) -> Letter:
    return letter("substitution", role=role, reason=WHY, left="Lobo Gris", arena="la-cantera")


CHANGES = [("again", what) for what in ("correction", "flight", "surrender")]
CHANGES += [("extended", ""), ("instead", ""), ("resumed", "")]
OUT = {"death": 0, "coma": 3, "hands": 2, "legs": 2, "long-recovery": 2, "recovery": 1}
OUT |= {"not-healed": 0, "unharmed": 0}


def injuries(result: str, out: int) -> Letter:
    worse = {"gunnery": int(result == "hands"), "piloting": int(result in ("coma", "legs"))}
    return letter("injuries", result=result, rounds_out=out, until=4 + out, faces=[3, 4], round=4, **worse)


def changed(name: str, what: str) -> Letter:
    return turn("movement", 2, **{name: {"what": what, "name": "Lobo Gris", "reason": WHY}})


MORE = [
    *(changed(*one) for one in CHANGES),
    *(substitution(role) for role in ("substitute", "replaced", "other")),
    *(letter("ruling", turn=3, granted=one, mine=one, asked="Halcón", answer=WHY) for one in (True, False)),
    letter("challenge", round=2, accepted=None, **{"class": 3}),
    *(letter("challenge-answer", round=2, accepted=yes, **{"class": 3}) for yes in (True, False)),
    *(injuries(*one) for one in OUT.items()),
    *(letter("parked", code=code, arena="la-cantera") for code in ("ruleset-changed", "unheard-of")),
    letter("round-voided", round=2, reason=WHY, **{"class": 3}),
    letter("resting", round=2, **{"class": 3}),
    *(letter("class", up=up, **{"class": 3}) for up in (True, False)),
    *(letter("length", turns=10, before=8, agreed=one, arena="la-cantera") for one in (True, False)),
    letter("scheduled", **SCHEDULED.facts | {"kind": "permanence"}),
]
ALL = [*MORE, SCHEDULED, result(), result("draw"), letter("confirmation", DEADLINE)]
ALL += [
    turn(kind, 2, when)
    for kind in ("initial", "movement", "fire_and_movement", "fire")
    for when in (DEADLINE, None)
]


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("one", ALL, ids=lambda one: one.kind)
def test_every_letter_is_tidy(one: Letter, language: str):
    text = COMPOSER.text(one, Reader(language), token="x" * 43)
    lines = text.body.split("\n")
    assert all(len(line) <= 78 for line in lines), text.body
    assert all(line == line.rstrip() or line == "-- " for line in lines), text.body
    assert "\n\n\n" not in text.body, text.body
    assert "{" not in text.body + text.subject
    assert "None" not in text.body + text.subject


def test_the_hour_that_comes_twice_is_told_apart():
    """2.7: 02:30 on the autumn night in Madrid is two instants."""
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    second = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    assert long_time(first, Reader()) == "domingo, 25 de octubre de 2026, 02:30 (Europe/Madrid, UTC+2)"
    assert long_time(second, Reader()) == "domingo, 25 de octubre de 2026, 02:30 (Europe/Madrid, UTC+1)"
    assert utc_time(second) == "2026-10-25 01:30 UTC"


def test_times_and_numbers_are_the_readers():
    assert short_time(DEADLINE, Reader("en", "UTC")) == "Fri 4 Dec, 22:59"
    assert long_time(DEADLINE, Reader("en", "UTC")).endswith("22:59 (UTC, UTC)")
    assert "UTC-3:30" in long_time(DEADLINE, Reader("es", "America/St_Johns"))
    assert [span(seconds, Reader()) for seconds in (172_800, 86_400, 5_400, 90, 1)] == [
        "2 días",
        "1 día",
        "90 minutos",
        "90 segundos",
        "1 segundo",
    ]
    assert (money(1_250_000, Reader()), money(1_250_000, Reader("en"))) == (
        "1.250.000 BC",
        "1,250,000 C-bills",
    )


# --- headers


def headers_of(one: Letter, address: str = "ana@players.example"):
    raw = COMPOSER.message(one, Reader(), address, WRITTEN).as_bytes()
    return message_from_bytes(raw, policy=policy.default), raw


def test_the_headers_of_a_letter():
    message, _ = headers_of(turn("fire", 8))
    assert message["Message-ID"] == f"<{EVENT}.p1@solaris7.example>"
    assert message["References"] == f"<fight.{FIGHT}.p1@solaris7.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Content-Language"] == "es"
    assert str(message["From"]) == "Liga Solaris 7 <liga@solaris7.example>"
    assert message["Date"].datetime == WRITTEN
    assert message["To"].addresses[0].display_name == "Ñandú"


NAMES = [
    "Ñandú «El Rápido»",
    'Ana "la Zurda" O\'Neill',
    "🦤🔥",
    "Eva, Bob <eve@evil.example>",
    "x\r\nBcc: eve@evil.example",
    "x\nSubject: gratis",
    "=?utf-8?q?Bcc?= eve",
    "<img src=x onerror=1>",
    "\u202egnp.exe",
    "\u2028línea",
    "a" * 500,
    "",
    "{{ 7 * 7 }}",
    "\x00\x1b[31m",
]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_adds_a_recipient_or_a_header(name: str):
    """SEC9 and 2.5: player-chosen names go through Address; one recipient, our own headers only."""
    check_message(name)


@given(st.text(max_size=80))
def test_no_text_at_all_adds_a_recipient_or_a_header(name: str):
    check_message(name)


def check_message(name: str) -> None:
    shown = clean_name(name)
    you, rival = YOU | {"name": shown}, RIVAL | {"name": shown}
    message, raw = headers_of(turn("fire", 8, you=you, rival=rival))
    assert [one.addr_spec for one in message["To"].addresses] == ["ana@players.example"]
    assert sorted(message.keys()) == sorted(
        ["From", "To", "Subject", "Date", "Message-ID", "References", "Auto-Submitted", "Content-Type",
         "Content-Transfer-Encoding", "MIME-Version", "Content-Language"]
    )  # fmt: skip
    assert all(len(line) <= 998 for line in raw.split(b"\r\n"))
    assert f"Hola, {shown}:" in message.get_content()


def test_names_are_printable_single_spaced_and_short():
    assert clean_name("  a\r\n\tb\u2028c\u202e ") == "a b c"
    assert clean_name("x" * 100) == "x" * 60


@pytest.mark.parametrize(
    "text",
    [
        "bob@x.example,eve@y.example",
        "bob@x.example eve@y.example",
        "Bob <bob@x.example>",
        "bob@x.example\r\nBcc: eve@y.example",
        "bob@x.example\n",
        "bob",
        "@x.example",
        "bob@x",
        "bob@localhost",
        "bob@[127.0.0.1]",
        '"a b"@x.example',
        "ñ@x.example",
        "a@x.example\x00",
        "a" * 300 + "@x.example",
        "",
    ],
)
def test_what_is_not_exactly_one_address_is_refused(text: str):
    with pytest.raises(Unprocessable) as caught:
        check_address(text)
    assert caught.value.extra["errors"][0]["pointer"] == "/address"


def test_addresses_are_kept_as_mail_needs_them():
    assert check_address("Ana.Gil+liga@Players.Example") == "Ana.Gil+liga@players.example"
    assert check_address("ana@españa.example") == "ana@xn--espaa-rta.example"


def test_zones_are_those_of_the_iana_database():
    assert check_zone("America/Bogota") == "America/Bogota"
    for zone in ("Mars/Base", "../etc/passwd", "", "CEST"):
        with pytest.raises(Unprocessable):
            check_zone(zone)


def test_one_event_makes_one_letter_and_one_message_id_per_person():
    event, other = uuid4(), uuid4()
    assert letter_id(event, "a") == letter_id(event, "a")
    assert len({letter_id(event, "a"), letter_id(event, "b"), letter_id(other, "a")}) == 3
    assert message_id(event, "a", "d.example") == f"<{event}.a@d.example>"
