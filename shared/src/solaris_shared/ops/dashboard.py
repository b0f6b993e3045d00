"""/ops: the operators' pages of a service, plain HTML that needs no script."""

from collections.abc import Mapping
from importlib import resources
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from jinja2 import Environment, PackageLoader
from starlette.responses import HTMLResponse, RedirectResponse, Response

from solaris_shared import operations
from solaris_shared.errors import BadRequest, Forbidden, NotFound, SolarisError, Unauthenticated
from solaris_shared.http.auth import Principal
from solaris_shared.http.context import context_of
from solaris_shared.ops import session
from solaris_shared.ops.overview import look
from solaris_shared.processing.projector import Projector

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
ACTIONS = {
    "retry": "Let it try again where it stands. It moves no checkpoint.",
    "skip": "Pass over the one event (or void the timer) at which it stands. A skipped event is missing from "
    "what this handler makes: repair the code, then rebuild. This cannot be taken back.",
    "rebuild": "Build a new generation from the whole log beside the live one. The worker cuts over by "
    "itself when it has caught up; until then everybody reads the old one.",
}
MAX_REASON = 500
PAGES = Environment(loader=PackageLoader("solaris_shared.ops"), autoescape=True, trim_blocks=True)


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """One page with the headers all have."""
    shared = {"service": context_of(request).definition.name, "form_token": session.form_token(request)}
    return HTMLResponse(PAGES.get_template(template).render(shared | values), status, HEADERS)


def to(path: str) -> RedirectResponse:
    """Go on there with GET."""
    return RedirectResponse(path, 303, HEADERS)


def dashboard_router() -> APIRouter:
    """The pages; they stand in no OpenAPI document, for people use them."""
    router = APIRouter(prefix="/ops", include_in_schema=False)
    router.add_api_route("", overview_page, methods=["GET"])
    router.add_api_route("/style.css", style, methods=["GET"])
    router.add_api_route("/login", login_page, methods=["GET"])
    router.add_api_route("/login", login, methods=["POST"])
    router.add_api_route("/logout", logout, methods=["POST"])
    router.add_api_route("/act", act_page, methods=["GET"])
    router.add_api_route("/act", act, methods=["POST"])
    return router


async def style() -> Response:
    text = resources.files("solaris_shared.ops").joinpath("templates", "style.css").read_bytes()
    return Response(text, media_type="text/css", headers={"Cache-Control": "max-age=300"})


async def overview_page(request: Request) -> Response:
    try:
        operator = await session.operator_of(request)
    except (Unauthenticated, Forbidden):
        return to("/ops/login")
    context = context_of(request)
    rebuildable = {projection.name for projection in context.definition.projections}
    seen = await look(context.store)
    live = request.query_params.get("live") == "yes"
    shown: dict[str, Any] = {"seen": seen, "operator": operator, "rebuildable": rebuildable, "live": live}
    return page(request, "overview.html", **shown)


async def login_page(request: Request) -> Response:
    return page(request, "login.html")


async def login(request: Request) -> Response:
    try:
        token = (await session.read_form(request, logged_in=False)).get("token", "").strip()
        await session.operator_with(request, token)
    except (Unauthenticated, Forbidden) as error:
        context_of(request).limiter.take(request.state.network, "login")
        return page(request, "login.html", error.status, error=error)
    response = to("/ops")
    session.log_in(request, response, token)
    return response


async def logout(request: Request) -> Response:
    await session.read_form(request)
    response = to("/ops/login")
    session.log_out(request, response)
    return response


async def act_page(request: Request) -> Response:
    """What the action means, and the question why."""
    try:
        operator = await session.operator_of(request)
    except (Unauthenticated, Forbidden):
        return to("/ops/login")
    wanted = _wanted(request.query_params)
    return page(request, "act.html", wanted=wanted, meaning=ACTIONS[wanted["action"]], operator=operator)


async def act(request: Request) -> Response:
    operator = await session.operator_of(request)
    fields = await session.read_form(request)
    wanted = _wanted(fields)
    try:
        await _do(request, operator, wanted, fields.get("reason", ""))
    except SolarisError as error:
        more = {"wanted": wanted, "meaning": ACTIONS[wanted["action"]], "operator": operator}
        return page(request, "act.html", error.status, error=error, **more)
    return to(f"/ops?done={quote(wanted['action'])}#actions")


def _wanted(fields: Mapping[str, str]) -> dict[str, str]:
    wanted = {name: fields.get(name, "") for name in ("action", "kind", "name", "key")}
    if wanted["action"] not in ACTIONS:
        raise NotFound("no-such-action", "There is no such action.")
    return wanted


async def _do(request: Request, operator: Principal, wanted: Mapping[str, str], reason: str) -> None:
    reason = " ".join(reason.replace("\x00", "").split())[:MAX_REASON]
    if not reason:
        raise BadRequest("reason-missing", "Say why: it is kept for ever.")
    store = context_of(request).store
    by = operations.Operator(operator.key, reason)
    kind, name, key = wanted["kind"], wanted["name"], wanted["key"]
    if wanted["action"] == "rebuild":
        await operations.rebuild(store, _projector(request, name), by)
    elif wanted["action"] == "skip":
        await operations.skip(store, kind, name, by, key)
    else:
        await operations.retry(store, kind, name, by, key)


def _projector(request: Request, name: str) -> Projector:
    context = context_of(request)
    found = {projection.name: projection for projection in context.definition.projections}
    if name not in found:
        raise NotFound("no-such-handler", f"This release has no projection {name}.")
    return Projector(context.store, context.engine, found[name])
