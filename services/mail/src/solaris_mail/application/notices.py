"""Notices: what a person is told of his own letters, in a numbering of his own.

The count's row stays locked until the transaction ends, so numbers become visible in their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

import asyncpg

Kind = Literal["letter-written", "letter-bounced"]

TELL = """
WITH next AS (
    INSERT INTO notice_count (person_id, last) VALUES ($1, 1)
    ON CONFLICT (person_id) DO UPDATE SET last = notice_count.last + 1 RETURNING last)
INSERT INTO notice (person_id, number, kind, at, letter_id, reason) SELECT $1, last, $2, $3, $4, $5 FROM next
"""
READ = """
SELECT n.number, n.kind, n.at, n.reason, l.letter_id, l.kind AS letter, l.fight_id, l.deadline
FROM notice n JOIN letter l USING (letter_id)
WHERE n.person_id = $1 AND n.number > $2 ORDER BY n.number LIMIT $3
"""


async def tell(
    conn: asyncpg.Connection,
    person_id: str,
    kind: Kind,
    at: datetime,
    letter_id: UUID,
    reason: str | None = None,
) -> None:
    """Add a notice in the caller's transaction."""
    await conn.execute(TELL, person_id, kind, at, letter_id, reason)


@dataclass(frozen=True, slots=True)
class Notices:
    """The notices of `owner`."""

    pool: asyncpg.Pool
    owner: str

    async def last(self) -> int:
        """The highest number, 0 for none."""
        query = "SELECT coalesce(max(last), 0) FROM notice_count WHERE person_id = $1"
        return await self.pool.fetchval(query, self.owner)

    async def rows(self, after: int, limit: int) -> Sequence[asyncpg.Record]:
        """Up to `limit` beyond number `after`, in order."""
        return await self.pool.fetch(READ, self.owner, after, limit)
