"""Services that answer slowly, too much or nonsense: the page says so in its place and nothing falls."""

import asyncio

import httpx
import pytest

from solaris_console import apis
from solaris_console.apis import Apis, Caller, Trouble
from solaris_console.telling import complaints, headlines, problem_words
from solaris_console.texts import Speech

BASES = {"combat": "http://combat"}


def caller(answer: httpx.Response, seconds: float = 5.0) -> Caller:
    http = httpx.AsyncClient(transport=httpx.MockTransport(lambda _request: answer))
    return Caller(Apis(http, BASES, seconds))


async def trickle():
    while True:
        yield b" "
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, html="<p>a proxy's page</p>"),
        httpx.Response(200, json=[1, 2]),
        httpx.Response(502, html="<p>bad gateway</p>"),
        httpx.Response(503, json={"code": "database-unavailable", "errors": None}),
    ],
)
async def test_an_answer_that_is_none_is_a_service_that_is_away(answer):
    with pytest.raises(Trouble) as told:
        await caller(answer).get("combat", "/v1/fights")
    assert told.value.down and told.value.errors == []


async def test_an_answer_that_trickles_is_given_up_and_the_service_left_alone():
    slow = caller(httpx.Response(200, content=trickle()), seconds=0.1)
    for _ in range(2):  # the second time without asking
        with pytest.raises(Trouble) as told:
            await slow.get("combat", "/v1/fights")
        assert told.value.code == "no-answer"


async def test_an_answer_without_end_is_cut(monkeypatch):
    monkeypatch.setattr(apis, "MAX_ANSWER", 1000)
    with pytest.raises(Trouble):
        await caller(httpx.Response(200, content=trickle())).get("combat", "/v1/fights")


def test_spanish_pages_never_show_an_apis_english():
    spanish, english = Speech("es"), Speech("en")
    unknown = {"code": "no-such-rule", "detail": "The unit may not.", "pointer": "/fire/shots/0"}
    [said] = complaints(spanish, [unknown])
    assert "may not" not in said.text and "no-such-rule" in said.text and said.place == "fire"
    [said] = complaints(english, [unknown])
    assert said.text == "The unit may not."
    lost = {
        "code": "text-not-understood",
        "detail": "line 2, column 7: a facing is expected",
        "pointer": "/text",
    }
    [said] = complaints(spanish, [lost])
    assert said.text == "No se entiende el texto de las órdenes. Línea 2, columna 7."
    assert complaints(english, [lost])[0].text == lost["detail"]
    trouble = Trouble("combat", 409, {"code": "x", "title": "Conflicto", "detail": "English words."})
    assert problem_words(spanish, trouble) == "Conflicto"
    assert problem_words(english, trouble) == "English words."


def test_weapons_and_bins_have_names():
    speech = Speech("es", words={"ppc": "CPP", "srm-4": "AMCA/4", "at.RA": "brazo derecho", "at.CT": "torso"})
    assert speech.mount("ra-ppc-1") == "CPP (brazo derecho)"
    assert speech.mount("ct-srm-4-ammo-2") == "AMCA/4 2 (torso)"
    assert speech.mount("odd") == "odd"


def line(number: int, kind: str, *, detail: bool = False) -> dict:
    return {"number": number, "type": kind, "time": "t", "detail": detail, "text": kind}


def test_the_last_news_end_with_the_newest_and_leave_out_what_says_nothing():
    shots = [line(n, "shot-resolved") for n in range(2, 40)]
    hit, phase = line(40, "damage-taken", detail=True), "phase-began"
    told = [line(1, phase), line(1, "fire-declared"), *shots, hit, line(41, phase), line(42, "turn-ended")]
    told += [line(43, phase), line(44, "unit-moved")]
    news = headlines([line(0, "unit-moved") | {"time": "before"}, *told])
    assert [one["number"] for one in news[-2:]] == [43, 44]
    assert len(news) <= 30 and {one["type"] for one in news} == {"shot-resolved", "phase-began", "unit-moved"}
    assert headlines([]) == []


def test_an_impossible_shot_says_combats_own_reason():
    detail = "ra-ppc-1 cannot hit 9999: hex not on the board"
    refused = {"code": "shot-impossible", "detail": detail, "pointer": "/fire/shots/0"}
    told = Speech("es", words={"hex not on the board": "el hexágono no está en el tablero"})
    [said] = complaints(told, [refused])
    assert said.text == "Ese disparo no es posible: el hexágono no está en el tablero."
    [said] = complaints(Speech("es"), [refused])
    assert said.text.startswith("Ese disparo no es posible")
