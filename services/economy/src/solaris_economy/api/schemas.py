"""Requests and answers of economy. Amounts are whole Billetes ComStar (BC)."""

from datetime import datetime
from uuid import UUID

from solaris_shared.http.schemas import Amount, Body, Key, View


class MechBody(Body):
    """A 'Mech of metal: `price` is the list price of its model, `owner` an account ("organisers" lends
    it)."""

    instance_id: UUID
    model: Key
    price: Amount
    owner: Key


class MechView(View):
    """`state`: ready, written-off, or unregistered (damage waits for the registration). `open_damage` counts
    fights whose damage is not settled."""

    instance_id: UUID
    model: str | None
    price: int | None
    owner: str | None
    state: str
    open_damage: int


class AccountView(View):
    """`free` is what a voluntary payment may use: balance less `held`, down to `floor` (null: no floor)."""

    owner: str
    kind: str
    balance: int
    held: int
    free: int
    floor: int | None


class EntryView(View):
    """A line of the ledger; `amount` is negative for money paid, `balance` the one after it."""

    number: int
    transfer_id: UUID
    amount: int
    balance: int
    purpose: str
    counterparty: str
    reference: str
    recorded_at: datetime
