"""Coming in, going out, and the language."""

from dataclasses import replace

from starlette.responses import Response

from solaris_console.apis import Trouble, panel
from solaris_console.session import fresh, left
from solaris_console.telling import problem_words
from solaris_console.texts import LANGUAGES, Speech
from solaris_console.visit import Visit, holding, local_path


async def login_page(visit: Visit) -> Response:
    """The form to log in."""
    return visit.page("login.html", next=local_path(visit.query("next")), handle="", problem="")


async def log_in(visit: Visit) -> Response:
    """Ask league for a session; a new form token comes with it."""
    visit.office.limiter.take(visit.network, "login")
    handle, going = visit.form.get("handle", "")[:200], local_path(visit.form.get("next", "/"))
    body = {"handle": handle, "password": visit.form.get("password", "")[:200]}
    try:
        answer = await visit.caller.command("POST", "league", "/v1/sessions", body)
    except Trouble as trouble:
        said = problem_words(visit.speech, trouble)
        status = 503 if trouble.down else trouble.status
        return visit.page("login.html", status, next=going, handle=handle, problem=said)
    visit.session = replace(holding(fresh(visit.session.language), answer), handle=handle)
    contact = (await panel(visit.caller.get("mail", "/v1/me/contact"))).value
    if contact:
        visit.session = replace(visit.session, zone=contact["zone"])
    return visit.go(going)


async def log_out(visit: Visit) -> Response:
    """Forget everything. The token dies by itself within minutes."""
    visit.session = left(visit.session)
    visit.tell("logged-out")
    return visit.go("/")


async def choose_language(visit: Visit) -> Response:
    """Another language from now on."""
    chosen = visit.form.get("language", "")
    if chosen in LANGUAGES:
        visit.session = replace(visit.session, language=chosen)
        visit.speech = Speech(chosen, visit.session.zone)
    return visit.go(local_path(visit.form.get("back", "/")))
