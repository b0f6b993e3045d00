"""A championship as its facts: what mechwarriors and closed rounds are, so that another league can go on from
there with the same standings. Everything in it is public; docs/reference/championship.md is its form.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from solaris_league.domain import mechwarrior as mechwarriors
from solaris_league.domain import round as rounds
from solaris_league.domain.mechwarrior import Mechwarrior, MechwarriorEntered
from solaris_league.domain.ranking import Ranking, Standing, quarterly
from solaris_league.domain.round import LotSeeded, Round, RoundOpened

MECHWARRIOR, ROUND = "mechwarrior", "round"


class ChampionshipDamaged(ValueError):
    """What cannot have been a championship; the text says why in one line."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One event of the stream of a mechwarrior or a round."""

    kind: str
    key: str
    event: object


@dataclass(frozen=True, slots=True)
class Championship:
    """The facts folded."""

    mechwarriors: Mapping[str, Mechwarrior]
    rounds: Mapping[str, Round]

    def latest(self, class_: int) -> int:
        """Number of the last round of a class that was drawn; 0 without any."""
        drawn = (one.number for one in self.rounds.values() if one.drawn and one.terms.class_ == class_)
        return max(drawn, default=0)

    def tables(self, ranking: Ranking) -> dict[int, tuple[Standing, ...]]:
        """Class -> its standings (R 3)."""
        found = {}
        for class_ in sorted({one.class_ for one in self.mechwarriors.values()}):
            members = {key: one.results for key, one in self.mechwarriors.items() if one.class_ == class_}
            found[class_] = quarterly(ranking, self.latest(class_), members)
        return found


def is_id(text: str) -> bool:
    """Whether it is an id as a league makes them."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def folded(facts: Iterable[Fact]) -> Championship:
    """What the facts come to. Raises ChampionshipDamaged where they are not those of a league."""
    states: dict[str, dict[str, object]] = {MECHWARRIOR: {}, ROUND: {}}
    for fact in facts:
        known = states[fact.kind]
        first = isinstance(fact.event, MechwarriorEntered | RoundOpened)
        own = getattr(fact.event, f"{fact.kind}_id", None)
        if own != fact.key or first == (fact.key in known):
            raise ChampionshipDamaged(f"{fact.kind} {fact.key}: a fact of another, or out of its order")
        evolve = mechwarriors.evolve if fact.kind == MECHWARRIOR else rounds.evolve
        known[fact.key] = evolve(known.get(fact.key), fact.event)  # type: ignore[arg-type]
    return Championship(states[MECHWARRIOR], states[ROUND])  # type: ignore[arg-type]


def check(championship: Championship) -> None:
    """Raises ChampionshipDamaged: rounds that are open or not numbered on, people who fought against nobody
    or have a fight before them."""
    for one in championship.mechwarriors.values():
        if one.called or any(result.opponent_id not in championship.mechwarriors for result in one.results):
            raise ChampionshipDamaged(f"mechwarrior {one.mechwarrior_id}: fights that are not in here")
    _check_rounds(championship.rounds.values())


def _check_rounds(found: Iterable[Round]) -> None:
    numbers: dict[int, list[int]] = {}
    for one in found:
        drawn = one.drawn
        if not one.closed or (drawn and (drawn.number, drawn.class_) != (one.number, one.terms.class_)):
            raise ChampionshipDamaged(f"round {one.round_id} is not over, or was drawn as another")
        numbers.setdefault(one.terms.class_, []).append(one.number)
    for class_, of_class in numbers.items():
        if sorted(of_class) != list(range(1, len(of_class) + 1)):
            raise ChampionshipDamaged(f"the rounds of Class {class_} are not numbered from 1 on")


def closed_part(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts up to the last closed rounds: without a round that is going on, what its fights have brought
    already, and a permanence fight that is not over. A lot that was never drawn keeps its secret."""
    states = folded(facts)
    going_on = {key for key, one in states.rounds.items() if not one.closed}
    fights = {
        fight_id
        for key in going_on
        if (drawn := states.rounds[key].drawn) is not None
        for fight_id in drawn.fight_ids
    }
    fights |= {one.called for one in states.mechwarriors.values() if one.called}
    secret = {key for key, one in states.rounds.items() if one.drawn is None}
    kept, cut = [], set(going_on)
    for fact in facts:
        if getattr(fact.event, "fight_id", None) in fights and fact.kind == MECHWARRIOR:
            cut.add(fact.key)
        undrawn = isinstance(fact.event, LotSeeded) and fact.key in secret
        if fact.key not in cut and not undrawn:
            kept.append(fact)
    return tuple(kept)


def known_kinds() -> Mapping[type, str]:
    """Which event belongs to which kind of stream."""
    kinds: dict[type, str] = dict.fromkeys(mechwarriors.MechwarriorEvent.__args__, MECHWARRIOR)
    return kinds | dict.fromkeys(rounds.RoundEvent.__args__, ROUND)
