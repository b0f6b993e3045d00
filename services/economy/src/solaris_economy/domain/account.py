"""An account: money of one owner, its floor and the sums held on it.

A voluntary debit may never take the free money (balance less holds) below the floor. A mandatory charge
(repair, R 4.7; "obligatoriamente") always goes through: the owner then is in the red ("entra en números
rojos", R 5), which is a public fact of its own. The organisers are the bank: their account and that of the
workshop have no floor.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from uuid import UUID

from solaris_shared.errors import Rejected
from solaris_shared.money import check_amount

ORGANISERS = "organisers"
WORKSHOP = "workshop"

FLOORS: Mapping[str, int | None] = {"organisers": None, "workshop": None, "mechwarrior": 0}


@dataclass(frozen=True, slots=True)
class AccountOpened:
    """The account of `owner` exists. `floor` None: it may be overdrawn without limit (the bank)."""

    owner: str
    kind: str
    floor: int | None
    person_id: str | None = None


@dataclass(frozen=True, slots=True)
class AccountCredited:
    """`amount` BC came in by a transfer; `reference` is what it was for (a fight, say)."""

    transfer_id: UUID
    amount: int
    purpose: str
    counterparty: str
    reference: str


@dataclass(frozen=True, slots=True)
class AccountDebited:
    """`amount` BC went out by a transfer."""

    transfer_id: UUID
    amount: int
    purpose: str
    counterparty: str
    reference: str


@dataclass(frozen=True, slots=True)
class AccountWentNegative:
    """The balance fell below zero on an account with a floor: its owner may not fight (R 5)."""

    owner: str
    balance: int


@dataclass(frozen=True, slots=True)
class AccountRecovered:
    """The balance is zero or more again."""

    owner: str
    balance: int


@dataclass(frozen=True, slots=True)
class HoldPlaced:
    """`amount` BC are set aside: still in the balance, no longer free."""

    hold_id: UUID
    amount: int
    purpose: str


@dataclass(frozen=True, slots=True)
class HoldReleased:
    """The sum set aside by `hold_id` is free again."""

    hold_id: UUID


@dataclass(frozen=True, slots=True)
class Entry:
    """One half of a transfer as its account sees it."""

    transfer_id: UUID
    amount: int
    purpose: str
    counterparty: str
    reference: str
    mandatory: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """State folded from the account's stream."""

    owner: str
    kind: str
    floor: int | None
    balance: int = 0
    holds: Mapping[UUID, int] = field(default_factory=dict)

    @property
    def held(self) -> int:
        return sum(self.holds.values())

    @property
    def free(self) -> int:
        """Money not held; what a voluntary debit may use down to the floor."""
        return self.balance - self.held


def open_account(
    account: Account | None, owner: str, kind: str, person_id: str | None = None
) -> tuple[object, ...]:
    """Open the account; no event if it stands already."""
    if account is not None:
        return ()
    return (AccountOpened(owner, kind, FLOORS[kind], person_id),)


def credit(account: Account, entry: Entry) -> tuple[object, ...]:
    """Money comes in."""
    check_positive(entry.amount)
    event = AccountCredited(
        entry.transfer_id, entry.amount, entry.purpose, entry.counterparty, entry.reference
    )
    after = account.balance + entry.amount
    recovered = account.floor is not None and account.balance < 0 <= after
    return (event, AccountRecovered(account.owner, after)) if recovered else (event,)


def debit(account: Account, entry: Entry) -> tuple[object, ...]:
    """Money goes out; Rejected `insufficient-funds` if it is voluntary and the floor stands in the way."""
    check_positive(entry.amount)
    if not entry.mandatory:
        require_free(account, entry.amount)
    event = AccountDebited(
        entry.transfer_id, entry.amount, entry.purpose, entry.counterparty, entry.reference
    )
    after = account.balance - entry.amount
    went_negative = account.floor is not None and after < 0 <= account.balance
    return (event, AccountWentNegative(account.owner, after)) if went_negative else (event,)


def place_hold(account: Account, hold_id: UUID, amount: int, purpose: str) -> tuple[object, ...]:
    """Set money aside; Rejected if it is not free, or if the hold stands already with another sum."""
    check_positive(amount)
    if hold_id in account.holds:
        raise Rejected("hold-exists", f"hold {hold_id} stands already")
    require_free(account, amount)
    return (HoldPlaced(hold_id, amount, purpose),)


def release_hold(account: Account, hold_id: UUID) -> tuple[object, ...]:
    """Free the money again; Rejected if there is no such hold."""
    if hold_id not in account.holds:
        raise Rejected("hold-unknown", f"no hold {hold_id}")
    return (HoldReleased(hold_id),)


def require_free(account: Account, amount: int) -> None:
    """Rejected `insufficient-funds` unless `amount` may leave the free money without crossing the floor."""
    if account.floor is not None and account.free - amount < account.floor:
        raise Rejected(
            "insufficient-funds", f"{amount} BC asked, {account.free - account.floor} BC free", rule="R 5"
        )


def check_positive(amount: int) -> None:
    """Amounts are more than zero, so that a charge can never become an income."""
    if check_amount(amount) <= 0:
        raise Rejected("amount-not-positive", f"{amount} BC is not a positive amount")


def evolve(account: Account | None, event: object) -> Account | None:
    """Fold one event of the account's stream."""
    match event:
        case AccountOpened(owner, kind, floor):
            return Account(owner, kind, floor)
        case AccountCredited(_, amount):
            return replace(account, balance=account.balance + amount)
        case AccountDebited(_, amount):
            return replace(account, balance=account.balance - amount)
        case HoldPlaced(hold_id, amount):
            return replace(account, holds={**account.holds, hold_id: amount})
        case HoldReleased(hold_id):
            return replace(
                account, holds={key: sum_ for key, sum_ in account.holds.items() if key != hold_id}
            )
        case _:
            return account
