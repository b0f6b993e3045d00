"""Tolerant models of the public events of other services that mail reads; unknown fields are ignored."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import msgspec

FIGHT_SCHEDULED = "solaris.league.fight-scheduled.v1"
FIGHT_VOIDED = "solaris.league.fight-voided.v1"
ROUND_VOIDED = "solaris.league.round-voided.v1"
RULING_PUBLISHED = "solaris.league.ruling-published.v1"
CHALLENGE_ISSUED = "solaris.league.challenge-issued.v1"
CHALLENGE_ANSWERED = "solaris.league.challenge-answered.v1"
INJURIES_ROLLED = "solaris.league.injuries-rolled.v1"
LOT_DRAWN = "solaris.league.lot-drawn.v1"
PROMOTED = "solaris.league.promoted.v1"
RELEGATED = "solaris.league.relegated.v1"
FIGHT_OPENED = "solaris.combat.fight-opened.v1"
PHASE_RESOLVED = "solaris.combat.phase-resolved.v1"
FIGHT_CONCLUDED = "solaris.combat.fight-concluded.v1"
UNIT_CORRECTED = "solaris.combat.unit-corrected.v1"
SIDE_YIELDED = "solaris.combat.side-yielded.v1"
REQUEST_RENEWED = "solaris.combat.request-renewed.v1"
DEADLINE_EXTENDED = "solaris.combat.deadline-extended.v1"
SIDE_SUBSTITUTED = "solaris.combat.side-substituted.v1"
FIGHT_PARKED = "solaris.combat.fight-parked.v1"
FIGHT_RESUMED = "solaris.combat.fight-resumed.v1"
LENGTH_SET = "solaris.combat.length-set.v1"
OVERTIME_GRANTED = "solaris.combat.overtime-granted.v1"


@dataclass(frozen=True, slots=True)
class PurseTerms:
    """BC paid for each result."""

    win: int
    draw: int
    loss: int


@dataclass(frozen=True, slots=True)
class SideMech:
    """The 'Mech a side takes into the fight; `owner` "organisers" if it is lent."""

    model: str
    owner: str = "organisers"


@dataclass(frozen=True, slots=True)
class Side:
    """Who fights, in what, and for which team, if not for himself alone."""

    side: str
    mechwarrior_id: UUID
    person_id: UUID
    name: str
    mech: SideMech
    team: str | None = None


@dataclass(frozen=True, slots=True)
class Substitute:
    """Who plays or played a side without having been scheduled for it."""

    side: str
    person_id: UUID


