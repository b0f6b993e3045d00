"""The console put together: routes, headers, templates, one pool of connections."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import Any

import httpx
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from solaris_console.apis import Apis
from solaris_console.draft import (
    AIR,
    INTENTS,
    PLACES,
    blow_field,
    blows_of,
    elsewhere,
    load_fields,
    pose_of,
    spotters_of,
)
from solaris_console.pages import account, dice, fight, fights, home, orders, papers, replay, standings
from solaris_console.security import HEADERS, SecurityHeaders
from solaris_console.session import Seal
from solaris_console.settings import ConsoleSettings
from solaris_console.telling import problem_words
from solaris_console.texts import preferred
from solaris_console.visit import Office, Visit, enter, route
from solaris_shared.http.limits import Limiter, Rate

RATES = {"page": Rate(120, 600), "login": Rate(10, 20)}
"""Per network: pages of a person who clicks fast, and guesses of a password."""
YEAR = "public, max-age=31536000, immutable"


class Kept(StaticFiles):
    """Style and script; their address changes with their content, so browsers may keep them."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers["Cache-Control"] = YEAR
        return response


@cache
def mark(name: str) -> str:
    """Address of a static file with a mark of its content."""
    content = files("solaris_console").joinpath("static", name).read_bytes()
    return f"/static/{name}?v={hashlib.sha256(content).hexdigest()[:10]}"


def create_console(settings: ConsoleSettings) -> Starlette:
    """The application; ValueError without keys for its cookie."""
    seal = Seal(settings.keys)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        limits = httpx.Limits(max_connections=100, max_keepalive_connections=40)
        timeout = httpx.Timeout(settings.api_seconds, connect=min(1.0, settings.api_seconds))
        async with httpx.AsyncClient(timeout=timeout, limits=limits, trust_env=False) as http:
            apis = Apis(http, settings.bases, settings.api_seconds)
            app.state.office = Office(settings, apis, seal, pages(), Limiter(RATES))
            yield

    https = settings.public_url.startswith("https://")
    middleware = [Middleware(SecurityHeaders, https=https)]
    sorry = {404: not_found, 405: not_found, 500: broken}
    return Starlette(routes=routes(), middleware=middleware, lifespan=lifespan, exception_handlers=sorry)


def pages() -> Environment:
    """Templates: everything is escaped, and a name that is missing is an error."""
    loader = PackageLoader("solaris_console")
    found = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    found.globals |= {
        "static": mark,
        "blows_of": blows_of,
        "blow_field": blow_field,
        "load_fields": load_fields,
        "pose_of": pose_of,
        "spotters_of": spotters_of,
        "elsewhere": elsewhere,
        "intents": (*INTENTS, AIR),
        "places": PLACES,
        "refusal": problem_words,
    }
    return found


def routes() -> list[BaseRoute]:
    """Every address of the console."""
    return [
        Route("/health/live", alive),
        Route("/health/ready", alive),
        Mount("/static", Kept(packages=[("solaris_console", "static")])),
        route("/", home.home),
        route("/login", account.login_page),
        route("/login", account.log_in, post=True),
        route("/logout", account.log_out, post=True),
        route("/language", account.choose_language, post=True),
        route("/fights", fights.fight_list),
        route("/fights/{fight_id:uuid}", fight.fight),
        route("/fights/{fight_id:uuid}/replay", replay.replay),
        route("/fights/{fight_id:uuid}/receipt", orders.receipt, private=True),
        route("/fights/{fight_id:uuid}/orders", orders.handle_orders, private=True, post=True),
        route("/fights/{fight_id:uuid}/answer", orders.handle_answer, private=True, post=True),
        route("/standings", standings.standings),
        route("/standings/{mechwarrior_id:uuid}", standings.explanation),
        route("/dice", dice.dice),
        route("/ledger", papers.ledger, private=True),
        route("/letters", papers.letters, private=True),
    ]


async def alive(_request: Request) -> Response:
    """The console needs nobody to be ready: each page says itself what is missing."""
    return JSONResponse({"status": "ready"})


async def not_found(request: Request, _error: Exception) -> Response:
    """A page for an address that is none."""
    visit: Visit = await enter(request)
    return visit.refuse(404, "no-such-page")


async def broken(request: Request, _error: Exception) -> Response:
    """A bug: a plain page with the headers of every other; the error itself goes to the log."""
    language = preferred(request.headers.get("accept-language", ""))
    text = request.app.state.office.pages.get_template("broken.html").render(language=language)
    return HTMLResponse(text, 500, HEADERS | {"Cache-Control": "no-store"})
