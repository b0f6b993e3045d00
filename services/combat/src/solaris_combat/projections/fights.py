"""Read model of all fights: public facts only. It handles no private event, so nothing sealed can move it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_combat.domain.events import (
    DeadlineExtended,
    FightConcluded,
    FightOpened,
    FightParked,
    FightRefused,
    FightResumed,
    FightVoided,
    PhaseResolved,
    Request,
    RequestRenewed,
    Terms,
)
from solaris_combat.engines.canonical import plain
from solaris_combat.engines.registry import Registry
from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projection import Projection

NAME = "fights"
metadata = sa.MetaData()

fight = sa.Table(
    "fight",
    metadata,
    sa.Column("fight_id", sa.Text, primary_key=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("round", sa.Integer, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("fight_class", sa.Integer, nullable=False),
    sa.Column("arena", sa.Text, nullable=False),
    sa.Column("turns", sa.Integer, nullable=False),
    sa.Column("ruleset", sa.Text, nullable=False),
    sa.Column("sides", JSONB, nullable=False),
    sa.Column("request", JSONB(none_as_null=True)),
    sa.Column("deadline", sa.DateTime(timezone=True)),
    sa.Column("result", JSONB(none_as_null=True)),
    sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
    sa.Index("fight_order", "opened_at", "fight_id"),
)


async def apply(lengths: Mapping[str, str], conn: AsyncConnection, stored: Stored) -> None:
    """Fold one event into the list of fights; `lengths` as in the contract of engines."""
    event = stored.event
    if stored.type in lengths:
        await _change(conn, stored, turns=getattr(event, lengths[stored.type]))
    match event:
        case FightOpened():
            row = _row(event.terms, stored, "open", event.request)
            await conn.execute(insert(fight).values({**row, "deadline": event.deadline}))
        case FightRefused():
            await conn.execute(insert(fight).values(_row(event.terms, stored, "refused", None)))
        case PhaseResolved() | RequestRenewed():
            await _change(conn, stored, request=plain(event.request), deadline=event.deadline)
        case DeadlineExtended():
            await _change(conn, stored, deadline=event.deadline)
        case FightConcluded():
            await _change(conn, stored, state="concluded", result=_result(event), request=None, deadline=None)
        case FightParked():
            await _change(conn, stored, state="parked")
        case FightResumed():
            await _change(conn, stored, state="open", deadline=event.deadline)
        case FightVoided():
            await _change(conn, stored, state="voided", request=None, deadline=None)


def _row(terms: Terms, stored: Stored, state: str, request: Request | None) -> dict[str, Any]:
    setup = terms.setup
    return {
        "fight_id": terms.fight_id,
        "state": state,
        "round": terms.round,
        "kind": terms.kind,
        "fight_class": setup.fight_class,
        "arena": setup.arena,
        "turns": setup.turns,
        "ruleset": setup.ruleset,
        "sides": [_side(seat) for seat in plain(terms.seats)],
        "request": plain(request),
        "opened_at": stored.recorded_at,
    }


def _side(seat: dict[str, Any]) -> dict[str, Any]:
    unit = seat["unit"]
    return {
        "side": unit["side"],
        "name": unit["name"],
        "model": unit["model"],
        "mechwarrior_id": seat["mechwarrior_id"],
        "person_id": seat["person_id"],
    }


def _result(event: FightConcluded) -> dict[str, Any]:
    outcome = event.outcome
    sides = [
        {"side": side.side, "result": side.result, "victory_points": side.victory_points}
        for side in outcome.sides
    ]
    return {"turns": outcome.turns, "ended_by": outcome.ended_by, "sides": sides}


async def _change(conn: AsyncConnection, stored: Stored, **values: Any) -> None:
    fight_id = stored.stream.removeprefix("fight-")
    await conn.execute(sa.update(fight).where(fight.c.fight_id == fight_id).values(values))


HANDLED = frozenset(
    {
        "fight-opened",
        "fight-refused",
        "phase-resolved",
        "request-renewed",
        "deadline-extended",
        "fight-concluded",
        "fight-voided",
        "fight-parked",
        "fight-resumed",
    }
)


def fight_list(registry: Registry) -> Projection:
    """The projection; of the engines' events it reads those that change how long a fight lasts."""
    lengths = {name: field for engine in registry for name, field in engine.lengths.items()}
    return Projection(NAME, 4, metadata, HANDLED | lengths.keys(), partial(apply, lengths))
