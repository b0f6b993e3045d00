"""Questions about letters: what a person got, and how deliveries fare."""

from datetime import datetime
from uuid import UUID

import asyncpg
import msgspec

from solaris_mail.domain.letter import Letter

COLUMNS = """letter_id, message_id, person_id, kind, fight_id, facts::text, deadline, created_at, expires_at,
state,
    attempts, final_at"""
OF_PERSON = f"""
SELECT {COLUMNS} FROM letter
WHERE person_id = $1 AND ($2::timestamptz IS NULL OR (created_at, letter_id) < ($2, $3::uuid))
ORDER BY created_at DESC, letter_id DESC LIMIT $4
"""
ALL = f"""
SELECT {COLUMNS} FROM letter
WHERE ($1::text IS NULL OR state = $1)
    AND ($2::timestamptz IS NULL OR (created_at, letter_id) < ($2, $3::uuid))
ORDER BY created_at DESC, letter_id DESC LIMIT $4
"""
ATTEMPTS = """
SELECT letter_id, number, started_at, finished_at, outcome, code, detail FROM attempt
WHERE letter_id = ANY ($1) ORDER BY letter_id, number
"""
Place = tuple[datetime, UUID]


async def letters_of(
    pool: asyncpg.Pool, person_id: str, after: Place | None, limit: int
) -> list[asyncpg.Record]:
    """A person's letters, newest first."""
    return await pool.fetch(OF_PERSON, person_id, *(after or (None, None)), limit)


async def deliveries(
    pool: asyncpg.Pool, state: str | None, after: Place | None, limit: int
) -> list[asyncpg.Record]:
    """Everybody's letters, newest first, without a word of them."""
    return await pool.fetch(ALL, state, *(after or (None, None)), limit)


async def attempts(pool: asyncpg.Pool, letter_ids: list[UUID]) -> dict[UUID, list[asyncpg.Record]]:
    """The attempts at these letters, in order."""
    found: dict[UUID, list[asyncpg.Record]] = {}
    for row in await pool.fetch(ATTEMPTS, letter_ids):
        found.setdefault(row["letter_id"], []).append(row)
    return found


def letter_of(row: asyncpg.Record) -> Letter:
    """The letter of a row."""
    return Letter(
        letter_id=row["letter_id"],
        message_id=row["message_id"],
        person_id=row["person_id"],
        kind=row["kind"],
        facts=msgspec.json.decode(row["facts"]),
        expires_at=row["expires_at"],
        fight_id=row["fight_id"],
        deadline=row["deadline"],
    )
