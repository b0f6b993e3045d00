"""Rounds of `make run` in which the player has no fight: he rests, is hurt or dead, or nobody is fit."""

import asyncio
import json
from dataclasses import replace
from types import SimpleNamespace

import httpx
import pytest

from solaris_local.demo import season, sparring, telling
from solaris_local.demo.client import Client, Refused
from solaris_local.demo.invitation import Invitation, round_of, without_fight

BASES = {name: f"http://{name}" for name in ("league", "combat", "mail", "economy")}
ROUND = "2f9d8b7c-6e5a-4d3c-8b1a-0f9e8d7c6b5a"


def talking(answers, asked=None):
    """A client whose services answer by method and path; what was asked is written down."""

    def answer(request: httpx.Request) -> httpx.Response:
        call = f"{request.method} {request.url.path}"
        if asked is not None:
            asked.append((call, json.loads(request.content or b"null")))
        status, body = answers[call]
        return httpx.Response(status, json=body)

    return Client(httpx.AsyncClient(transport=httpx.MockTransport(answer)), BASES)


@pytest.mark.parametrize("code", ["too-few-entrants", "round-voided"])
async def test_a_round_for_which_fewer_than_two_are_fit_is_called_off(code):
    """The second code is what a start says that was killed after the round was called off."""
    asked = []
    answers = {
        "POST /v1/rounds": (201, {"round_id": ROUND}),
        f"POST /v1/rounds/{ROUND}/draw": (409, {"code": code}),
        f"POST /v1/rounds/{ROUND}/void": (200, {"state": "voided"}),
        f"GET /v1/rounds/{ROUND}": (200, {"state": "voided"}),
    }
    client = talking(answers, asked)
    assert await season.draw_round(client, 4) == ROUND
    assert asked[-1][0].endswith("/void") and asked[-1][1]["reason"]
    assert await telling.round_closed(client, ROUND) and (await round_of(client, ROUND))["state"] == "voided"
    answers[f"POST /v1/rounds/{ROUND}/draw"] = (409, {"code": "lending-pool-too-small"})
    with pytest.raises(Refused, match="lending-pool-too-small"):
        await season.draw_round(client, 4)


@pytest.mark.parametrize(
    ("dead", "out_until", "why"),
    [(False, 0, "rests"), (False, 3, "rests"), (False, 4, "hurt"), (True, 9, "dead")],
)
async def test_why_the_player_has_no_fight(dead, out_until, why):
    client = talking({"GET /v1/mechwarriors/m": (200, {"dead": dead, "out_until": out_until})})
    assert await without_fight(client, "m", 4) == why
    assert str(4) in telling.WITHOUT_FIGHT[why].format(number=4)


@pytest.mark.parametrize(
    ("first", "drawn"), [("rests", [3, 4]), ("hurt", [3, 4]), ("dead", []), ("", [])], ids=str
)
async def test_a_round_without_the_player_is_played_and_the_next_one_drawn(monkeypatch, first, drawn):
    """Until he has a fight again; whoever has one, or is dead, is waited for as before."""
    runtime = SimpleNamespace(stopping=False, api=BASES.get, home=None)
    sessions, invited = [], []

    async def session(runtime, public, invitation, password):
        sessions.append(invitation.number)
        runtime.stopping = len(sessions) == 3
        await asyncio.sleep(0)

    async def invite(public, commission, home, password):
        invited.append(sessions[-1] + 1)
        number = sessions[-1] + 1
        return Invitation(number, ROUND, "f" if number == 4 else "", "" if number == 4 else "hurt")

    async def closed(public, round_id):
        return True

    async def log_in(public, handle, password):
        return public, "p"

    for place, name, stand_in in (
        (sparring, "_session", session),
        (sparring, "invite", invite),
        (sparring, "log_in", log_in),
        (telling, "round_closed", closed),
    ):
        monkeypatch.setattr(place, name, stand_in)
    begun = Invitation(2, ROUND, "" if first else "f", first)
    await sparring._keep_playing(runtime, begun, str)
    assert invited == drawn and sessions == ([2, 3, 4] if drawn else [2, 2, 2])


def test_an_invitation_of_an_earlier_release_is_read():
    assert not sparring.waits(Invitation(**{"number": 2, "round_id": ROUND, "fight_id": "f"}))
    assert sparring.waits(replace(Invitation(2, ROUND, ""), why="rests"))
