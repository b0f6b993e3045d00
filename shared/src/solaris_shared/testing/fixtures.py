"""pytest fixtures: `postgres`, `database`, `store`, `nats_server`, `private_nats`.

A service's conftest overrides `migrations` (its alembic folder) and `event_log`.
"""

import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from solaris_shared.database import open_pool
from solaris_shared.definition import KERNEL_MIGRATIONS
from solaris_shared.log.codec import EventTypes
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.unit_of_work import Store
from solaris_shared.migrate import migrate
from solaris_shared.testing import failpoints, servers


def database_url(server: str, name: str) -> str:
    """The address of database `name` on `server`."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


class Databases:
    """Fresh migrated databases, copied from one template for each script folder."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.templates: dict[Path, str] = {}

    async def create(self, scripts: Path = KERNEL_MIGRATIONS) -> str:
        """The address of a new database with the schema of `scripts`."""
        name = f"t_{uuid.uuid4().hex}"
        template = await self._template(scripts)
        await self._run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return database_url(self.server, name)

    async def drop(self, url: str) -> None:
        """Remove a database, ending whatever still uses it."""
        await self._run(f"DROP DATABASE IF EXISTS {urlsplit(url).path[1:]} WITH (FORCE)")

    async def _template(self, scripts: Path) -> str:
        if scripts not in self.templates:
            name = f"template_{uuid.uuid4().hex}"
            await self._run(f"CREATE DATABASE {name}")
            await migrate(database_url(self.server, name), scripts)
            self.templates[scripts] = name
        return self.templates[scripts]

    async def _run(self, statement: str) -> None:
        conn = await asyncpg.connect(self.server)
        try:
            await conn.execute(statement)
        finally:
            await conn.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A superuser's address of a PostgreSQL server."""
    with servers.postgres_url() as url:
        yield url


@pytest.fixture(scope="session")
def databases(postgres: str) -> Databases:
    """Makes databases: `await databases.create(scripts)`; they go with the server or by `drop`."""
    return Databases(postgres)


@pytest.fixture
def migrations() -> Path:
    """The alembic folder of `database`."""
    return KERNEL_MIGRATIONS


@pytest.fixture
async def database(databases: Databases, migrations: Path) -> AsyncIterator[str]:
    """The address of a fresh migrated database."""
    url = await databases.create(migrations)
    yield url
    await databases.drop(url)


@pytest.fixture
def event_log() -> EventLog:
    """The log of `store`: of a service "test" with no event types."""
    return EventLog("test", EventTypes({}), lambda _event, _stream: None)


@pytest.fixture
async def store(database: str, event_log: EventLog) -> AsyncIterator[Store]:
    """A store on a fresh database."""
    pool = await open_pool(database)
    yield Store(pool, event_log)
    pool.terminate()


@pytest.fixture
def private_nats() -> Iterator[servers.Server]:
    """A NATS server of this test alone, to be killed, wiped and started again."""
    with servers.private_nats() as server:
        yield server


@pytest.fixture
def nats_server() -> Iterator[str]:
    """The address of an empty NATS server (or of the one the environment names)."""
    with servers.nats_url() as url:
        yield url


@pytest.fixture(autouse=True)
def no_failpoints() -> Iterator[None]:
    """Every test begins and ends with all failpoints off."""
    failpoints.configure("")
    yield
    failpoints.configure("")
