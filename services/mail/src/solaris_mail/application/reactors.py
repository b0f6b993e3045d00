"""Letters on the public facts of the league and of combat.

Combat's facts are understood from combat's own stream alone: the facts of two services arrive in no common
order. What combat says of a fight after the league has called it off is told to nobody.
"""

from uuid import UUID

import msgspec

from solaris_mail.application import facts
from solaris_mail.application.desk import Desk, supersede_turns
from solaris_mail.foreign_events import (
    COMBAT,
    LEAGUE,
    FightConcluded,
    FightOpened,
    FightScheduled,
    FightVoided,
    PhaseResolved,
    Side,
)
from solaris_shared.errors import Unavailable
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.processing.reactor import Reactor

FIGHT_SCHEDULED, FIGHT_VOIDED = LEAGUE
FIGHT_OPENED, PHASE_RESOLVED, FIGHT_CONCLUDED = COMBAT

KEEP_FIGHT = """
INSERT INTO fight (fight_id, arena, turns, sides) VALUES ($1, $2, $3, $4::text::jsonb)
ON CONFLICT (fight_id) DO NOTHING
"""
IS_VOIDED = "SELECT EXISTS (SELECT FROM letter WHERE fight_id = $1 AND kind = 'voided')"
FIND_FIGHT = "SELECT arena, turns, sides::text FROM fight WHERE fight_id = $1"


def schedule_reactor(desk: Desk) -> Reactor:
    """Tells every side what the draw has made, and that a fight is off."""

    async def on_scheduled(tx: Transaction, stored: Stored) -> None:
        fight: FightScheduled = stored.event
        for you, rivals in facts.pairs(fight.sides):
            words = facts.scheduled(fight, you, rivals)
            await desk.write(tx, stored.event_id, str(you.person_id), "scheduled", words, fight.fight_id)

    async def on_voided(tx: Transaction, stored: Stored) -> None:
        fight: FightVoided = stored.event
        await supersede_turns(tx, fight.fight_id)
        for you, rivals in facts.pairs(fight.sides):
            words = facts.voided(fight, you, rivals)
            await desk.write(tx, stored.event_id, str(you.person_id), "voided", words, fight.fight_id)

    return Reactor("schedule-letters", {FIGHT_SCHEDULED: on_scheduled, FIGHT_VOIDED: on_voided})


def fight_reactor(desk: Desk) -> Reactor:
    """Asks every side for orders when a turn opens, and tells each how the fight ended."""

    async def on_opened(tx: Transaction, stored: Stored) -> None:
        fight: FightOpened = stored.event
        await keep_fight(tx, fight)
        await write_turn(tx, desk, stored, fight, PhaseResolved(fight.fight_id, fight.next, fight.deadline))

    async def on_resolved(tx: Transaction, stored: Stored) -> None:
        phase: PhaseResolved = stored.event
        await supersede_turns(tx, phase.fight_id)
        if phase.next is not None:
            await write_turn(tx, desk, stored, await find_fight(tx, phase.fight_id), phase)

    async def on_concluded(tx: Transaction, stored: Stored) -> None:
        await supersede_turns(tx, stored.event.fight_id)
        await write_results(tx, desk, stored, await find_fight(tx, stored.event.fight_id))

    handles = {FIGHT_OPENED: on_opened, PHASE_RESOLVED: on_resolved, FIGHT_CONCLUDED: on_concluded}
    return Reactor("fight-letters", handles)


async def write_turn(
    tx: Transaction, desk: Desk, stored: Stored, fight: FightOpened, phase: PhaseResolved
) -> None:
    """The same request to every side that is asked, at the same instant, whatever any has sealed."""
    if await is_voided(tx, fight.fight_id):
        return
    for you, rivals in facts.pairs(fight.sides):
        if phase.next.sides and you.side not in phase.next.sides:
            continue
        words = facts.turn(phase.next, fight.arena, fight.turns, you, rivals)
        await desk.write(
            tx, stored.event_id, str(you.person_id), "turn", words, fight.fight_id, phase.deadline
        )


async def write_results(tx: Transaction, desk: Desk, stored: Stored, fight: FightOpened) -> None:
    """The result as each side sees it."""
    end: FightConcluded = stored.event
    if await is_voided(tx, end.fight_id):
        return
    names = {side.side: side.name for side in fight.sides}
    for you, rivals in facts.pairs(end.sides):
        words = facts.result(end, you, rivals, names)
        await desk.write(tx, stored.event_id, str(you.person_id), "result", words, end.fight_id)


async def is_voided(tx: Transaction, fight_id: UUID) -> bool:
    """Whether the fighters have been told that the fight is off."""
    return bool(await tx.conn.fetchval(IS_VOIDED, fight_id))


async def keep_fight(tx: Transaction, fight: FightOpened) -> None:
    """Remember who fights where, for the letters to come."""
    sides = msgspec.json.encode(fight.sides).decode()
    await tx.conn.execute(KEEP_FIGHT, fight.fight_id, fight.arena, fight.turns, sides)


async def find_fight(tx: Transaction, fight_id: UUID) -> FightOpened:
    """What FightOpened told. Unavailable: it has not come in yet; the reactor waits, visibly."""
    row = await tx.conn.fetchrow(FIND_FIGHT, fight_id)
    if row is None:
        raise Unavailable("fight-unknown", f"FightOpened of {fight_id} has not been imported")
    sides = msgspec.json.decode(row["sides"], type=tuple[Side, ...])
    return FightOpened(fight_id=fight_id, arena=row["arena"], turns=row["turns"], sides=sides)
