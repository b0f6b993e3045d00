"""What an operator may do with a handler. Each action is an event with who and why, appended in the same
transaction (and kept as a row of operator_action with the error that was seen); nothing else ever skips
anything.
"""

from dataclasses import dataclass
from time import monotonic
from typing import Any

import asyncpg

from solaris_shared import clock, ids
from solaris_shared.errors import Conflict, NotFound, Unprocessable
from solaris_shared.log.event_log import Meta
from solaris_shared.log.unit_of_work import Store
from solaris_shared.operator_events import OperatorActed
from solaris_shared.processing.projector import Projector

STANDING = """
SELECT 'projection' AS kind, name, generation::text AS key, checkpoint + 1 AS position, state, attempts, error
FROM projection WHERE state <> 'running'
UNION ALL
SELECT 'reactor', name, '', checkpoint + 1, state, attempts, error FROM reactor WHERE state <> 'running'
UNION ALL
SELECT 'timer', kind, key, NULL, state, attempts, error FROM timer WHERE state = 'failed'
UNION ALL
SELECT 'messaging', name, '', NULL, state, 0, error FROM messaging WHERE state <> 'running'
ORDER BY kind, name, key
"""
RECORD = """
INSERT INTO operator_action (kind, name, action, position, error, reason, operator)
VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
RUNS = """
INSERT INTO messaging (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name
RETURNING state = 'running'
"""
HALT = "UPDATE messaging SET state = 'halted', error = $2, updated_at = clock_timestamp() WHERE name = $1"
PERMIT_SECONDS = 1.0
RUN = "state = 'running', attempts = 0, updated_at = clock_timestamp()"


@dataclass(frozen=True, slots=True)
class Operator:
    """Who acts, and why."""

    name: str
    reason: str


class Permit:
    """Whether the messaging loop `name` (relay, import-<service>) may go on; asks again after
    PERMIT_SECONDS.
    """

    def __init__(self, store: Store, name: str) -> None:
        self.store = store
        self.name = name
        self._until = 0.0

    async def given(self) -> bool:
        """Ask, unless the last answer was yes and is fresh."""
        if monotonic() > self._until and await _runs(self.store, self.name):
            self._until = monotonic() + PERMIT_SECONDS
        return monotonic() <= self._until

    async def withdraw(self, error: str) -> None:
        """Stop the loop, where going on would be wrong, until an operator's retry."""
        self._until = 0.0
        async with self.store.connection() as conn:
            await conn.execute(HALT, self.name, error)


async def _runs(store: Store, name: str) -> bool:
    async with store.connection() as conn:
        state = await conn.fetchval("SELECT state FROM messaging WHERE name = $1", name)
        return state == "running" if state else await conn.fetchval(RUNS, name)


async def standing(store: Store) -> list[asyncpg.Record]:
    """Every handler, timer and messaging loop that stands still: kind, name, key, position, state,
    attempts, error.
    """
    async with store.connection() as conn:
        return await conn.fetch(STANDING)


async def retry(store: Store, kind: str, name: str, by: Operator, key: str = "") -> None:
    """Let a failed or halted handler try again at the event (or, for a timer, the moment) where it stands.

    `key`: a projection's generation or a timer's key. It moves no checkpoint. Raises NotFound, Conflict (it
    runs).
    """
    async with store.atomic() as conn:
        error, position = await _standing_still(conn, kind, name, key)
        where, arguments = _where(kind, name, key)
        if kind == "timer":
            change = "state = 'waiting', attempts = 0, next_at = due_at, updated_at = clock_timestamp()"
        else:
            change = RUN if kind != "messaging" else RUN.replace("attempts = 0, ", "")
        await conn.execute(f"UPDATE {kind} SET {change} WHERE {where}", *arguments)
        acted = OperatorActed(kind, f"{name} {key}".strip(), "retry", position, by.name, by.reason)
        await _record(store, conn, acted, error)


async def skip(store: Store, kind: str, name: str, by: Operator, key: str = "") -> None:
    """Pass over the one event (or void the timer) at which a handler stands, and let it run on.

    A skipped event is missing from that generation of a projection only: repair the code, then rebuild.
    Raises NotFound, Conflict (it runs, or is of a kind that may never skip).
    """
    if kind == "messaging":
        raise Conflict("may-not-skip", "relay and importers skip nothing")
    async with store.atomic() as conn:
        error, position = await _standing_still(conn, kind, name, key)
        where, arguments = _where(kind, name, key)
        if kind == "timer":
            change = "state = 'void', updated_at = clock_timestamp()"
        else:
            change = f"checkpoint = checkpoint + 1, error = NULL, {RUN}"
        await conn.execute(f"UPDATE {kind} SET {change} WHERE {where}", *arguments)
        acted = OperatorActed(kind, f"{name} {key}".strip(), "skip", position, by.name, by.reason)
        await _record(store, conn, acted, error)


async def rebuild(store: Store, projector: Projector, by: Operator) -> int:
    """Begin a new generation of a read model; the worker builds it beside the live one and cuts over.

    Returns its number. The action is recorded in the transaction that begins it. Raises Conflict: one of this
    version is being built already.
    """
    acted = OperatorActed("projection", projector.projection.name, "rebuild", None, by.name, by.reason)
    async with projector.engine.begin() as conn:
        generation, begun = await projector.begin_generation(conn)
        if not begun:
            raise Conflict("being-rebuilt", f"generation {generation} of {acted.name} is being built already")
        raw: Any = (await conn.get_raw_connection()).driver_connection  # inside the same transaction
        await _record(store, raw, acted, None)
    return generation


def _where(kind: str, name: str, key: str) -> tuple[str, tuple[object, ...]]:
    match kind:
        case "projection" if not key.isdecimal() or len(key) > 9:
            raise Unprocessable("unknown-generation", f"{key!r} is no generation")
        case "projection":
            return "name = $1 AND generation = $2", (name, int(key))
        case "timer":
            return "kind = $1 AND key = $2", (name, key)
        case "reactor" | "messaging":
            return "name = $1", (name,)
    raise Unprocessable("unknown-kind", f"{kind} is none of projection, reactor, timer, messaging")


async def _standing_still(
    conn: asyncpg.Connection, kind: str, name: str, key: str
) -> tuple[str | None, int | None]:
    """Lock the row; its error and the position it stands at."""
    where, arguments = _where(kind, name, key)
    position = "checkpoint + 1" if kind in ("projection", "reactor") else "NULL::bigint"
    row = await conn.fetchrow(
        f"SELECT state, error, {position} AS position FROM {kind} WHERE {where} FOR UPDATE", *arguments
    )
    if row is None:
        raise NotFound("no-such-handler", f"{kind} {name} {key}".strip())
    if row["state"] not in ("failed", "halted"):
        raise Conflict("not-standing-still", f"{kind} {name} is {row['state']}")
    return row["error"], row["position"]


async def _record(store: Store, conn: asyncpg.Connection, acted: OperatorActed, error: str | None) -> None:
    command = ids.new_id()
    meta = Meta(command, str(command), str(command), acted.operator)
    stream = f"operation-{command}"
    await store.log.append(conn, stream, 0, [acted], meta, await clock.now(conn))
    row = (acted.kind, acted.name, acted.action, acted.position, error, acted.reason, acted.operator)
    await conn.execute(RECORD, *row)
