"""A round of one class: opened with a committed lot, drawn, fought, closed with the ranking (R 3, R 4.1, R
4.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from solaris_league.domain.fight_length import fight_length
from solaris_league.domain.lot import ALGORITHM, Lot, commitment
from solaris_league.domain.mechwarrior import Mechwarrior
from solaris_league.domain.pairing import LentMech, Pairing, Seat, draw_round
from solaris_league.domain.ranking import Standing, quarterly
from solaris_league.domain.rules import LeagueRules
from solaris_league.domain.terms import check_arenas, check_pool, invalid
from solaris_shared.errors import Rejected


@dataclass(frozen=True, slots=True)
class RoundTerms:
    """What the Commission lays down for a round. `turn_seconds` is the time a side has for each turn's
    orders."""

    class_: int
    ruleset: str
    arenas: tuple[str, ...]
    pool: tuple[LentMech, ...]
    turns: int
    turn_seconds: int


@dataclass(frozen=True, slots=True)
class RoundOpened:
    round_id: str
    number: int
    terms: RoundTerms
    lot_algorithm: str
    seed_commitment: str


@dataclass(frozen=True, slots=True)
class LotSeeded:
    """Private until the draw."""

    round_id: str
    seed: str


@dataclass(frozen=True, slots=True)
class Fighter:
    """A mechwarrior with the person who plays him."""

    mechwarrior_id: str
    person_id: str
    name: str


@dataclass(frozen=True, slots=True)
class LotDrawn:
    """The seed is open now; `entrants`, `met` (pairs with their earlier meetings), `rested` and
    `challenged` (pairs of accepted challenges) are the lot's input. `rester` is who rests."""

    round_id: str
    number: int
    class_: int
    lot_algorithm: str
    seed: str
    entrants: tuple[str, ...]
    met: tuple[tuple[str, str, int], ...]
    rested: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    resting: str | None
    fight_ids: tuple[str, ...]
    challenged: tuple[tuple[str, str], ...] = ()
    rester: Fighter | None = None


@dataclass(frozen=True, slots=True)
class ChallengeIssued:
    """One mechwarrior challenges another to a fight of this round (R 4.4); `fighters` in this order."""

    round_id: str
    challenge_id: str
    by: str
    against: str
    round: int = 0
    class_: int = 0
    fighters: tuple[Fighter, ...] = ()


@dataclass(frozen=True, slots=True)
class ChallengeAnswered:
    """The answer of the second of `fighters` to the first."""

    round_id: str
    challenge_id: str
    accepted: bool
    round: int = 0
    class_: int = 0
    fighters: tuple[Fighter, ...] = ()


@dataclass(frozen=True, slots=True)
class FightCounted:
    round_id: str
    fight_id: str


@dataclass(frozen=True, slots=True)
class FightStruck:
    """A fight of this round was called off: the round goes on without it."""

    round_id: str
    fight_id: str


@dataclass(frozen=True, slots=True)
class RankingPublished:
    """The ranking of a class after a round: the last three rounds summed (R 3)."""

    round_id: str
    round: int
    class_: int
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class RoundClosed:
    round_id: str
    number: int
    class_: int


