"""Routes of challenges between mechwarriors and of appeals to the Commission."""

from typing import Any

from fastapi import APIRouter, Request, Response

from solaris_league.api.policy import POLICY
from solaris_league.api.schemas import Appeal, Challenge, ChallengeAnswer, Id, Ruling
from solaris_league.application import appeals, challenges
from solaris_league.projections import appeals as read
from solaris_league.projections import schedule
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.commands import Keyed, reading, run_command
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import tagged
from solaris_shared.http.pages import Cursor, Limit


def appeals_router() -> APIRouter:
    router = APIRouter(prefix="/v1")
    for add in (_challenges, _appeals, _rulings):
        add(router)
    return router


def _challenges(router: APIRouter) -> None:
    @router.post("/rounds/{round_id}/challenges", status_code=201, dependencies=[Keyed], tags=["player"])
    async def issue(round_id: Id, body: Challenge, request: Request, principal: CurrentPrincipal) -> Response:
        """Challenge a mechwarrior of my class to a fight in a round that has not been drawn (R 4.4)."""
        POLICY.require(principal, "challenge.issue", principal.person)
        person = principal.person or ""
        work = lambda tx: challenges.issue(tx, round_id, person, body.against)  # noqa: E731
        return await run_command(request, principal, body, work, status=201)

    @router.post("/rounds/{round_id}/challenges/{challenge_id}/answer", dependencies=[Keyed], tags=["player"])
    async def answer(
        round_id: Id, challenge_id: Id, body: ChallengeAnswer, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Accept or decline a challenge; accepted, the draw pairs the two."""
        POLICY.require(principal, "challenge.answer", principal.person)
        person = principal.person or ""
        work = lambda tx: challenges.answer(tx, round_id, challenge_id, person, body.accepted)  # noqa: E731
        return await run_command(request, principal, body, work)

    @router.get("/rounds/{round_id}/challenges", tags=["public"])
    async def listed(round_id: Id, request: Request, response: Response) -> Any:
        """The challenges of a round, oldest first."""
        async with reading(request, schedule.NAME) as conn:
            return tagged(request, response, {"items": await schedule.challenges(conn, round_id)})


def _appeals(router: APIRouter) -> None:
    @router.post("/fights/{fight_id}/appeals", status_code=201, dependencies=[Keyed], tags=["player"])
    async def lodge(fight_id: Id, body: Appeal, request: Request, principal: CurrentPrincipal) -> Response:
        """Ask the Commission about a turn of my fight; its answer will be public."""
        POLICY.require(principal, "appeal.lodge", principal.person)
        person = principal.person or ""
        work = lambda tx: appeals.lodge(tx, fight_id, person, body.turn, body.text)  # noqa: E731
        return await run_command(request, principal, body, work, status=201)

    @router.get("/fights/{fight_id}/appeals", tags=["public"])
    async def answers(fight_id: Id, request: Request, response: Response) -> Any:
        """The Commission's answers about a fight, oldest first."""
        async with reading(request, read.NAME) as conn:
            return tagged(request, response, {"items": await read.of_fight(conn, fight_id)})


def _rulings(router: APIRouter) -> None:
    @router.get("/appeals", tags=["commission"])
    async def waiting(
        request: Request,
        response: Response,
        principal: CurrentPrincipal,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Any:
        """Appeals that wait for an answer."""
        POLICY.require(principal, "appeal.rule")
        cursors = context_of(request).cursors
        after = cursors.read("appeals", cursor)
        async with reading(request, read.NAME) as conn:
            rows = await read.page(conn, after and after[0], limit + 1)
        return cursors.page(request, response, "appeals", rows, limit=limit, key=lambda row: [row["number"]])

    @router.post("/fights/{fight_id}/appeals/{appeal_id}/ruling", dependencies=[Keyed], tags=["commission"])
    async def rule(
        fight_id: Id, appeal_id: Id, body: Ruling, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Answer an appeal in public; nobody answers one about a fight of his own."""
        POLICY.require(principal, "appeal.rule")
        person = principal.person or ""
        work = lambda tx: appeals.rule(tx, fight_id, appeal_id, person, body.granted, body.answer)  # noqa: E731
        return await run_command(request, principal, body, work)
