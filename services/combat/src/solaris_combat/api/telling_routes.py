"""A fight to read and to watch again: its log in words, and the view after each public fact."""

from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Request, Response

from solaris_combat.application.fights import Referee
from solaris_combat.application.reading import read_fight
from solaris_combat.application.telling import load_stream, tell, view_after
from solaris_combat.engines.contract import Json
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import tagged
from solaris_shared.http.pages import Cursor, Limit

Number = Annotated[int, Path(ge=1, le=1_000_000)]


def telling_router(referee: Referee) -> APIRouter:
    """Routes for readers below /v1/fights; the same for everybody."""
    router = APIRouter(prefix="/v1/fights", tags=["fights"])

    @router.get("/{fight_id}/log")
    async def get_log(
        fight_id: UUID,
        request: Request,
        response: Response,
        language: Literal["es", "en"] = "es",
        limit: Limit = 200,
        cursor: Cursor = None,
    ) -> Json:
        """The fight in sentences, oldest first, each with its itemised numbers and its dice.

        `number` is that of the public fact, as in `/events` and `/replay`.
        """
        context, listing = context_of(request), f"log {fight_id} {language}"
        after = context.cursors.read(listing, cursor) or [0]
        fight = await read_fight(context.store, referee.memory, str(fight_id))
        _, steps = await load_stream(context.store, str(fight_id))
        rows = [row for row in tell(fight, steps, language) if row["number"] > after[0]][: limit + 1]
        page = context.cursors.page(
            request, response, listing, rows, limit=limit, key=lambda row: [row["number"]]
        )
        return tagged(request, response, page)

    @router.get("/{fight_id}/replay/{number}")
    async def get_replay(fight_id: UUID, number: Number, request: Request, response: Response) -> Json:
        """The game as everybody could see it after the public fact of that number."""
        stored, steps = await load_stream(context_of(request).store, str(fight_id))
        return tagged(request, response, view_after(referee.registry, stored, steps, number))

    return router
