"""A letter: to whom, about what, until when it is worth sending. Facts only; words come with the reader's
language."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter to one person. `facts` are plain JSON values for the template named by `kind`."""

    letter_id: UUID
    message_id: str
    person_id: str
    kind: str
    facts: dict
    expires_at: datetime
    fight_id: UUID | None = None
    deadline: datetime | None = None


def letter_id(event_id: UUID, person_id: str) -> UUID:
    """One event makes one letter per person, whatever happens in between."""
    return uuid5(event_id, f"letter/{person_id}")


def message_id(event_id: UUID, person_id: str, domain: str) -> str:
    """The Message-ID of every attempt; the same for ever, so a mail reader drops repeats."""
    return f"<{event_id}.{person_id}@{domain}>"


def thread_id(fight_id: UUID, person_id: str, domain: str) -> str:
    """A reference common to all letters of a fight, so that a mail reader shows them together."""
    return f"<fight.{fight_id}.{person_id}@{domain}>"
