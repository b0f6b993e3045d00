"""Letters on the public facts of combat, and on those of the league about fights.

Combat's facts are understood from combat's own stream alone: the facts of two services arrive in no common
order. What combat says of a fight after the league has called it off is told to nobody. Letters on what the
league alone decides: league_letters.
"""

from uuid import UUID

from solaris_mail.application import facts
from solaris_mail.application.desk import Desk, supersede_turns
from solaris_mail.application.fight_rows import (
    change_seat,
    find_change,
    find_fight,
    is_voided,
    keep_change,
    keep_fight,
    keep_request,
    keep_turns,
)
from solaris_mail.foreign_events import (
    DEADLINE_EXTENDED,
    FIGHT_CONCLUDED,
    FIGHT_OPENED,
    FIGHT_PARKED,
    FIGHT_RESUMED,
    FIGHT_SCHEDULED,
    FIGHT_VOIDED,
    LENGTH_SET,
    OVERTIME_GRANTED,
    PHASE_RESOLVED,
    REQUEST_RENEWED,
    SIDE_SUBSTITUTED,
    SIDE_YIELDED,
    UNIT_CORRECTED,
    DeadlineExtended,
    FightConcluded,
    FightOpened,
    FightParked,
    FightResumed,
    FightScheduled,
    FightVoided,
    LengthSet,
    OvertimeGranted,
    PhaseResolved,
    Request,
    RequestRenewed,
    SideSubstituted,
    SideYielded,
    UnitCorrected,
)
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.processing.reactor import Reactor


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
        for person, you, rivals in facts.concerned(fight.sides, fight.substitutes):
            words = facts.voided(fight, you, rivals)
            await desk.write(tx, stored.event_id, str(person), "voided", words, fight.fight_id)

    return Reactor("schedule-letters", {FIGHT_SCHEDULED: on_scheduled, FIGHT_VOIDED: on_voided})


def fight_reactor(desk: Desk) -> Reactor:
    """Asks every side for orders when a turn opens or opens anew, tells what changes the fight beside the
    orders, and how it ended."""

    async def on_opened(tx: Transaction, stored: Stored) -> None:
        fight: FightOpened = stored.event
        await keep_fight(tx, fight)
        await ask(tx, desk, stored, RequestRenewed(fight.fight_id, fight.next, fight.deadline))

    async def on_resolved(tx: Transaction, stored: Stored) -> None:
        phase: PhaseResolved = stored.event
        await ask(tx, desk, stored, RequestRenewed(phase.fight_id, phase.next, phase.deadline))

    async def on_concluded(tx: Transaction, stored: Stored) -> None:
        await supersede_turns(tx, stored.event.fight_id)
        await write_results(tx, desk, stored, await find_fight(tx, stored.event.fight_id))

    handles = {FIGHT_OPENED: on_opened, PHASE_RESOLVED: on_resolved, FIGHT_CONCLUDED: on_concluded}
    return Reactor("fight-letters", handles | changes(desk) | halts(desk))


def halts(desk: Desk) -> dict:
    """Handlers of a fight that stands still and goes on."""

    async def on_parked(tx: Transaction, stored: Stored) -> None:
        event: FightParked = stored.event
        fight = await find_fight(tx, event.fight_id)
        if await is_voided(tx, event.fight_id):
            return
        for you, rivals in facts.pairs(fight.sides):
            words = facts.parked(event, fight, you, rivals)
            await desk.write(tx, stored.event_id, str(you.person_id), "parked", words, event.fight_id)

    async def on_resumed(tx: Transaction, stored: Stored) -> None:
        event: FightResumed = stored.event
        fight = await find_fight(tx, event.fight_id)
        if event.deadline != fight.deadline:
            asked = RequestRenewed(event.fight_id, event.next, event.deadline)
            await ask(tx, desk, stored, asked, resumed={})

    return {FIGHT_PARKED: on_parked, FIGHT_RESUMED: on_resumed}


