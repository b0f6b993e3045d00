"""Projectors fold the log into read models; a rebuild runs beside the live generation, then cuts over."""

from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from solaris_shared.log.unit_of_work import Store
from solaris_shared.processing.progress import Address, HandlerHalted, Progress, Read, check_next, wants
from solaris_shared.processing.projection import Projection, scoped
from solaris_shared.testing import failpoints

RETIRED_SECONDS = 60
"""How long the tables of a retired generation stay for queries that found them live."""

TARGETS = """
SELECT generation, stage FROM projection
WHERE name = $1 AND version = $2 AND stage IN ('live', 'building') ORDER BY generation
"""
BUILDING = "SELECT generation FROM projection WHERE (name, version, stage) = (:name, :version, 'building')"
ADD = """
INSERT INTO projection (name, generation, version, stage)
SELECT :name, coalesce(max(generation), 0) + 1, :version,
    CASE WHEN bool_or(stage = 'live') THEN 'building' ELSE 'live' END
FROM projection WHERE name = :name
RETURNING generation, stage
"""
LOCK_NAME = "SELECT pg_advisory_xact_lock(hashtextextended('projection ' || :name, 0))"
SWAP_CHECK = """
SELECT b.checkpoint >= coalesce(l.checkpoint, 0) AS ready, l.generation AS old
FROM projection b LEFT JOIN projection l ON l.name = b.name AND l.stage = 'live'
WHERE b.name = :name AND b.generation = :generation AND b.stage = 'building' AND b.state = 'running'
FOR NO KEY UPDATE OF b
"""
SET_STAGE = """
UPDATE projection SET stage = :stage, updated_at = clock_timestamp()
WHERE name = :name AND generation = :generation
"""
OLD = """
DELETE FROM projection
WHERE name = :name AND stage = 'retired' AND updated_at < clock_timestamp() - make_interval(secs => :age)
RETURNING generation
"""


