"""What the league does when the referee's service says that a fight is over."""

from solaris_league.application import mechwarriors, rounds
from solaris_league.domain.mechwarrior import FightOutcome
from solaris_league.domain.rules import LeagueRules
from solaris_league.foreign_events import FIGHT_CONCLUDED, FightConcluded
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.processing.reactor import Reactor


def ranking_office(rules: LeagueRules) -> Reactor:
    """Counts each concluded fight for both mechwarriors and for its round."""

    async def concluded(tx: Transaction, stored: Stored) -> None:
        event = stored.event
        fight = await rounds.load_fight(tx, event.fight_id)
        if fight is None:
            return  # not drawn by this league: the fact stays in the log, it counts for nobody
        for mechwarrior_id, outcome in outcomes(event, fight.round).items():
            await mechwarriors.record(tx, rules, mechwarrior_id, outcome)
        await rounds.count(tx, rules, fight)

    return Reactor("ranking-office", {FIGHT_CONCLUDED: concluded})


def outcomes(event: FightConcluded, round_number: int) -> dict[str, FightOutcome]:
    """What the fight was for each mechwarrior."""
    first, second = event.sides
    return {
        mine.mechwarrior_id: FightOutcome(
            event.fight_id, round_number, mine.result, mine.victory_points, other.mechwarrior_id
        )
        for mine, other in ((first, second), (second, first))
    }
