"""Read model of what the dice showed: faces of six-sided dice and totals of two, by month and by player.

Every face counts for the league; one of a roll that belongs to a side counts for its player too. Only public
facts are counted: secret rolls stay secret.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_combat.domain.events import FightOpened, SideSubstituted
from solaris_combat.engines.dice import Roll
from solaris_combat.engines.registry import Registry
from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projection import Projection

NAME = "dice"
LEAGUE = ""
"""In place of a person: everybody together."""
metadata = sa.MetaData()

dice_seat = sa.Table(
    "dice_seat",
    metadata,
    sa.Column("fight_id", sa.Text, primary_key=True),
    sa.Column("side", sa.Text, primary_key=True),
    sa.Column("person_id", sa.Text, nullable=False),
)

dice_count = sa.Table(
    "dice_count",
    metadata,
    sa.Column("person_id", sa.Text, primary_key=True),
    sa.Column("month", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("value", sa.Integer, primary_key=True),
    sa.Column("count", sa.Integer, nullable=False),
)
"""`kind`: "face" (of one die of six) or "total" (of two)."""


async def apply(conn: AsyncConnection, stored: Stored) -> None:
    """Fold one event into the counts."""
    match stored.event:
        case FightOpened() as event:
            fight_id = event.terms.fight_id
            rows = [
                {"fight_id": fight_id, "side": seat.unit.side, "person_id": seat.person_id}
                for seat in event.terms.seats
            ]
            await conn.execute(sa.insert(dice_seat), rows)
        case SideSubstituted() as event:
            mine = _seat(stored, event.side)
            await conn.execute(sa.update(dice_seat).where(mine).values(person_id=event.person_id))
        case event:
            await _count(conn, stored, getattr(event, "rolls", ()), getattr(event, "side", None))


def _seat(stored: Stored, side: str) -> Any:
    fight_id = stored.stream.removeprefix("fight-")
    return (dice_seat.c.fight_id == fight_id) & (dice_seat.c.side == side)


def tally(rolls: Iterable[Roll]) -> dict[tuple[str, int], int]:
    """How often each face of a die of six came, and each total of two rolled together."""
    found: Counter[tuple[str, int]] = Counter()
    for roll in rolls:
        if roll.sides == 6:
            found.update(("face", face) for face in roll.faces)
            found.update([("total", roll.total)] if len(roll.faces) == 2 else [])
    return dict(found)


async def _count(conn: AsyncConnection, stored: Stored, rolls: Iterable[Roll], side: Any) -> None:
    counted = tally(rolls)
    if not counted:
        return
    month = stored.recorded_at.strftime("%Y-%m")
    query = sa.select(dice_seat.c.person_id).where(_seat(stored, str(side)))
    person = (await conn.execute(query)).scalar()
    for who in (LEAGUE, *((person,) if person else ())):
        rows = [
            {"person_id": who, "month": month, "kind": kind, "value": value, "count": count}
            for (kind, value), count in counted.items()
        ]
        added = insert(dice_count).values(rows)
        more = dice_count.c.count + added.excluded.count
        await conn.execute(
            added.on_conflict_do_update(index_elements=dice_count.primary_key.columns, set_={"count": more})
        )


def dice_statistics(registry: Registry) -> Projection:
    """The projection; it reads those public events of every engine that carry dice."""
    rolling = {
        name
        for engine in registry
        for name, event in engine.event_types.items()
        if name in engine.publish_names and "rolls" in {one.name for one in fields(event)}
    }
    return Projection(NAME, 1, metadata, frozenset({"fight-opened", "side-substituted", *rolling}), apply)


async def counts(
    conn: AsyncConnection, person_id: str | None, month: str | None
) -> dict[str, dict[int, int]]:
    """Kind -> value -> how often, for a player or the league, in one month or ever."""
    total = sa.func.sum(dice_count.c.count).label("count")
    query = sa.select(dice_count.c.kind, dice_count.c.value, total).group_by(
        dice_count.c.kind, dice_count.c.value
    )
    query = query.where(dice_count.c.person_id == (person_id or LEAGUE))
    if month:
        query = query.where(dice_count.c.month == month)
    found: dict[str, dict[int, int]] = {"face": {}, "total": {}}
    for row in await conn.execute(query):
        found[row.kind][row.value] = int(row[2])
    return found
