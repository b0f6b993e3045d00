"""No callsign passes for another's; every alphabet, ñ, quotes and emoji stay allowed."""

import asyncio
import unicodedata

import pytest

from solaris_league.adapters.tables import load_rules
from solaris_league.domain.lookalikes import check_alphabets, shape
from solaris_league.domain.names import check_name
from solaris_shared.errors import Unprocessable

LOOKALIKES = load_rules().lookalikes
FINE = [
    "Íñigo O'Núñez | 'El Rápido'", "Ñandú «El Rápido»", "Bea 🤖", "🦤🔥", "d’Artagnan 2º", "Łódź", "Straße",
    "Сокол", "Ёжик", "Ήλιος", "ひかりカナ漢字", "Ryu 龍", "Ryu龍", "한국어", "Sara Сокол", "Ⅳ ªº №",
    "Ｈａｌｃｏｎ",
]  # fmt: skip
SAME = [
    ("Halcón", "HaIcón"), ("Loba", "L0ba"), ("Orión", "0rión"), ("Yunque", "YUNQUE"), ("Cope", "Соре"),
    ("KATE", "КАТЕ"), ("Mara", "rnara"), ("OTTO", "ΟΤΤΟ"), ("O'Neill", "O’NeiIl"), ("xoc", "хос"),
    ("Eva 1", "Eva l"), ("Piloto Uno", "Piłoto Uno"), ("PILOTO UNO", "PIŁOTO UNO"), ("Bjorn", "Bjørn"),
    ("Đorđe", "Dorde"), ("ÐORÐE", "ðorðe"), ("Ħal", "hal"), ("Ŧor", "Tor"), ("Dılan", "Dilan"),
    ("Æsir", "aesir"), ("Strasse", "Straße"), ("Œdipe", "oedipe"), ("Łoba", "L0ba"),
]  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_what_a_keyboard_of_one_language_writes_is_allowed(name):
    check_alphabets(check_name(name, "/name"), "/name")


@pytest.mark.parametrize("name", ["Наlcón", "Lоba", "Οrión", "El Тrueno", "Halcοn", "Оｒión", "О'Núñez"])
def test_a_word_of_two_alphabets_is_refused(name):
    with pytest.raises(Unprocessable) as refused:
        check_alphabets(name, "/name")
    (error,) = refused.value.extra["errors"]
    assert (error["pointer"], error["code"]) == ("/name", "name-mixes-alphabets")
    assert "dos alfabetos" in error["detail"] and "two alphabets: " in error["detail"]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_a_reader_takes_for_each_other_have_one_shape(one, other):
    assert shape(one, LOOKALIKES) == shape(other, LOOKALIKES)


def test_other_names_have_other_shapes():
    names = [
        "Halcón",
        "Loba",
        "Trueno",
        "Ceniza",
        "Mistral",
        "Yunque",
        "Centella",
        "Orión",
        "Eco",
        "Forastero",
    ]
    names += [f"Piloto {number}" for number in range(100)] + ["Сокол", "Волк", "Ήλιος", "🤖 1", "🦤 1"]
    assert len({shape(name, LOOKALIKES) for name in names}) == len(names)


def test_letters_with_a_stroke_are_the_letters_without():
    """All that Unicode names so, but for two signs of phoneticians and a figure."""
    letters = map(chr, range(0x80, 0x250))
    stroked = [one for one in letters if "WITH STROKE" in unicodedata.name(one, "")]
    assert [one for one in stroked if not shape(one, LOOKALIKES).isascii()] == ["ƛ", "ƻ", "ƾ"]
    assert len(stroked) > 25


def test_every_letter_of_the_table_can_be_met():
    """What NFKC takes apart never reaches the table."""
    assert all(unicodedata.normalize("NFKC", letter) == letter for letter in LOOKALIKES)


async def test_a_callsign_in_use_is_not_to_be_had_in_letters_that_look_alike(worker, person, store):
    async def enter(handle, name):
        one = await person(f"handle {handle}")
        answer = await one.post("/v1/mechwarriors", {"name": name, "affiliation": "Kurita"})
        return answer.status_code, answer.json()

    assert (await enter("a", "Halcón"))[0] == 201
    status, problem = await enter("b", "Наlcón")
    assert (status, problem["errors"][0]["code"]) == (422, "name-mixes-alphabets")
    status, problem = await enter("c", "HaIcon")
    assert (status, problem["code"]) == (409, "callsign-confusable")
    assert "Se confunde con" in problem["detail"] and "it looks like" in problem["detail"]
    assert (await enter("d", "halcon"))[1]["code"] == "callsign-taken"
    await store.pool.execute("UPDATE roster SET callsign_shape = NULL")
    status, problem = await enter("e", "Halc0n")
    assert (status, problem["code"]) == (409, "callsign-confusable"), "also one from before shapes were kept"
    assert await store.pool.fetchval("SELECT count(*) FROM roster") == 1
    assert (await enter("h", "Piłoto Uno"))[0] == 201
    assert (await enter("i", "Piloto Uno"))[1]["code"] == "callsign-confusable"
    older = "UPDATE roster SET callsign_shape = 'piłoto uno' WHERE callsign_key = 'piłoto uno'"
    assert await store.pool.execute(older) == "UPDATE 1"
    status, problem = await enter("j", "Piloto Uno")
    assert (status, problem["code"]) == (409, "callsign-confusable"), (
        "also where the table did not tell it yet"
    )
    both = await asyncio.gather(enter("f", "Copa"), enter("g", "Сора"))
    assert sorted(status for status, _ in both) == [201, 409]
