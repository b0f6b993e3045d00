"""A mechwarrior: the character with which a person fights (R 3, R 6)."""

from dataclasses import dataclass, replace

from solaris_league.domain.experience import category, experience_halves
from solaris_league.domain.injuries import InjuriesRolled, MechwarriorDied, roll_injuries
from solaris_league.domain.ranking import EARLIER, RANKING, Result, count_of, ranking_points
from solaris_league.domain.rules import LeagueRules
from solaris_shared.errors import Unprocessable


@dataclass(frozen=True, slots=True)
class MechwarriorEntered:
    """`name` is the callsign; it is public. `class_` is the division (R 3: a new player enters Class 3)."""

    mechwarrior_id: str
    person_id: str
    name: str
    affiliation: str
    class_: int
    gunnery: int
    piloting: int


@dataclass(frozen=True, slots=True)
class FightRecorded:
    """A concluded fight as it counts for one mechwarrior. `points` are ranking points."""

    mechwarrior_id: str
    fight_id: str
    round: int
    result: str
    points: int
    victory_points: int
    opponent_id: str
    kind: str = RANKING


@dataclass(frozen=True, slots=True)
class PermanenceCalled:
    """He fights for permanence, and in no round until that is over (C-33)."""

    mechwarrior_id: str
    fight_id: str


@dataclass(frozen=True, slots=True)
class PermanenceEnded:
    """His fight for permanence is over, or was called off."""

    mechwarrior_id: str
    fight_id: str


@dataclass(frozen=True, slots=True)
class Promoted:
    """He won the fight for permanence and goes up a class (R 3)."""

    mechwarrior_id: str
    person_id: str
    name: str
    fight_id: str
    from_class: int
    to_class: int
    out_until: int | None = None
    """The last round of the new class that he is out of by his injuries."""


@dataclass(frozen=True, slots=True)
class Relegated:
    """He goes down a class: he lost the fight for permanence, or it was level at its end (R 3, R 4.3)."""

    mechwarrior_id: str
    person_id: str
    name: str
    fight_id: str
    from_class: int
    to_class: int
    out_until: int | None = None
    """The last round of the new class that he is out of by his injuries."""


@dataclass(frozen=True, slots=True)
class SkillImproved:
    """A new experience category with its skills (R 6)."""

    mechwarrior_id: str
    category: str
    gunnery: int
    piloting: int


MechwarriorEvent = (
    MechwarriorEntered
    | FightRecorded
    | SkillImproved
    | InjuriesRolled
    | MechwarriorDied
    | PermanenceCalled
    | PermanenceEnded
    | Promoted
    | Relegated
)


@dataclass(frozen=True, slots=True)
class Mechwarrior:
    mechwarrior_id: str
    person_id: str
    name: str
    affiliation: str
    class_: int
    gunnery: int
    piloting: int
    results: tuple[Result, ...] = ()
    dead: bool = False
    out_until: int = 0
    """The last round he is out of by his injuries."""
    called: str | None = None
    """The fight for permanence that he has before him."""

    def fights_in(self, number: int) -> bool:
        """Whether the lot may draw him for round `number` (R 4.7, C-33)."""
        return not self.dead and number > self.out_until and self.called is None


@dataclass(frozen=True, slots=True)
class FightOutcome:
    """What the referee says of one side; `fatal` if its mechwarrior would have died, `seed` the fight's,
    `class_` the one it was fought in."""

    fight_id: str
    round: int
    result: str
    victory_points: int
    opponent_id: str
    fatal: bool = False
    seed: str = ""
    kind: str = RANKING
    class_: int = 0


def enter(
    rules: LeagueRules, mechwarrior_id: str, person_id: str, name: str, affiliation: str
) -> MechwarriorEntered:
    """R 3, R 6: enters the lowest class with the skills of the first level. Raises Unprocessable."""
    if affiliation not in rules.affiliations:
        error = {
            "pointer": "/affiliation",
            "code": "affiliation-unknown",
            "detail": "One of: " + ", ".join(rules.affiliations),
            "rule": "R 3",
        }
        raise Unprocessable("invalid", "1 error(s) in the data.", errors=[error])
    first = rules.levels[0]
    return MechwarriorEntered(
        mechwarrior_id, person_id, name, affiliation, rules.entry_class, first.gunnery, first.piloting
    )


