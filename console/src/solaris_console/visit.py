"""One request of a browser: whose session it is, in which language, and how it is answered."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import parse_qsl, quote, urlsplit

import structlog
from jinja2 import Environment
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from solaris_console.apis import Apis, Caller, Trouble
from solaris_console.catalogue import Catalogue
from solaris_console.security import own_origin, same_token
from solaris_console.session import COOKIE, IDLE_SECONDS, Seal, Session, fresh, left, told, with_notice
from solaris_console.settings import ConsoleSettings
from solaris_console.texts import LANGUAGES, Speech, preferred
from solaris_shared.errors import RateLimited
from solaris_shared.http.limits import Limiter, network_of

MAX_FORM: Final = 64_000
MAX_FIELDS: Final = 400
FRESH_SECONDS: Final = 60
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Office:
    """What every visit needs; made once."""

    settings: ConsoleSettings
    apis: Apis
    seal: Seal
    pages: Environment
    limiter: Limiter
    catalogue: Catalogue = field(default_factory=Catalogue)


@dataclass(slots=True)
class Visit:
    """`session` may be replaced by a page and is the cookie in the end; `stored` was it at the beginning."""

    request: Request
    office: Office
    session: Session
    speech: Speech
    stored: Session | None = None
    form: dict[str, str] = field(default_factory=dict)

    @property
    def caller(self) -> Caller:
        """The person at the APIs."""
        return Caller(self.office.apis, self.session.token, self.speech.language, self.address)

    @property
    def address(self) -> str:
        """Whence the browser asks."""
        return self.request.client.host if self.request.client else ""

    @property
    def network(self) -> str:
        """Whose requests are counted together."""
        return network_of(self.address)

    @property
    def path(self) -> dict[str, str]:
        """Parts of the address."""
        return {name: str(value) for name, value in self.request.path_params.items()}

    def query(self, name: str) -> str:
        """One part of the query, cut to a sane length."""
        return self.request.query_params.get(name, "")[:300]

    def page(self, template: str, status: int = 200, **facts: Any) -> Response:
        """A page in the visitor's language."""
        place = self.request.url.path
        text = self.office.pages.get_template(template).render(
            visit=self, t=self.speech.text, say=self.speech, session=self.session, place=place, **facts
        )
        self.session = told(self.session)
        return HTMLResponse(text, status)

    def go(self, path: str) -> Response:
        """See other."""
        return RedirectResponse(path, 303)

    def tell(self, kind: str, **facts: Any) -> None:
        """A notice for the next page."""
        self.session = with_notice(self.session, kind, **facts)

    def refuse(self, status: int, kind: str) -> Response:
        """A page that says why not."""
        return self.page("sorry.html", status, kind=kind, trouble=None)


Handler = Callable[[Visit], Awaitable[Response]]


def route(path: str, handler: Handler, *, private: bool = False, post: bool = False) -> Route:
    """A page. `private` asks for a log-in first; `post` takes a form."""

    async def endpoint(request: Request) -> Response:
        visit = await enter(request)
        response = await _answer(visit, handler, private=private, post=post)
        return _keep(visit, response)

    return Route(path, endpoint, methods=["POST"] if post else ["GET"], name=handler.__name__)


async def enter(request: Request) -> Visit:
    """Read the cookie, choose the language, renew the token if its time is nearly over."""
    office: Office = request.app.state.office
    stored = office.seal.open(request.cookies.get(COOKIE, ""))
    session = stored or fresh()
    language = session.language if session.language in LANGUAGES else _accepted(request)
    visit = Visit(request, office, session, Speech(language, session.zone), stored)
    words = await office.catalogue.words(visit.caller)
    visit.speech = replace(visit.speech, words=words)
    return visit


def _accepted(request: Request) -> str:
    return preferred(request.headers.get("accept-language", ""))


async def _answer(visit: Visit, handler: Handler, *, private: bool, post: bool) -> Response:
    try:
        visit.office.limiter.take(visit.network, "page")
        if post and not await _read_form(visit):
            return visit.refuse(403, "form-not-ours")
        await _renew(visit)
        if private and not visit.session.logged_in:
            return visit.go(f"/login?next={quote(visit.request.url.path)}")
        return await handler(visit)
    except Trouble as trouble:
        return troubled(visit, trouble)
    except RateLimited:
        return visit.refuse(429, "too-fast")


def troubled(visit: Visit, trouble: Trouble) -> Response:
    """A page about an API that said no; whose token is no longer good logs in again."""
    log.info("api trouble", api=trouble.service, status=trouble.status, code=trouble.code)
    if trouble.status == 401 and visit.session.logged_in:
        visit.session = with_notice(left(visit.session), "session-over")
        return visit.go(f"/login?next={quote(visit.request.url.path)}")
    status = 503 if trouble.down else trouble.status
    return visit.page("sorry.html", status, kind="", trouble=trouble)


async def _read_form(visit: Visit) -> bool:
    """Whether a form came that our own page made for this session."""
    request = visit.request
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded" or not own_origin(
        request.headers, visit.office.settings.public_url
    ):
        return False
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_FORM:
                return False
        pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except (ValueError, ClientDisconnect):
        return False
    visit.form = {name: value.strip() for name, value in pairs}
    return same_token(visit.session.csrf, visit.form.get("csrf", ""))


async def _renew(visit: Visit) -> None:
    """A fresh token for one that ends soon; while league is down the old one serves as long as it is good."""
    session = visit.session
    if not session.token or session.expires_at - time.time() > FRESH_SECONDS:
        return
    nobody = replace(visit.caller, token="")
    try:
        answer = await nobody.command("POST", "league", "/v1/sessions/renewals", {"renewal": session.renewal})
    except Trouble as trouble:
        if not trouble.down and trouble.status != 429:
            visit.session = with_notice(left(session), "session-over")
        return
    visit.session = holding(session, answer)


def holding(session: Session, answer: dict[str, Any]) -> Session:
    """The session with the token of a log-in or renewal."""
    until = int(time.time()) + int(answer["expires_in"])
    return replace(session, token=answer["token"], renewal=answer["renewal"], expires_at=until)


def _keep(visit: Visit, response: Response) -> Response:
    """Write the cookie if it says something new."""
    if visit.session != visit.stored:
        response.set_cookie(
            COOKIE,
            visit.office.seal.close(visit.session),
            max_age=IDLE_SECONDS,
            path="/",
            secure=True,
            httponly=True,
            samesite="lax",
        )
    return response


def local_path(text: str) -> str:
    """A path of the console to go on to; "/" for anything that leads elsewhere."""
    parts = urlsplit(text)
    leads_away = parts.scheme or parts.netloc or not text.startswith("/") or text[1:2] in ("/", "\\")
    return "/" if leads_away or any(ord(sign) < 32 for sign in text) else text
