"""The state of an account, without folding its whole life each time: the bank takes part in every purse.

A snapshot is a convenience that may be thrown away at any time; the events alone are the truth. It is
written by whoever has just folded many events, in the transaction in which he may append more.
"""

import msgspec

from solaris_economy.domain.account import Account, evolve
from solaris_shared.errors import NotFound
from solaris_shared.log.unit_of_work import Loaded, Transaction

EVERY = 50
"""Events folded until a new snapshot is worth its write."""
FORMAT = 1
"""Raised when Account or its evolve change; older snapshots are not read then."""

FIND = """
SELECT coalesce(version, 0) AS version, state::text,
    EXISTS (SELECT FROM event e WHERE stream = $3 AND e.version > coalesce(s.version, 0)) AS more
FROM (SELECT) AS one LEFT JOIN account_snapshot s ON owner = $1 AND format = $2
"""
KEEP = """
INSERT INTO account_snapshot (owner, format, version, state) VALUES ($1, $2, $3, $4::text::jsonb)
ON CONFLICT (owner) DO UPDATE SET format = excluded.format, version = excluded.version, state = excluded.state
"""


def account_stream(owner: str) -> str:
    return f"account-{owner}"


async def find_account(tx: Transaction, owner: str) -> Loaded[Account]:
    """The account's state, None if it has not been opened."""
    stream = account_stream(owner)
    row = await tx.conn.fetchrow(FIND, owner, FORMAT, stream)
    state = msgspec.json.decode(row["state"], type=Account) if row["state"] else None
    known = version = row["version"]
    for stored in await tx.log.load(tx.conn, stream, after=known) if row["more"] else ():
        state, version = evolve(state, stored.event), stored.version
    if version - known >= EVERY:
        await tx.conn.execute(KEEP, owner, FORMAT, version, msgspec.json.encode(state).decode())
    return Loaded(stream, version, state)


async def load_account(tx: Transaction, owner: str) -> Loaded[Account]:
    """The account's state; NotFound `account-unknown`."""
    loaded = await find_account(tx, owner)
    if loaded.state is None:
        raise NotFound("account-unknown", f"no account of {owner}")
    return loaded
