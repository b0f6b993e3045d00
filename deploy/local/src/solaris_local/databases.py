"""One database for each service with two roles: the migrator owns the tables, the app may only use them."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import asyncpg

NAMES = ("league", "combat", "economy", "mail")
"""The services, each with a database of its name."""

SQL: Final = Path(__file__).resolve().parents[3] / "postgres"
"""The SQL that every way of running a league shares"""

SETTINGS: Final = """
SELECT set_config('solaris.service', $1, false), set_config('solaris.owner_password', $2, false),
    set_config('solaris.app_password', $3, false)
"""


@dataclass(frozen=True, slots=True)
class Access:
    """How one service reaches its database."""

    service: str
    owner_password: str
    app_password: str

    @property
    def owner(self) -> str:
        """The migrator's role."""
        return f"{self.service}_owner"

    @property
    def app(self) -> str:
        """The role of the api and the worker."""
        return f"{self.service}_app"


async def create_databases(superuser_url: str, services: Iterable[Access]) -> None:
    """Create what is missing by deploy/postgres/*.sql; safe to repeat after any interruption."""
    connection = await asyncpg.connect(superuser_url, command_timeout=30)
    try:
        known = {row["datname"] for row in await connection.fetch("select datname from pg_database")}
        for access in services:
            await connection.execute(SETTINGS, access.service, access.owner_password, access.app_password)
            await connection.execute((SQL / "roles.sql").read_text(encoding="utf-8"))
            if access.service not in known:
                await connection.execute(f'CREATE DATABASE "{access.service}" OWNER "{access.owner}"')
            await connection.execute((SQL / "database.sql").read_text(encoding="utf-8"))
    finally:
        await connection.close()


def ensure_databases(superuser_url: str, services: Iterable[Access]) -> None:
    """The same for callers without an event loop."""
    asyncio.run(create_databases(superuser_url, list(services)))


async def publications(superuser_url: str) -> dict[str, int]:
    """Highest publication of each service's outbox."""
    found = {}
    for service in NAMES:
        connection = await asyncpg.connect(superuser_url.rsplit("/", 1)[0] + f"/{service}")
        try:
            found[service] = await connection.fetchval("select coalesce(max(publication), 0) from outbox")
        finally:
            await connection.close()
    return found
