"""What an operator sees: how every handler fares, what waits, what happened last.

Nothing here moves when a side acts in secret: no position, no age of a handler that runs, no private event,
and of an error at a private event only its kind (the worker's log has the rest).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg
import msgspec

from solaris_shared import clock
from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging.envelope import type_of_nats_subject
from solaris_shared.ops.lags import BEHIND

SILENT_SECONDS = 30
FAR_BEHIND = 100
LAST = 15

HANDLERS = f"""
SELECT 'projection' AS kind, name, generation::text AS key, stage, state, attempts, error,
    checkpoint + 1 AS at, {BEHIND} AS behind
FROM projection, head WHERE stage <> 'retired'
UNION ALL
SELECT 'reactor', name, '', '', state, attempts, error, checkpoint + 1, {BEHIND} FROM reactor, head
UNION ALL
SELECT 'messaging', name, '', '', state, 0, error, NULL, NULL FROM messaging
ORDER BY kind, name, key
"""
KNOWN = """
SELECT o.position FROM outbox o WHERE o.position = ANY($1::bigint[])
UNION ALL
SELECT l.position FROM event e JOIN log l ON l.ordinal = e.ordinal
WHERE l.position = ANY($1::bigint[]) AND starts_with(e.stream, 'import-')
"""
"""Of these positions those whose event everybody may know."""
TIMERS = f"""
SELECT kind, key, due_at, state, attempts, error, due_at <= {clock.NOW_SQL} AS overdue
FROM timer WHERE state IN ('waiting', 'failed') ORDER BY state, due_at LIMIT {LAST}
"""
COUNTS = f"""
SELECT head.publication, {clock.NOW_SQL} AS now,
    (SELECT count(*) FROM timer WHERE state = 'waiting') AS timers,
    (SELECT count(*) FROM timer WHERE state = 'failed') AS failed_timers,
    (SELECT coalesce(extract(epoch FROM {clock.NOW_SQL} - min(next_at)), 0)::int FROM timer
        WHERE state = 'waiting' AND next_at < {clock.NOW_SQL}) AS overdue,
    (SELECT count(*) FROM event WHERE type = 'foreign-unreadable') AS unreadable
FROM head
"""
WORKERS = """
SELECT name, started_at, extract(epoch FROM clock_timestamp() - seen_at)::int AS silent, lags::text,
    failing::text
FROM worker_status WHERE seen_at > clock_timestamp() - interval '1 hour' ORDER BY name
"""
EVENTS = f"SELECT publication, subject, envelope FROM outbox ORDER BY publication DESC LIMIT {LAST}"
ACTIONS = f"""
SELECT kind, name, action, reason, operator, at FROM operator_action ORDER BY id DESC LIMIT {LAST}
"""


@dataclass(frozen=True, slots=True)
class Handler:
    """A projection's generation, a reactor, the relay or an importer. `behind` is None where only a worker
    knows."""

    kind: str
    name: str
    key: str
    stage: str
    state: str
    attempts: int
    error: str
    behind: int | None

    @property
    def stands(self) -> bool:
        return self.state != "running"


@dataclass(frozen=True, slots=True)
class Overview:
    """One look at a service."""

    now: datetime
    publication: int
    unreadable: int
    overdue: int
    waiting_timers: int
    handlers: Sequence[Handler]
    timers: Sequence[Mapping[str, Any]]
    failed_timers: int
    workers: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]
    actions: Sequence[Mapping[str, Any]]

    @property
    def troubles(self) -> list[str]:
        """What somebody must look at, the worst first."""
        standing = [h for h in self.handlers if h.stands]
        found = [f"{h.kind} {h.name} stands still ({h.state})" for h in standing]
        found += [f"{self.failed_timers} timer(s) failed"] if self.failed_timers else []
        found += [] if any(w["silent"] < SILENT_SECONDS for w in self.workers) else ["no worker reports"]
        found += [f"a timer is {self.overdue} s overdue"] if self.overdue > SILENT_SECONDS else []
        slow = [h for h in self.handlers if h.stage != "building" and (h.behind or 0) > FAR_BEHIND]
        found += [f"{h.kind} {h.name} is {h.behind} events behind" for h in slow if not h.stands]
        for worker in self.workers:
            found += [f"loop {name} fails ({times} in a row)" for name, times in worker["failing"].items()]
        return found + ([f"{self.unreadable} unreadable message(s) imported"] if self.unreadable else [])


async def look(store: Store) -> Overview:
    """The service now, as of one moment."""
    async with store.connection() as conn, conn.transaction(isolation="repeatable_read", readonly=True):
        counts = await conn.fetchrow(COUNTS)
        workers = [_worker(row) for row in await conn.fetch(WORKERS)]
        lags = {name: lag for worker in workers for name, lag in worker["lags"].items()}
        handlers = await _handlers(conn, lags)
        timers, actions = await conn.fetch(TIMERS), await conn.fetch(ACTIONS)
        events = [_event(row) for row in await conn.fetch(EVENTS)]
    return Overview(
        counts["now"],
        counts["publication"],
        counts["unreadable"],
        counts["overdue"],
        counts["timers"],
        handlers,
        timers,
        counts["failed_timers"],
        workers,
        events,
        actions,
    )


async def _handlers(conn: asyncpg.Connection, lags: Mapping[str, int]) -> list[Handler]:
    rows = await conn.fetch(HANDLERS)
    places = [row["at"] for row in rows if row["state"] != "running" and row["at"]]
    known = {row["position"] for row in await conn.fetch(KNOWN, places)} if places else set()
    shown = ("kind", "name", "key", "stage", "state", "attempts")
    handlers = [
        Handler(
            **{name: row[name] for name in shown},
            error=_error(row["error"], row["at"] is None or row["at"] in known),
            behind=lags.get(row["name"]) if row["behind"] is None else row["behind"],
        )
        for row in rows
    ]
    return sorted(handlers, key=lambda handler: not handler.stands)


def _error(text: str | None, known: bool) -> str:
    """The error as everybody may see it; what happened at a private event may tell of it."""
    if not text or known:
        return text or ""
    return f"{text.partition(':')[0][:80]} at a private event (the worker's log has more)"


def _worker(row: asyncpg.Record) -> dict[str, Any]:
    decoded = {name: msgspec.json.decode(row[name]) for name in ("lags", "failing")}
    return {"name": row["name"], "started_at": row["started_at"], "silent": row["silent"]} | decoded


def _event(row: asyncpg.Record) -> dict[str, Any]:
    fact = msgspec.json.decode(row["envelope"])
    kind = type_of_nats_subject(row["subject"])
    return {"number": row["publication"], "type": kind, "subject": fact["subject"], "time": fact["time"]}
