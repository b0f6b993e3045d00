"""Relay and importers halt where going on would be wrong; their row tells everybody, and an operator's
retry ends it.
"""

from solaris_shared.log.unit_of_work import Store

RUNS = """
INSERT INTO messaging (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name
RETURNING state = 'running'
"""
HALT = "UPDATE messaging SET state = 'halted', error = $2, updated_at = clock_timestamp() WHERE name = $1"


async def runs(store: Store, name: str) -> bool:
    """Whether the loop `name` may go on."""
    async with store.connection() as conn:
        state = await conn.fetchval("SELECT state FROM messaging WHERE name = $1", name)
        return state == "running" if state else await conn.fetchval(RUNS, name)


async def halt(store: Store, name: str, error: str) -> None:
    """Stop the loop `name` until an operator lets it run again."""
    async with store.connection() as conn:
        await conn.execute(HALT, name, error)
