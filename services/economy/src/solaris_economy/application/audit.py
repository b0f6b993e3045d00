"""Checks that the books are right: what is owed to nobody and what no two places may disagree about (I1)."""

import asyncpg

from solaris_economy.domain.account import Account, evolve
from solaris_shared.log.event_log import EventLog

UNBALANCED = "SELECT transfer_id FROM posting GROUP BY transfer_id HAVING sum(amount) <> 0"
BALANCES = "SELECT account, sum(amount)::bigint AS balance FROM posting GROUP BY account"
OWNERS = "SELECT DISTINCT stream FROM event WHERE stream LIKE 'account-%' AND version = 1"


async def faults(conn: asyncpg.Connection, log: EventLog) -> list[str]:
    """Everything wrong with the ledger, in words; empty = transfers and the whole sum to zero, and every
    account's events give the balance of its postings."""
    found = [f"transfer {row['transfer_id']} does not sum to zero" for row in await conn.fetch(UNBALANCED)]
    postings = {row["account"]: row["balance"] for row in await conn.fetch(BALANCES)}
    if sum(postings.values()) != 0:
        found.append(f"all accounts together hold {sum(postings.values())} BC")
    accounts = await account_states(conn, log)
    for owner in sorted(postings.keys() | accounts.keys()):
        streamed = accounts[owner].balance if owner in accounts else None
        if streamed != postings.get(owner, 0):
            found.append(
                f"account {owner}: {streamed} BC by its events, {postings.get(owner, 0)} BC by its postings"
            )
    return found


async def account_states(conn: asyncpg.Connection, log: EventLog) -> dict[str, Account]:
    """Every account by its stream."""
    states = {}
    for row in await conn.fetch(OWNERS):
        state = None
        for stored in await log.load(conn, row["stream"]):
            state = evolve(state, stored.event)
        states[state.owner] = state
    return states
