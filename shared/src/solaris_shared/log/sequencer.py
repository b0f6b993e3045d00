"""The sequencer gives committed events their place in the one global order, and public ones their
publication.

Why no reader can miss or reorder anything: docs/explanation/append-sequence-relay-import.md.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from solaris_shared.log.unit_of_work import Store
from solaris_shared.testing import failpoints

BATCH = 1000
LONGEST_REST = 0.02

PEEK = """
SELECT position, publication, (SELECT ordinal FROM pending ORDER BY ordinal LIMIT 1) IS NOT NULL AS work
FROM head
"""
"""By the index: a scan of the table would go over all rows moved since the last vacuum."""
LOCK = "SELECT position, publication FROM head FOR UPDATE"
MOVE = """
WITH moved AS (
    DELETE FROM pending WHERE ctid = ANY (ARRAY(SELECT ctid FROM pending ORDER BY ordinal LIMIT $3))
    RETURNING ordinal, subject, envelope),
numbered AS (
    SELECT ordinal, subject, envelope,
        $1::bigint + row_number() OVER (ORDER BY ordinal) AS position,
        $2::bigint + count(envelope) OVER (ORDER BY ordinal) AS publication
    FROM moved),
logged AS (INSERT INTO log (position, ordinal) SELECT position, ordinal FROM numbered),
published AS (
    INSERT INTO outbox (publication, position, subject, envelope)
    SELECT publication, position, subject, envelope FROM numbered WHERE envelope IS NOT NULL)
UPDATE head SET (position, publication) = (
    SELECT head.position + count(*), head.publication + count(envelope) FROM numbered)
RETURNING position, publication
"""


@dataclass(frozen=True, slots=True)
class Head:
    """The last position and publication given."""

    position: int
    publication: int


async def peek(store: Store) -> tuple[Head, bool]:
    """The head, and whether anything waits for its place; takes no lock."""
    async with store.connection() as conn:
        row = await conn.fetchrow(PEEK)
    return Head(row["position"], row["publication"]), row["work"]


async def sequence(store: Store, limit: int = BATCH) -> tuple[Head, int]:
    """Move up to `limit` committed events into the global order; returns the new head and how many were
    moved.

    The head row is locked by a statement of its own: the moving statement then has a snapshot which is
    younger than the last move, so two sequencers at once are harmless.
    """
    async with store.atomic() as conn:
        before = await conn.fetchrow(LOCK)
        await failpoints.hit("seq.head_locked")
        after = await conn.fetchrow(MOVE, before["position"], before["publication"], limit)
        await failpoints.hit("seq.log_moved")
        await failpoints.hit("seq.before_commit")
    return Head(after["position"], after["publication"]), after["position"] - before["position"]


async def sequence_paced(store: Store, grown: Callable[[Head], None] = lambda _head: None) -> Head:
    """Sequence once, tell `grown` the new head, then rest four times as long as it took, so that it takes
    at most a fifth of the database's time from the writers, but never so long that whoever waits for a
    number would notice; after a full batch not.
    """
    begin = monotonic()
    head, moved = await sequence(store)
    grown(head)
    if moved < BATCH:
        await asyncio.sleep(min(4 * (monotonic() - begin), LONGEST_REST))
    return head


async def sequence_all(store: Store) -> Head:
    """Sequence until nothing waits (tests, bench and shutdown)."""
    while True:
        head, moved = await sequence(store)
        if not moved:
            return head
