"""One fight as the caller may see it, and the record of a fight that is over."""

from uuid import UUID

from fastapi import APIRouter, Request, Response

from solaris_combat.api.presentation import fight_json
from solaris_combat.application.fights import Referee
from solaris_combat.application.reading import read_fight
from solaris_combat.engines.contract import Json
from solaris_shared.errors import Rejected
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import tagged

RECORD_TYPE = "application/x-ndjson"


def fight_router(referee: Referee) -> APIRouter:
    """Routes of one fight below /v1/fights."""
    router = APIRouter(prefix="/v1/fights", tags=["fights"])

    @router.get("/{fight_id}")
    async def get_fight(
        fight_id: UUID, request: Request, response: Response, principal: CurrentPrincipal
    ) -> Json:
        """The fight as the caller may see it."""
        fight = await read_fight(context_of(request).store, referee.memory, str(fight_id))
        return tagged(request, response, fight_json(referee, fight, principal.person))

    @router.get("/{fight_id}/record")
    async def get_record(fight_id: UUID, request: Request) -> Response:
        """The record (.s7r) of a fight that is over."""
        fight = await read_fight(context_of(request).store, referee.memory, str(fight_id))
        if fight.concluded is None:
            raise Rejected("fight-not-over", "the record is opened when the fight ends")
        headers = {"ETag": f'"{fight.concluded.record_digest}"'}
        return Response(b"".join(fight.lines), media_type=RECORD_TYPE, headers=headers)

    return router
