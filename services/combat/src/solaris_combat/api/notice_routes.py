"""The caller's own feed: receipts of what he sealed, and questions put to him alone."""

import sqlalchemy as sa
from fastapi import APIRouter, Request, Response

from solaris_combat.api.policy import POLICY
from solaris_combat.projections.notices import NAME, notice
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.context import context_of
from solaris_shared.http.feeds import ANSWERS, Asked, OwnerFeed, answer, owner_news
from solaris_shared.http.streams import News


def notice_router() -> APIRouter:
    """Routes of the caller's own feed."""
    router = APIRouter(prefix="/v1/me", tags=["feeds"])

    @router.get("/events", response_class=Response, responses=ANSWERS)
    async def own_events(request: Request, principal: CurrentPrincipal, start: Asked) -> Response:
        """One's own receipts and questions, numbered apart: page, NDJSON or events by Accept."""
        POLICY.require(principal, "order", principal.person)
        rows = sa.select(notice).where(notice.c.person_id == principal.person)
        views = context_of(request).views
        feed = OwnerFeed(views, NAME, principal.person, rows, notice.c.number, _news)
        return await answer(request, feed, start)

    return router


def _news(row: sa.RowMapping) -> News:
    return owner_news(row["number"], row["kind"], row["at"], row["data"])
