"""What passes between the sides, the referee of a fight and the Commission."""

from uuid import UUID

from fastapi import APIRouter, Request

from solaris_combat.api.policy import POLICY
from solaris_combat.api.presentation import comments_json
from solaris_combat.application.fights import Referee
from solaris_combat.application.reading import read_fight
from solaris_combat.engines.contract import Json
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.context import context_of


def referee_router(referee: Referee) -> APIRouter:
    """Routes of the referee and the Commission below /v1/fights."""
    router = APIRouter(prefix="/v1/fights", tags=["referee"])

    @router.get("/{fight_id}/comments")
    async def get_comments(fight_id: UUID, request: Request, principal: CurrentPrincipal) -> Json:
        """Special requests to the referee, once the orders they came with are opened: a player's own; all
        of them for the referee of the fight and the Commission, except one who fights in it."""
        fight = await read_fight(context_of(request).store, referee.memory, str(fight_id))
        side = fight.seat_of(principal.person or "")
        POLICY.require(principal, "comments.read", principal.person if side else fight.terms.referee)
        return comments_json(referee, fight, side)

    return router
