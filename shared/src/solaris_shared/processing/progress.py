"""How far a projection or reactor has come, and what becomes of one that fails.

An attempt at an event that may be a poison is counted on the handler's row before it begins, so that one
which kills its process is counted too. After MAX_ATTEMPTS the handler is `failed`; what can never succeed by
itself (a hole in the log, an unreadable foreign message that it needs) makes it `halted` at once. Nothing
behind that event is handled until an operator retries or skips it (solaris_shared.operations).
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import asyncpg
import msgspec

from solaris_shared import clock
from solaris_shared.database import is_transient
from solaris_shared.errors import SolarisError
from solaris_shared.log.foreign import IMPORT_PREFIX, UNREADABLE
from solaris_shared.log.unit_of_work import Store

Read = Callable[[asyncpg.Connection, int, int], Awaitable[list[asyncpg.Record]]]
"""(connection, position, limit) -> records of the log beyond the position, from wherever they are kept."""

MAX_ATTEMPTS = 5
PAGE = 500
ERROR_LENGTH = 2000


class HandlerHalted(SolarisError):
    """No retry can help; an operator must look."""


@dataclass(frozen=True, slots=True)
class Address:
    """A handler's row: table `projection` (with a generation) or `reactor`."""

    kind: str
    name: str
    generation: int = 0

    @property
    def where(self) -> str:
        """The row's condition; it takes the name as $1 and the generation as $2."""
        return "name = $1 AND (generation = $2)" if self.kind == "projection" else "name = $1 AND $2::int = 0"

    @property
    def lock(self) -> str:
        """Lock and read the row, first of all: a second runner waits here, then sees what was done."""
        columns = f"checkpoint, state, {clock.NOW_SQL} AS now"
        return f"SELECT {columns} FROM {self.kind} WHERE {self.where} FOR NO KEY UPDATE"

    @property
    def advance(self) -> str:
        """Set the checkpoint ($3) after success, in the transaction of the effects."""
        changes = "checkpoint = $3, attempts = 0, error = NULL, updated_at = clock_timestamp()"
        return f"UPDATE {self.kind} SET {changes} WHERE {self.where}"


class Progress:
    """Runs the attempts of one handler in this process."""

    def __init__(self, store: Store, address: Address) -> None:
        self.store = store
        self.address = address
        self._fresh = True
        self._single = 0

    async def attempt(self, work: Callable[[int], Awaitable[int]]) -> int:
        """Do `work(limit)`, which handles up to `limit` events in a transaction and returns how many; count
        failures.

        Raises what `work` raised, after it has been recorded on the row.
        """
        careful = self._fresh or self._single > 0
        if careful and not await self._begin():
            return 0
        try:
            done = await work(1 if self._single else PAGE)
        except Exception as error:
            self._single = PAGE
            await self._failed(error, counted=careful)
            raise
        if careful and not done:
            await self._update("attempts = 0, error = NULL", "attempts > 0 AND state = 'running'")
        self._fresh = False
        self._single = max(0, self._single - done)
        return done

    async def _begin(self) -> bool:
        """Count an attempt; False if the handler does not run."""
        row = await self._update(
            "attempts = attempts + 1,"
            f" state = CASE WHEN attempts >= {MAX_ATTEMPTS} THEN 'failed' ELSE state END,"
            " error = coalesce(error, 'an attempt began and did not end')",
            "state = 'running'",
        )
        if row is not None and row["attempts"] > 1:
            self._single = PAGE
        return row is not None and row["state"] == "running"

    async def _failed(self, error: Exception, counted: bool) -> None:
        """Write down what happened; what passes by itself is not counted."""
        state = "state"
        attempts = "attempts" if counted else "attempts + 1"
        if isinstance(error, HandlerHalted):
            state = "'halted'"
        elif is_transient(error):
            attempts = "greatest(attempts - 1, 0)" if counted else "attempts"
        else:
            state = f"CASE WHEN {attempts} >= {MAX_ATTEMPTS} THEN 'failed' ELSE state END"
        await self._update(
            f"attempts = {attempts}, state = {state}, error = $3", "state = 'running'", describe(error)
        )

    async def _update(self, change: str, condition: str, *arguments: str) -> asyncpg.Record | None:
        statement = (
            f"UPDATE {self.address.kind} SET {change}, updated_at = clock_timestamp()"
            f" WHERE {self.address.where} AND {condition} RETURNING attempts, state"
        )
        async with self.store.connection() as conn:
            return await conn.fetchrow(statement, self.address.name, self.address.generation, *arguments)


def describe(error: BaseException) -> str:
    """What is kept of an error on a row."""
    return f"{type(error).__name__}: {error}"[:ERROR_LENGTH].replace("\x00", "")


def check_next(record: asyncpg.Record, last: int) -> None:
    """The log is gapless: anything else means that it was tampered with."""
    if record["position"] != last + 1:
        raise HandlerHalted("log-has-a-hole", f"position {last + 1} is missing before {record['position']}")


def wants(handles: frozenset[str], record: asyncpg.Record) -> bool:
    """Whether a handler of these types handles this event.

    Raises HandlerHalted for an unreadable foreign message that is, or may be, one the handler needs; a
    handler that lists "foreign-unreadable" itself gets it instead.
    """
    if record["type"] in handles:
        return True
    if record["type"] == UNREADABLE:
        claimed = msgspec.json.decode(record["data"])["type"]
        prefix = f"solaris.{record['stream'].removeprefix(IMPORT_PREFIX)}."
        if claimed in handles or (not claimed and any(name.startswith(prefix) for name in handles)):
            what = claimed or "a fact of unknown type"
            raise HandlerHalted(UNREADABLE, f"{what} at {record['stream']} {record['version']}")
    return False
