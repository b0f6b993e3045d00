"""Checks that deliveries are right (I8): what was promised went out, and nothing goes out after the end."""

import asyncpg

CHECKS = {
    "is sent without an accepted attempt": """
        SELECT letter_id FROM letter l WHERE state = 'sent' AND NOT EXISTS (
            SELECT FROM attempt a WHERE a.letter_id = l.letter_id AND outcome = 'accepted')""",
    "was accepted and is still waiting": """
        SELECT letter_id FROM letter l WHERE state = 'queued' AND leased_until IS NULL AND EXISTS (
            SELECT FROM attempt a WHERE a.letter_id = l.letter_id AND outcome = 'accepted')""",
    "was tried after its end": """
        SELECT letter_id FROM letter l WHERE EXISTS (
            SELECT FROM attempt a WHERE a.letter_id = l.letter_id AND a.started_at > l.final_at)""",
    "was tried at or after its expiry": """
        SELECT letter_id FROM letter l WHERE EXISTS (
            SELECT FROM attempt a WHERE a.letter_id = l.letter_id AND a.started_at >= l.expires_at)""",
    "does not count its attempts": """
        SELECT letter_id FROM letter l
        WHERE attempts <> (SELECT count(*) FROM attempt a WHERE a.letter_id = l.letter_id)""",
}


async def faults(conn: asyncpg.Connection) -> list[str]:
    """Everything wrong with the deliveries, in words."""
    return [
        f"letter {row['letter_id']} {fault}"
        for fault, query in CHECKS.items()
        for row in await conn.fetch(query)
    ]
