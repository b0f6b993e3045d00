"""Which personal tokens are revoked: a read model that every service keeps of the public fact
TokenRevoked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_shared.log.event_log import Stored
from solaris_shared.processing.projection import Projection

if TYPE_CHECKING:
    from solaris_shared.views import Views

NAME = "revoked_tokens"
metadata = sa.MetaData()
revoked_token = sa.Table(NAME, metadata, sa.Column("token_id", sa.Text, primary_key=True))


@dataclass(frozen=True, slots=True)
class TokenRevoked:
    """The public fact, as other services read it."""

    token_id: str


async def _apply(conn: AsyncConnection, stored: Stored) -> None:
    event: Any = stored.event
    row = {"token_id": event.token_id}
    await conn.execute(insert(revoked_token).values(row).on_conflict_do_nothing())


def revoked_tokens(*event_types: str) -> Projection:
    """The projection, for a service's definition; `event_types` are the stored names of TokenRevoked."""
    return Projection(NAME, 1, metadata, frozenset(event_types), _apply)


def revocation_models(event_type: str) -> Mapping[str, type]:
    """The model of the imported fact, for a service's `imports`."""
    return {event_type: TokenRevoked}


async def is_revoked(views: "Views", token_id: str) -> bool:
    """True once the fact has reached this service."""
    async with views.open(NAME) as conn:
        query = sa.select(revoked_token.c.token_id).where(revoked_token.c.token_id == token_id)
        return (await conn.execute(query)).first() is not None
