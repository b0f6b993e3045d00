"""One consistent cut through four databases, and the portrait of what stands in each.

A database is consistent in itself by its snapshot. Between databases only one thing can go wrong: a service
that knows a fact its author's copy does not hold. Facts travel outbox, broker, import, each after a commit,
so snapshots taken within a few milliseconds nearly always agree; whether they do is checked, and if not they
are taken again.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import asyncpg

from solaris_local.backup.manifest import BackupRefused, Cut, Table

TRIES: Final = 50
FLOW_SECONDS: Final = 600.0
HEAD = "SELECT position, publication FROM head"
REVISION = "SELECT version_num FROM alembic_version"
IMPORTS = """
SELECT substr(stream, 8) AS name, max(version) AS version FROM event WHERE stream LIKE 'import-%' GROUP BY 1
"""
TABLES = """
SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1
"""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An open transaction on one database that sees the cut, and the name others see it by."""

    service: str
    connection: asyncpg.Connection
    name: str
    cut: Cut


@asynccontextmanager
async def consistent(urls: Mapping[str, str]) -> AsyncIterator[list[Snapshot]]:
    """Snapshots of all services that agree, held until the end of the block."""
    async with AsyncExitStack() as stack:
        connections = {}
        for service, url in urls.items():
            connections[service] = await asyncpg.connect(url, command_timeout=FLOW_SECONDS)
            stack.push_async_callback(connections[service].close)
        for _ in range(TRIES):
            snapshots = list(await asyncio.gather(*(_open(*item) for item in connections.items())))
            if not disagreements({snapshot.service: snapshot.cut for snapshot in snapshots}):
                yield snapshots
                return
            await asyncio.gather(*(connection.execute("ROLLBACK") for connection in connections.values()))
        raise BackupRefused("too busy for one cut through all databases: stop the league and try again")


async def _open(service: str, connection: asyncpg.Connection) -> Snapshot:
    await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    name = await connection.fetchval("SELECT pg_export_snapshot()")
    return Snapshot(service, connection, name, await cut_of(connection))


async def cut_of(connection: asyncpg.Connection) -> Cut:
    """Where the service of this database stands."""
    head = await connection.fetchrow(HEAD)
    imports = {row["name"]: row["version"] for row in await connection.fetch(IMPORTS)}
    revision = await connection.fetchval(REVISION)
    return Cut(revision, head["position"], head["publication"], imports)


def disagreements(cuts: Mapping[str, Cut]) -> list[str]:
    """Imports beyond the end of their author's outbox."""
    ends = {name: cut.publication for name, cut in cuts.items()}
    return [
        f"{reader} has imported {version} of {ends.get(author, 0)} from {author}"
        for reader, cut in cuts.items()
        for author, version in cut.imports.items()
        if version > ends.get(author, 0)
    ]


async def portrait(
    connection: asyncpg.Connection, wanted: Callable[[str], bool] = lambda _name: True
) -> dict[str, Table]:
    """Every table (schema.table) with the number of its rows and the digest of their canonical dump."""
    names = [row["name"] for row in await connection.fetch(TABLES)]
    return {name: await _table(connection, name) for name in names if wanted(name)}


async def _table(connection: asyncpg.Connection, name: str) -> Table:
    """Rows as text in the order of their bytes, whatever the order on disk."""
    digest = hashlib.sha256()

    async def take(chunk: bytes) -> None:
        digest.update(chunk)

    query = f'SELECT one::text FROM {name} AS one ORDER BY one::text COLLATE "C"'
    status = await connection.copy_from_query(query, output=take, timeout=FLOW_SECONDS)
    return Table(int(status.split()[-1]), digest.hexdigest())
