"""What combat does when something has happened: open what the league schedules, resolve what is complete."""

from solaris_combat.application.fights import Referee, expire, look_after, open_scheduled, resolve_ready, void
from solaris_combat.foreign_events import FIGHT_SCHEDULED, FIGHT_VOIDED, FightScheduled, FightVoided
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.processing.reactor import React, Reactor
from solaris_shared.processing.timers import Timer, TimerHandler


def schedule_reactor(referee: Referee) -> Reactor:
    """Opens and calls off fights as the league says."""

    async def scheduled(tx: Transaction, stored: Stored) -> None:
        assert isinstance(stored.event, FightScheduled)
        await open_scheduled(tx, referee, stored.event)

    async def voided(tx: Transaction, stored: Stored) -> None:
        assert isinstance(stored.event, FightVoided)
        await void(tx, referee, str(stored.event.fight_id), stored.event.reason)

    return Reactor("schedule", {FIGHT_SCHEDULED: scheduled, FIGHT_VOIDED: voided})


def resolution_reactor(referee: Referee) -> Reactor:
    """Carries a request out after the last order, answer, or the deadline, or when a fight goes on."""

    async def changed(tx: Transaction, stored: Stored) -> None:
        await resolve_ready(tx, referee, stored.stream)

    heard = ("orders-sealed", "answer-sealed", "deadline-reached", "fight-resumed")
    handles: dict[str, React] = dict.fromkeys(heard, changed)
    return Reactor("resolution", handles)


def parked_timer(referee: Referee) -> TimerHandler:
    """Looks whether a parked fight can go on."""

    async def due(tx: Transaction, timer: Timer) -> str:
        return await look_after(tx, referee, timer.key)

    return due


def deadline_timer(referee: Referee) -> TimerHandler:
    """Says that time is up."""

    async def due(tx: Transaction, timer: Timer) -> str:
        return await expire(tx, referee, timer.key, timer.due_at)

    return due
