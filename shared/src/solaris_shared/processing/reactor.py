"""Reactors drive process managers: they turn a stored event into new events, timers and rows, exactly
once.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from solaris_shared import ids
from solaris_shared.log.event_log import Meta, Stored
from solaris_shared.log.unit_of_work import Store, Transaction
from solaris_shared.processing.progress import Address, Progress, Read, check_next, wants
from solaris_shared.testing import failpoints

TOGETHER = 20
"""Reactions in one transaction; alone while there is trouble."""

React = Callable[[Transaction, Stored], Awaitable[None]]


@dataclass(frozen=True)
class Reactor:
    """`handles`: stored type name, own or foreign -> what to do, in one transaction with the checkpoint (and
    with a few other reactions).

    A reactor starts at the beginning of the log and is never rebuilt. The command id of what it appends
    derives from its name and the source event. A rule that says no is an outcome to be recorded, not an
    exception to be raised.
    """

    name: str
    handles: Mapping[str, React]


class ReactorRunner:
    """Runs one reactor; a second one beside it is harmless."""

    def __init__(self, store: Store, reactor: Reactor) -> None:
        self.store = store
        self.reactor = reactor
        self.address = Address("reactor", reactor.name)
        self.progress = Progress(store, self.address)
        self.handles = frozenset(reactor.handles)
        self.checkpoint: int | None = None
        self._reached: int | None = None
        self.read: Read = store.log.read_raw

    async def prepare(self) -> None:
        """Give the reactor its row."""
        async with self.store.connection() as conn:
            await conn.execute(
                "INSERT INTO reactor (name) VALUES ($1) ON CONFLICT DO NOTHING", self.reactor.name
            )

    async def step(self) -> bool:
        """React to the next few events it handles, pass by others; False if there was nothing."""
        self.checkpoint = self._reached = None
        done = await self.progress.attempt(self._one)
        self.checkpoint = self._reached
        return done > 0

    async def _one(self, limit: int) -> int:
        async with self.store.atomic() as conn:
            row = await conn.fetchrow(self.address.lock, self.reactor.name, 0)
            if row["state"] != "running":
                return 0
            records = await self.read(conn, row["checkpoint"], limit)
            passed = await self._pass(conn, row, records)
            self._reached = row["checkpoint"] + passed
            if passed:
                await failpoints.hit("pm.reacted_not_marked")
                await conn.execute(self.address.advance, self.reactor.name, 0, self._reached)
        return passed

    async def _pass(self, conn: asyncpg.Connection, row: Any, records: list[asyncpg.Record]) -> int:
        """Handle up to TOGETHER of the events that are handled, in order; how many events were gone over."""
        handled, last = 0, row["checkpoint"]
        for number, record in enumerate(records, 1):
            check_next(record, last)
            last = record["position"]
            if wants(self.handles, record):
                await self._react(conn, row["now"], self.store.log.decode(record))
                handled += 1
            if handled == TOGETHER:
                return number
        return len(records)

    async def _react(self, conn: asyncpg.Connection, now: datetime, stored: Stored) -> None:
        command = ids.derived_id("reactor", self.reactor.name, str(stored.event_id))
        meta = Meta(command, correlation_of(stored), str(stored.event_id), f"reactor:{self.reactor.name}")
        tx = Transaction(conn, self.store.log, meta, now)
        await self.reactor.handles[stored.type](tx, stored)


def correlation_of(stored: Stored) -> str:
    """The correlation id of an own or imported event, "" if it has none."""
    return stored.meta.get("correlation_id", "")
