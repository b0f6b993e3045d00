"""The newest part of the log, read once for all handlers of a process; most of them handle little of it."""

from time import monotonic
from typing import Protocol

import asyncpg

from solaris_shared.log.unit_of_work import Store
from solaris_shared.processing.progress import PAGE, Address, HandlerHalted, check_next, wants

KEPT = 2000
FULL_STEP_SECONDS = 5.0
"""How often an idle handler looks at its own rows all the same."""


class Tail:
    """Pages of the log. It never changes, so what was read once can be handed out again."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._records: list[asyncpg.Record] = []

    async def after(self, position: int) -> list[asyncpg.Record]:
        """Up to a page of records beyond `position`."""
        kept = self._records
        if kept and kept[0]["position"] <= position + 1 <= kept[-1]["position"]:
            first = position + 1 - kept[0]["position"]
            return kept[first : first + PAGE]
        async with self.store.connection() as conn:
            found = await self.store.log.read_raw(conn, position, PAGE)
        if found and kept and found[0]["position"] == kept[-1]["position"] + 1:
            self._records = (kept + found)[-KEPT:]
        elif found and (not kept or found[-1]["position"] > kept[-1]["position"]):
            self._records = found
        return found


class Handler(Protocol):
    """A projector or a reactor's runner. `checkpoint` is where it stands, None if that is not known for
    sure.
    """

    address: Address
    handles: frozenset[str]
    checkpoint: int | None

    async def prepare(self) -> None: ...
    async def step(self) -> bool: ...


class PassingBy:
    """A handler's step, spared wherever nothing new is handled: the checkpoint then moves by one statement.

    Whenever that statement finds another row than it knows (a second runner, an operator, a cut-over, a
    failure), or something is to be handled, the handler's own step does the work.
    """

    def __init__(self, tail: Tail, handler: Handler) -> None:
        self.tail = tail
        self.handler = handler
        self._ready = False
        self._full = 0.0

    async def step(self) -> bool:
        """Prepare once; then pass by what is not handled, or do the handler's step."""
        if not self._ready:
            await self.handler.prepare()
            self._ready = True
        known = self.handler.checkpoint
        if known is not None and monotonic() - self._full < FULL_STEP_SECONDS:
            records = await self.tail.after(known)
            if not records:
                return False
            if self._passes(records, known) and await self._move(known, records[-1]["position"]):
                return True
        self._full = monotonic()
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

    async def _move(self, known: int, last: int) -> bool:
        address = self.handler.address
        live = "AND stage = 'live'" if address.kind == "projection" else ""
        statement = (
            f"UPDATE {address.kind} SET checkpoint = $3, updated_at = clock_timestamp()"
            f" WHERE {address.where} AND checkpoint = $4 AND state = 'running' AND attempts = 0 {live}"
        )
        async with self.tail.store.connection() as conn:
            done = await conn.execute(statement, address.name, address.generation, last, known)
        moved = done == "UPDATE 1"
        self.handler.checkpoint = last if moved else None
        return moved
