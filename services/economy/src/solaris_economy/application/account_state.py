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

FIND = "SELECT version, state::text FROM account_snapshot WHERE owner = $1 AND format = $2"
KEEP = """
INSERT INTO account_snapshot (owner, format, version, state) VALUES ($1, $2, $3, $4::text::jsonb)
ON CONFLICT (owner) DO UPDATE SET format = excluded.format, version = excluded.version, state = excluded.state
"""


def account_stream(owner: str) -> str:
    return f"account-{owner}"


async def find_account(tx: Transaction, owner: str) -> Loaded[Account]:
    """The account's state, None if it has not been opened."""
    row = await tx.conn.fetchrow(FIND, owner, FORMAT)
    state = msgspec.json.decode(row["state"], type=Account) if row else None
    known = version = row["version"] if row else 0
    for stored in await tx.log.load(tx.conn, account_stream(owner), after=known):
        state, version = evolve(state, stored.event), stored.version
    if version - known >= EVERY:
        await tx.conn.execute(KEEP, owner, FORMAT, version, msgspec.json.encode(state).decode())
    return Loaded(account_stream(owner), version, state)


async def load_account(tx: Transaction, owner: str) -> Loaded[Account]:
    """The account's state; NotFound `account-unknown`."""
    loaded = await find_account(tx, owner)
    if loaded.state is None:
        raise NotFound("account-unknown", f"no account of {owner}")
    return loaded
