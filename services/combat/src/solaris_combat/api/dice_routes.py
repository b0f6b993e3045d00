"""What the dice have shown, with the band in which honest dice stay 19 times of 20."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from solaris_combat.api.schemas import PersonId
from solaris_combat.domain.honest_dice import CHANCES, histogram
from solaris_combat.engines.contract import Json
from solaris_combat.projections import dice
from solaris_shared.http.commands import reading
from solaris_shared.http.etags import tagged

Month = Annotated[str | None, Query(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$")]


def dice_router() -> APIRouter:
    """The route of the dice statistics."""
    router = APIRouter(prefix="/v1", tags=["dice"])

    @router.get("/dice/statistics")
    async def statistics(
        request: Request, response: Response, person_id: PersonId | None = None, month: Month = None
    ) -> Json:
        """How often each face of a die and each total of two came, for a player or the whole league, ever
        or in one month, beside what is expected and the band that holds for all values of a table together:
        honest dice stay inside with every value at least 19 times of 20. Public rolls only."""
        async with reading(request, dice.NAME) as conn:
            found = await dice.counts(conn, person_id, month)
        shown = {kind: histogram(kind, found[kind]) for kind in CHANCES}
        view = {"person_id": person_id, "month": month, "faces": shown["face"], "totals": shown["total"]}
        return tagged(request, response, view)

    return router
