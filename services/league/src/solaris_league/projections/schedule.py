"""Read model of rounds and their fights."""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_league.domain import round as rounds
from solaris_league.domain.fight import FightVoided
from solaris_league.foreign_events import FIGHT_CONCLUDED, FightConcluded
from solaris_shared.log.codec import to_json
from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projection import Projection

NAME = "schedule"
metadata = sa.MetaData()

round_table = sa.Table(
    "round",
    metadata,
    sa.Column("round_id", sa.Text, primary_key=True),
    sa.Column("class", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("terms", JSONB, nullable=False),
    sa.Column("lot", JSONB, nullable=False),
    sa.Column("fights", sa.Integer, nullable=False, server_default="0"),
    sa.Column("concluded", sa.Integer, nullable=False, server_default="0"),
    sa.Column("voided", sa.Integer, nullable=False, server_default="0"),
    sa.Column("reason", sa.Text),
    sa.UniqueConstraint("class", "number"),
)

fight_table = sa.Table(
    "fight",
    metadata,
    sa.Column("fight_id", sa.Text, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, unique=True),
    sa.Column("round_id", sa.Text, nullable=False, index=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("data", JSONB, nullable=False),
    sa.Column("result", JSONB),
    sa.Column("voided", JSONB),
)

side_table = sa.Table(
    "fight_side",
    metadata,
    sa.Column("fight_id", sa.Text, primary_key=True),
    sa.Column("side", sa.Text, primary_key=True),
    sa.Column("mechwarrior_id", sa.Text, nullable=False, index=True),
)

challenge_table = sa.Table(
    "challenge",
    metadata,
    sa.Column("challenge_id", sa.Text, primary_key=True),
    sa.Column("round_id", sa.Text, nullable=False, index=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("against", sa.Text, nullable=False),
    sa.Column("accepted", sa.Boolean),
)


async def apply(conn: AsyncConnection, stored: Stored) -> None:
    """One event."""
    match stored.event:
        case rounds.FightScheduled():
            await _scheduled(conn, stored.event, stored.position)
        case FightConcluded():
            await _concluded(conn, stored.event)
        case FightVoided():
            await _voided(conn, stored.event)
        case rounds.ChallengeIssued() | rounds.ChallengeAnswered():
            await _challenge(conn, stored.event, stored.position)
        case _:
            await _apply_round(conn, stored.event)


async def _apply_round(conn: AsyncConnection, event: object) -> None:
    """What becomes of a round."""
    match event:
        case rounds.RoundOpened():
            await _opened(conn, event)
        case rounds.LotDrawn():
            await _drawn(conn, event)
        case rounds.FightCounted(round_id):
            counted = round_table.c.concluded + 1
            await _change(conn, round_id, concluded=counted)
        case rounds.FightStruck(round_id):
            await _change(conn, round_id, voided=round_table.c.voided + 1)
        case rounds.RoundClosed(round_id):
            await _change(conn, round_id, state="closed")
        case rounds.RoundVoided(round_id, reason=reason):
            await _change(conn, round_id, state="voided", reason=reason)
        case rounds.PoolExtended(round_id, mechs=mechs):
            await _lent(conn, round_id, to_json(mechs))


async def _opened(conn: AsyncConnection, event: rounds.RoundOpened) -> None:
    terms = {name.rstrip("_"): value for name, value in to_json(event.terms).items()}
    lot = {"algorithm": event.lot_algorithm, "seed_commitment": event.seed_commitment, "seed": None}
    row = {
        "round_id": event.round_id,
        "class": event.terms.class_,
        "number": event.number,
        "state": "open",
        "terms": terms,
        "lot": lot,
    }
    await conn.execute(sa.insert(round_table).values(row))


async def _lent(conn: AsyncConnection, round_id: str, mechs: list[dict[str, Any]]) -> None:
    """The pool of the terms, with these at its end."""
    terms = round_table.c.terms
    pool = terms["pool"].op("||")(sa.cast(mechs, JSONB))
    longer = sa.func.jsonb_set(terms, sa.cast(["pool"], ARRAY(sa.Text)), pool)
    await _change(conn, round_id, terms=longer)


async def _challenge(
    conn: AsyncConnection, event: rounds.ChallengeIssued | rounds.ChallengeAnswered, position: int | None
) -> None:
    if isinstance(event, rounds.ChallengeIssued):
        shown = {name: getattr(event, name) for name in ("round_id", "challenge_id", "by", "against")}
        await conn.execute(sa.insert(challenge_table).values({**shown, "number": position}))
        return
    known = challenge_table.c.challenge_id == event.challenge_id
    await conn.execute(sa.update(challenge_table).where(known).values(accepted=event.accepted))


async def _drawn(conn: AsyncConnection, event: rounds.LotDrawn) -> None:
    opened = to_json(event)
    shown = {name: opened[name] for name in ("seed", "entrants", "met", "rested", "resting", "challenged")}
    lot = round_table.c.lot.op("||")(sa.cast(shown, JSONB))
    await _change(conn, event.round_id, state="drawn", lot=lot, fights=len(event.fight_ids))


async def _scheduled(conn: AsyncConnection, event: rounds.FightScheduled, position: int | None) -> None:
    data = {name.rstrip("_"): value for name, value in to_json(event).items()}
    row = {
        "fight_id": event.fight_id,
        "number": position,
        "round_id": event.round_id,
        "state": "scheduled",
        "data": data,
    }
    await conn.execute(sa.insert(fight_table).values(row))
    sides = [
        {"fight_id": event.fight_id, "side": side.side, "mechwarrior_id": side.mechwarrior_id}
        for side in event.sides
    ]
    await conn.execute(sa.insert(side_table), sides)


async def _concluded(conn: AsyncConnection, event: FightConcluded) -> None:
    result: list[dict[str, Any]] = to_json(event.sides)
    known = (fight_table.c.fight_id == event.fight_id) & (fight_table.c.state != "voided")
    await conn.execute(sa.update(fight_table).where(known).values(state="concluded", result=result))


async def _voided(conn: AsyncConnection, event: FightVoided) -> None:
    """Nothing of it counts, not even a result that combat had reached before it heard of it."""
    why = {"cause": event.cause, "reason": event.reason}
    known = fight_table.c.fight_id == event.fight_id
    values = {"state": "voided", "result": None, "voided": why}
    await conn.execute(sa.update(fight_table).where(known).values(values))


async def _change(conn: AsyncConnection, round_id: str, **values: Any) -> None:
    await conn.execute(sa.update(round_table).where(round_table.c.round_id == round_id).values(values))


PROJECTION = Projection(
    NAME,
    4,
    metadata,
    frozenset(
        {
            "round-opened",
            "challenge-issued",
            "challenge-answered",
            "lot-drawn",
            "fight-scheduled",
            "fight-counted",
            "fight-struck",
            "fight-voided",
            "round-closed",
            "round-voided",
            "pool-extended",
            FIGHT_CONCLUDED,
        }
    ),
    apply,
)


async def rounds_page(
    conn: AsyncConnection, after: tuple[int, int] | None, limit: int
) -> list[dict[str, Any]]:
    """Rounds by class and number; `after` is the last (class, number) seen."""
    query = sa.select(round_table).order_by(round_table.c["class"], round_table.c.number).limit(limit)
    if after:
        query = query.where(sa.tuple_(round_table.c["class"], round_table.c.number) > sa.tuple_(*after))
    return [dict(row) for row in (await conn.execute(query)).mappings()]


async def one_round(conn: AsyncConnection, round_id: str) -> dict[str, Any] | None:
    row = (await conn.execute(sa.select(round_table).where(round_table.c.round_id == round_id))).mappings()
    found = row.first()
    return dict(found) if found else None


async def fights_page(
    conn: AsyncConnection, filters: dict[str, str | None], after: int | None, limit: int
) -> list[dict[str, Any]]:
    """Fights in the order of scheduling. `filters`: round_id, state, mechwarrior_id (None = any)."""
    query = sa.select(fight_table).order_by(fight_table.c.number).limit(limit)
    for column in ("round_id", "state"):
        if filters.get(column) is not None:
            query = query.where(fight_table.c[column] == filters[column])
    if filters.get("mechwarrior_id") is not None:
        mine = sa.select(side_table.c.fight_id).where(
            side_table.c.mechwarrior_id == filters["mechwarrior_id"]
        )
        query = query.where(fight_table.c.fight_id.in_(mine))
    if after is not None:
        query = query.where(fight_table.c.number > after)
    return [dict(row) for row in (await conn.execute(query)).mappings()]


async def one_fight(conn: AsyncConnection, fight_id: str) -> dict[str, Any] | None:
    row = (await conn.execute(sa.select(fight_table).where(fight_table.c.fight_id == fight_id))).mappings()
    found = row.first()
    return dict(found) if found else None


async def challenges(conn: AsyncConnection, round_id: str) -> list[dict[str, Any]]:
    """The challenges of a round, oldest first."""
    query = sa.select(challenge_table).where(challenge_table.c.round_id == round_id)
    rows = (await conn.execute(query.order_by(challenge_table.c.number))).mappings()
    return [
        {name: value for name, value in row.items() if name not in ("number", "round_id")} for row in rows
    ]