def changes(desk: Desk) -> dict:
    """Handlers of what happens beside the orders: who has sealed plays no part in any of them."""

    async def on_corrected(tx: Transaction, stored: Stored) -> None:
        event: UnitCorrected = stored.event
        await keep_change(tx, event.fight_id, facts.correction(event))

    async def on_yielded(tx: Transaction, stored: Stored) -> None:
        event: SideYielded = stored.event
        await keep_change(tx, event.fight_id, {"what": event.how, "side": event.side})

    async def on_renewed(tx: Transaction, stored: Stored) -> None:
        event: RequestRenewed = stored.event
        if event.reopened:
            await ask(tx, desk, stored, event, again=await find_change(tx, event.fight_id))
        else:
            await keep_request(tx, event)

    async def on_extended(tx: Transaction, stored: Stored) -> None:
        event: DeadlineExtended = stored.event
        fight = await find_fight(tx, event.fight_id)
        asked = RequestRenewed(event.fight_id, fight.next, event.deadline)
        await ask(tx, desk, stored, asked, extended=facts.extension(event))

    async def on_substituted(tx: Transaction, stored: Stored) -> None:
        await write_substitution(tx, desk, stored)

    async def on_length(tx: Transaction, stored: Stored) -> None:
        event: LengthSet = stored.event
        await write_length(tx, desk, stored, event.turns, event.before, agreed=True)

    async def on_overtime(tx: Transaction, stored: Stored) -> None:
        event: OvertimeGranted = stored.event
        await write_length(tx, desk, stored, event.to_turn, event.turn, agreed=False)

    return {
        LENGTH_SET: on_length,
        OVERTIME_GRANTED: on_overtime,
        UNIT_CORRECTED: on_corrected,
        SIDE_YIELDED: on_yielded,
        REQUEST_RENEWED: on_renewed,
        DEADLINE_EXTENDED: on_extended,
        SIDE_SUBSTITUTED: on_substituted,
    }


async def ask(
    tx: Transaction, desk: Desk, stored: Stored, asked: RequestRenewed, **why: dict[str, str]
) -> None:
    """The same request to every side that is asked, at the same instant, whatever any has sealed. `why`: what
    it is asked again for, or has more time for."""
    await supersede_turns(tx, asked.fight_id)
    await keep_request(tx, asked)
    if asked.next is None or await is_voided(tx, asked.fight_id):
        return
    fight = await find_fight(tx, asked.fight_id)
    for you, rivals in facts.pairs(fight.sides):
        if is_asked(asked.next, you.side):
            words = facts.turn(asked.next, fight, you, rivals, why)
            person = str(you.person_id)
            await desk.write(tx, stored.event_id, person, "turn", words, fight.fight_id, asked.deadline)


def is_asked(request: Request | None, side: str) -> bool:
    """Whether a side has something to order now."""
    return request is not None and (not request.sides or side in request.sides)


async def write_substitution(tx: Transaction, desk: Desk, stored: Stored) -> None:
    """Tells who plays from here on what is asked, who played before that it is over, the others who left."""
    event: SideSubstituted = stored.event
    fight = await find_fight(tx, event.fight_id)
    if await is_voided(tx, event.fight_id):
        return
    await supersede_turns(tx, event.fight_id, str(event.before))
    now = await change_seat(tx, fight, event)
    for you, rivals in facts.pairs(now.sides):
        mine = you.side == event.side
        words = facts.substitution(event, fight, you, rivals, "substitute" if mine else "other")
        kind, until = "substitution", None
        if mine and is_asked(fight.next, you.side):
            words |= facts.turn(fight.next, fight, you, rivals, {"instead": {"reason": words["reason"]}})
            kind, until = "turn", fight.deadline
        await desk.write(tx, stored.event_id, str(you.person_id), kind, words, fight.fight_id, until)
        if mine:
            words = facts.substitution(event, fight, you, rivals, "replaced")
            before = str(event.before)
            await desk.write(tx, stored.event_id, before, "substitution", words, fight.fight_id)


async def write_length(
    tx: Transaction, desk: Desk, stored: Stored, turns: int, before: int, *, agreed: bool
) -> None:
    """Tells every side that the fight lasts longer: all have agreed, or it is level and goes on."""
    fight_id = stored.event.fight_id
    fight = await find_fight(tx, fight_id)
    await keep_turns(tx, fight_id, turns)
    if await is_voided(tx, fight_id):
        return
    for you, rivals in facts.pairs(fight.sides):
        words = facts.length(fight, you, rivals, turns, before, agreed=agreed)
        await desk.write(tx, stored.event_id, str(you.person_id), "length", words, fight_id)


async def write_results(tx: Transaction, desk: Desk, stored: Stored, fight: FightOpened) -> None:
    """The result as each side sees it; to who fought it by the schedule, and to who plays it now."""
    end: FightConcluded = stored.event
    if await is_voided(tx, end.fight_id):
        return
    names = {side.side: side.name for side in fight.sides}
    players: dict[str, UUID] = {side.side: side.person_id for side in fight.sides}
    for you, rivals in facts.pairs(end.sides):
        words = facts.result(end, you, rivals, names)
        for person in dict.fromkeys((you.person_id, players[you.side])):
            await desk.write(tx, stored.event_id, str(person), "result", words, end.fight_id)
