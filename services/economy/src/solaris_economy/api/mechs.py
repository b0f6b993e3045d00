"""'Mech instances: registered by the commission, known to everybody."""

from typing import Any
from uuid import UUID

import sqlalchemy as sa
from fastapi import APIRouter, Request, Response

from solaris_economy.api.policy import POLICY
from solaris_economy.api.schemas import MechBody, MechView
from solaris_economy.application.mechs import register_mech
from solaris_economy.application.transfers import ensure_bank, lock_accounts
from solaris_economy.domain.account import ORGANISERS, WORKSHOP
from solaris_economy.domain.repair import RepairTerms
from solaris_economy.projections.books import mech
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.commands import Keyed, reading, run_command
from solaris_shared.http.context import context_of
from solaris_shared.http.pages import Cursor, Limit, Page
from solaris_shared.log.unit_of_work import Transaction

router = APIRouter(prefix="/v1", tags=["mech instances"])


@router.get("/mech-instances", response_model=Page[MechView])
async def mechs(
    request: Request,
    response: Response,
    principal: CurrentPrincipal,
    owner: str | None = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Any:
    """All 'Mechs, or those of one owner."""
    POLICY.require(principal, "mech.read")
    listing, cursors = f"mechs/{owner}", context_of(request).cursors
    query = sa.select(mech).order_by(mech.c.instance_id).limit(limit + 1)
    if owner is not None:
        query = query.where(mech.c.owner == owner)
    if (after := cursors.read(listing, cursor)) is not None:
        query = query.where(mech.c.instance_id > UUID(after[0]))
    async with reading(request, "books") as conn:
        rows = [dict(row._mapping) for row in (await conn.execute(query)).all()]
    return cursors.page(
        request, response, listing, rows, limit=limit, key=lambda row: [str(row["instance_id"])]
    )


def registration(terms: RepairTerms) -> APIRouter:
    """The route that needs the repair table: damage that waited is charged at once."""
    commands = APIRouter(prefix="/v1", tags=["mech instances"])

    @commands.post("/mech-instances", status_code=201, response_model=MechView, dependencies=[Keyed])
    async def register(body: MechBody, request: Request, principal: CurrentPrincipal) -> Response:
        """Enter a 'Mech into the books (commission)."""
        POLICY.require(principal, "mech.register")

        async def work(tx: Transaction) -> dict[str, Any]:
            await lock_accounts(tx, (ORGANISERS, WORKSHOP, body.owner))
            await ensure_bank(tx)
            found = await register_mech(tx, terms, body.instance_id, body.model, body.price, body.owner)
            return body.model_dump(mode="json") | found

        return await run_command(request, principal, body, work, status=201)

    return commands
