"""The facts of a championship file one by one: whether a league could have written them.

What a league decides is decided anew from the facts before it, by the function that decides it in play. Taken
as told: what other services say (results, victory points, dice after a fight), challenges, who was called to
a fight for permanence, and rankings published on the way.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from solaris_league.domain import mechwarrior as mechwarriors
from solaris_league.domain import permanence, undrawn
from solaris_league.domain import round as rounds
from solaris_league.domain.championship import MECHWARRIOR, ChampionshipDamaged, Fact, is_id
from solaris_league.domain.injuries import InjuriesRolled, MechwarriorDied, injuries
from solaris_league.domain.lookalikes import check_alphabets, shape
from solaris_league.domain.lot import ALGORITHM, is_seed
from solaris_league.domain.mechwarrior import (
    FightOutcome,
    FightRecorded,
    Mechwarrior,
    MechwarriorEntered,
    PermanenceEnded,
    Promoted,
    Relegated,
    SkillImproved,
)
from solaris_league.domain.names import check_name, fold
from solaris_league.domain.ranking import EARLIER, PERMANENCE, RANKING
from solaris_league.domain.round import (
    FightCounted,
    LotDrawn,
    LotSeeded,
    PoolExtended,
    Round,
    RoundClosed,
    RoundOpened,
)
from solaris_league.domain.rules import LeagueRules
from solaris_shared.errors import SolarisError

FACES = range(1, 7)


@dataclass(slots=True)
class Before:
    """What stood before a fact. `due` are the facts that a mechwarrior's last one brings with it."""

    mechwarriors: dict[str, Mechwarrior] = field(default_factory=dict)
    rounds: dict[str, Round] = field(default_factory=dict)
    opened: dict[str, RoundOpened] = field(default_factory=dict)
    due: dict[str, tuple[object, ...]] = field(default_factory=dict)
    taken: set[tuple[str, str]] = field(default_factory=set)


def check_facts(placed: Iterable[tuple[int, Fact]], rules: LeagueRules) -> None:
    """`placed`: each fact with its line in the file. Raises ChampionshipDamaged for the first that no league
    under these rules could have written."""
    before = Before()
    for line, fact in placed:
        try:
            if fact.kind == MECHWARRIOR:
                _check_mechwarrior(rules, before, fact.event)
                known = before.mechwarriors.get(fact.key)
                before.mechwarriors[fact.key] = mechwarriors.evolve(known, fact.event)
            else:
                _check_round(rules, before, fact.event)
                before.rounds[fact.key] = rounds.evolve(before.rounds.get(fact.key), fact.event)  # type: ignore[arg-type]
        except (SolarisError, ValueError, KeyError) as error:
            raise ChampionshipDamaged(f"line {line}: {_told(error)}") from error


def _told(error: Exception) -> str:
    errors = error.extra.get("errors") if isinstance(error, SolarisError) else None
    told = "; ".join(f"{one['code']}: {one['detail']}" for one in errors) if errors else str(error)
    return " ".join(told.split())


def _must(could_be: bool, why: str) -> None:
    if not could_be:
        raise ChampionshipDamaged(f"no league could have written this: {why}")


def _check_mechwarrior(rules: LeagueRules, before: Before, event: object) -> None:
    if isinstance(event, MechwarriorEntered):
        _check_entered(rules, before, event)
        return
    state = before.mechwarriors[event.mechwarrior_id]  # type: ignore[attr-defined]
    due = before.due.pop(state.mechwarrior_id, ())
    match event:
        case FightRecorded():
            before.due[state.mechwarrior_id] = _recorded(rules, state, event)
        case InjuriesRolled():
            before.due[state.mechwarrior_id] = _hurt(rules, state, event)
        case SkillImproved() | MechwarriorDied():
            _must(due == (event,), "what he fought before brings no such thing")
        case PermanenceEnded():
            _must(permanence.ended(state, event.fight_id) == (event,), "he was not called to that fight")
        case Promoted() | Relegated():
            _check_moved(rules, state, event)


def _check_entered(rules: LeagueRules, before: Before, event: MechwarriorEntered) -> None:
    """R 1, R 3: as who enters by the API."""
    _must(is_id(event.person_id), f"a person with the id {event.person_id!r}")
    _must(check_name(event.name, "/name") == event.name, f"the callsign {event.name!r}")
    check_alphabets(event.name, "/name")
    entered = mechwarriors.enter(rules, event.mechwarrior_id, event.person_id, event.name, event.affiliation)
    _must(event == entered, "gunnery, piloting or class of a newcomer")
    looks = shape(event.name, rules.lookalikes)
    for what, key in (
        ("of one person", event.person_id),
        ("of one callsign", fold(event.name)),
        ("whose callsigns look alike", looks),
    ):
        _must((what, key) not in before.taken, f"two mechwarriors {what}: {event.name}")
        before.taken.add((what, key))


