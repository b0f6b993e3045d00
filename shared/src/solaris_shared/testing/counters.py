"""A tiny application made only from kernel parts, for the kernel's own tests: counters that count."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_shared import ids
from solaris_shared.log.codec import EventTypes
from solaris_shared.log.event_log import EventLog, Meta, Stored
from solaris_shared.messaging.envelope import PublicEvent
from solaris_shared.processing.projection import Projection


@dataclass(frozen=True, slots=True)
class Counted:
    """A counter went up (or, privately, down) by an amount."""

    amount: int


@dataclass(frozen=True, slots=True)
class Noted:
    """Something else, always private."""

    text: str


def publish(event: object, stream: str) -> PublicEvent | None:
    """Counting up is public."""
    if not isinstance(event, Counted) or event.amount < 0:
        return None
    return PublicEvent("solaris.test.counted.v1", stream.replace("-", "/", 1), {"amount": event.amount})


TYPES = EventTypes({"counted": Counted, "noted": Noted})
LOG = EventLog("test", TYPES, publish)

metadata = sa.MetaData()
totals = sa.Table(
    "totals",
    metadata,
    sa.Column("counter", sa.Text, primary_key=True),
    sa.Column("total", sa.BigInteger, nullable=False),
    sa.Column("times", sa.Integer, nullable=False),
)


async def apply_total(conn: AsyncConnection, stored: Stored) -> None:
    """Add up per counter."""
    assert isinstance(stored.event, Counted)
    new = insert(totals).values(counter=stored.stream, total=stored.event.amount, times=1)
    change = {"total": totals.c.total + new.excluded.total, "times": totals.c.times + 1}
    await conn.execute(new.on_conflict_do_update(index_elements=["counter"], set_=change))


TOTALS = Projection("totals", 1, metadata, frozenset({"counted"}), apply_total)


def meta() -> Meta:
    """A command's, with a random id."""
    return Meta(ids.new_id(), "correlation", "cause", "somebody")
