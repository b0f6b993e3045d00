"""One command, one transaction: load, decide, append, remember the result."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Generic, TypeVar
from uuid import UUID

import asyncpg
import msgspec

from solaris_shared import clock, ids
from solaris_shared.database import ACQUIRE_TIMEOUT, DATABASE_ERRORS, finish, is_transient
from solaris_shared.errors import InFlight, SolarisError, Unavailable, Unprocessable, VersionConflict
from solaris_shared.log.codec import dump, to_json
from solaris_shared.log.event_log import EventLog, Meta
from solaris_shared.testing import failpoints

S = TypeVar("S")
ATTEMPTS = 4
"""The first try and at most three more after a lost race or a lost connection."""

FIND = f"""
SELECT {clock.NOW_SQL} AS now, pg_try_advisory_xact_lock($2) AS alone, r.digest, r.body::text, r.token
FROM (SELECT) AS one LEFT JOIN command_result r ON r.command_id = $1
"""
KEEP = """
INSERT INTO command_result (command_id, digest, body, token, recorded_at)
VALUES ($1, $2, $3::text::jsonb, $4, $5)
"""
SET_TIMER = """
INSERT INTO timer (kind, key, due_at, next_at, data) VALUES ($1, $2, $3, $3, $4::text::jsonb)
ON CONFLICT (kind, key) DO UPDATE SET
    due_at = excluded.due_at, next_at = excluded.due_at, data = excluded.data, serial = timer.serial + 1,
    state = 'waiting', attempts = 0, error = NULL, updated_at = clock_timestamp()
"""


@dataclass(frozen=True, slots=True)
class Loaded(Generic[S]):
    """A stream's state, None while it has no event, and its version."""

    stream: str
    version: int
    state: S | None


