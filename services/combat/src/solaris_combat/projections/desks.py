"""Read model of what lies on each player's desk: his fights, and whether something is asked of him.

A row is shown to its own person only; it is the one read model that a sealed order moves.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_combat.domain.events import (
    AnswerAsked,
    AnswerSealed,
    FightConcluded,
    FightOpened,
    FightVoided,
    OrdersSealed,
    PhaseResolved,
    Request,
    RequestRenewed,
    SideSubstituted,
)
from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projection import Projection

NAME = "desks"
metadata = sa.MetaData()

desk = sa.Table(
    "desk",
    metadata,
    sa.Column("fight_id", sa.Text, primary_key=True),
    sa.Column("side", sa.Text, primary_key=True),
    sa.Column("person_id", sa.Text, nullable=False, index=True),
    sa.Column("task", sa.Text, nullable=False),
)
"""`task`: "orders" (asked), "answer" (asked a question), "sealed", or "none"."""


async def apply(conn: AsyncConnection, stored: Stored) -> None:
    """Fold one event into the desks of its fight."""
    event = stored.event
    match event:
        case FightOpened():
            await _open(conn, event)
        case OrdersSealed() | AnswerSealed():
            await _task(conn, stored, "sealed", desk.c.side == event.side)
        case AnswerAsked():
            await _task(conn, stored, "answer", desk.c.side == event.side)
        case PhaseResolved():
            await _ask(conn, stored, event.request)
        case RequestRenewed() if event.reopened:
            await _ask(conn, stored, event.request)
        case SideSubstituted():
            await _substitute(conn, stored, event)
        case FightConcluded() | FightVoided():
            await _task(conn, stored, "none", sa.true())


async def _open(conn: AsyncConnection, event: FightOpened) -> None:
    for seat in event.terms.seats:
        task = "orders" if seat.unit.side in event.request.sides else "none"
        row = {
            "fight_id": event.terms.fight_id,
            "side": seat.unit.side,
            "person_id": seat.person_id,
            "task": task,
        }
        await conn.execute(sa.insert(desk).values(row))


async def _ask(conn: AsyncConnection, stored: Stored, request: Request | None) -> None:
    sides = request.sides if request else ()
    await _task(conn, stored, "none", sa.true())
    await _task(conn, stored, "orders", desk.c.side.in_(sides))


async def _substitute(conn: AsyncConnection, stored: Stored, event: SideSubstituted) -> None:
    """The desk passes to the other person; what was sealed has lapsed."""
    fight_id = stored.stream.removeprefix("fight-")
    mine = (desk.c.fight_id == fight_id) & (desk.c.side == event.side)
    await conn.execute(sa.update(desk).where(mine).values(person_id=event.person_id))
    await _task(conn, stored, "orders", (desk.c.side == event.side) & (desk.c.task == "sealed"))


async def _task(conn: AsyncConnection, stored: Stored, task: str, which: Any) -> None:
    fight_id = stored.stream.removeprefix("fight-")
    await conn.execute(sa.update(desk).where(desk.c.fight_id == fight_id, which).values(task=task))


DESKS = Projection(
    name=NAME,
    version=2,
    metadata=metadata,
    handles=frozenset(
        {
            "fight-opened",
            "orders-sealed",
            "answer-asked",
            "answer-sealed",
            "phase-resolved",
            "request-renewed",
            "side-substituted",
            "fight-concluded",
            "fight-voided",
        }
    ),
    apply=apply,
)
