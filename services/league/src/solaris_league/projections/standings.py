"""Read model of mechwarriors, their results and the ranking."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_league.domain import injuries
from solaris_league.domain import mechwarrior as mechwarriors
from solaris_league.domain import round as rounds
from solaris_league.domain.fight import FightVoided
from solaris_league.domain.ranking import EARLIER, Result
from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projection import Projection

NAME = "standings"
metadata = sa.MetaData()

mechwarrior_table = sa.Table(
    "mechwarrior",
    metadata,
    sa.Column("mechwarrior_id", sa.Text, primary_key=True),
    sa.Column("person_id", sa.Text, nullable=False, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("affiliation", sa.Text, nullable=False),
    sa.Column("class", sa.Integer, nullable=False),
    sa.Column("gunnery", sa.Integer, nullable=False),
    sa.Column("piloting", sa.Integer, nullable=False),
    sa.Column("dead", sa.Boolean, nullable=False),
    sa.Column("out_until", sa.Integer, nullable=False),
)

result_table = sa.Table(
    "result",
    metadata,
    sa.Column("mechwarrior_id", sa.Text, primary_key=True),
    sa.Column("fight_id", sa.Text, primary_key=True),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("result", sa.Text, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("victory_points", sa.Integer, nullable=False),
    sa.Column("opponent_id", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
)

voided_table = sa.Table(
    "voided_fight",
    metadata,
    sa.Column("mechwarrior_id", sa.Text, primary_key=True),
    sa.Column("fight_id", sa.Text, primary_key=True),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("opponent_id", sa.Text, nullable=False),
    sa.Column("cause", sa.Text, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
)

drawn_table = sa.Table(
    "drawn_round",
    metadata,
    sa.Column("class", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("published", sa.Boolean, nullable=False),
)


async def apply(conn: AsyncConnection, stored: Stored) -> None:
    """One event."""
    match stored.event:
        case mechwarriors.MechwarriorEntered():
            row = {column.name: getattr(stored.event, column.name, None) for column in mechwarrior_table.c}
            row |= {"class": stored.event.class_, "dead": False, "out_until": 0}
            await conn.execute(sa.insert(mechwarrior_table), row)
        case mechwarriors.FightRecorded():
            row = {column.name: getattr(stored.event, column.name) for column in result_table.c}
            await conn.execute(sa.insert(result_table), row)
        case mechwarriors.SkillImproved(who, _, gunnery, piloting):
            known = mechwarrior_table.c.mechwarrior_id == who
            skills = {"gunnery": gunnery, "piloting": piloting}
            await conn.execute(sa.update(mechwarrior_table).where(known).values(skills))
        case mechwarriors.Promoted() | mechwarriors.Relegated():
            await _moved(conn, stored.event)
        case injuries.InjuriesRolled() | injuries.MechwarriorDied():
            await _hurt(conn, stored.event)
        case FightVoided():
            await _voided(conn, stored.event)
        case rounds.LotDrawn(_, number, class_):
            row = {"class": class_, "number": number, "published": False}
            await conn.execute(sa.insert(drawn_table).values(row))
        case rounds.RankingPublished(_, number, class_):
            known = (drawn_table.c["class"] == class_) & (drawn_table.c.number == number)
            await conn.execute(sa.update(drawn_table).where(known).values(published=True))


async def _moved(conn: AsyncConnection, event: mechwarriors.Promoted | mechwarriors.Relegated) -> None:
    who = event.mechwarrior_id
    known = mechwarrior_table.c.mechwarrior_id == who
    change = {"class": event.to_class}
    change |= {} if event.out_until is None else {"out_until": event.out_until}
    await conn.execute(sa.update(mechwarrior_table).where(known).values(change))
    past = result_table.c.mechwarrior_id == who
    await conn.execute(sa.update(result_table).where(past).values(kind=EARLIER))


async def _hurt(conn: AsyncConnection, event: injuries.InjuriesRolled | injuries.MechwarriorDied) -> None:
    table = mechwarrior_table.c
    change: dict[str, Any] = {"dead": True}
    if isinstance(event, injuries.InjuriesRolled):
        until = sa.func.greatest(table.out_until, event.round + event.rounds_out)
        change = {"gunnery": table.gunnery + event.gunnery, "piloting": table.piloting + event.piloting}
        change |= {"out_until": until} if event.rounds_out else {}
    known = table.mechwarrior_id == event.mechwarrior_id
    await conn.execute(sa.update(mechwarrior_table).where(known).values(change))


async def _voided(conn: AsyncConnection, event: FightVoided) -> None:
    first, second = event.sides
    shown = {name: getattr(event, name) for name in ("fight_id", "round", "cause", "reason")}
    rows = [
        {**shown, "mechwarrior_id": mine.mechwarrior_id, "opponent_id": other.mechwarrior_id}
        for mine, other in ((first, second), (second, first))
    ]
    await conn.execute(sa.insert(voided_table), rows)


PROJECTION = Projection(
    NAME,
    5,
    metadata,
    frozenset(
        {
            "mechwarrior-entered",
            "fight-recorded",
            "fight-voided",
            "skill-improved",
            "injuries-rolled",
            "mechwarrior-died",
            "promoted",
            "relegated",
            "lot-drawn",
            "ranking-published",
        }
    ),
    apply,
)


async def latest_round(conn: AsyncConnection, class_: int) -> tuple[int, bool]:
    """Number of the last drawn round of a class (0: none yet) and whether its ranking is published."""
    query = (
        sa.select(drawn_table)
        .where(drawn_table.c["class"] == class_)
        .order_by(drawn_table.c.number.desc())
        .limit(1)
    )
    row = (await conn.execute(query)).mappings().first()
    return (row["number"], row["published"]) if row else (0, True)


async def members(conn: AsyncConnection, class_: int) -> dict[str, dict[str, Any]]:
    """All mechwarriors of a class by id."""
    query = sa.select(mechwarrior_table).where(mechwarrior_table.c["class"] == class_)
    return {row["mechwarrior_id"]: dict(row) for row in (await conn.execute(query)).mappings()}


async def results(conn: AsyncConnection, ids: list[str]) -> dict[str, list[Result]]:
    """The results of these mechwarriors, oldest first; also those without any."""
    found: dict[str, list[Result]] = {who: [] for who in ids}
    query = (
        sa.select(result_table)
        .where(result_table.c.mechwarrior_id.in_(ids))
        .order_by(result_table.c.round, result_table.c.fight_id)
    )
    for row in (await conn.execute(query)).mappings():
        found[row["mechwarrior_id"]].append(
            Result(
                row["round"],
                row["fight_id"],
                row["result"],
                row["points"],
                row["victory_points"],
                row["opponent_id"],
                row["kind"],
            )
        )
    return found


async def voided(conn: AsyncConnection, mechwarrior_id: str) -> list[dict[str, Any]]:
    """His fights that were called off, oldest first, with cause and reason."""
    query = (
        sa.select(voided_table)
        .where(voided_table.c.mechwarrior_id == mechwarrior_id)
        .order_by(voided_table.c.round, voided_table.c.fight_id)
    )
    rows = (await conn.execute(query)).mappings()
    return [{name: row[name] for name in row if name != "mechwarrior_id"} for row in rows]


async def one_mechwarrior(conn: AsyncConnection, mechwarrior_id: str) -> dict[str, Any] | None:
    query = sa.select(mechwarrior_table).where(mechwarrior_table.c.mechwarrior_id == mechwarrior_id)
    row = (await conn.execute(query)).mappings().first()
    return dict(row) if row else None


async def of_person(conn: AsyncConnection, person_id: str) -> str | None:
    """The id of a person's mechwarrior."""
    query = sa.select(mechwarrior_table.c.mechwarrior_id).where(mechwarrior_table.c.person_id == person_id)
    return (await conn.execute(query)).scalar()


async def names(conn: AsyncConnection, ids: list[str]) -> dict[str, str]:
    """Callsigns by id."""
    query = sa.select(mechwarrior_table).where(mechwarrior_table.c.mechwarrior_id.in_(ids))
    return {row["mechwarrior_id"]: row["name"] for row in (await conn.execute(query)).mappings()}


async def mechwarriors_page(
    conn: AsyncConnection, class_: int | None, after: str | None, limit: int
) -> list[dict[str, Any]]:
    """Mechwarriors by id, of one class or of all."""
    query = sa.select(mechwarrior_table).order_by(mechwarrior_table.c.mechwarrior_id).limit(limit)
    if class_ is not None:
        query = query.where(mechwarrior_table.c["class"] == class_)
    if after is not None:
        query = query.where(mechwarrior_table.c.mechwarrior_id > after)
    return [dict(row) for row in (await conn.execute(query)).mappings()]