class FightScheduled(msgspec.Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """league: the draw made this fight."""

    fight_id: UUID
    round: int
    class_: int
    arena: str
    turns: int
    turn_seconds: int
    purse: PurseTerms
    sides: tuple[Side, ...]
    kind: str = "ranking"


@dataclass(frozen=True, slots=True)
class Request:
    """What orders are asked for: turn and kind (initial, movement, fire_and_movement, fire), and of which
    sides (empty: of all)."""

    turn: int
    kind: str
    sides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FightOpened:
    """combat: the fight takes its first orders until `deadline`."""

    fight_id: UUID
    arena: str
    turns: int
    sides: tuple[Side, ...]
    next: Request = Request(0, "initial")
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class PhaseResolved:
    """combat: what was sealed is carried out; `next` is asked until `deadline`."""

    fight_id: UUID
    next: Request | None = None
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class FoughtMech:
    """How a 'Mech left the fight."""

    model: str
    owner: str
    damaged: bool
    destroyed: bool


@dataclass(frozen=True, slots=True)
class Pilot:
    """How a mechwarrior left the fight."""

    wounds: int = 0
    conscious: bool = True
    dead: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FoughtSide:
    """One side of a finished fight."""

    side: str
    mechwarrior_id: UUID
    person_id: UUID
    result: str
    victory_points: int
    mech: FoughtMech
    pilot: Pilot = field(default_factory=Pilot)
    team: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FightConcluded:
    """combat: the fight is over."""

    fight_id: UUID
    turns: int
    ended_by: str
    sides: tuple[FoughtSide, ...]
    purse: PurseTerms


class FightVoided(msgspec.Struct, frozen=True, kw_only=True):
    """league: the fight is off and counts for nobody. `cause`: "refused" (it cannot be set up) or
    "commission"."""

    fight_id: UUID
    round: int
    arena: str
    cause: str
    reason: str
    sides: tuple[Side, ...]
    codes: tuple[str, ...] = ()
    substitutes: tuple[Substitute, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitCorrected:
    """combat: the referee or the Commission put right what stood wrong for a side."""

    fight_id: UUID
    side: str
    reason: str


@dataclass(frozen=True, slots=True)
class SideYielded:
    """combat: a side gave up, by "surrender" or "flight"."""

    fight_id: UUID
    side: str
    how: str


@dataclass(frozen=True, slots=True)
class RequestRenewed:
    """combat: what is asked after something beside the orders; `reopened`: of everybody, anew."""

    fight_id: UUID
    next: Request | None = None
    deadline: datetime | None = None
    reopened: bool = False


@dataclass(frozen=True, slots=True)
class DeadlineExtended:
    """combat: more time for what is asked now."""

    fight_id: UUID
    before: datetime
    deadline: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class SideSubstituted:
    """combat: somebody else plays a side from here on."""

    fight_id: UUID
    side: str
    person_id: UUID
    before: UUID
    reason: str


@dataclass(frozen=True, slots=True)
class LengthSet:
    """combat: the fight lasts so many turns now, by agreement."""

    fight_id: UUID
    turns: int
    before: int


@dataclass(frozen=True, slots=True)
class FightParked:
    """combat: the fight stands still, for a reason that lies in the league's machinery."""

    fight_id: UUID
    code: str


@dataclass(frozen=True, slots=True)
class FightResumed:
    """combat: a parked fight goes on; `deadline` is a new one where somebody could not order in time."""

    fight_id: UUID
    next: Request | None = None
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class OvertimeGranted:
    """combat: a fight for permanence that is level after `turn` goes on."""

    fight_id: UUID
    turn: int
    to_turn: int


class RulingPublished(msgspec.Struct, frozen=True, kw_only=True):
    """league: the Commission's answer to an appeal of `side` about a turn of its fight."""

    fight_id: UUID
    side: str
    turn: int
    granted: bool
    answer: str
    sides: tuple[Side, ...] = ()
    substitutes: tuple[Substitute, ...] = ()


@dataclass(frozen=True, slots=True)
class Fighter:
    """A mechwarrior and who plays him."""

    person_id: UUID
    name: str


class ChallengeIssued(msgspec.Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """league: one challenges another."""

    round: int
    class_: int
    challenger: Fighter
    challenged: Fighter


class ChallengeAnswered(msgspec.Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """league: the challenged has answered."""

    round: int
    class_: int
    challenger: Fighter
    challenged: Fighter
    accepted: bool


class InjuriesRolled(msgspec.Struct, frozen=True, kw_only=True):
    """league: who would have died in a fight rolled on the Injuries table (R 4.7). Without a person it is
    a fact from before persons were told."""

    round: int
    result: str
    rounds_out: int
    gunnery: int
    piloting: int
    faces: tuple[int, int]
    fight_id: UUID
    person_id: UUID | None = None
    name: str = ""


class LotDrawn(msgspec.Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """league: the draw of a round; `rester` has no fight in it."""

    number: int
    class_: int
    rester: Fighter | None = None


class RoundVoided(msgspec.Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """league: a round that had not been drawn is off; `fighters` are all of its class."""

    number: int
    class_: int
    reason: str
    fighters: tuple[Fighter, ...]


class ClassChanged(msgspec.Struct, frozen=True, kw_only=True):
    """league: a fight for permanence has moved a mechwarrior to another class."""

    person_id: UUID
    name: str
    fight_id: UUID
    from_class: int
    to_class: int


LEAGUE = {
    FIGHT_SCHEDULED: FightScheduled,
    FIGHT_VOIDED: FightVoided,
    RULING_PUBLISHED: RulingPublished,
    CHALLENGE_ISSUED: ChallengeIssued,
    CHALLENGE_ANSWERED: ChallengeAnswered,
    INJURIES_ROLLED: InjuriesRolled,
    LOT_DRAWN: LotDrawn,
    PROMOTED: ClassChanged,
    RELEGATED: ClassChanged,
    ROUND_VOIDED: RoundVoided,
}
COMBAT = {
    FIGHT_OPENED: FightOpened,
    PHASE_RESOLVED: PhaseResolved,
    FIGHT_CONCLUDED: FightConcluded,
    UNIT_CORRECTED: UnitCorrected,
    SIDE_YIELDED: SideYielded,
    REQUEST_RENEWED: RequestRenewed,
    DEADLINE_EXTENDED: DeadlineExtended,
    SIDE_SUBSTITUTED: SideSubstituted,
    LENGTH_SET: LengthSet,
    OVERTIME_GRANTED: OvertimeGranted,
    FIGHT_PARKED: FightParked,
    FIGHT_RESUMED: FightResumed,
}
