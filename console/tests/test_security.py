"""What keeps a session safe: headers, cookie, form tokens, keys that rotate, answers that are escaped."""

import re

import httpx
import pytest
from browsing import KEY, ORIGIN, OTHER, settings, token

from solaris_console.app import create_console
from solaris_console.session import COOKIE, Seal, Session, fresh
from solaris_console.visit import local_path

PATHS = ("/", "/login", "/fights", "/standings", "/nowhere", "/static/console.css", "/health/ready")
FIGHT = "/fights/6b0e2c9e-7d4f-4d0a-9f0e-2a5f1c3b4d5e"


@pytest.mark.parametrize("path", PATHS)
async def test_every_answer_carries_the_headers(browse, path):
    headers = (await browse.get(path)).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy and "form-action 'self'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
    assert headers["strict-transport-security"].startswith("max-age=")
    if not path.startswith("/static"):
        assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/login", "/fights", "/standings"])
async def test_no_page_has_script_or_style_in_it(browse, path):
    text = (await browse.get(path)).text
    assert re.findall(r"<script(?![^>]*src=)", text) == []
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)


async def test_the_cookie_is_bound_to_the_host_and_hidden_from_script(browse):
    header = (await browse.get("/")).headers["set-cookie"]
    assert header.startswith(f"{COOKIE}=")
    assert {"HttpOnly", "Secure", "Path=/", "SameSite=lax"} <= set(header.split("; "))
    assert "Domain" not in header


async def test_the_cookie_shows_nothing_and_takes_no_change():
    seal = Seal([bytes.fromhex(KEY)])
    session = Session("form", token="secret-token", renewal="secret-ticket", handle="ana")
    cookie = seal.close(session)
    assert seal.open(cookie) == session and "secret" not in cookie and len(cookie) < 4000
    for broken in ("", "x", cookie[:-3] + "AAA", "." * 4, cookie.replace(".", "", 1), "é"):
        assert seal.open(broken) is None


async def test_keys_rotate():
    old, both, new = (Seal([bytes.fromhex(k) for k in keys]) for keys in ([KEY], [OTHER, KEY], [OTHER]))
    cookie = old.close(fresh())
    assert both.open(cookie) is not None and new.open(cookie) is None
    assert new.open(both.close(fresh())) is not None
    for wrong in ("", "zz", "ab" * 31):
        with pytest.raises(ValueError, match="hex"):
            create_console(settings(session_keys=wrong))


FORMS = ("/login", "/logout", "/language", f"{FIGHT}/orders", f"{FIGHT}/answer")


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    ("origin", "given"),
    [(None, "own"), ("null", "own"), ("https://evil.example", "own"), (f"{ORIGIN}.evil.example", "own"),
     (ORIGIN, ""), (ORIGIN, "another")],
)  # fmt: skip
async def test_a_form_from_elsewhere_does_nothing(browse, path, origin, given):
    own = token((await browse.get("/login")).text)
    fields = {"csrf": own if given == "own" else given, "language": "en", "handle": "a", "password": "b"}
    headers = {"Origin": origin} if origin else {}
    answer = await browse.post(path, data=fields, headers=headers)
    assert answer.status_code == 403 and "no se ha hecho nada" in answer.text


async def test_our_own_form_works_once_it_carries_the_token(browse):
    own = token((await browse.get("/")).text)
    answer = await browse.post("/language", data={"csrf": own, "language": "en", "back": "/fights"},
                               headers={"Origin": ORIGIN})  # fmt: skip
    assert (answer.status_code, answer.headers["location"]) == (303, "/fights")
    assert '<html lang="en">' in (await browse.get("/")).text


async def test_forms_are_bounded(browse):
    own = token((await browse.get("/")).text)
    headers = {"Origin": ORIGIN}
    big = await browse.post("/language", data={"csrf": own, "x": "y" * 70_000}, headers=headers)
    many = await browse.post(
        "/language", data={"csrf": own} | {f"f{n}": "" for n in range(500)}, headers=headers
    )
    other = await browse.post("/language", json={"csrf": own}, headers=headers)
    assert [one.status_code for one in (big, many, other)] == [403, 403, 403]


async def test_logging_in_turns_the_form_token_and_keeps_the_token_out_of_the_page(browse, answers):
    answers({"/v1/sessions": {"token": "tok", "renewal": "ren", "expires_in": 900}})
    before = token((await browse.get("/login")).text)
    form = {"csrf": before, "handle": "ana", "password": "x" * 12, "next": "//evil.example/"}
    answer = await browse.post("/login", data=form, headers={"Origin": ORIGIN})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    page = (await browse.get("/")).text
    assert token(page) != before and "ana" in page and "tok<" not in page and '"tok"' not in page


async def test_the_apis_are_told_which_visitor_asks(browse, console):
    seen = []

    def answer(request):
        seen.append(request.headers.get("x-forwarded-for"))
        return httpx.Response(404, json={})

    console.state.office.apis.http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    await browse.get("/standings")
    assert set(seen) == {"127.0.0.1"}


async def test_guessing_passwords_is_slowed_down(browse, answers):
    answers({"/v1/sessions": httpx.Response(401, json={"code": "login-failed"})})
    own = token((await browse.get("/login")).text)
    form = {"csrf": own, "handle": "ana", "password": "wrong"}
    codes = [
        (await browse.post("/login", data=form, headers={"Origin": ORIGIN})).status_code for _ in range(12)
    ]
    assert codes[0] == 401 and codes[-1] == 429


@pytest.mark.parametrize(
    ("given", "leads"),
    [("/fights?x=1", "/fights?x=1"), ("//evil", "/"), ("/\\evil", "/"), ("https://evil", "/"), ("", "/"),
     ("javascript:alert(1)", "/"), ("/a\nb", "/")],
)  # fmt: skip
def test_one_goes_on_to_our_own_pages_only(given, leads):
    assert local_path(given) == leads


@pytest.mark.parametrize("path", ["/ledger", "/letters", f"{FIGHT}/receipt"])
async def test_private_pages_ask_for_a_log_in(browse, path):
    answer = await browse.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/login?next={path}")


HOSTILE = "<script>alert(1)</script>\"'&{{ 7*7 }}"


async def test_names_and_letters_of_others_are_shown_as_text(browse, answers):
    side = {"name": HOSTILE, "model": HOSTILE, "mechwarrior_id": "m", "person_id": "p"}
    fight = {"fight_id": "f", "state": "open", "round": 1, "kind": "ranking", "class": 3, "arena": HOSTILE,
             "turns": 8, "sides": [side | {"side": "A"}, side | {"side": "B"}], "request": None,
             "deadline": None, "result": None}  # fmt: skip
    answers({"/v1/fights": {"items": [fight], "next": None}})
    text = (await browse.get("/fights")).text
    assert "<script>alert" not in text and "{{ 7*7 }}" in text and text.count("&lt;script&gt;") >= 4
