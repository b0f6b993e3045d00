"""Everything that happens to a fight, whatever the game. What the world may see of it, publish.py says."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from solaris_combat.engines.contract import Json, Outcome, Setup, UnitSetup, Violation


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits on one side and whose unit he brings; `owner` is an account owner or "organisers"."""

    unit: UnitSetup
    mechwarrior_id: str
    person_id: str
    instance_id: str
    owner: str


@dataclass(frozen=True, slots=True)
class Terms:
    """What the schedule fixed before the fight: who, where, how long, for what purse."""

    fight_id: str
    round: int
    kind: str
    setup: Setup
    seats: tuple[Seat, ...]
    turn_seconds: int
    referee: str | None
    purse: Mapping[str, int]

    @property
    def sides(self) -> tuple[str, ...]:
        """Sides in the order in which their nonces enter the dice key."""
        return tuple(seat.unit.side for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Box:
    """Ciphertext under a key of its own, that key wrapped by the service's data key; all base64."""

    wrapped_key: str
    nonce: str
    ciphertext: str


@dataclass(frozen=True, slots=True)
class Request:
    """What the sides in `sides` are asked to order; the same words as the engine's OrderRequest."""

    turn: int
    kind: str
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """Orders as they were opened. `commitment` and `salt` are empty where a default stood in."""

    orders: Json
    salt: str
    commitment: str


@dataclass(frozen=True, slots=True)
class SidePlan:
    """All one side had sealed for one request: its orders and its answers to questions, in order."""

    side: str
    opened: Opened
    answers: tuple[Opened, ...] = ()


@dataclass(frozen=True, slots=True)
class FightOpened:
    """The fight begins: terms, the pinned engine, the hash of the secret seed, the first request."""

    terms: Terms
    release: str
    ruleset_hash: str
    engine_version: int
    seed_commitment: str
    request: Request
    deadline: datetime | None


@dataclass(frozen=True, slots=True)
class FightRefused:
    """The schedule named something the ruleset does not know or does not play; no fight takes place."""

    terms: Terms
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class SeedDrawn:
    """The secret seed, encrypted; it has no read path until the fight ends."""

    box: Box


@dataclass(frozen=True, slots=True)
class OrdersSealed:
    """A side sealed its orders, for the first time or again; nobody else learns that it did.

    `comment` holds its special request to the referee, which is no part of the orders: nothing commits to it,
    and it is shown to him when the orders are opened.
    """

    side: str
    turn: int
    kind: str
    box: Box
    commitment: str
    at: datetime
    comment: Box | None = None


@dataclass(frozen=True, slots=True)
class AnswerAsked:
    """One side must answer a question before the turn can be carried out; only it is told.

    `digest` names the question: the same situation always gives the same one.
    """

    side: str
    turn: int
    kind: str
    box: Box
    digest: str


@dataclass(frozen=True, slots=True)
class AnswerSealed:
    """The side answered the question `digest`; the answer counts wherever that very question arises again."""

    side: str
    turn: int
    kind: str
    digest: str
    box: Box
    commitment: str
    at: datetime
    comment: Box | None = None


@dataclass(frozen=True, slots=True)
class DeadlineReached:
    """Time is up: from here on the stream takes no orders for this request, whatever a clock says."""

    turn: int
    kind: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AllOrdersSealed:
    """The commitments by which the sides are bound; `missing` sides sent nothing before the deadline."""

    turn: int
    kind: str
    commitments: Mapping[str, str]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrdersOpened:
    """What everybody had ordered, with the salts that prove it.

    Parts that are `withheld` were not carried out and are asked anew: only the record tells them.
    """

    turn: int
    kind: str
    plans: tuple[SidePlan, ...]
    withheld: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseResolved:
    """The orders are carried out; `request` is what comes next. `dice_position`: bytes of the stream used."""

    turn: int
    kind: str
    request: Request | None
    deadline: datetime | None
    dice_position: int


@dataclass(frozen=True, slots=True)
class ActTaken:
    """Something beside the orders changed the fight (contract: `act`); the engine's events follow.

    `role` is what gave the person the right: "side A", "referee", "commission", or "" where the sides agreed.
    """

    name: str
    data: Json
    role: str
    person_id: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class RequestRenewed:
    """What is asked after an act; where it was `reopened` nothing sealed counts any more, for any side."""

    request: Request | None
    deadline: datetime | None
    reopened: bool


@dataclass(frozen=True, slots=True)
class LengthWished:
    """A side, or the referee, wishes the fight to last so many turns (R 4.2)."""

    by: str
    turns: int
    at: datetime


@dataclass(frozen=True, slots=True)
class DeadlineExtended:
    """The referee or the Commission gave more time for the present request, `seconds` of the budget."""

    turn: int
    kind: str
    before: datetime
    deadline: datetime
    seconds: int
    role: str
    person_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class SideSubstituted:
    """Somebody else plays a side from here on; what it had sealed for the present request lapses, and so does
    its wish for a length."""

    side: str
    person_id: str
    before: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class FightConcluded:
    """The result, the opened seed and the digest of the record everybody can verify."""

    terms: Terms
    outcome: Outcome
    seed: str
    record_digest: str


@dataclass(frozen=True, slots=True)
class FightParked:
    """The present request is complete but cannot be carried out: this fight stands still, the others go on.
    `code` says why, `pinned` and `carried` are the hashes of the rules it began with and of those here."""

    code: str
    pinned: str
    carried: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FightResumed:
    """What stood in the way is gone. `deadline` is new where it had passed: nobody could order meanwhile."""

    request: Request
    deadline: datetime | None
    at: datetime


@dataclass(frozen=True, slots=True)
class FightVoided:
    """The league called the fight off; nothing of it counts."""

    reason: str


RELEASE = "solaris-combat 0.1"
"""The release whose `solaris verify` certainly knows the engine of a fight opened now."""

FIGHT_EVENTS: dict[str, type[Any]] = {
    "fight-opened": FightOpened,
    "fight-refused": FightRefused,
    "seed-drawn": SeedDrawn,
    "orders-sealed": OrdersSealed,
    "answer-asked": AnswerAsked,
    "answer-sealed": AnswerSealed,
    "deadline-reached": DeadlineReached,
    "all-orders-sealed": AllOrdersSealed,
    "orders-opened": OrdersOpened,
    "phase-resolved": PhaseResolved,
    "act-taken": ActTaken,
    "request-renewed": RequestRenewed,
    "length-wished": LengthWished,
    "deadline-extended": DeadlineExtended,
    "side-substituted": SideSubstituted,
    "fight-concluded": FightConcluded,
    "fight-voided": FightVoided,
    "fight-parked": FightParked,
    "fight-resumed": FightResumed,
}
