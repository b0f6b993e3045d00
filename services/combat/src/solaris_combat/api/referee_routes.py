"""What passes between the sides, the referee of a fight and the Commission."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from solaris_combat.api.policy import POLICY
from solaris_combat.api.presentation import comments_json
from solaris_combat.api.schemas import CorrectionBody, ExtensionBody, LengthBody, SubstitutionBody, YieldBody
from solaris_combat.application import rulings
from solaris_combat.application.fights import Referee
from solaris_combat.application.reading import read_fight
from solaris_combat.application.rulings import Judge
from solaris_combat.domain.fight import Fight
from solaris_combat.engines.contract import Json
from solaris_shared.http.auth import CurrentPrincipal, Principal
from solaris_shared.http.commands import Keyed, run_command
from solaris_shared.http.context import context_of
from solaris_shared.log.unit_of_work import Transaction

Rule = Callable[[Transaction, str, Judge], Awaitable[Json]]


def referee_router(referee: Referee) -> APIRouter:
    """Routes of the referee and the Commission below /v1/fights."""
    router = APIRouter(prefix="/v1/fights", tags=["referee"])
    for add in (_comments, _sides, _judges, _substitutions):
        add(router, referee)
    return router


async def _fight(request: Request, referee: Referee, fight_id: UUID) -> Fight:
    return await read_fight(context_of(request).store, referee.memory, str(fight_id))


def _judge(principal: Principal, fight: Fight, action: str) -> Judge:
    """The caller by his right; Forbidden without one, and for one who fights here himself."""
    POLICY.require(principal, action, fight.terms.referee)
    person = principal.person or ""
    rulings.check_interest(fight, person)
    return Judge(person, "referee" if person == fight.terms.referee else "commission")


def _comments(router: APIRouter, referee: Referee) -> None:
    @router.get("/{fight_id}/comments")
    async def get_comments(fight_id: UUID, request: Request, principal: CurrentPrincipal) -> Json:
        """Special requests to the referee, once the orders they came with are opened: a player's own; all
        of them for the referee of the fight and the Commission, except one who fights in it."""
        fight = await _fight(request, referee, fight_id)
        side = fight.seat_of(principal.person or "")
        POLICY.require(principal, "comments.read", principal.person if side else fight.terms.referee)
        if side is None:
            rulings.check_interest(fight, principal.person or "")
        return comments_json(referee, fight, side)


def _sides(router: APIRouter, referee: Referee) -> None:
    @router.put("/{fight_id}/length", dependencies=[Keyed])
    async def wish_length(
        fight_id: UUID, body: LengthBody, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Wish a length for the fight (R 4.2, Class 5). Before the deadline of the initial turn the first
        vote that is complete (all sides, and the referee where his wish counts) fixes the mean of the wishes,
        rounded down, and the wishes lapse; a wish may be changed until then. Another vote only prolongs
        what is fixed. Once the initial turn is carried out open wishes lapse, and the fight is only
        prolonged, where all sides and the referee wish the same."""
        POLICY.require(principal, "length.wish", principal.person)

        async def work(tx: Transaction) -> Json:
            person = principal.person or ""
            return await rulings.wish_length(tx, referee, str(fight_id), person, body.turns)

        return await run_command(request, principal, body, work)

    @router.post("/{fight_id}/yield", dependencies=[Keyed])
    async def give_up(
        fight_id: UUID, body: YieldBody, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Surrender, or flee: the side is out of the fight at once."""
        POLICY.require(principal, "side.yield", principal.person)

        async def work(tx: Transaction) -> Json:
            return await rulings.give_up(tx, referee, str(fight_id), principal.person or "", body.how)

        return await run_command(request, principal, body, work)


def _judges(router: APIRouter, referee: Referee) -> None:
    @router.post("/{fight_id}/corrections", dependencies=[Keyed])
    async def correct(
        fight_id: UUID, body: CorrectionBody, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Put right what stands wrong, before the next resolution; every side is asked anew."""
        rule: Rule = lambda tx, fight, judge: rulings.correct(  # noqa: E731
            tx, referee, fight, judge, body.side, body.changes, body.reason
        )
        return await _rule(referee, request, principal, fight_id, body, "fight.correct", rule)

    @router.post("/{fight_id}/extensions", dependencies=[Keyed])
    async def extend(
        fight_id: UUID, body: ExtensionBody, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Give more time for the request whose deadline is named, within the budget of the fight."""
        rule: Rule = lambda tx, fight, judge: rulings.extend(  # noqa: E731
            tx, referee, fight, judge, body.deadline, body.seconds, body.reason
        )
        return await _rule(referee, request, principal, fight_id, body, "deadline.extend", rule)


def _substitutions(router: APIRouter, referee: Referee) -> None:
    @router.post("/{fight_id}/substitutions", dependencies=[Keyed])
    async def substitute(
        fight_id: UUID, body: SubstitutionBody, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Let somebody else play a side from here on. `person_id` must have the form of a person's id (422);
        whether there is such a person only the league knows, so look him up there first."""
        rule: Rule = lambda tx, fight, judge: rulings.substitute(  # noqa: E731
            tx, referee, fight, judge, body.side, body.person_id, body.reason
        )
        return await _rule(referee, request, principal, fight_id, body, "side.substitute", rule)


async def _rule(
    referee: Referee,
    request: Request,
    principal: Principal,
    fight_id: UUID,
    body: BaseModel,
    action: str,
    rule: Rule,
) -> Response:
    judge = _judge(principal, await _fight(request, referee, fight_id), action)
    return await run_command(request, principal, body, lambda tx: rule(tx, str(fight_id), judge))
