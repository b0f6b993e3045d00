"""Previews asked through the form: as it was opened, and written as text."""

import json

import httpx
import pytest
from browsing import ORIGIN, token

from solaris_console.pages.fight import blank

FIGHT = "01890a5d-ac96-774b-bcce-b302099a8057"
REACH = [{"hex": "0506", "facing": 1, "mp": 1, "hexes": 1, "steps": "F"}]
HEXES = {"0506": {"terrain": "clear", "level": 0, "distance": None}}
OPTIONS = {
    "turn": 2,
    "kind": "movement",
    "movement": {
        "here": {"hex": "0505", "facing": 1},
        "prone": False,
        "stand_up_mp": 2,
        "mp_by_heat": [],
        "modes": {"walk": {"mp": 4, "reach": REACH}},
        "hexes": HEXES,
        "eject": {"number": 5, "modifiers": []},
    },
}
SIDE = {"name": "Ana", "model": "M", "mechwarrior_id": "m", "person_id": "p"}
YOU = {"side": "A", "asked": True, "question": None, "sealed": None}
FOUND = {
    "fight_id": FIGHT, "state": "open", "round": 1, "kind": "ranking", "class": 3, "arena": "x", "turns": 8,
    "sides": [SIDE | {"side": "A"}, SIDE | {"side": "B"}], "request": None, "deadline": None, "result": None,
    "game": None, "you": YOU,
}  # fmt: skip
STAND = {"mode": "stand", "hex": "0505", "facing": 1, "mp": 0}
EJECT = {"mode": "eject", "number": 5}


def combat(request: httpx.Request) -> httpx.Response:
    """Combat as it answers (preview.py): standing has no limit of points, ejecting has a number."""
    path = request.url.path
    if path.endswith("/orders/preview"):
        ordered = json.loads(request.content)
        seen = EJECT if ordered.get("text") == "eyectarse" else STAND
        assert seen is EJECT or ordered["movement"] == {"mode": "stand"}
        return httpx.Response(200, json={"legal": True, "violations": [], "preview": {"movement": seen}})
    known = {
        "/v1/sessions": {"token": "tok", "renewal": "ren", "expires_in": 900},
        f"/v1/fights/{FIGHT}": FOUND,
        f"/v1/fights/{FIGHT}/options": {"options": OPTIONS},
        f"/v1/fights/{FIGHT}/log": {"items": [], "next": None},
    }
    return httpx.Response(200, json=known[path]) if path in known else httpx.Response(404, json={"code": "x"})


@pytest.mark.parametrize(
    ("fields", "said"),
    [(blank(OPTIONS).values, ("→ 0505", "0 PM")), ({"text": "eyectarse"}, ("(5+)",))],
)
async def test_the_form_as_it_was_opened_and_a_text_have_their_preview(browse, console, fields, said):
    console.state.office.apis.http = httpx.AsyncClient(transport=httpx.MockTransport(combat))
    own = token((await browse.get("/login")).text)
    form = {"csrf": own, "handle": "ana", "password": "x" * 12}
    await browse.post("/login", data=form, headers={"Origin": ORIGIN})
    page = await browse.get(f"/fights/{FIGHT}")
    assert page.status_code == 200
    form = {"csrf": token(page.text), "turn": "2", "kind": "movement", "key": "k", "do": "preview", **fields}
    answer = await browse.post(f"/fights/{FIGHT}/orders", data=form, headers={"Origin": ORIGIN})
    assert answer.status_code == 200
    result = answer.text.partition('id="result"')[2].partition("</div>")[0]
    assert result and all(part in result for part in said), result