@dataclass(frozen=True, slots=True)
class PoolExtended:
    """The organisers lend more 'Mechs for a round that has not been drawn; `reason` in words."""

    round_id: str
    number: int
    class_: int
    mechs: tuple[LentMech, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """A round that has not been drawn is off: nobody fights in it, and the next one may be opened. `fighters`
    are those of the class whom it concerns."""

    round_id: str
    number: int
    class_: int
    reason: str
    fighters: tuple[Fighter, ...]


@dataclass(frozen=True, slots=True)
class FightScheduled:
    """One fight of the draw; stands in the fight's own stream. `purse` is money by result in C-bills
    (tables 5.2)."""

    fight_id: str
    round_id: str
    round: int
    ruleset: str
    class_: int
    arena: str
    turns: int
    turn_seconds: int
    purse: Mapping[str, int]
    sides: tuple["ScheduledSide", ...]
    kind: str = "ranking"


@dataclass(frozen=True, slots=True)
class ScheduledSide:
    """One seat of a fight; who has no `team` fights for himself, as in every duel."""

    side: str
    mechwarrior_id: str
    person_id: str
    name: str
    gunnery: int
    piloting: int
    mech: LentMech
    owner: str = "organisers"
    team: str | None = None


RoundEvent = (
    RoundOpened
    | LotSeeded
    | ChallengeIssued
    | ChallengeAnswered
    | LotDrawn
    | FightCounted
    | FightStruck
    | RankingPublished
    | RoundClosed
    | PoolExtended
    | RoundVoided
)


@dataclass(frozen=True, slots=True)
class Round:
    round_id: str
    number: int
    terms: RoundTerms
    seed: str = ""
    drawn: LotDrawn | None = None
    counted: frozenset[str] = frozenset()
    struck: frozenset[str] = frozenset()
    closed: bool = False
    voided: bool = False
    challenges: Mapping[str, ChallengeIssued] = field(default_factory=dict)
    answers: Mapping[str, bool] = field(default_factory=dict)

    @property
    def fixed(self) -> tuple[tuple[str, str], ...]:
        """The pairs of accepted challenges, in the order in which they were issued."""
        return tuple((one.by, one.against) for key, one in self.challenges.items() if self.answers.get(key))


def open_round(
    rules: LeagueRules, round_id: str, number: int, terms: RoundTerms, seed: str
) -> tuple[RoundEvent, ...]:
    """Open it and commit the lot. Raises as `check_terms`."""
    check_terms(rules, terms)
    opened = RoundOpened(round_id, number, terms, ALGORITHM, commitment(seed))
    return opened, LotSeeded(round_id, seed)


def check_terms(rules: LeagueRules, terms: RoundTerms) -> None:
    """Raises Rejected (class, length: R 4.2) or Unprocessable (time, doubled 'Mechs and arenas)."""
    if terms.class_ not in rules.classes_played:
        raise Rejected("class-not-played", f"Class {terms.class_} is not played yet.", "R 4.1")
    fight_length(rules, terms.class_, (terms.turns, terms.turns))
    shortest, longest = rules.turn_seconds_range
    if not shortest <= terms.turn_seconds <= longest:
        raise invalid("/turn_seconds", f"From {shortest} to {longest} seconds.")
    check_pool(terms.pool)
    check_arenas(terms.arenas)


def check_undrawn(round_: Round) -> None:
    """Raises Rejected once a round is drawn or off."""
    if round_.voided:
        raise Rejected("round-voided", "This round is off.", "R 4.1")
    if round_.drawn is not None:
        raise Rejected("already-drawn", "The lot of this round has been drawn.", "R 4.1")


def draw(
    round_: Round,
    entrants: Sequence[Mechwarrior],
    past: Sequence["LotDrawn"],
    fight_ids: Sequence[str],
) -> LotDrawn:
    """R 4.1: the lot of fights, arenas and lent 'Mechs. `past` are the earlier draws of the class, newest
    last; `fight_ids` at least one for each possible fight. Raises Rejected."""
    check_undrawn(round_)
    ids = tuple(sorted(one.mechwarrior_id for one in entrants))
    met = _meetings(past, ids)
    rested = tuple(sorted(one.resting for one in past if one.resting in ids))
    fixed, terms = tuple(pair for pair in round_.fixed if set(pair) <= set(ids)), round_.terms
    drawn = draw_round(Lot(round_.seed), ids, terms.arenas, terms.pool, met, rested, fixed)
    return LotDrawn(
        round_.round_id,
        round_.number,
        round_.terms.class_,
        ALGORITHM,
        round_.seed,
        ids,
        tuple(sorted((*sorted(pair), times) for pair, times in met.items())),
        rested,
        drawn.pairings,
        drawn.resting,
        tuple(fight_ids[: len(drawn.pairings)]),
        fixed,
        next((fighter_of(one) for one in entrants if one.mechwarrior_id == drawn.resting), None),
    )


def fighter_of(mechwarrior: Mechwarrior) -> Fighter:
    return Fighter(mechwarrior.mechwarrior_id, mechwarrior.person_id, mechwarrior.name)


def _meetings(past: Sequence[LotDrawn], ids: Sequence[str]) -> dict[frozenset[str], int]:
    met: dict[frozenset[str], int] = {}
    for pairing in (pairing for one in past for pairing in one.pairings):
        pair = frozenset((pairing.a.mechwarrior_id, pairing.b.mechwarrior_id))
        if pair <= set(ids):
            met[pair] = met.get(pair, 0) + 1
    return met


def schedule(
    rules: LeagueRules, terms: RoundTerms, drawn: LotDrawn, fighters: Mapping[str, Mechwarrior]
) -> tuple[FightScheduled, ...]:
    """The fights of the draw with everything the referee, the bank and the post office need to know."""
    purse = rules.purses[terms.class_]
    return tuple(
        FightScheduled(
            fight_id,
            drawn.round_id,
            drawn.number,
            terms.ruleset,
            terms.class_,
            pairing.arena,
            fight_length(rules, terms.class_, (terms.turns, terms.turns)),
            terms.turn_seconds,
            {"win": purse.win, "draw": purse.draw, "loss": purse.loss},
            (seat_side("A", pairing.a, fighters), seat_side("B", pairing.b, fighters)),
        )
        for fight_id, pairing in zip(drawn.fight_ids, drawn.pairings, strict=True)
    )


def seat_side(side: str, seat: Seat, fighters: Mapping[str, Mechwarrior]) -> ScheduledSide:
    """Who sits there, in which lent 'Mech."""
    who = fighters[seat.mechwarrior_id]
    return ScheduledSide(
        side, who.mechwarrior_id, who.person_id, who.name, who.gunnery, who.piloting, seat.mech
    )


def count_fight(round_: Round, fight_id: str) -> tuple[RoundEvent, ...]:
    """A fight of this round is over; nothing for a fight counted or called off before, or drawn
    elsewhere."""
    if round_.drawn is None or fight_id not in round_.drawn.fight_ids:
        return ()
    if fight_id in round_.counted | round_.struck:
        return ()
    return (FightCounted(round_.round_id, fight_id),)


def all_over(round_: Round) -> bool:
    """Whether every fight was fought or called off."""
    return round_.drawn is not None and round_.counted | round_.struck >= set(round_.drawn.fight_ids)


def close(rules: LeagueRules, round_: Round, members: Sequence[Mechwarrior]) -> tuple[RoundEvent, ...]:
    """R 3: at the end of the round its points count and the ranking is published; `members` of the class."""
    if round_.closed or not all_over(round_):
        return ()
    results = {one.mechwarrior_id: one.results for one in members}
    standings = quarterly(rules.ranking, round_.number, results)
    class_ = round_.terms.class_
    return (
        RoundClosed(round_.round_id, round_.number, class_),
        RankingPublished(round_.round_id, round_.number, class_, standings),
    )


def evolve(state: Round | None, event: object) -> Round:
    match event:
        case RoundOpened(round_id, number, terms):
            return Round(round_id, number, terms)
        case LotDrawn():
            return replace(state, drawn=event)
        case FightCounted(_, fight_id):
            return replace(state, counted=state.counted | {fight_id})
        case FightStruck(_, fight_id):
            return replace(state, struck=state.struck | {fight_id})
        case RoundClosed():
            return replace(state, closed=True)
        case RankingPublished():
            return state
    return _before_the_draw(state, event)


def _before_the_draw(state: Round, event: object) -> Round:
    match event:
        case LotSeeded(_, seed):
            return replace(state, seed=seed)
        case ChallengeIssued(_, challenge_id):
            return replace(state, challenges={**state.challenges, challenge_id: event})
        case ChallengeAnswered(_, challenge_id, accepted):
            return replace(state, answers={**state.answers, challenge_id: accepted})
        case PoolExtended(mechs=mechs):
            return replace(state, terms=replace(state.terms, pool=(*state.terms.pool, *mechs)))
        case RoundVoided():
            return replace(state, closed=True, voided=True)
    raise TypeError(f"not an event of a round: {event!r}")
