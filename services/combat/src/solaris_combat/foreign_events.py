"""The few facts of other services which combat acts on; fields it does not need are left out."""

from collections.abc import Mapping
from uuid import UUID

import msgspec

FIGHT_SCHEDULED = "solaris.league.fight-scheduled.v1"
FIGHT_VOIDED = "solaris.league.fight-voided.v1"


class ScheduledMech(msgspec.Struct, frozen=True):
    """Which machine a side brings, and whose it is."""

    instance_id: str
    model: str
    owner: str


class ScheduledSide(msgspec.Struct, frozen=True):
    """One seat of a scheduled fight; one without a team fights for itself."""

    side: str
    mechwarrior_id: str
    person_id: str
    name: str
    gunnery: int
    piloting: int
    mech: ScheduledMech
    team: str | None = None


class FightScheduled(msgspec.Struct, frozen=True, rename={"fight_class": "class"}):
    """The league wants this fight fought."""

    fight_id: UUID
    round: int
    ruleset: str
    fight_class: int
    arena: str
    turns: int
    kind: str
    turn_seconds: int
    sides: tuple[ScheduledSide, ...]
    purse: Mapping[str, int] = {}
    referee: str | None = None


class FightVoided(msgspec.Struct, frozen=True):
    """The league called a fight off."""

    fight_id: UUID
    reason: str = ""


LEAGUE = {FIGHT_SCHEDULED: FightScheduled, FIGHT_VOIDED: FightVoided}
