"""What the league does when combat says that a fight is over, or that it cannot be fought."""

from contextlib import suppress

from solaris_league.application import permanence, rounds, substitutions
from solaris_league.domain.mechwarrior import FightOutcome
from solaris_league.domain.ranking import PERMANENCE
from solaris_league.domain.round import FightScheduled
from solaris_league.domain.rules import LeagueRules
from solaris_league.foreign_events import (
    FIGHT_CONCLUDED,
    FIGHT_REFUSED,
    SIDE_SUBSTITUTED,
    FightConcluded,
    FightRefused,
)
from solaris_shared.errors import NotFound, Rejected
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.processing.reactor import Reactor


def ranking_office(rules: LeagueRules) -> Reactor:
    """Counts each concluded fight for both mechwarriors and for its round; calls off what combat refused;
    knows who plays instead of whom."""

    async def concluded(tx: Transaction, stored: Stored) -> None:
        event = stored.event
        fight = await rounds.load_fight(tx, event.fight_id)
        if fight is None:
            return  # not drawn by this league: the fact stays in the log, it counts for nobody
        found = outcomes(event, fight)
        if fight.kind == PERMANENCE:
            await permanence.conclude(tx, rules, fight, found)
        else:
            await rounds.count(tx, rules, fight, found)

    async def refused(tx: Transaction, stored: Stored) -> None:
        event = stored.event
        with suppress(NotFound, Rejected):  # not drawn by this league; or called off before
            codes = tuple(dict.fromkeys(violation.code for violation in event.violations))
            await rounds.void_fight(tx, rules, event.fight_id, "refused", reason_of(event), codes)

    async def substituted(tx: Transaction, stored: Stored) -> None:
        if await rounds.load_fight(tx, stored.event.fight_id) is not None:
            await substitutions.seat(tx, stored.event)

    heard = {FIGHT_CONCLUDED: concluded, FIGHT_REFUSED: refused, SIDE_SUBSTITUTED: substituted}
    return Reactor("ranking-office", heard)


def reason_of(event: FightRefused) -> str:
    """Why combat refused, in one line."""
    return "; ".join(violation.detail for violation in event.violations) or "refused by combat"


def outcomes(event: FightConcluded, fight: FightScheduled) -> dict[str, FightOutcome]:
    """What the fight was for each mechwarrior."""
    first, second = event.sides
    return {
        mine.mechwarrior_id: FightOutcome(
            event.fight_id,
            fight.round,
            mine.result,
            mine.victory_points,
            other.mechwarrior_id,
            mine.pilot.dead,
            event.seed,
            fight.kind,
            fight.class_,
        )
        for mine, other in ((first, second), (second, first))
    }
