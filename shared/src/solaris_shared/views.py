"""Queries of read models."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from time import monotonic
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from solaris_shared.errors import Unavailable
from solaris_shared.processing.projection import Projection, scoped

LIVE = "SELECT generation FROM projection WHERE name = :name AND version = :version AND stage = 'live'"
SEEN = """
SELECT coalesce(p.checkpoint >= l.position, false)
FROM event e LEFT JOIN log l ON l.ordinal = e.ordinal
LEFT JOIN projection p ON p.name = :name AND p.version = :version AND p.stage = 'live'
WHERE e.event_id = :event
"""
POLL = 0.02


class Views:
    """The live generations of a service's projections, read only."""

    def __init__(self, engine: AsyncEngine, projections: Iterable[Projection]) -> None:
        self.engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self.projections = {projection.name: projection for projection in projections}

    @asynccontextmanager
    async def open(self, name: str) -> AsyncIterator[AsyncConnection]:
        """A connection on which the tables of projection `name` are its live ones, all as of one moment.

        Raises Unavailable while this release's version is still being built.
        """
        projection = self.projections[name]
        async with self.engine.connect() as conn:
            live = await conn.execute(sa.text(LIVE), {"name": name, "version": projection.version})
            generation = live.scalar()
            if generation is None:
                raise Unavailable("view-being-built", "this view is being built; try again soon")
            yield await scoped(conn, projection.schema(generation))

    async def wait_for(self, name: str, token: str, seconds: float = 2.0) -> bool:
        """Wait until projection `name` has seen the write that `token` names; False if it took too long.

        A token which names nothing is as good as none: there is nothing to wait for.
        """
        event = _event_of(token)
        key = {"name": name, "version": self.projections[name].version, "event": event}
        deadline = monotonic() + seconds
        while event is not None:
            async with self.engine.connect() as conn:
                seen = (await conn.execute(sa.text(SEEN), key)).scalar()
            if seen is not False:
                return True
            if monotonic() > deadline:
                return False
            await asyncio.sleep(POLL)
        return True


def _event_of(token: str) -> UUID | None:
    try:
        return UUID(hex=token)
    except ValueError:
        return None
