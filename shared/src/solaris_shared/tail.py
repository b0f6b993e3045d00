"""The newest part of the log, read once for all handlers of a process; most of them handle little of it."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Protocol

import asyncpg

from solaris_shared.log.unit_of_work import Store
from solaris_shared.processing.progress import PAGE, Address, HandlerHalted, Read, check_next, wants

KEPT = 2000
FULL_STEP_SECONDS = 5.0
"""How often an idle handler looks at its own rows all the same."""
MOVE_SECONDS = 0.1
"""How often checkpoints move over events that are passed by: each move is a commit, one for all handlers."""

MOVE = """
WITH step AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::bigint[])
        AS step (kind, name, generation, known, passed)),
free_projection AS (
    SELECT p.name, p.generation, passed FROM projection p JOIN step USING (name, generation)
    WHERE kind = 'projection' AND checkpoint = known AND state = 'running' AND attempts = 0 AND stage = 'live'
    FOR NO KEY UPDATE OF p SKIP LOCKED),
free_reactor AS (
    SELECT r.name, passed FROM reactor r JOIN step USING (name)
    WHERE kind = 'reactor' AND checkpoint = known AND state = 'running' AND attempts = 0
    FOR NO KEY UPDATE OF r SKIP LOCKED),
projections AS (
    UPDATE projection p SET checkpoint = passed, updated_at = clock_timestamp() FROM free_projection f
    WHERE p.name = f.name AND p.generation = f.generation RETURNING p.name),
reactors AS (
    UPDATE reactor r SET checkpoint = passed, updated_at = clock_timestamp() FROM free_reactor f
    WHERE r.name = f.name RETURNING r.name)
SELECT 'projection' AS kind, name FROM projections UNION ALL SELECT 'reactor', name FROM reactors
"""
"""It waits for no row: who holds one (a handler at work, a second runner) does not hold up the others."""


class Tail:
    """Pages of the log. It never changes, so what was read once can be handed out again."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.head: int | None = None
        """The last position, as the sequencer of this process knows it; None = not yet."""
        self.passers: list[PassingBy] = []
        self._records: list[asyncpg.Record] = []
        self._reading = asyncio.Lock()
        self._moved = 0.0

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

    async def move(self) -> float:
        """Move the checkpoints of all who have passed something by, if it is time; else after how many
        seconds it will be.
        """
        early = self._moved + MOVE_SECONDS - monotonic()
        if early > 0:
            return early
        self._moved = monotonic()
        steps = [(one, one.handler.address, *one.passed) for one in self.passers if one.passed]
        columns = zip(*((at.kind, at.name, at.generation, *way) for _, at, *way in steps), strict=True)
        async with self.store.connection() as conn:
            moved = {tuple(row) for row in await conn.fetch(MOVE, *columns)}
        for one, at, known, passed in steps:
            if one.handler.checkpoint == known:
                one.handler.checkpoint = passed if (at.kind, at.name) in moved else None
        return 0


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
    """A handler's step, spared wherever nothing new is handled: the checkpoint then moves with those of the
    others, now and then.

    Whenever the statement that moves it finds another row than it knows (a second runner, an operator, a
    cut-over, a failure), or something is to be handled, the handler's own step does the work, and `worked`
    is called.
    """

    def __init__(self, tail: Tail, handler: Handler, worked: Callable[[], None] = lambda: None) -> None:
        self.tail = tail
        self.handler = handler
        self.worked = worked
        handler.read = tail.read
        tail.passers.append(self)
        self._ready = False
        self._full = 0.0
        self._passed = 0

    @property
    def passed(self) -> tuple[int, int] | None:
        """From where to where the checkpoint may move; None if nothing was passed by."""
        known = self.handler.checkpoint
        return (known, self._passed) if known is not None and self._passed > known else None

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
                return len(records) == PAGE or (self.passed is not None and (await self.tail.move() or True))
        self._full, self._passed = monotonic(), 0
        if done := await self.handler.step():
            self.worked()
        return done

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
