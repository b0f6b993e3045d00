"""How this system connects to PostgreSQL: every wait is bounded, in the client and in the server."""

import asyncio
from collections.abc import Coroutine
from importlib import resources
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from solaris_shared.errors import InFlight, VersionConflict

COMMAND_TIMEOUT = 10.0
CONNECT_TIMEOUT = 5.0
ACQUIRE_TIMEOUT = 5.0
SERVER_SETTINGS = {
    "default_transaction_isolation": "read committed",
    "idle_in_transaction_session_timeout": "5s",
    "lock_timeout": "3s",
    "statement_timeout": "10s",
    "tcp_user_timeout": "5s",
    "TimeZone": "UTC",
}

T = TypeVar("T")

DATABASE_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    DBAPIError,
    OSError,
    TimeoutError,
)
"""All that comes of talking to the database."""

TRANSIENT = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.TransactionRollbackError,
    asyncpg.LockNotAvailableError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    OSError,
    TimeoutError,
    VersionConflict,
    InFlight,
)
"""What passes by itself: lost connections, restarts, full tables of connections, deadlocks, time-outs,
lost races.
"""


def statements(file: str) -> list[str]:
    """The statements of an SQL file of the log; each ends with ";" and an empty line."""
    text = resources.files("solaris_shared.log").joinpath(file).read_text(encoding="utf-8")
    return [statement.strip().removesuffix(";") for statement in text.split(";\n\n")]


async def _nothing_more(_conn: asyncpg.Connection) -> None:
    """On release asyncpg rolls back what is open; nobody here changes session settings, so a RESET ALL
    after every unit of work would be a wasted round trip.
    """


async def open_pool(url: str, size: int = 10, name: str = "solaris", **options: Any) -> asyncpg.Pool:
    """A pool of connections with bounded waits, opened when needed; `options` override asyncpg's own."""
    settings = SERVER_SETTINGS | {"application_name": name}
    arguments = {
        "reset": _nothing_more,
        "min_size": 0,
        "max_size": size,
        "command_timeout": COMMAND_TIMEOUT,
        "timeout": CONNECT_TIMEOUT,
    }
    return await asyncpg.create_pool(url, server_settings=settings, **(arguments | options))


def open_engine(url: str, size: int = 5, name: str = "solaris", **options: Any) -> AsyncEngine:
    """A SQLAlchemy engine with the same bounds; the reset on return and a ping keep broken connections
    out.
    """
    parts = urlsplit(url)
    address = urlunsplit(parts._replace(scheme="postgresql+asyncpg"))
    settings = SERVER_SETTINGS | {"application_name": name}
    connect = {"server_settings": settings, "command_timeout": COMMAND_TIMEOUT, "timeout": CONNECT_TIMEOUT}
    arguments = {"pool_size": size, "max_overflow": 0, "pool_timeout": ACQUIRE_TIMEOUT, "pool_pre_ping": True}
    return create_async_engine(address, connect_args=connect, **(arguments | options))


def is_transient(error: BaseException | None) -> bool:
    """Whether trying again later may help, looking through wrappers and causes."""
    while error is not None:
        if isinstance(error, TRANSIENT) or (isinstance(error, DBAPIError) and error.connection_invalidated):
            return True
        error = error.__cause__ or (error.orig if isinstance(error, DBAPIError) else None)
    return False


async def finish(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` (a commit, a rollback) to its end even if the caller is cancelled meanwhile.

    The cancellation goes on only afterwards, so no connection returns to its pool with an operation in
    progress. A caller that was cancelled does not know whether the commit happened; only its command id can
    tell.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:
                continue
        task.cancelled() or task.exception()
        raise
