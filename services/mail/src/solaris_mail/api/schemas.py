"""Requests and answers of mail."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from solaris_shared.http.schemas import Body, View

Language = Literal["es", "en"]
Channel = Literal["mail"]
State = Literal["queued", "sent", "refused", "expired", "superseded"]
Kind = Literal[
    "scheduled",
    "turn",
    "result",
    "voided",
    "substitution",
    "ruling",
    "challenge",
    "challenge-answer",
    "injuries",
    "resting",
    "length",
    "round-voided",
    "parked",
    "class",
    "confirmation",
]


class ContactBody(Body):
    """Where letters go, in which language and whose time. No channel = no letters are sent; they can still be
    read here."""

    address: Annotated[str, StringConstraints(min_length=3, max_length=254)]
    language: Language = "es"
    zone: Annotated[str, StringConstraints(min_length=1, max_length=64)] = "Europe/Madrid"
    channels: Annotated[list[Channel], Field(max_length=1)] = Field(default_factory=lambda: ["mail"])


class Bounce(View):
    """The relay has refused the address for good; give it again, or another one, to get letters."""

    address: str
    at: datetime
    reason: str


class ContactView(View):
    """`address` is proved and in use; `pending_address` waits for its code."""

    address: str | None
    pending_address: str | None
    language: Language
    zone: str
    channels: list[Channel]
    confirmed_at: datetime | None
    bounce: Bounce | None


class Saved(View):
    """`confirmation`: sent = a code is on its way to the address; not-needed = it was proved before."""

    confirmation: Literal["sent", "not-needed"]


class CodeBody(Body):
    """The code from the letter."""

    token: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class Confirmed(View):
    """The address is proved."""

    confirmed: bool


class LetterView(View):
    """A letter as it reads. `text` is null for a letter of confirmation: its code goes to the mailbox
    only."""

    letter_id: UUID
    kind: Kind
    fight_id: UUID | None
    subject: str
    text: str | None
    deadline: datetime | None
    created_at: datetime
    state: State
    final_at: datetime | None
    attempts: int


class AttemptView(View):
    """One try. `outcome` null: begun, and its end never written down; unknown: the connection was lost."""

    number: int
    started_at: datetime
    finished_at: datetime | None
    outcome: Literal["accepted", "deferred", "refused", "unknown"] | None
    code: int | None
    detail: str | None


class DeliveryView(View):
    """How a letter fares: no address, no words."""

    letter_id: UUID
    message_id: str
    person_id: str
    kind: Kind
    fight_id: UUID | None
    state: State
    created_at: datetime
    expires_at: datetime
    final_at: datetime | None
    attempts: list[AttemptView]
