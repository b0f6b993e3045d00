"""A transfer moves money between two accounts: what one loses the other gets, nothing is made or lost.

Its stream holds the postings and, where the transfer is news, the public fact it stands for (a purse, a
repair).
"""

from dataclasses import dataclass
from uuid import UUID

from solaris_economy.domain.account import Account, Entry, credit, debit
from solaris_shared.errors import Rejected


@dataclass(frozen=True, slots=True)
class Posting:
    """One line of the ledger: `amount` BC, negative for the account that pays."""

    account: str
    amount: int


@dataclass(frozen=True, slots=True)
class TransferPosted:
    """The postings of one transfer; their sum is zero."""

    transfer_id: UUID
    purpose: str
    reference: str
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class PursePaid:
    """A fighter got the purse of his fight by its terms (R 5)."""

    fight_id: UUID
    round: int
    class_: int
    mechwarrior_id: str
    result: str
    amount: int


@dataclass(frozen=True, slots=True)
class PurseBarred:
    """The league called the fight off: it has no purse, whatever combat says of it."""

    fight_id: UUID


@dataclass(frozen=True, slots=True)
class RepairCharged:
    """The owner of a damaged 'Mech paid its repair (R 4.7)."""

    fight_id: UUID
    instance_id: UUID
    model: str
    owner: str
    price: int
    rate_percent: int
    amount: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Command: `payer` pays `payee`. `fact` is the public meaning; `mandatory` may take the payer below his
    floor."""

    transfer_id: UUID
    payer: str
    payee: str
    amount: int
    purpose: str
    reference: str
    mandatory: bool = False
    fact: object | None = None


@dataclass(frozen=True, slots=True)
class Posted:
    """Decision on a transfer: what each stream gets."""

    payer: tuple[object, ...]
    payee: tuple[object, ...]
    transfer: tuple[object, ...]
    postings: tuple[Posting, ...]


def decide(transfer: Transfer, payer: Account, payee: Account) -> Posted:
    """Both halves of the transfer; Rejected if it is not allowed (same account, no funds, no positive
    amount)."""
    if transfer.payer == transfer.payee:
        raise Rejected("same-account", "payer and payee are the same account")
    postings = (Posting(transfer.payer, -transfer.amount), Posting(transfer.payee, transfer.amount))
    posted = TransferPosted(transfer.transfer_id, transfer.purpose, transfer.reference, postings)
    return Posted(
        payer=debit(payer, entry(transfer, transfer.payee)),
        payee=credit(payee, entry(transfer, transfer.payer)),
        transfer=(posted,) if transfer.fact is None else (posted, transfer.fact),
        postings=postings,
    )


def entry(transfer: Transfer, counterparty: str) -> Entry:
    """The transfer as seen by the account opposite `counterparty`."""
    return Entry(
        transfer.transfer_id,
        transfer.amount,
        transfer.purpose,
        counterparty,
        transfer.reference,
        transfer.mandatory,
    )