def _recorded(rules: LeagueRules, state: Mechwarrior, event: FightRecorded) -> tuple[object, ...]:
    """R 3, R 6: what follows a fight that counts like this."""
    known = event.result in rules.ranking.points and event.kind in (RANKING, PERMANENCE, EARLIER)
    _must(known and event.round >= 0 and is_id(event.fight_id), "a fight with this result, kind, round or id")
    outcome = FightOutcome(
        event.fight_id, event.round, event.result, event.victory_points, event.opponent_id, kind=event.kind
    )
    recorded, *due = mechwarriors.record_fight(rules, state, outcome) or (None,)
    _must(recorded == event, "a fight that counts with these points, or twice")
    return tuple(due)


def _hurt(rules: LeagueRules, state: Mechwarrior, event: InjuriesRolled) -> tuple[object, ...]:
    """R 4.7: what follows these dice."""
    _must(all(face in FACES for face in event.faces), f"the dice {event.faces}")
    who = (event.person_id, event.name)
    _must(who in {(state.person_id, state.name), ("", "")}, "injuries of somebody else")
    rolled, *due = injuries(rules, state.mechwarrior_id, event.fight_id, event.round, event.faces, *who)
    _must(rolled == event, "another row of the injuries than that of the dice")
    return tuple(due)


def _check_moved(rules: LeagueRules, state: Mechwarrior, event: Promoted | Relegated) -> None:
    """R 3, R 4.3: from his class to the next one."""
    to = event.from_class + (1 if isinstance(event, Promoted) else -1)
    _must((event.from_class, event.to_class) == (state.class_, to), "a move between these classes")
    _must(to in rules.classes_played, f"a move to Class {to}, which is not played here")
    _must((event.person_id, event.name) == (state.person_id, state.name), "a move of somebody else")


def _check_round(rules: LeagueRules, before: Before, event: object) -> None:
    if isinstance(event, RoundOpened):
        _check_opened(rules, event)
        before.opened[event.round_id] = event
        return
    state = before.rounds[event.round_id]  # type: ignore[attr-defined]
    match event:
        case LotSeeded():
            opened = before.opened[event.round_id]
            decided = rounds.open_round(rules, state.round_id, state.number, opened.terms, event.seed)
            _must(is_seed(event.seed) and decided == (opened, event), "the seed is not the committed one")
        case PoolExtended():
            _must(
                undrawn.extend_pool(state, event.mechs, event.reason) == event, "more 'Mechs of another round"
            )
            _must(all(is_id(mech.instance_id) for mech in event.mechs), "a 'Mech with this id")
        case LotDrawn():
            _check_drawn(before, state, event)
        case FightCounted():
            _must(rounds.count_fight(state, event.fight_id) == (event,), "a fight that does not count here")
        case RoundClosed():
            _must(rounds.all_over(state), "the end of a round whose fights are not over")


def _check_opened(rules: LeagueRules, event: RoundOpened) -> None:
    rounds.check_terms(rules, event.terms)
    _must(event.lot_algorithm == ALGORITHM and is_seed(event.seed_commitment), "a lot committed like this")
    _must(all(is_id(mech.instance_id) for mech in event.terms.pool), "a 'Mech with this id")


def _check_drawn(before: Before, state: Round, event: LotDrawn) -> None:
    """R 4.1: the lot is drawn again, under the seed of its round."""
    _must(event.seed == state.seed, "the seed of the draw is not that of the round")
    distinct = len(set(event.fight_ids)) == len(event.fight_ids) == len(event.pairings)
    _must(distinct and all(map(is_id, event.fight_ids)), "fights with these ids")
    _must(before.mechwarriors.keys() >= set(event.entrants), "one is drawn who is not in here")
    earlier = sorted(before.rounds.values(), key=lambda one: one.number)
    past = [
        one.drawn
        for one in earlier
        if one.drawn is not None and one.terms.class_ == state.terms.class_ and one.number < state.number
    ]
    entrants = [before.mechwarriors[one] for one in event.entrants]
    drawn = rounds.draw(state, entrants, past, event.fight_ids)
    _must(event in (drawn, replace(drawn, rester=None)), "the seed draws something else")
