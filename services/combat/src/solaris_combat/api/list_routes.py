"""Lists: fights, the caller's own with what is asked of him, and the public facts of one fight."""

from typing import Literal
from uuid import UUID

import sqlalchemy as sa
from fastapi import APIRouter, Request, Response

from solaris_combat.api.policy import POLICY
from solaris_combat.application.reading import public_events
from solaris_combat.engines.contract import Json
from solaris_combat.projections.desks import NAME as DESKS
from solaris_combat.projections.desks import desk
from solaris_combat.projections.fights import NAME as FIGHTS
from solaris_combat.projections.fights import fight as fight_table
from solaris_shared.http.auth import CurrentPrincipal, Principal
from solaris_shared.http.commands import reading
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import tagged
from solaris_shared.http.pages import Cursor, Limit

State = Literal["open", "parked", "concluded", "voided", "refused"]


def list_router() -> APIRouter:
    """Routes of the lists below /v1/fights."""
    router = APIRouter(prefix="/v1/fights", tags=["fights"])

    @router.get("")
    async def list_fights(
        request: Request,
        response: Response,
        principal: CurrentPrincipal,
        state: State | None = None,
        mine: bool = False,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Json:
        """Newest first; with `mine` the caller's own, each with what is asked of him."""
        if mine:
            POLICY.require(principal, "order", principal.person)
        cursors = context_of(request).cursors
        listing = f"fights {state} {principal.person if mine else ''}"
        after = cursors.read(listing, cursor)
        tasks = await _tasks(request, principal) if mine else None
        query = _select(state, tasks, after).limit(limit + 1)
        async with reading(request, FIGHTS) as conn:
            rows = (await conn.execute(query)).mappings().all()
        items = [_item(row, tasks) for row in rows]
        page = cursors.page(request, response, listing, items, limit=limit, key=_key)
        return tagged(request, response, page)

    @router.get("/{fight_id}/events")
    async def list_events(
        fight_id: UUID, request: Request, response: Response, limit: Limit = 200, cursor: Cursor = None
    ) -> Json:
        """The public facts of a fight, oldest first."""
        cursors = context_of(request).cursors
        listing = f"events {fight_id}"
        after = cursors.read(listing, cursor) or [0]
        rows = (await public_events(context_of(request).store, str(fight_id)))[after[0] :][: limit + 1]
        page = cursors.page(request, response, listing, rows, limit=limit, key=lambda row: [row["number"]])
        return tagged(request, response, page)

    return router


async def _tasks(request: Request, principal: Principal) -> dict[str, str]:
    """Fight -> what is asked of the caller there."""
    query = sa.select(desk.c.fight_id, desk.c.task).where(desk.c.person_id == principal.person)
    async with reading(request, DESKS) as conn:
        return {row.fight_id: row.task for row in await conn.execute(query)}


def _select(
    state: str | None, tasks: dict[str, str] | None, after: list[str] | None
) -> "sa.Select[tuple[object, ...]]":
    moment = sa.func.to_char(
        sa.func.timezone("UTC", fight_table.c.opened_at), sa.literal('YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    )
    query = sa.select(fight_table, moment.label("opened"))
    if state:
        query = query.where(fight_table.c.state == state)
    if tasks is not None:
        query = query.where(fight_table.c.fight_id.in_(tasks))
    if after:
        query = query.where(sa.tuple_(moment, fight_table.c.fight_id) < sa.tuple_(*map(sa.literal, after)))
    return query.order_by(moment.desc(), fight_table.c.fight_id.desc())


def _key(item: Json) -> list[str]:
    return [item["opened_at"], item["fight_id"]]


def _item(row: sa.RowMapping, tasks: dict[str, str] | None) -> Json:
    item = {
        "fight_id": row["fight_id"],
        "state": row["state"],
        "round": row["round"],
        "kind": row["kind"],
        "class": row["fight_class"],
        "arena": row["arena"],
        "turns": row["turns"],
        "ruleset": row["ruleset"],
        "sides": row["sides"],
        "request": row["request"],
        "deadline": row["deadline"],
        "result": row["result"],
        "opened_at": row["opened"],
    }
    return item if tasks is None else {**item, "task": tasks[row["fight_id"]]}
