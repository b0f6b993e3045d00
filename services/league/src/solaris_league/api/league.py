"""Routes of the league: mechwarriors, rounds, fights, standings."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from solaris_league.api.office import Office
from solaris_league.api.policy import POLICY
from solaris_league.api.schemas import Entry, Id, MoreMechs, PermanenceFight, RoundTerms, Voiding
from solaris_league.application import explain, mechwarriors, permanence, rounds
from solaris_league.domain.pairing import LentMech
from solaris_league.domain.ranking import Standing, quarterly
from solaris_league.domain.round import RoundTerms as Terms
from solaris_league.projections import schedule, standings
from solaris_shared.errors import NotFound
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.commands import Keyed, reading, run_command
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import tagged
from solaris_shared.http.pages import Cursor, Limit

ClassQuery = Annotated[int, Query(alias="class", ge=3, le=5)]
AnyClass = Annotated[int | None, Query(alias="class", ge=3, le=5)]


def league_router(office: Office) -> APIRouter:
    router = APIRouter(prefix="/v1")
    for add in (_mechwarriors, _rounds, _draws, _undrawn, _permanence, _fights, _voids, _standings):
        add(router, office)
    return router


def found(row: dict[str, Any] | None) -> dict[str, Any]:
    """The row; raises NotFound for None."""
    if row is None:
        raise NotFound("not-found")
    return row


def _mechwarriors(router: APIRouter, office: Office) -> None:
    @router.post("/mechwarriors", status_code=201, dependencies=[Keyed], tags=["player"])
    async def enter(body: Entry, request: Request, principal: CurrentPrincipal) -> Response:
        """Enter my mechwarrior in the league (R 3): callsign and affiliation, which never changes."""
        POLICY.require(principal, "mechwarrior.enter", principal.person)
        person = principal.person
        return await run_command(
            request,
            principal,
            body,
            lambda tx: mechwarriors.enter(tx, office.rules, person, body.name, body.affiliation),
            status=201,
        )

    @router.get("/mechwarriors", tags=["public"])
    async def listed(
        request: Request,
        response: Response,
        class_: AnyClass = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Any:
        """All mechwarriors."""
        cursors, listing = context_of(request).cursors, f"mechwarriors:{class_}"
        after = cursors.read(listing, cursor)
        async with reading(request, standings.NAME) as conn:
            rows = await standings.mechwarriors_page(conn, class_, after and after[0], limit + 1)
        return cursors.page(
            request, response, listing, rows, limit=limit, key=lambda row: [row["mechwarrior_id"]]
        )

    @router.get("/mechwarriors/{mechwarrior_id}", tags=["public"])
    async def one(mechwarrior_id: Id, request: Request, response: Response) -> Any:
        """One mechwarrior with experience and record."""
        async with reading(request, standings.NAME) as conn:
            row = found(await standings.one_mechwarrior(conn, mechwarrior_id))
            results = (await standings.results(conn, [mechwarrior_id]))[mechwarrior_id]
        view = {**row, "experience": explain.experience_of(office.rules, results), "fights": len(results)}
        return tagged(request, response, view)


def _pool(body: RoundTerms | PermanenceFight | MoreMechs) -> tuple[LentMech, ...]:
    return tuple(LentMech(mech.instance_id, mech.model) for mech in body.pool)


def _terms(body: RoundTerms | PermanenceFight, turns: int) -> Terms:
    return Terms(body.class_, body.ruleset, body.arenas, _pool(body), turns, body.turn_seconds)


def _rounds(router: APIRouter, office: Office) -> None:
    @router.post("/rounds", status_code=201, dependencies=[Keyed], tags=["commission"])
    async def open_round(body: RoundTerms, request: Request, principal: CurrentPrincipal) -> Response:
        """Open the next round of a class; the lot is committed by the hash of its seed."""
        POLICY.require(principal, "round.open")
        terms = _terms(body, body.turns)
        return await run_command(
            request, principal, body, lambda tx: rounds.open_round(tx, office.rules, terms), status=201
        )

    @router.get("/rounds", tags=["public"])
    async def listed(request: Request, response: Response, limit: Limit = 50, cursor: Cursor = None) -> Any:
        """All rounds by class and number."""
        cursors = context_of(request).cursors
        after = cursors.read("rounds", cursor)
        async with reading(request, schedule.NAME) as conn:
            rows = await schedule.rounds_page(conn, after and tuple(after), limit + 1)
        key = lambda row: [row["class"], row["number"]]  # noqa: E731
        return cursors.page(request, response, "rounds", rows, limit=limit, key=key)

    @router.get("/rounds/{round_id}", tags=["public"])
    async def one(round_id: Id, request: Request, response: Response) -> Any:
        """One round: terms, lot (its seed after the draw) and how many fights are over."""
        async with reading(request, schedule.NAME) as conn:
            return tagged(request, response, found(await schedule.one_round(conn, round_id)))


def _draws(router: APIRouter, office: Office) -> None:
    @router.post("/rounds/{round_id}/draw", dependencies=[Keyed], tags=["commission"])
    async def draw(round_id: Id, request: Request, principal: CurrentPrincipal) -> Response:
        """Draw fights, arenas and lent 'Mechs; all fights are scheduled or none."""
        POLICY.require(principal, "round.draw")
        return await run_command(request, principal, None, lambda tx: rounds.draw(tx, office.rules, round_id))