class Projector:
    """Runs all generations of one projection that this release's code can run; a second one beside it is
    harmless.
    """

    def __init__(self, store: Store, engine: AsyncEngine, projection: Projection) -> None:
        self.store = store
        self.engine = engine
        self.projection = projection
        self.handles = projection.handles
        self.address = self._address(0)
        self.checkpoint: int | None = None
        self.read: Read = store.log.read_raw
        self._reached: int | None = None
        self._progress: dict[int, Progress] = {}

    async def prepare(self) -> None:
        """Make sure that a generation of this version is live or being built, and drop what has long
        retired.
        """
        async with self.store.connection() as conn:
            there = await conn.fetch(TARGETS, self.projection.name, self.projection.version)
        if not there:
            await self.add_generation()
        await self.drop_retired()

    async def add_generation(self) -> int:
        """Begin a generation, or find the one of this version that is being built. Returns its number."""
        async with self.engine.begin() as conn:
            return (await self.begin_generation(conn))[0]

    async def begin_generation(self, conn: AsyncConnection) -> tuple[int, bool]:
        """A generation with empty tables, live if there is none yet, else building: its number, and whether
        it begins now. If one of this version is being built already, that one is it.
        """
        name, version = self.projection.name, self.projection.version
        await conn.execute(sa.text(LOCK_NAME), {"name": name})
        found = await conn.execute(sa.text(BUILDING), {"name": name, "version": version})
        if (building := found.scalar()) is not None:
            return building, False
        added = (await conn.execute(sa.text(ADD), {"name": name, "version": version})).one()
        schema = self.projection.schema(added.generation)
        await conn.execute(sa.DDL(f'CREATE SCHEMA "{schema}"'))
        await (await scoped(conn, schema)).run_sync(self.projection.metadata.create_all, checkfirst=False)
        return added.generation, True

    async def step(self) -> bool:
        """Apply the next page to each generation, cut over what has caught up; False if there was nothing."""
        async with self.store.connection() as conn:
            targets = await conn.fetch(TARGETS, self.projection.name, self.projection.version)
        busy, self.checkpoint = False, None
        for generation, stage in targets:
            self._reached = None
            done = await self._progress_of(generation).attempt(partial(self._batch, generation))
            if stage == "building":
                await failpoints.hit("proj.rebuild_half")
                done = done or await self.cut_over(generation)
            busy = busy or bool(done)
        if [stage for _, stage in targets] == ["live"]:
            self.address, self.checkpoint = self._address(targets[0]["generation"]), self._reached
        return busy

    def _progress_of(self, generation: int) -> Progress:
        if generation not in self._progress:
            self._progress[generation] = Progress(self.store, self._address(generation))
        return self._progress[generation]

    def _address(self, generation: int) -> Address:
        return Address("projection", self.projection.name, generation)

    async def _batch(self, generation: int, limit: int) -> int:
        """Effects and checkpoint in one transaction; one code path for live and rebuild."""
        address = self._address(generation)
        async with self.engine.begin() as conn:
            locked = await conn.exec_driver_sql(address.lock, (address.name, generation))
            row = locked.mappings().one_or_none()
            if row is None or row["state"] != "running":
                return 0
            raw: Any = (await conn.get_raw_connection()).driver_connection  # now inside the same transaction
            records = await self.read(raw, row["checkpoint"], limit)
            self._reached = row["checkpoint"] + len(records)
            if not records:
                return 0
            tables = await scoped(conn, self.projection.schema(generation))
            last = row["checkpoint"]
            for record in records:
                check_next(record, last)
                last = record["position"]
                if wants(self.projection.handles, record):
                    await self.projection.apply(tables, self.store.log.decode(record))
                    await failpoints.hit("proj.mid_batch")
            await raw.execute(address.advance, address.name, generation, last)
        return len(records)

    async def cut_over(self, generation: int) -> bool:
        """Make `generation` live if it is not behind the live one; the old one retires in the same
        transaction.
        """
        key = {"name": self.projection.name, "generation": generation}
        async with self.engine.begin() as conn:
            await conn.execute(sa.text(LOCK_NAME), {"name": self.projection.name})
            row = (await conn.execute(sa.text(SWAP_CHECK), key)).one_or_none()
            if row is None or not row.ready:
                return False
            await failpoints.hit("proj.before_swap")
            if row.old is not None:
                await conn.execute(sa.text(SET_STAGE), key | {"generation": row.old, "stage": "retired"})
            await conn.execute(sa.text(SET_STAGE), key | {"stage": "live"})
        await failpoints.hit("proj.after_swap")
        return True

    async def rebuild(self) -> int:
        """Build a new generation from the whole log, cut over to it and return its number.

        Raises what `apply` raises, after MAX_ATTEMPTS HandlerHalted; the live generation stays as it is then.
        """
        await self.drop_retired()
        generation = await self.add_generation()
        progress = self._progress_of(generation)
        while True:
            done = await progress.attempt(lambda limit: self._batch(generation, limit))
            await failpoints.hit("proj.rebuild_half")
            if not done and (await self.cut_over(generation) or await self._is_over(generation)):
                return generation

    async def _is_over(self, generation: int) -> bool:
        """Whether the generation is not being built any more."""
        async with self.store.connection() as conn:
            row = await conn.fetchrow(
                "SELECT stage, state, error FROM projection WHERE name = $1 AND generation = $2",
                self.projection.name, generation,
            )  # fmt: skip
        if row is not None and row["stage"] == "building" and row["state"] != "running":
            raise HandlerHalted("rebuild-failed", row["error"] or "")
        return row is None or row["stage"] != "building"

    async def drop_retired(self, age: int = RETIRED_SECONDS) -> None:
        """Drop the tables of generations that retired more than `age` seconds ago."""
        name = self.projection.name
        async with self.engine.begin() as conn:
            gone = await conn.execute(sa.text(OLD), {"name": name, "age": age})
            for (generation,) in gone.all():
                await conn.execute(
                    sa.DDL(f'DROP SCHEMA IF EXISTS "{self.projection.schema(generation)}" CASCADE')
                )
