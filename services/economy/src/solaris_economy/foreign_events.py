"""Tolerant models of the public events of other services that economy reads; unknown fields are ignored."""

from dataclasses import dataclass
from uuid import UUID

import msgspec


@dataclass(frozen=True, slots=True)
class MechwarriorEntered:
    """league: a mechwarrior stands in the lists."""

    mechwarrior_id: UUID
    person_id: str


@dataclass(frozen=True, slots=True)
class FoughtMech:
    """The 'Mech of one side and how it left the fight."""

    instance_id: UUID
    model: str
    damaged: bool
    destroyed: bool


@dataclass(frozen=True, slots=True)
class FoughtSide:
    """One side of a finished fight."""

    mechwarrior_id: UUID
    person_id: str
    result: str
    mech: FoughtMech


@dataclass(frozen=True, slots=True)
class PurseTerms:
    """BC paid for each result, as scheduled."""

    win: int
    draw: int
    loss: int


class FightConcluded(msgspec.Struct, frozen=True, kw_only=True, rename={"class_": "class"}):
    """combat: the fight is over."""

    fight_id: UUID
    round: int
    class_: int
    sides: tuple[FoughtSide, ...]
    purse: PurseTerms


@dataclass(frozen=True, slots=True)
class OpenedSide:
    """One seat of a fight that has been opened."""

    side: str
    mechwarrior_id: UUID
    person_id: str


@dataclass(frozen=True, slots=True)
class FightOpened:
    """combat: the fight is open."""

    fight_id: UUID
    sides: tuple[OpenedSide, ...]


@dataclass(frozen=True, slots=True)
class SpecialLoad:
    """Special ammunition of one kind in one bin, and its price in BC."""

    bin: str
    munition: str
    price: int


@dataclass(frozen=True, slots=True)
class LoadoutFixed:
    """combat: what a side has loaded; `special` is charged for (R 4.6.6)."""

    fight_id: UUID
    side: str
    special: tuple[SpecialLoad, ...] = ()


@dataclass(frozen=True, slots=True)
class VoidedSide:
    """One side of a fight that is off."""

    mechwarrior_id: UUID


@dataclass(frozen=True, slots=True)
class FightVoided:
    """league: the fight is off and counts for nobody."""

    fight_id: UUID
    sides: tuple[VoidedSide, ...]


LEAGUE = {
    "solaris.league.mechwarrior-entered.v1": MechwarriorEntered,
    "solaris.league.fight-voided.v1": FightVoided,
}
COMBAT = {
    "solaris.combat.fight-concluded.v1": FightConcluded,
    "solaris.combat.fight-opened.v1": FightOpened,
    "solaris.combat.loadout-fixed.v1": LoadoutFixed,
}
