"""The clock port: database time plus an offset which only simulations set. Process clocks decide no rule."""

from datetime import datetime

import asyncpg

NOW_SQL = "(clock_timestamp() + coalesce((SELECT shift FROM clock_offset), interval '0'))"
"""SQL expression of the current time, for statements that need it inside the database."""


async def now(conn: asyncpg.Connection) -> datetime:
    """The current instant (UTC, aware)."""
    return await conn.fetchval(f"SELECT {NOW_SQL}")


async def shift(conn: asyncpg.Connection, seconds: int) -> None:
    """Put the clock `seconds` ahead of database time (simulations and tests only; 0 takes it back)."""
    await conn.execute(
        "INSERT INTO clock_offset (shift) VALUES (make_interval(secs => $1))"
        " ON CONFLICT (one) DO UPDATE SET shift = excluded.shift",
        float(seconds),
    )
