"""Read model of the books: balances, every account's ledger, 'Mech instances. It must equal the posting
rows."""

from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_economy.domain import account as accounts
from solaris_economy.domain import mech_instance as mechs
from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projector import Projection

metadata = sa.MetaData()

account = sa.Table(
    "account",
    metadata,
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("person_id", sa.Text, index=True),
    sa.Column("floor", sa.BigInteger),
    sa.Column("balance", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("entries", sa.Integer, nullable=False, server_default="0"),
)

hold = sa.Table(
    "hold",
    metadata,
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("hold_id", sa.Uuid, primary_key=True),
    sa.Column("amount", sa.BigInteger, nullable=False),
    sa.Column("purpose", sa.Text, nullable=False),
)

entry = sa.Table(
    "entry",
    metadata,
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("transfer_id", sa.Uuid, nullable=False),
    sa.Column("amount", sa.BigInteger, nullable=False),
    sa.Column("balance", sa.BigInteger, nullable=False),
    sa.Column("purpose", sa.Text, nullable=False),
    sa.Column("counterparty", sa.Text, nullable=False),
    sa.Column("reference", sa.Text, nullable=False),
    sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
)

mech = sa.Table(
    "mech",
    metadata,
    sa.Column("instance_id", sa.Uuid, primary_key=True),
    sa.Column("model", sa.Text),
    sa.Column("price", sa.BigInteger),
    sa.Column("owner", sa.Text),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("open_damage", sa.Integer, nullable=False, server_default="0"),
)


async def apply(conn: AsyncConnection, stored: Stored) -> None:
    """Fold one event into the books."""
    owner = stored.stream.partition("-")[2]
    match stored.event:
        case accounts.AccountOpened():
            await open_account(conn, stored.event)
        case accounts.AccountCredited():
            await book(conn, owner, stored, stored.event.amount)
        case accounts.AccountDebited():
            await book(conn, owner, stored, -stored.event.amount)
        case accounts.HoldPlaced(hold_id, amount, purpose):
            await conn.execute(
                sa.insert(hold).values(owner=owner, hold_id=hold_id, amount=amount, purpose=purpose)
            )
        case accounts.HoldReleased(hold_id):
            await conn.execute(sa.delete(hold).where(hold.c.owner == owner, hold.c.hold_id == hold_id))
        case _:
            await apply_mech(conn, stored)


async def apply_mech(conn: AsyncConnection, stored: Stored) -> None:
    """Fold one event of a 'Mech instance: `stored.stream` names it."""
    instance = UUID(stored.stream.partition("-")[2])
    match stored.event:
        case mechs.MechRegistered(_, model, price, owner):
            values = {"model": model, "price": price, "owner": owner, "state": "ready"}
            row = insert(mech).values(instance_id=instance, **values)
            await conn.execute(row.on_conflict_do_update(index_elements=["instance_id"], set_=values))
        case mechs.DamageReported():
            row = insert(mech).values(instance_id=instance, state="unregistered", open_damage=1)
            more = {"open_damage": mech.c.open_damage + 1}
            await conn.execute(row.on_conflict_do_update(index_elements=["instance_id"], set_=more))
        case mechs.MechRepaired():
            await close_damage(conn, instance)
        case mechs.MechWrittenOff():
            await close_damage(conn, instance, state="written-off")


async def open_account(conn: AsyncConnection, event: accounts.AccountOpened) -> None:
    row = {"owner": event.owner, "kind": event.kind, "person_id": event.person_id, "floor": event.floor}
    await conn.execute(sa.insert(account), row)


async def book(conn: AsyncConnection, owner: str, stored: Stored, amount: int) -> None:
    """Add a ledger entry with the balance after it."""
    change = (
        sa.update(account)
        .where(account.c.owner == owner)
        .values(balance=account.c.balance + amount, entries=account.c.entries + 1)
        .returning(account.c.balance, account.c.entries)
    )
    balance, number = (await conn.execute(change)).one()
    event = stored.event
    await conn.execute(
        sa.insert(entry).values(
            owner=owner,
            number=number,
            transfer_id=event.transfer_id,
            amount=amount,
            balance=balance,
            purpose=event.purpose,
            counterparty=event.counterparty,
            reference=event.reference,
            recorded_at=stored.recorded_at,
        )
    )


async def close_damage(conn: AsyncConnection, instance: UUID, **changes: str) -> None:
    change = sa.update(mech).where(mech.c.instance_id == instance)
    await conn.execute(change.values(open_damage=mech.c.open_damage - 1, **changes))


BOOKS = Projection(
    name="books",
    version=1,
    metadata=metadata,
    handles=frozenset(
        {
            "account-opened",
            "account-credited",
            "account-debited",
            "hold-placed",
            "hold-released",
            "mech-registered",
            "damage-reported",
            "mech-repaired",
            "mech-written-off",
        }
    ),
    apply=apply,
)
