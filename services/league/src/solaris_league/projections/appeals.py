"""Read model of appeals and their public answers."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_league.domain.appeal import AppealLodged, RulingPublished
from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projection import Projection

NAME = "appeals"
metadata = sa.MetaData()

appeal = sa.Table(
    "appeal",
    metadata,
    sa.Column("appeal_id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, unique=True),
    sa.Column("fight_id", sa.Text, nullable=False, index=True),
    sa.Column("side", sa.Text, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("late", sa.Boolean, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("granted", sa.Boolean),
    sa.Column("answer", sa.Text),
)


async def apply(conn: AsyncConnection, stored: Stored) -> None:
    """One event."""
    match stored.event:
        case AppealLodged() as event:
            names = ("appeal_id", "fight_id", "side", "turn", "late", "text")
            row = {name: getattr(event, name) for name in names} | {"number": stored.position}
            await conn.execute(sa.insert(appeal).values(row))
        case RulingPublished() as event:
            known = appeal.c.appeal_id == event.ruling_id
            values = {"granted": event.granted, "answer": event.answer}
            await conn.execute(sa.update(appeal).where(known).values(values))


PROJECTION = Projection(NAME, 1, metadata, frozenset({"appeal-lodged", "ruling-published"}), apply)


async def of_fight(conn: AsyncConnection, fight_id: str) -> list[dict[str, Any]]:
    """The answers about a fight, oldest first; what was asked stays between side and Commission."""
    query = sa.select(appeal).where(appeal.c.fight_id == fight_id, appeal.c.answer.is_not(None))
    rows = (await conn.execute(query.order_by(appeal.c.number))).mappings()
    return [{name: value for name, value in row.items() if name not in ("text", "number")} for row in rows]


async def page(conn: AsyncConnection, after: int | None, limit: int) -> list[dict[str, Any]]:
    """Appeals without an answer, oldest first, for the Commission."""
    query = sa.select(appeal).where(appeal.c.answer.is_(None)).order_by(appeal.c.number).limit(limit)
    if after is not None:
        query = query.where(appeal.c.number > after)
    return [dict(row) for row in (await conn.execute(query)).mappings()]