@dataclass(frozen=True, slots=True)
class Command:
    """What makes a command one command: its id, and the digest of what was asked."""

    id: UUID
    digest: bytes
    principal: str
    correlation_id: str
    causation_id: str = ""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The stored answer. `token` lets the caller's next query wait for his own write; opaque, "" if there
    is none.
    """

    body: dict[str, Any]
    token: str
    replayed: bool


@dataclass(slots=True)
class Transaction:
    """What handlers work with. It never commits itself; after a VersionConflict nothing more can be done
    in it.
    """

    conn: asyncpg.Connection
    log: EventLog
    meta: Meta
    now: datetime
    appended: int = field(default=0, init=False)

    async def load(self, stream: str, evolve: Callable[[S | None, object], S]) -> Loaded[S]:
        """The state of `stream`, folded with `evolve`."""
        state, version = None, 0
        for stored in await self.log.load(self.conn, stream):
            state, version = evolve(state, stored.event), stored.version
        return Loaded(stream, version, state)

    async def append(self, stream: str, expected: int, *events: object) -> int:
        """Append and return the new version of the stream. Raises VersionConflict."""
        version = await self.log.append(
            self.conn, stream, expected, events, self.meta, self.now, first=self.appended
        )
        self.appended += len(events)
        return version

    async def set_timer(
        self, kind: str, key: str, due_at: datetime, data: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        """Call the timer handler of `kind` at `due_at`; replaces what was set for (kind, key)."""
        await self.conn.execute(SET_TIMER, kind, key, due_at, dump(to_json(dict(data))))

    async def cancel_timer(self, kind: str, key: str) -> None:
        """Take back a timer that has not run yet; nothing happens if there is none."""
        change = "UPDATE timer SET state = 'void', serial = serial + 1, updated_at = clock_timestamp()"
        await self.conn.execute(f"{change} WHERE kind = $1 AND key = $2 AND state = 'waiting'", kind, key)

    @property
    def token(self) -> str:
        """Names the last event appended here, without telling how many events there are; "" if none."""
        return ids.event_id(self.meta.command_id, self.appended - 1).hex if self.appended else ""


Work = Callable[[Transaction], Awaitable[dict[str, Any]]]


class Store:
    """The log together with a pool of connections."""

    def __init__(self, pool: asyncpg.Pool, log: EventLog) -> None:
        self.pool = pool
        self.log = log

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[asyncpg.Connection]:
        """A connection for one unit of work; never shared between tasks."""
        conn = await self.pool.acquire(timeout=ACQUIRE_TIMEOUT)
        try:
            yield conn
        finally:
            with suppress(asyncpg.InternalClientError):  # lost just now: it has given back its place itself
                await self.pool.release(conn)

    @asynccontextmanager
    async def atomic(self) -> AsyncIterator[asyncpg.Connection]:
        """A connection in a transaction: committed at the end, rolled back on any exception."""
        async with self.connection() as conn:
            transaction = conn.transaction()
            try:
                await finish(transaction.start())
                yield conn
            except BaseException as error:
                if isinstance(error, asyncpg.InternalClientError):
                    conn.terminate()  # the client has lost track of it: never back into the pool
                elif not conn.is_closed() and conn.is_in_transaction():
                    await finish(transaction.rollback())
                raise
            await finish(transaction.commit())

    @asynccontextmanager
    async def transaction(self, meta: Meta) -> AsyncIterator[Transaction]:
        """A transaction that appends as `meta` says (reactors, timers, tests)."""
        async with self.atomic() as conn:
            yield Transaction(conn, self.log, meta, await clock.now(conn))

    async def run(self, command: Command, work: Work) -> CommandResult:
        """Run `work` once for this command id and keep its answer in the same transaction.

        The same command again gets the stored answer. A lost race repeats `work` from the start, at most
        three times; so does a lost connection, since the stored answer tells whether the commit had happened.
        Raises Unprocessable("idempotency-key-reused") for the same id with another digest, InFlight while it
        is under way elsewhere, VersionConflict when the races go on, Unavailable when the database does not
        answer, and whatever `work` raises.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._run_once(command, work)
            except (VersionConflict, asyncpg.UniqueViolationError):
                if attempt == ATTEMPTS:
                    raise
            except (InFlight, *DATABASE_ERRORS) as error:
                if not is_transient(error) or (attempt == 1 and isinstance(error, InFlight)):
                    raise  # later our own lost connection may hold the lock for a moment
                if attempt == ATTEMPTS:
                    raise Unavailable("database-unavailable", "the database does not answer") from error
                await asyncio.sleep(0.05 * 2**attempt)
            except SolarisError:
                async with self.connection() as conn:
                    found = await conn.fetchrow(FIND, command.id, command.id.int >> 65)
                if found["digest"] is None:
                    raise
                return _replayed(found, command)  # refused because it has been carried out meanwhile
        raise AssertionError("unreachable")

    async def _run_once(self, command: Command, work: Work) -> CommandResult:
        await failpoints.hit("cmd.before_tx")
        async with self.atomic() as conn:
            found = await conn.fetchrow(FIND, command.id, command.id.int >> 65)
            if found["digest"] is not None:
                return _replayed(found, command)
            if not found["alone"]:
                raise InFlight("idempotency-key-in-flight", "ask again", headers={"Retry-After": "1"})
            cause = command.causation_id or str(command.id)
            meta = Meta(command.id, command.correlation_id, cause, command.principal)
            tx = Transaction(conn, self.log, meta, found["now"])
            body, token = to_json(await work(tx)), tx.token
            await failpoints.hit("cmd.after_first_write")
            await conn.execute(KEEP, command.id, command.digest, dump(body), token, tx.now)
            await failpoints.hit("cmd.before_commit")
        await failpoints.hit("cmd.committed_not_answered")
        return CommandResult(body, token, replayed=False)


def _replayed(found: asyncpg.Record, command: Command) -> CommandResult:
    if found["digest"] != command.digest:
        raise Unprocessable("idempotency-key-reused", "this key was used for another request")
    return CommandResult(msgspec.json.decode(found["body"]), found["token"], replayed=True)
