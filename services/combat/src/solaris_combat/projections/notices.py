"""Read model of what each player alone is told: that his orders were saved, that he is asked a question.

Each person's notices have a numbering of their own; nobody else is served them.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_combat.domain.events import AnswerAsked, AnswerSealed, FightOpened, OrdersSealed, SideSubstituted
from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projection import Projection

NAME = "notices"
metadata = sa.MetaData()

seat = sa.Table(
    "seat",
    metadata,
    sa.Column("fight_id", sa.Text, primary_key=True),
    sa.Column("side", sa.Text, primary_key=True),
    sa.Column("person_id", sa.Text, nullable=False),
)

notice = sa.Table(
    "notice",
    metadata,
    sa.Column("person_id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("data", sa.JSON, nullable=False),
)
"""`kind`: "orders-saved" and "answer-saved" (with the commitment: the receipt), "question-asked"."""


async def apply(conn: AsyncConnection, stored: Stored) -> None:
    """Fold one event into the notices of the person it concerns."""
    match stored.event:
        case FightOpened() as event:
            await _seat(conn, event)
        case SideSubstituted() as event:
            fight_id = stored.stream.removeprefix("fight-")
            mine = (seat.c.fight_id == fight_id) & (seat.c.side == event.side)
            await conn.execute(sa.update(seat).where(mine).values(person_id=event.person_id))
        case OrdersSealed() as event:
            await _tell(conn, stored, event.side, "orders-saved", {"commitment": event.commitment})
        case AnswerSealed() as event:
            await _tell(conn, stored, event.side, "answer-saved", {"commitment": event.commitment})
        case AnswerAsked() as event:
            await _tell(conn, stored, event.side, "question-asked", {"question": event.digest})


async def _seat(conn: AsyncConnection, event: FightOpened) -> None:
    rows = [
        {"fight_id": event.terms.fight_id, "side": seat.unit.side, "person_id": seat.person_id}
        for seat in event.terms.seats
    ]
    await conn.execute(sa.insert(seat), rows)


async def _tell(conn: AsyncConnection, stored: Stored, side: str, kind: str, more: dict[str, Any]) -> None:
    event: Any = stored.event
    fight_id = stored.stream.removeprefix("fight-")
    person = sa.select(seat.c.person_id).where(seat.c.fight_id == fight_id, seat.c.side == side)
    person_id = (await conn.execute(person)).scalar_one()
    highest = sa.select(sa.func.coalesce(sa.func.max(notice.c.number), 0))
    number = (await conn.execute(highest.where(notice.c.person_id == person_id))).scalar_one() + 1
    data = {"fight_id": fight_id, "side": side, "turn": event.turn, "kind": event.kind, **more}
    row = {"person_id": person_id, "number": number, "kind": kind, "at": stored.recorded_at, "data": data}
    await conn.execute(sa.insert(notice).values(row))


NOTICES = Projection(
    name=NAME,
    version=2,
    metadata=metadata,
    handles=frozenset({"fight-opened", "orders-sealed", "answer-asked", "answer-sealed", "side-substituted"}),
    apply=apply,
)
