"""Letters on what the league decides: challenges, rulings, injuries, classes, rounds."""

from solaris_mail.application import facts
from solaris_mail.application.desk import Desk
from solaris_mail.foreign_events import (
    CHALLENGE_ANSWERED,
    CHALLENGE_ISSUED,
    INJURIES_ROLLED,
    LOT_DRAWN,
    PROMOTED,
    RELEGATED,
    ROUND_VOIDED,
    RULING_PUBLISHED,
    ChallengeAnswered,
    ChallengeIssued,
    ClassChanged,
    InjuriesRolled,
    LotDrawn,
    RoundVoided,
    RulingPublished,
)
from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.processing.reactor import Reactor


def league_reactor(desk: Desk) -> Reactor:
    """Tells each person what concerns him."""

    async def on_ruling(tx: Transaction, stored: Stored) -> None:
        event: RulingPublished = stored.event
        for person, you, rivals in facts.concerned(event.sides, event.substitutes):
            words = facts.ruling(event, you, rivals)
            await desk.write(tx, stored.event_id, str(person), "ruling", words, event.fight_id)

    async def on_challenge(tx: Transaction, stored: Stored) -> None:
        event: ChallengeIssued = stored.event
        words = facts.challenge(event)
        await desk.write(tx, stored.event_id, str(event.challenged.person_id), "challenge", words)

    async def on_answer(tx: Transaction, stored: Stored) -> None:
        event: ChallengeAnswered = stored.event
        words = facts.challenge_answer(event)
        person = str(event.challenger.person_id)
        await desk.write(tx, stored.event_id, person, "challenge-answer", words)

    async def on_injuries(tx: Transaction, stored: Stored) -> None:
        event: InjuriesRolled = stored.event
        if event.person_id is not None:
            words = facts.injuries(event)
            person = str(event.person_id)
            await desk.write(tx, stored.event_id, person, "injuries", words, event.fight_id)

    async def on_moved(tx: Transaction, stored: Stored) -> None:
        event: ClassChanged = stored.event
        words, person = facts.class_changed(event), str(event.person_id)
        await desk.write(tx, stored.event_id, person, "class", words, event.fight_id)

    handles = {
        RULING_PUBLISHED: on_ruling,
        CHALLENGE_ISSUED: on_challenge,
        CHALLENGE_ANSWERED: on_answer,
        INJURIES_ROLLED: on_injuries,
        PROMOTED: on_moved,
        RELEGATED: on_moved,
    }
    return Reactor("league-letters", handles | _rounds(desk))


def _rounds(desk: Desk) -> dict:
    """Handlers of what becomes of a round."""

    async def on_drawn(tx: Transaction, stored: Stored) -> None:
        event: LotDrawn = stored.event
        if event.rester is not None:
            words = facts.resting(event, event.rester)
            await desk.write(tx, stored.event_id, str(event.rester.person_id), "resting", words)

    async def on_round_off(tx: Transaction, stored: Stored) -> None:
        event: RoundVoided = stored.event
        for one in event.fighters:
            words = facts.round_off(event, one)
            await desk.write(tx, stored.event_id, str(one.person_id), "round-voided", words)

    return {LOT_DRAWN: on_drawn, ROUND_VOIDED: on_round_off}
