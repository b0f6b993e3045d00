"""Posting of transfers: both accounts, the transfer and its postings in one transaction.

Accounts are locked in id order before they are read, so two transfers never wait for each other in a circle
and a hot account queues its writers instead of letting them conflict. The floor would hold without the lock:
the version check of the account's stream refuses whoever read an older state.
"""

from collections.abc import Iterable
from uuid import UUID

from solaris_economy.application.account_state import account_stream, find_account, load_account
from solaris_economy.domain.account import ORGANISERS, WORKSHOP, Account, open_account
from solaris_economy.domain.transfer import Posted, Transfer, decide
from solaris_shared.errors import Conflict, VersionConflict
from solaris_shared.log.unit_of_work import Loaded, Transaction

LOCK_ACCOUNT = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
INSERT_POSTING = "INSERT INTO posting (transfer_id, account, amount, recorded_at) VALUES ($1, $2, $3, $4)"


async def lock_accounts(tx: Transaction, owners: Iterable[str]) -> None:
    """Take the accounts' locks in id order, until the transaction ends. A transaction that posts several
    transfers calls this once with all their accounts before the first."""
    for owner in sorted(set(owners)):
        await tx.conn.execute(LOCK_ACCOUNT, account_stream(owner))


async def ensure_account(tx: Transaction, owner: str, kind: str, person_id: str | None = None) -> None:
    """Open the account unless it stands; its lock must be held."""
    loaded = await find_account(tx, owner)
    events = open_account(loaded.state, owner, kind, person_id)
    if events:
        await tx.append(loaded.stream, loaded.version, *events)


async def ensure_bank(tx: Transaction) -> None:
    """The organisers' account, and the workshop's that repairs are paid to, exist before anything else
    happens."""
    await lock_accounts(tx, (ORGANISERS, WORKSHOP))
    await ensure_account(tx, ORGANISERS, "organisers")
    await ensure_account(tx, WORKSHOP, "workshop")


async def post(tx: Transaction, transfer: Transfer) -> None:
    """Post the transfer. Rejected: not allowed; NotFound: no such account; Conflict: posted before."""
    await lock_accounts(tx, (transfer.payer, transfer.payee))
    payer = await load_account(tx, transfer.payer)
    payee = await load_account(tx, transfer.payee)
    posted = decide(transfer, payer.state, payee.state)
    await append_halves(tx, payer, payee, posted)
    await append_transfer(tx, transfer, posted)
    for posting in posted.postings:
        await tx.conn.execute(INSERT_POSTING, transfer.transfer_id, posting.account, posting.amount, tx.now)


async def find_transfer(tx: Transaction, transfer_id: UUID) -> int | None:
    """The amount that was moved; None if this transfer was never posted."""
    loaded = await tx.load(f"transfer-{transfer_id}", lambda first, event: first or event)
    return None if loaded.state is None else loaded.state.postings[1].amount


async def append_transfer(tx: Transaction, transfer: Transfer, posted: Posted) -> None:
    """The transfer's own stream, begun once: a second time is no race to be tried again but a Conflict."""
    try:
        await tx.append(f"transfer-{transfer.transfer_id}", 0, *posted.transfer)
    except VersionConflict:
        raise Conflict("transfer-posted", f"transfer {transfer.transfer_id} has been posted") from None


async def append_halves(
    tx: Transaction, payer: Loaded[Account], payee: Loaded[Account], posted: Posted
) -> None:
    """Append to both account streams in id order."""
    halves = ((payer, posted.payer), (payee, posted.payee))
    for loaded, events in sorted(halves, key=lambda half: half[0].stream):
        await tx.append(loaded.stream, loaded.version, *events)
