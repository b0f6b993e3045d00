"""Letters for those they are written to; deliveries for the commission."""

from datetime import datetime
from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request, Response

from solaris_mail.api.policy import POLICY
from solaris_mail.api.schemas import DeliveryView, LetterView, State
from solaris_mail.application import mailbox
from solaris_mail.application.compose import Composer
from solaris_mail.application.contacts import find_contact
from solaris_mail.application.notices import Notices
from solaris_mail.domain.contact import Reader
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.context import context_of
from solaris_shared.http.feeds import ANSWERS, Asked, answer, owner_news
from solaris_shared.http.pages import Cursor, Limit, Page
from solaris_shared.http.streams import News

NO_STORE = {"Cache-Control": "no-store"}


def place_of(key: list[Any] | None) -> mailbox.Place | None:
    """Where a page goes on."""
    return None if key is None else (datetime.fromisoformat(key[0]), UUID(key[1]))


def key_of(view: dict[str, Any]) -> list[str]:
    return [view["created_at"].isoformat(), str(view["letter_id"])]


def letter_view(composer: Composer, row: Any, reader: Reader) -> dict[str, Any]:
    """The letter in words; a code stays out."""
    text = composer.text(mailbox.letter_of(row), reader)
    names = (
        "letter_id", "kind", "fight_id", "deadline", "created_at", "state", "final_at", "attempts"
    )  # fmt: skip
    body = None if row["kind"] == "confirmation" else text.body
    return {name: row[name] for name in names} | {"subject": text.subject, "text": body}


def delivery_view(row: Any, attempts: list[Any]) -> dict[str, Any]:
    """The letter's fate."""
    names = (
        "letter_id", "message_id", "person_id", "kind", "fight_id", "state", "created_at", "expires_at",
        "final_at"
    )  # fmt: skip
    shown = ("number", "started_at", "finished_at", "outcome", "code", "detail")
    tries = [{name: attempt[name] for name in shown} for attempt in attempts]
    return {name: row[name] for name in names} | {"attempts": tries}


def letter_routes(composer: Composer) -> APIRouter:
    """Questions about letters."""
    router = APIRouter(prefix="/v1", tags=["letters"])

    @router.get("/me/letters", response_model=Page[LetterView])
    async def my_letters(
        request: Request,
        response: Response,
        principal: CurrentPrincipal,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Any:
        """One's own letters, newest first, in one's language and zone, whether they went out or not."""
        POLICY.require(principal, "letters.read", principal.person)
        context = context_of(request)
        after = place_of(context.cursors.read("letters", cursor))
        rows = await mailbox.letters_of(context.store.pool, principal.person, after, limit + 1)
        contact = await find_contact(context.store.pool, principal.person)
        reader = Reader(contact["language"], contact["zone"]) if contact else Reader()
        views = [letter_view(composer, row, reader) for row in rows]
        response.headers.update(NO_STORE)
        return context.cursors.page(request, response, "letters", views, limit=limit, key=key_of)

    return router


class OwnNotices(Notices):
    """The notices of one person as a feed."""

    async def read(self, after: int, limit: int) -> list[News]:
        """Up to `limit` beyond number `after`, in order."""
        return [notice_news(row) for row in await self.rows(after, limit)]


def notice_news(row: Any) -> News:
    """A notice as its person gets it; a letter that bounced tells why."""
    names = ("letter_id", "letter", "fight_id", "deadline") + (("reason",) if row["reason"] else ())
    return owner_news(row["number"], row["kind"], row["at"], {name: row[name] for name in names})


def notice_routes() -> APIRouter:
    """One's own letters as a feed."""
    router = APIRouter(prefix="/v1", tags=["feeds"])

    @router.get("/me/events", response_class=Response, responses=ANSWERS)
    async def own_events(request: Request, principal: CurrentPrincipal, start: Asked) -> Response:
        """One's own letters and bounces, oldest first, numbered apart: page, NDJSON or events by Accept."""
        POLICY.require(principal, "letters.read", principal.person)
        feed = OwnNotices(context_of(request).store.pool, principal.person or "")
        return await answer(request, feed, start)

    return router


def delivery_routes() -> APIRouter:
    """Questions of the commission."""
    router = APIRouter(prefix="/v1", tags=["deliveries"])

    @router.get("/deliveries", response_model=Page[DeliveryView])
    async def deliveries(
        request: Request,
        response: Response,
        principal: CurrentPrincipal,
        state: State | None = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Any:
        """Every letter's fate, newest first: attempts with the relay's answers, no address and no words."""
        POLICY.require(principal, "deliveries.read")
        context, listing = context_of(request), f"deliveries/{state}"
        after = place_of(context.cursors.read(listing, cursor))
        rows = await mailbox.deliveries(context.store.pool, state, after, limit + 1)
        tries = await mailbox.attempts(context.store.pool, [row["letter_id"] for row in rows])
        views = [delivery_view(row, tries.get(row["letter_id"], [])) for row in rows]
        response.headers.update(NO_STORE)
        return context.cursors.page(request, response, listing, views, limit=limit, key=key_of)

    return router
