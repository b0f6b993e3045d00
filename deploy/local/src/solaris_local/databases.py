"""One database for each service with two roles: the migrator owns the tables, the app may only use them."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

import asyncpg

NAMES = ("league", "combat", "economy", "mail")
"""The services, each with a database of its name."""

LIMITS = {"lock_timeout": "5s", "statement_timeout": "30s", "idle_in_transaction_session_timeout": "5s"}


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
    """Create what is missing; safe to repeat after any interruption."""
    connection = await asyncpg.connect(superuser_url, command_timeout=30)
    try:
        known = {row["datname"] for row in await connection.fetch("select datname from pg_database")}
        for access in services:
            await _roles(connection, access)
            if access.service not in known:
                await connection.execute(f'CREATE DATABASE "{access.service}" OWNER "{access.owner}"')
            await connection.execute(f'REVOKE ALL ON DATABASE "{access.service}" FROM PUBLIC')
            await connection.execute(f'GRANT CONNECT ON DATABASE "{access.service}" TO "{access.app}"')
    finally:
        await connection.close()


async def _roles(connection: asyncpg.Connection, access: Access) -> None:
    known = {row["rolname"] for row in await connection.fetch("select rolname from pg_roles")}
    for role, password in ((access.owner, access.owner_password), (access.app, access.app_password)):
        if role not in known:
            await connection.execute(f"CREATE ROLE \"{role}\" LOGIN PASSWORD '{password}'")
    for name, value in LIMITS.items():
        await connection.execute(f"ALTER ROLE \"{access.app}\" SET {name} = '{value}'")


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
