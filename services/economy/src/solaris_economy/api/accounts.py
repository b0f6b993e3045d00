"""Balances and ledgers, for their owner and the commission."""

from typing import Any

import sqlalchemy as sa
from fastapi import APIRouter, Request, Response
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_economy.api.policy import POLICY
from solaris_economy.api.schemas import AccountView, EntryView
from solaris_economy.projections.books import account, entry, hold
from solaris_shared.errors import NotFound
from solaris_shared.http.auth import CurrentPrincipal, Principal
from solaris_shared.http.commands import reading
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import tagged
from solaris_shared.http.feeds import ANSWERS, Asked, OwnerFeed, answer, owner_news
from solaris_shared.http.pages import Cursor, Limit, Page
from solaris_shared.http.streams import News

HELD = sa.func.coalesce(
    sa.select(sa.func.sum(hold.c.amount)).where(hold.c.owner == account.c.owner).scalar_subquery(), 0
).cast(sa.BigInteger)
ACCOUNTS = sa.select(account, HELD.label("held"))
NO_STORE = {"Cache-Control": "no-store"}

router = APIRouter(prefix="/v1", tags=["accounts"])


def account_view(row: Any) -> dict[str, Any]:
    """As its owner and the commission see it."""
    return {
        "owner": row.owner,
        "kind": row.kind,
        "balance": row.balance,
        "held": row.held,
        "free": row.balance - row.held,
        "floor": row.floor,
    }


def entry_view(row: Any) -> dict[str, Any]:
    """A line of the ledger."""
    return {name: value for name, value in row._mapping.items() if name != "owner"}


async def find_account(conn: AsyncConnection, principal: Principal, owner: str) -> Any:
    """The account's row; a stranger's is as unknown as none."""
    row = (await conn.execute(ACCOUNTS.where(account.c.owner == owner))).first()
    POLICY.require(principal, "account.read", row.person_id if row else None, hide=True)
    if row is None:
        raise NotFound("not-found")
    return row


@router.get("/balances", response_model=Page[AccountView])
async def balances(
    request: Request,
    response: Response,
    principal: CurrentPrincipal,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Any:
    """Every account for the commission; for a player his own."""
    POLICY.require(principal, "balances.read", principal.person)
    cursors = context_of(request).cursors
    query = ACCOUNTS.order_by(account.c.owner).limit(limit + 1)
    if not POLICY.allows(principal, "balances.read"):
        query = query.where(account.c.person_id == principal.person)
    if (after := cursors.read("balances", cursor)) is not None:
        query = query.where(account.c.owner > after[0])
    async with reading(request, "books") as conn:
        rows = [account_view(row) for row in (await conn.execute(query)).all()]
    response.headers.update(NO_STORE)
    return cursors.page(request, response, "balances", rows, limit=limit, key=lambda row: [row["owner"]])


@router.get("/accounts/{owner}", response_model=AccountView)
async def one_account(owner: str, request: Request, response: Response, principal: CurrentPrincipal) -> Any:
    """An account: one's own, or any for the commission."""
    async with reading(request, "books") as conn:
        view = account_view(await find_account(conn, principal, owner))
    response.headers.update(NO_STORE)
    return tagged(request, response, view)


@router.get("/accounts/{owner}/ledger", response_model=Page[EntryView])
async def ledger(
    owner: str,
    request: Request,
    response: Response,
    principal: CurrentPrincipal,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Any:
    """What came and went, newest first; each entry names its transfer and what it was for."""
    listing, cursors = f"ledger/{owner}", context_of(request).cursors
    query = sa.select(entry).where(entry.c.owner == owner).order_by(entry.c.number.desc())
    async with reading(request, "books") as conn:
        await find_account(conn, principal, owner)
        if (after := cursors.read(listing, cursor)) is not None:
            query = query.where(entry.c.number < after[0])
        rows = [entry_view(row) for row in (await conn.execute(query.limit(limit + 1))).all()]
    response.headers.update(NO_STORE)
    return cursors.page(request, response, listing, rows, limit=limit, key=lambda row: [row["number"]])


@router.get("/accounts/{owner}/events", response_class=Response, responses=ANSWERS, tags=["feeds"])
async def entries(owner: str, request: Request, principal: CurrentPrincipal, start: Asked) -> Response:
    """The entries of the ledger as a feed, oldest first, numbered by account: page, NDJSON or events by
    Accept."""
    async with reading(request, "books") as conn:
        await find_account(conn, principal, owner)
    rows = sa.select(entry).where(entry.c.owner == owner)
    feed = OwnerFeed(context_of(request).views, "books", owner, rows, entry.c.number, entry_news)
    return await answer(request, feed, start)


def entry_news(row: sa.RowMapping) -> News:
    """A line of the ledger as news."""
    data = {name: value for name, value in row.items() if name not in ("owner", "number", "recorded_at")}
    return owner_news(row["number"], "ledger-entry", row["recorded_at"], data)
