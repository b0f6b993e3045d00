"""Tolerant models of the few public events of other services that the league reads; unknown fields are
ignored."""

from dataclasses import dataclass

FIGHT_REFUSED = "solaris.combat.fight-refused.v1"
FIGHT_CONCLUDED = "solaris.combat.fight-concluded.v1"
SIDE_SUBSTITUTED = "solaris.combat.side-substituted.v1"


@dataclass(frozen=True, slots=True)
class FoughtPilot:
    """How a mechwarrior left the fight; `dead` unless the Injuries table spares him (R 4.7)."""

    dead: bool = False


@dataclass(frozen=True, slots=True)
class FoughtSide:
    """One side of a concluded fight; `result` is win, draw or loss."""

    side: str
    mechwarrior_id: str
    result: str
    victory_points: int
    pilot: FoughtPilot = FoughtPilot()


@dataclass(frozen=True, slots=True)
class FightConcluded:
    """combat: the fight is over; its dice's seed is open now."""

    fight_id: str
    sides: tuple[FoughtSide, ...]
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason why a fight cannot be set up; `detail` in words."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class FightRefused:
    """combat: a scheduled fight cannot be set up."""

    fight_id: str
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class SideSubstituted:
    """combat: `person_id` plays a side from here on."""

    fight_id: str
    side: str
    person_id: str


COMBAT = {
    FIGHT_CONCLUDED: FightConcluded,
    FIGHT_REFUSED: FightRefused,
    SIDE_SUBSTITUTED: SideSubstituted,
}
