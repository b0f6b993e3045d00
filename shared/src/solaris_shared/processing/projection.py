"""What a read model is: its tables and how one event changes them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_shared.log.event_log import Stored

Apply = Callable[[AsyncConnection, Stored], Awaitable[None]]


@dataclass(frozen=True)
class Projection:
    """A read model, folded from the log in its order. It can send nothing and append nothing.

    `metadata` declares its tables without a schema: each generation lives in a PostgreSQL schema of its own,
    so a rebuild touches nobody else. Raise `version` when tables or `apply` change: the worker then builds a
    new generation beside the old one and cuts over. `handles` are stored type names, own ("order-placed") or
    foreign (the CloudEvents type); other events only move the checkpoint.
    """

    name: str
    version: int
    metadata: sa.MetaData
    handles: frozenset[str]
    apply: Apply

    def schema(self, generation: int) -> str:
        """The PostgreSQL schema of a generation."""
        return f"{self.name}_v{generation}"


async def scoped(conn: AsyncConnection, schema: str) -> AsyncConnection:
    """`conn`, with its tables now standing in `schema`; textual SQL is not touched."""
    return await conn.execution_options(schema_translate_map={None: schema})