def record_fight(
    rules: LeagueRules, mechwarrior: Mechwarrior, outcome: FightOutcome
) -> tuple[MechwarriorEvent, ...]:
    """R 3, R 4.7, R 6: ranking points, experience and injuries of a concluded fight; nothing for a fight
    already recorded."""
    if any(one.fight_id == outcome.fight_id for one in mechwarrior.results):
        return ()
    kind = _kind(mechwarrior, outcome)
    recorded = FightRecorded(
        mechwarrior.mechwarrior_id,
        outcome.fight_id,
        outcome.round,
        outcome.result,
        ranking_points(rules.ranking, outcome.result, outcome.round) if kind == RANKING else 0,
        outcome.victory_points,
        outcome.opponent_id,
        kind,
    )
    return recorded, *_improved(rules, mechwarrior, recorded), *_hurt(rules, mechwarrior, outcome)


def _kind(mechwarrior: Mechwarrior, outcome: FightOutcome) -> str:
    """A ranking fight that ends after its mechwarrior has left the class is no part of his new ranking."""
    moved = outcome.class_ not in (0, mechwarrior.class_)
    return EARLIER if outcome.kind == RANKING and moved else outcome.kind


def _improved(
    rules: LeagueRules, mechwarrior: Mechwarrior, recorded: FightRecorded
) -> tuple[SkillImproved, ...]:
    """R 6: the skills of a new category; they win back what injuries took (tables 5.1)."""
    level = category(rules, halves_of(rules, evolve(mechwarrior, recorded)))
    if level == category(rules, halves_of(rules, mechwarrior)):
        return ()
    return (SkillImproved(mechwarrior.mechwarrior_id, level.name, level.gunnery, level.piloting),)


def _hurt(
    rules: LeagueRules, mechwarrior: Mechwarrior, outcome: FightOutcome
) -> tuple[InjuriesRolled | MechwarriorDied, ...]:
    if not outcome.fatal:
        return ()
    return roll_injuries(
        rules,
        mechwarrior.mechwarrior_id,
        outcome.fight_id,
        outcome.round,
        outcome.seed,
        mechwarrior.person_id,
        mechwarrior.name,
    )


def halves_of(rules: LeagueRules, mechwarrior: Mechwarrior) -> int:
    """R 6: the mechwarrior's experience in halves."""
    return experience_halves(
        rules, count_of(mechwarrior.results, "win"), count_of(mechwarrior.results, "draw")
    )


def evolve(state: Mechwarrior | None, event: object) -> Mechwarrior:
    match event:
        case MechwarriorEntered():
            return Mechwarrior(
                event.mechwarrior_id, event.person_id, event.name, event.affiliation, event.class_,
                event.gunnery, event.piloting,
            )  # fmt: skip
        case FightRecorded():
            result = Result(
                event.round,
                event.fight_id,
                event.result,
                event.points,
                event.victory_points,
                event.opponent_id,
                event.kind,
            )
            return replace(state, results=(*state.results, result))
        case SkillImproved(_, _, gunnery, piloting):
            return replace(state, gunnery=gunnery, piloting=piloting)
        case InjuriesRolled():
            return replace(
                state,
                gunnery=state.gunnery + event.gunnery,
                piloting=state.piloting + event.piloting,
                out_until=max(state.out_until, event.round + event.rounds_out if event.rounds_out else 0),
            )
        case MechwarriorDied():
            return replace(state, dead=True)
        case PermanenceCalled(_, fight_id):
            return replace(state, called=fight_id)
        case PermanenceEnded():
            return replace(state, called=None)
        case Promoted() | Relegated():
            past = tuple(replace(one, kind=EARLIER) for one in state.results)
            out = state.out_until if event.out_until is None else event.out_until
            return replace(state, class_=event.to_class, results=past, out_until=out)
    raise TypeError(f"not an event of a mechwarrior: {event!r}")
