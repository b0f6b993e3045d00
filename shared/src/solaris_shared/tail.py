"""The newest part of the log, read once for all handlers of a process; most of them handle little of it."""

import asyncio
from time import monotonic
from typing import Protocol

import asyncpg

from solaris_shared.log.unit_of_work import Store
from solaris_shared.processing.progress import PAGE, Address, HandlerHalted, Read, check_next, wants

KEPT = 2000
FULL_STEP_SECONDS = 5.0
"""How often an idle handler looks at its own rows all the same."""
MOVE_SECONDS = 0.1
"""How often a checkpoint moves over events that are passed by: each move is a commit."""


class Tail:
    """Pages of the log. It never changes, so what was read once can be handed out again."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.head: int | None = None
        """The last position, as the sequencer of this process knows it; None = not yet."""
        self._records: list[asyncpg.Record] = []
        self._reading = asyncio.Lock()

    async def after(self, position: int) -> list[asyncpg.Record]:
        """Up to a page of records beyond `position`; all who ask at once are served by one query."""
        if self.head is not None and position >= self.head:
            return []
        async with self._reading:
            if (kept := self._kept(position, PAGE)) is not None:
                return kept
            async with self.store.connection() as conn:
                return await self.read(conn, position, PAGE)

    async def read(self, conn: asyncpg.Connection, position: int, limit: int) -> list[asyncpg.Record]:
        """Up to `limit` records beyond `position`, by `conn` if they are not here."""
        if (kept := self._kept(position, limit)) is not None:
            return kept
        found, known = await self.store.log.read_raw(conn, position, limit), self._records
        if found and known and found[0]["position"] == known[-1]["position"] + 1:
            self._records = (known + found)[-KEPT:]
        elif found and (not known or found[-1]["position"] > known[-1]["position"]):
            self._records = found
        return found

    def _kept(self, position: int, limit: int) -> list[asyncpg.Record] | None:
        kept = self._records
        if not kept or not kept[0]["position"] <= position + 1 <= kept[-1]["position"]:
            return None
        first = position + 1 - kept[0]["position"]
        return kept[first : first + limit]


class Handler(Protocol):
    """A projector or a reactor's runner. `checkpoint` is where it stands, None if that is not known for
    sure; `read` is how it reads the log.
    """

    address: Address
    handles: frozenset[str]
    checkpoint: int | None
    read: Read

    async def prepare(self) -> None: ...
    async def step(self) -> bool: ...


class PassingBy:
    """A handler's step, spared wherever nothing new is handled: the checkpoint then moves by one statement,
    now and then.

    Whenever that statement finds another row than it knows (a second runner, an operator, a cut-over, a
    failure), or something is to be handled, the handler's own step does the work.
    """

    def __init__(self, tail: Tail, handler: Handler) -> None:
        self.tail = tail
        self.handler = handler
        handler.read = tail.read
        self._ready = False
        self._full = self._moved = 0.0
        self._passed = 0

    async def step(self) -> bool | float:
        """Prepare once; then pass by what is not handled, or do the handler's step."""
        if not self._ready:
            await self.handler.prepare()
            self._ready = True
        known = self.handler.checkpoint
        if known is not None and monotonic() - self._full < FULL_STEP_SECONDS:
            passed = max(known, self._passed)
            records = await self.tail.after(passed)
            if self._passes(records, passed):
                self._passed = records[-1]["position"] if records else passed
                return len(records) == PAGE or await self._move(known)
        self._full, self._passed = monotonic(), 0
        return await self.handler.step()

    def _passes(self, records: list[asyncpg.Record], last: int) -> bool:
        """Whether nothing of this is handled."""
        try:
            for record in records:
                check_next(record, last)
                last = record["position"]
                if wants(self.handler.handles, record):
                    return False
        except HandlerHalted:
            return False
        return True

    async def _move(self, known: int) -> bool | float:
        """Move the checkpoint from `known` over what was passed, if it is time; else after how many seconds
        it will be.
        """
        early = self._moved + MOVE_SECONDS - monotonic()
        if self._passed == known or early > 0:
            return self._passed > known and early
        self._moved = monotonic()
        address = self.handler.address
        live = "AND stage = 'live'" if address.kind == "projection" else ""
        statement = (
            f"UPDATE {address.kind} SET checkpoint = $3, updated_at = clock_timestamp()"
            f" WHERE {address.where} AND checkpoint = $4 AND state = 'running' AND attempts = 0 {live}"
        )
        async with self.tail.store.connection() as conn:
            done = await conn.execute(statement, address.name, address.generation, self._passed, known)
        self.handler.checkpoint = self._passed if done == "UPDATE 1" else None
        return True