def _undrawn(router: APIRouter, office: Office) -> None:
    @router.post("/rounds/{round_id}/pool", dependencies=[Keyed], tags=["commission"])
    async def extend(
        round_id: Id, body: MoreMechs, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Lend more 'Mechs in a round that has not been drawn."""
        POLICY.require(principal, "round.change")
        mechs = _pool(body)
        work = lambda tx: rounds.extend_pool(tx, round_id, mechs, body.reason)  # noqa: E731
        return await run_command(request, principal, body, work)

    @router.post("/rounds/{round_id}/void", dependencies=[Keyed], tags=["commission"])
    async def void(round_id: Id, body: Voiding, request: Request, principal: CurrentPrincipal) -> Response:
        """Call off a round that has not been drawn; all of its class get a letter with the reason, and the
        next round may be opened."""
        POLICY.require(principal, "round.change")
        work = lambda tx: rounds.void_round(tx, round_id, body.reason)  # noqa: E731
        return await run_command(request, principal, body, work)


def _permanence(router: APIRouter, office: Office) -> None:
    @router.post("/permanence-fights", status_code=201, dependencies=[Keyed], tags=["commission"])
    async def call(body: PermanenceFight, request: Request, principal: CurrentPrincipal) -> Response:
        """Call two mechwarriors to a fight for permanence (R 3); until it is over the lot leaves them out.
        Nobody of the Commission calls a fight of his own."""
        POLICY.require(principal, "permanence.call")
        rules, terms = office.rules, _terms(body, office.rules.turns)
        person = principal.person or ""
        work = lambda tx: permanence.call(tx, rules, terms, body.defender, body.challenger, person)  # noqa: E731
        return await run_command(request, principal, body, work, status=201)


def _fights(router: APIRouter, _office: Office) -> None:
    @router.get("/fights", tags=["public"])
    async def listed(
        request: Request,
        response: Response,
        round_id: Id | None = None,
        mechwarrior_id: Id | None = None,
        state: Literal["scheduled", "concluded", "voided"] | None = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Any:
        """Scheduled, concluded and voided fights in the order of the draw."""
        filters = {"round_id": round_id, "mechwarrior_id": mechwarrior_id, "state": state}
        cursors, listing = context_of(request).cursors, f"fights:{filters}"
        after = cursors.read(listing, cursor)
        async with reading(request, schedule.NAME) as conn:
            rows = await schedule.fights_page(conn, filters, after and after[0], limit + 1)
        page = cursors.page(request, response, listing, rows, limit=limit, key=lambda row: [row["number"]])
        return {**page, "items": [_fight(row) for row in page["items"]]}

    @router.get("/fights/{fight_id}", tags=["public"])
    async def one(fight_id: Id, request: Request, response: Response) -> Any:
        """One fight as it was scheduled, and its result or why it was called off."""
        async with reading(request, schedule.NAME) as conn:
            return tagged(request, response, _fight(found(await schedule.one_fight(conn, fight_id))))


def _fight(row: dict[str, Any]) -> dict[str, Any]:
    return {**row["data"], "state": row["state"], "result": row["result"], "voided": row["voided"]}


def _voids(router: APIRouter, office: Office) -> None:
    @router.post("/fights/{fight_id}/void", dependencies=[Keyed], tags=["commission"])
    async def void(fight_id: Id, body: Voiding, request: Request, principal: CurrentPrincipal) -> Response:
        """Call a fight off that does not count yet: no points, no purse; both fighters get a letter with the
        reason. Nobody calls off a fight of his own."""
        POLICY.require(principal, "fight.void")
        person = principal.person or ""
        work = lambda tx: rounds.void_fight(  # noqa: E731
            tx, office.rules, fight_id, "commission", body.reason, person_id=person
        )
        return await run_command(request, principal, body, work)


def _standings(router: APIRouter, office: Office) -> None:
    @router.get("/standings", tags=["public"])
    async def table(request: Request, response: Response, class_: ClassQuery = 3) -> Any:
        """R 3: the ranking of a class, the last three rounds summed; provisional while a round is being
        fought."""
        async with reading(request, standings.NAME) as conn:
            number, published = await standings.latest_round(conn, class_)
            members = await standings.members(conn, class_)
            results = await standings.results(conn, list(members))
        rows = quarterly(office.rules.ranking, number, results)
        view = {"class": class_, "round": number, "final": published, "rule": "R 3"}
        return tagged(request, response, {**view, "items": [_row(row, members) for row in rows]})

    @router.get("/standings/{mechwarrior_id}/explanation", tags=["public"])
    async def explained(mechwarrior_id: Id, request: Request, response: Response) -> Any:
        """Why he stands where he stands: fights, points, the rounds that count, ties, fights called off."""
        async with reading(request, standings.NAME) as conn:
            row = found(await standings.one_mechwarrior(conn, mechwarrior_id))
            number, _ = await standings.latest_round(conn, row["class"])
            results = await standings.results(conn, list(await standings.members(conn, row["class"])))
            mine = results[mechwarrior_id]
            voided = await standings.voided(conn, mechwarrior_id)
            rivals = [*(one.opponent_id for one in mine), *(one["opponent_id"] for one in voided)]
            names = await standings.names(conn, [*results, *rivals])
        rows = quarterly(office.rules.ranking, number, results)
        view = explain.explanation(office.rules, number, rows, mechwarrior_id, mine, names, voided)
        return tagged(request, response, view)


def _row(row: Standing, members: dict[str, dict[str, Any]]) -> dict[str, Any]:
    who = members[row.mechwarrior_id]
    return {
        "rank": row.rank,
        "mechwarrior_id": row.mechwarrior_id,
        "name": who["name"],
        "affiliation": who["affiliation"],
        "points": row.points,
        "fights": row.fights,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "explanation": f"/v1/standings/{row.mechwarrior_id}/explanation",
    }
