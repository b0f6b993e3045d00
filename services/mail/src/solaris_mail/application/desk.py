"""Where letters are written down: rows made in the transaction of the event they tell of."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from solaris_mail.application.notices import tell
from solaris_mail.domain.letter import Letter, letter_id, message_id
from solaris_mail.domain.retry import RetrySchedule
from solaris_shared.log.unit_of_work import Transaction

QUEUE = """
INSERT INTO letter (letter_id, message_id, person_id, kind, fight_id, facts, deadline, created_at, expires_at,
    next_attempt_at)
VALUES ($1, $2, $3, $4, $5, $6::text::jsonb, $7, $8, $9, $8)
ON CONFLICT (letter_id) DO NOTHING
"""
SUPERSEDE_TURNS = """
UPDATE letter SET state = 'superseded', final_at = $2
WHERE fight_id = $1 AND kind = 'turn' AND state = 'queued' AND ($3::text IS NULL OR person_id = $3)
"""


@dataclass(frozen=True, slots=True)
class Desk:
    """What every letter gets: the domain of its Message-ID and its life."""

    domain: str
    schedule: RetrySchedule = field(default_factory=RetrySchedule)

    async def write(
        self,
        tx: Transaction,
        event_id: UUID,
        person_id: str,
        kind: str,
        facts: dict[str, Any],
        fight_id: UUID | None = None,
        deadline: datetime | None = None,
    ) -> Letter:
        """Queue a letter; the Message-ID is stored before anybody can try to send it. Again = nothing
        more."""
        letter = Letter(
            letter_id=letter_id(event_id, person_id),
            message_id=message_id(event_id, person_id, self.domain),
            person_id=person_id,
            kind=kind,
            facts=facts,
            expires_at=self.schedule.expiry(tx.now, deadline),
            fight_id=fight_id,
            deadline=deadline,
        )
        await insert(tx, letter)
        return letter


async def insert(tx: Transaction, letter: Letter) -> None:
    """Store the letter, due at once, and tell the person of it. Again = nothing more."""
    done = await tx.conn.execute(
        QUEUE,
        letter.letter_id,
        letter.message_id,
        letter.person_id,
        letter.kind,
        letter.fight_id,
        msgspec.json.encode(letter.facts).decode(),
        letter.deadline,
        tx.now,
        letter.expires_at,
    )
    if done == "INSERT 0 1":
        await tell(tx.conn, letter.person_id, "letter-written", tx.now, letter.letter_id)


async def supersede_turns(tx: Transaction, fight_id: UUID, person_id: str | None = None) -> None:
    """Turn letters of the fight (to one person, or to all) that have not gone out are useless once the fight
    has moved on."""
    await tx.conn.execute(SUPERSEDE_TURNS, fight_id, tx.now, person_id)
