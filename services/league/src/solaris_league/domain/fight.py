"""A fight of the draw after it was scheduled: it is fought, or it is called off and counts for nobody."""

from dataclasses import dataclass
from typing import Literal

from solaris_league.domain.round import FightScheduled, FightStruck, Round, ScheduledSide
from solaris_league.domain.substitution import Seated, Substitute, everybody, substitutes
from solaris_shared.errors import Forbidden, Rejected

Cause = Literal["refused", "commission"]


@dataclass(frozen=True, slots=True)
class FightVoided:
    """Nothing of the fight counts: no points, no purse, no experience. `cause`: "refused" (combat could not
    set it up) or "commission"; `reason` in words, for the fighters and their `substitutes`, and the `codes`
    of what combat refused. Stands in the fight's own stream."""

    fight_id: str
    round_id: str
    round: int
    class_: int
    arena: str
    cause: Cause
    reason: str
    sides: tuple[ScheduledSide, ...]
    codes: tuple[str, ...] = ()
    substitutes: tuple[Substitute, ...] = ()


def check_interest(fight: FightScheduled, seated: Seated, person_id: str) -> None:
    """Forbidden `conflict-of-interest` for one of the Commission who fights in it himself, or for another."""
    if person_id in {person for _, person in everybody(fight, seated)}:
        raise Forbidden("conflict-of-interest", "Nobody rules on a fight of his own.")


def void(
    fight: FightScheduled,
    round_: Round,
    cause: Cause,
    reason: str,
    codes: tuple[str, ...] = (),
    seated: Seated = frozenset(),
) -> tuple[FightVoided, FightStruck]:
    """Call a fight off: what its own stream and its round's say. Raises Rejected `fight-over` once it was
    fought and counts, `fight-voided` once it was called off."""
    if fight.fight_id in round_.counted:
        raise Rejected("fight-over", "The fight has been fought and counts.", "R 3")
    if fight.fight_id in round_.struck:
        raise Rejected("fight-voided", "The fight has been called off already.", "R 3")
    voided = FightVoided(
        fight.fight_id,
        fight.round_id,
        fight.round,
        fight.class_,
        fight.arena,
        cause,
        reason,
        tuple(fight.sides),
        codes,
        substitutes(seated),
    )
    return voided, FightStruck(fight.round_id, fight.fight_id)
