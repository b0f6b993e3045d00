"""Durable timers: rows that call a handler when they are due."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg
import msgspec

from solaris_shared import clock, ids
from solaris_shared.database import is_transient
from solaris_shared.log.event_log import Meta
from solaris_shared.log.unit_of_work import Store, Transaction
from solaris_shared.processing.progress import MAX_ATTEMPTS, describe
from solaris_shared.testing import failpoints

CLAIM = f"""
UPDATE timer SET attempts = attempts + 1, updated_at = clock_timestamp(),
    next_at = {clock.NOW_SQL} + least(power(2, attempts), 300) * interval '1 second',
    state = CASE WHEN attempts >= {MAX_ATTEMPTS} THEN 'failed' ELSE state END
WHERE (kind, key) = (
    SELECT kind, key FROM timer WHERE state = 'waiting' AND next_at <= {clock.NOW_SQL}
    ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING kind, key, due_at, data::text, serial, state
"""
LOCK = """
SELECT FROM timer WHERE kind = $1 AND key = $2 AND serial = $3 AND state = 'waiting' FOR NO KEY UPDATE
"""
END = """
UPDATE timer SET state = $4, error = NULL, updated_at = clock_timestamp()
WHERE kind = $1 AND key = $2 AND serial = $3
"""
FAIL = f"""
UPDATE timer SET error = $4, attempts = attempts - $5::int, updated_at = clock_timestamp(),
    state = CASE WHEN attempts - $5::int >= {MAX_ATTEMPTS} THEN 'failed' ELSE state END
WHERE kind = $1 AND key = $2 AND serial = $3 AND state = 'waiting'
"""


@dataclass(frozen=True, slots=True)
class Timer:
    """A timer that is due. `key` and `data` name the process and the state it was set for."""

    kind: str
    key: str
    due_at: datetime
    data: dict[str, Any]


TimerHandler = Callable[[Transaction, Timer], Awaitable[str]]
"""Returns "done", or "void" if the process has gone on without it."""


class TimerRunner:
    """Runs timers in due order. One that fails waits 1, 2, 4... seconds and is `failed` after
    MAX_ATTEMPTS; its claim is written down first, so one that kills its process is counted too and cannot
    starve the others.
    """

    def __init__(self, store: Store, handlers: Mapping[str, TimerHandler]) -> None:
        self.store = store
        self.handlers = dict(handlers)

    async def step(self) -> bool:
        """Run the timer that is due first; False if none is. Raises what its handler raised, after
        recording it.
        """
        async with self.store.connection() as conn:
            row = await conn.fetchrow(CLAIM)
        if row is None:
            return False
        await failpoints.hit("pm.timer_read")
        if row["state"] == "waiting":
            await self._attempt(row)
        return True

    async def _attempt(self, row: asyncpg.Record) -> None:
        try:
            await self._run(row)
        except Exception as error:
            forgiven = int(is_transient(error))
            async with self.store.connection() as conn:
                await conn.execute(FAIL, row["kind"], row["key"], row["serial"], describe(error), forgiven)
            raise

    async def _run(self, row: asyncpg.Record) -> None:
        timer = Timer(row["kind"], row["key"], row["due_at"], msgspec.json.decode(row["data"]))
        name = f"timer:{timer.kind}"
        command = ids.derived_id("timer", timer.kind, timer.key, str(row["serial"]))
        meta = Meta(command, str(command), f"{name}/{timer.key}", name)
        async with self.store.atomic() as conn:
            if await conn.fetchrow(LOCK, timer.kind, timer.key, row["serial"]) is None:
                return
            tx = Transaction(conn, self.store.log, meta, await clock.now(conn))
            outcome = await self.handlers[timer.kind](tx, timer)
            if outcome not in ("done", "void"):
                raise ValueError(f"{name} answered {outcome!r}")
            await failpoints.hit("pm.timer_emitted_not_marked")
            await conn.execute(END, timer.kind, timer.key, row["serial"], outcome)
