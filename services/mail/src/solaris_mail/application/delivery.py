"""Delivery of letters: claim, one attempt, outcome. At least once, always the same Message-ID.

A claim is a short lease, renewed while its holder lives: whoever dies while sending is found out by its end
within seconds, and another takes the letter up. The attempt is written before the network is touched, so no
try is ever forgotten.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

import asyncpg

from solaris_mail.application.mailbox import letter_of
from solaris_mail.application.notices import tell
from solaris_mail.domain.contact import Reader
from solaris_mail.domain.letter import Letter
from solaris_mail.domain.retry import RetrySchedule

Verdict = Literal["accepted", "deferred", "refused", "unknown"]

EXPIRE = """
UPDATE letter SET state = 'expired', final_at = $1
WHERE state = 'queued' AND expires_at <= $1 AND (leased_until IS NULL OR leased_until <= $1)
"""
CLAIM = """
WITH due AS (
    SELECT l.letter_id, f.address AS confirming, c.address, c.language, c.zone
    FROM letter l LEFT JOIN confirmation f USING (letter_id) LEFT JOIN contact c ON c.person_id = l.person_id
    WHERE l.state = 'queued' AND l.next_attempt_at <= $1 AND l.expires_at > $1
        AND (l.leased_until IS NULL OR l.leased_until <= $1)
        AND (l.kind = 'confirmation' OR ('mail' = ANY (c.channels) AND c.address IS NOT NULL
            AND c.address IS DISTINCT FROM c.bounced_address))
    ORDER BY l.next_attempt_at LIMIT $3
    FOR UPDATE OF l SKIP LOCKED)
UPDATE letter l SET attempts = l.attempts + 1, leased_until = $2
FROM due WHERE l.letter_id = due.letter_id
RETURNING l.letter_id, l.message_id, l.person_id, l.kind, l.facts::text, l.expires_at, l.fight_id, l.deadline,
    l.created_at, l.attempts, coalesce(due.confirming, due.address) AS address, due.language, due.zone
"""
BEGIN_ATTEMPT = "INSERT INTO attempt (letter_id, number, started_at) VALUES ($1, $2, $3)"
END_ATTEMPT = """
UPDATE attempt SET finished_at = $3, outcome = $4, code = $5, detail = $6
WHERE letter_id = $1 AND number = $2 AND outcome IS NULL
"""
RENEW = """
UPDATE letter SET leased_until = $3 WHERE letter_id = $1 AND attempts = $2 AND state = 'queued'
    AND leased_until IS NOT NULL
"""
FINAL = """
UPDATE letter SET state = $3, final_at = $4, leased_until = NULL WHERE letter_id = $1 AND attempts = $2
    AND state = 'queued'
"""
RETRY = """
UPDATE letter SET next_attempt_at = $3, leased_until = NULL WHERE letter_id = $1 AND attempts = $2
    AND state = 'queued'
"""
BOUNCE = """
UPDATE contact SET bounced_address = $2, bounced_at = $3, bounce_reason = $4
WHERE person_id = $1 AND $2 IN (address, pending_address)
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """A letter in hand: this worker alone may send it until the lease ends. `number` is the attempt's, from
    1."""

    letter: Letter
    reader: Reader
    address: str
    number: int
    written_at: datetime


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an attempt ended. `unknown`: the connection was lost before an answer; the letter may have
    arrived."""

    verdict: Verdict
    code: int | None = None
    detail: str = ""


async def expire(conn: asyncpg.Connection, now: datetime) -> None:
    """Letters past their time are not sent any more."""
    await conn.execute(EXPIRE, now)


async def claim(conn: asyncpg.Connection, now: datetime, lease: timedelta, limit: int) -> list[Claim]:
    """Take up to `limit` letters that are due and can be addressed, and write down that they are being
    tried."""
    claims = [claim_of(row) for row in await conn.fetch(CLAIM, now, now + lease, limit)]
    await conn.executemany(BEGIN_ATTEMPT, [(one.letter.letter_id, one.number, now) for one in claims])
    return claims


async def renew(conn: asyncpg.Connection, claims: list[Claim], until: datetime) -> None:
    """Keep the letters of these claims that are still in hand; what is settled, or taken over, stays so."""
    await conn.executemany(RENEW, [(one.letter.letter_id, one.number, until) for one in claims])


def claim_of(row: asyncpg.Record) -> Claim:
    reader = Reader(row["language"], row["zone"])
    return Claim(letter_of(row), reader, row["address"], row["attempts"], row["created_at"])


async def settle(
    conn: asyncpg.Connection, one: Claim, outcome: Outcome, schedule: RetrySchedule, now: datetime
) -> None:
    """Write down how the attempt ended, and what follows. A letter another worker has taken over meanwhile
    keeps that worker's fate; the attempt is noted all the same."""
    letter_id = one.letter.letter_id
    await conn.execute(END_ATTEMPT, letter_id, one.number, now, outcome.verdict, outcome.code, outcome.detail)
    if outcome.verdict == "accepted":
        await conn.execute(FINAL, letter_id, one.number, "sent", now)
    elif outcome.verdict == "refused":
        reason = f"{outcome.code} {outcome.detail}"
        if await conn.execute(FINAL, letter_id, one.number, "refused", now) == "UPDATE 1":
            await tell(conn, one.letter.person_id, "letter-bounced", now, letter_id, reason)
        await conn.execute(BOUNCE, one.letter.person_id, one.address, now, reason)
    else:
        await conn.execute(RETRY, letter_id, one.number, schedule.next_attempt(now, one.number))
