"""Appeals to the Commission about a fight, each with one public answer.

The referee puts right what stands wrong within the turn; what is asked later goes here, and may be declined
for being late. Nobody answers an appeal about a fight of his own.
Source: R 2 (incidents), R 3 (referees); tables C-34 (a person is needed only for appeals).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from solaris_league.domain.fight import check_interest
from solaris_league.domain.round import FightScheduled, ScheduledSide
from solaris_league.domain.substitution import Seated, Substitute, everybody, substitutes
from solaris_shared.errors import Forbidden, NotFound, Rejected


@dataclass(frozen=True, slots=True)
class AppealLodged:
    """A side asks the Commission to look at a turn; `late`: the fight was over by then."""

    appeal_id: str
    fight_id: str
    side: str
    person_id: str
    turn: int
    text: str
    late: bool


@dataclass(frozen=True, slots=True)
class RulingPublished:
    """The Commission's answer, with its reason; public. It concerns who was scheduled and `substitutes`."""

    ruling_id: str
    fight_id: str
    round: int
    class_: int
    side: str
    turn: int
    granted: bool
    late: bool
    answer: str
    arena: str = ""
    sides: tuple[ScheduledSide, ...] = ()
    substitutes: tuple[Substitute, ...] = ()


@dataclass(frozen=True, slots=True)
class Appeals:
    """The appeals about one fight, and their answers."""

    lodged: Mapping[str, AppealLodged] = field(default_factory=dict)
    answered: frozenset[str] = frozenset()


def evolve(state: Appeals | None, event: object) -> Appeals:
    state = state or Appeals()
    match event:
        case AppealLodged():
            return replace(state, lodged={**state.lodged, event.appeal_id: event})
        case RulingPublished():
            return replace(state, answered=state.answered | {event.ruling_id})
    raise TypeError(f"not an event of appeals: {event!r}")


def lodge(
    state: Appeals,
    fight: FightScheduled,
    seated: Seated,
    appeal_id: str,
    person_id: str,
    turn: int,
    text: str,
    late: bool,
) -> AppealLodged:
    """Raises Forbidden for who fights not here, Rejected while another appeal of the side is open."""
    side = next((side for side, person in everybody(fight, seated) if person == person_id), None)
    if side is None:
        raise Forbidden("not-your-fight", "You do not fight in this fight.")
    pending = [
        one for one in state.lodged.values() if one.side == side and one.appeal_id not in state.answered
    ]
    if pending:
        raise Rejected("appeal-open", "The last appeal of your side has no answer yet.", "R 2")
    return AppealLodged(appeal_id, fight.fight_id, side, person_id, turn, text, late)


def rule(
    state: Appeals,
    fight: FightScheduled,
    seated: Seated,
    appeal_id: str,
    person_id: str,
    granted: bool,
    answer: str,
) -> RulingPublished:
    """Raises NotFound, Forbidden `conflict-of-interest`, Rejected for an appeal that has its answer."""
    appeal = state.lodged.get(appeal_id)
    if appeal is None:
        raise NotFound("not-found")
    check_interest(fight, seated, person_id)
    if appeal_id in state.answered:
        raise Rejected("appeal-answered", "This appeal has its answer.", "R 2")
    return RulingPublished(
        appeal_id,
        fight.fight_id,
        fight.round,
        fight.class_,
        appeal.side,
        appeal.turn,
        granted,
        appeal.late,
        answer,
        fight.arena,
        tuple(fight.sides),
        substitutes(seated),
    )
