"""One short function per thing that can be done to a fight, each in the caller's transaction.

All of them queue for the fight first (an advisory lock until the transaction ends): fifty last submissions
follow one another instead of racing, and exactly one resolution comes of them.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from solaris_combat.application.memory import FightMemory
from solaris_combat.application.publish import STREAM, instant
from solaris_combat.application.vault import Vault
from solaris_combat.domain.commitment import SALT_BYTES, commitment
from solaris_combat.domain.events import (
    AnswerAsked,
    AnswerSealed,
    Box,
    DeadlineReached,
    FightConcluded,
    FightOpened,
    FightVoided,
    Opened,
    OrdersSealed,
    PhaseResolved,
    Seat,
    Terms,
)
from solaris_combat.domain.fight import Fight, rules_fit
from solaris_combat.domain.opening import first_deadline, open_fight
from solaris_combat.domain.parking import park, resume
from solaris_combat.domain.resolution import Questions, ready, resolve
from solaris_combat.domain.sealing import Received, check_answer, check_orders, received
from solaris_combat.engines.contract import Json, Question, Setup, UnitSetup
from solaris_combat.engines.registry import Registry
from solaris_combat.foreign_events import FightScheduled, ScheduledSide
from solaris_shared import clock
from solaris_shared.errors import Forbidden, NotFound, PreconditionFailed
from solaris_shared.log.unit_of_work import Loaded, Transaction

DEADLINE = "fight-deadline"
PARKED = "fight-parked"
RETRY = timedelta(minutes=1)
"""How often it is looked after a parked fight."""
SEED_BYTES = 32
SEED = "seed"
PERMANENCE = "permanence"
"""Kind of a scheduled fight that goes on while it is level (R 4.3)."""


@dataclass(frozen=True, slots=True)
class Referee:
    """What handlers need beside the transaction: the games, the vault and what was folded before."""

    registry: Registry
    vault: Vault
    memory: FightMemory


def stream_of(fight_id: str) -> str:
    """The stream of a fight."""
    return STREAM + fight_id


async def load(tx: Transaction, referee: Referee, stream: str) -> Loaded[Fight]:
    """The fight as it is once everybody before us has committed."""
    await tx.conn.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", stream)
    return await referee.memory.load(tx.conn, tx.log, stream)


async def open_scheduled(tx: Transaction, referee: Referee, scheduled: FightScheduled) -> None:
    """Open a scheduled fight, or record why it cannot be; nothing if it was opened before."""
    stream = stream_of(str(scheduled.fight_id))
    loaded = await load(tx, referee, stream)
    if loaded.state is not None:
        return
    seed = referee.vault.random(SEED_BYTES)
    box = referee.vault.seal(f"{stream}/{SEED}", seed.hex())
    terms = terms_of(scheduled)
    deadline = first_deadline(terms, tx.now)
    events = open_fight(referee.registry, terms, seed, box, deadline)
    await tx.append(stream, 0, *events)
    if isinstance(events[0], FightOpened) and deadline is not None:
        await _set_deadline(tx, stream, deadline)


def terms_of(scheduled: FightScheduled) -> Terms:
    """The league's words in ours."""
    return Terms(
        fight_id=str(scheduled.fight_id),
        round=scheduled.round,
        kind=scheduled.kind,
        setup=Setup(
            scheduled.ruleset,
            scheduled.fight_class,
            scheduled.arena,
            scheduled.turns,
            tuple(_unit(side) for side in scheduled.sides),
            {side.side: side.team for side in scheduled.sides if side.team is not None},
            permanence=scheduled.kind == PERMANENCE,
        ),
        seats=tuple(
            Seat(_unit(side), side.mechwarrior_id, side.person_id, side.mech.instance_id, side.mech.owner)
            for side in scheduled.sides
        ),
        turn_seconds=scheduled.turn_seconds,
        referee=scheduled.referee,
        purse=dict(scheduled.purse),
    )


def _unit(side: ScheduledSide) -> UnitSetup:
    return UnitSetup(side.side, side.name, side.mech.model, side.gunnery, side.piloting)


async def seal(
    tx: Transaction, referee: Referee, fight_id: str, person: str, data: object, if_match: str | None = None
) -> Json:
    """Seal or replace the orders of a person's side, or answer its open question; the receipt.

    `if_match` names the commitment the caller means to replace. NotFound without such a fight, Forbidden for
    who sits on no side, Rejected when nothing is asked, Unprocessable for what is malformed or illegal.
    """
    stream = stream_of(fight_id)
    loaded = await load(tx, referee, stream)
    fight = loaded.state
    if fight is None or fight.engine is None:
        raise NotFound("fight-unknown", "there is no such fight")
    side = seat(fight, person)
    now = await clock.now(tx.conn)
    _check_match(fight, side, if_match)
    sent = received(fight, side, data)
    asked = fight.asked.get(side)
    event: OrdersSealed | AnswerSealed
    if asked is not None and sent.answers:
        event = _seal_answer(referee, fight, asked, sent, now)
    else:
        event = _seal_orders(referee, fight, side, sent, now)
    await tx.append(stream, loaded.version, event)
    return receipt(event)


def seat(fight: Fight, person: str) -> str:
    """The side a person plays; Forbidden if he plays none."""
    side = fight.seat_of(person)
    if side is None:
        raise Forbidden("not-your-fight", "you sit on no side of this fight")
    return side


def receipt(event: OrdersSealed | AnswerSealed) -> Json:
    """What the side keeps: the same hash will stand in the resolution."""
    return {
        "receipt": event.commitment,
        "commitment": event.commitment,
        "request": {"turn": event.turn, "kind": event.kind},
        "sealed_at": instant(event.at),
    }


def _check_match(fight: Fight, side: str, if_match: str | None) -> None:
    sealed = fight.sealed.get(side)
    if if_match is not None and (sealed is None or sealed.commitment != if_match):
        raise PreconditionFailed("orders-changed", "your orders are not those you mean to replace")


def _seal_orders(referee: Referee, fight: Fight, side: str, sent: Received, now: datetime) -> OrdersSealed:
    orders = check_orders(fight, side, sent.orders, now)
    request = fight.request
    assert request is not None
    opened = _opened(referee, orders)
    box = referee.vault.seal(_place(fight, side), _content(opened))
    comment = _comment_box(referee, fight, side, sent.comment)
    return OrdersSealed(side, request.turn, request.kind, box, opened.commitment, now, comment)


def _seal_answer(
    referee: Referee, fight: Fight, asked: AnswerAsked, sent: Received, now: datetime
) -> AnswerSealed:
    answer = check_answer(fight, asked.side, open_question(referee, fight, asked), sent.orders, now)
    opened = _opened(referee, answer)
    box = referee.vault.seal(_place(fight, asked.side), _content(opened))
    comment = _comment_box(referee, fight, asked.side, sent.comment)
    return AnswerSealed(
        asked.side, asked.turn, asked.kind, asked.digest, box, opened.commitment, now, comment
    )


def _comment_box(referee: Referee, fight: Fight, side: str, comment: str) -> Box | None:
    return referee.vault.seal(f"{_place(fight, side)}/comment", comment) if comment else None


def open_comment(referee: Referee, fight: Fight, sealed: OrdersSealed | AnswerSealed) -> str:
    """The special request sealed with orders: for its side, and for the referee once they are open."""
    if sealed.comment is None:
        return ""
    place = f"{stream_of(fight.terms.fight_id)}/{sealed.turn}/{sealed.kind}/{sealed.side}/comment"
    return str(referee.vault.open(place, sealed.comment))


def _opened(referee: Referee, orders: Any) -> Opened:
    salt = referee.vault.random(SALT_BYTES)
    return Opened(orders, salt.hex(), commitment(salt, orders))


def _content(opened: Opened) -> Json:
    return {"orders": opened.orders, "salt": opened.salt}


def open_own(referee: Referee, fight: Fight, sealed: OrdersSealed | AnswerSealed) -> Opened:
    """What a side sealed; only for that side, or for the resolution."""
    content = referee.vault.open(_place(fight, sealed.side), sealed.box)
    return Opened(content["orders"], content["salt"], sealed.commitment)


def open_question(referee: Referee, fight: Fight, asked: AnswerAsked) -> Question:
    """The question put to a side; only for that side."""
    content = referee.vault.open(_place(fight, asked.side), asked.box)
    return Question(content["turn"], content["kind"], content["facts"], content["options"])


def _place(fight: Fight, side: str) -> str:
    request = fight.request
    assert request is not None
    return f"{stream_of(fight.terms.fight_id)}/{request.turn}/{request.kind}/{side}"


async def resolve_ready(tx: Transaction, referee: Referee, stream: str) -> None:
    """Carry out the present request if every side is bound or time is up; else nothing. A fight that cannot
    go on is parked: nobody else's waits for it."""
    loaded = await load(tx, referee, stream)
    fight = loaded.state
    if fight is None or not ready(fight):
        return
    if fight.parked is not None or not rules_fit(fight):
        await _hold(tx, stream, loaded.version, fight)
        return
    assert fight.seed is not None
    seed = bytes.fromhex(referee.vault.open(f"{stream}/{SEED}", fight.seed))
    sealed = {side: open_own(referee, fight, event) for side, event in fight.sealed.items()}
    answers = {key: open_own(referee, fight, event) for key, event in fight.answers.items()}
    result = resolve(fight, sealed, answers, seed, tx.now)
    if isinstance(result, Questions):
        await tx.append(stream, loaded.version, *_asked(referee, fight, result))
        return
    await tx.append(stream, loaded.version, *result.events)
    await _after(tx, stream, result.events)


async def _hold(tx: Transaction, stream: str, version: int, fight: Fight) -> None:
    """Park the fight and look after it again and again; or let it go on, which this stream will tell."""
    for resumed in resume(fight, tx.now):
        await tx.append(stream, version, resumed)
        await tx.cancel_timer(PARKED, stream)
        if resumed.deadline is not None and resumed.deadline != fight.deadline:
            await _set_deadline(tx, stream, resumed.deadline)
        return
    await tx.append(stream, version, *park(fight, tx.now))
    await tx.set_timer(PARKED, stream, tx.now + RETRY)


async def look_after(tx: Transaction, referee: Referee, stream: str) -> str:
    """Whether a parked fight can go on by now."""
    loaded = await load(tx, referee, stream)
    if loaded.state is None or loaded.state.parked is None:
        return "void"
    await _hold(tx, stream, loaded.version, loaded.state)
    return "done"


def _asked(referee: Referee, fight: Fight, asked: Questions) -> list[AnswerAsked]:
    assert fight.request is not None
    kind = fight.request.kind
    return [
        AnswerAsked(side, question.turn, kind, _box(referee, fight, side, question), asked.digests[side])
        for side, question in asked.questions.items()
    ]


def _box(referee: Referee, fight: Fight, side: str, question: Question) -> Any:
    content = {
        "turn": question.turn,
        "kind": question.kind,
        "facts": question.facts,
        "options": question.options,
    }
    return referee.vault.seal(_place(fight, side), content)


async def _after(tx: Transaction, stream: str, events: tuple[object, ...]) -> None:
    """The next deadline, or none."""
    for event in events:
        if isinstance(event, PhaseResolved) and event.deadline is not None:
            await _set_deadline(tx, stream, event.deadline)
        if isinstance(event, FightConcluded):
            await tx.cancel_timer(DEADLINE, stream)


async def _set_deadline(tx: Transaction, stream: str, due: datetime) -> None:
    await tx.set_timer(DEADLINE, stream, due)


async def expire(tx: Transaction, referee: Referee, stream: str, due: datetime) -> str:
    """Append DeadlineReached unless the fight has gone on since the timer was set."""
    loaded = await load(tx, referee, stream)
    fight = loaded.state
    if fight is None or fight.request is None or fight.expired or fight.deadline != due:
        return "void"
    request = fight.request
    await tx.append(stream, loaded.version, DeadlineReached(request.turn, request.kind, tx.now))
    return "done"


async def void(tx: Transaction, referee: Referee, fight_id: str, reason: str) -> None:
    """End a fight the league called off; a fight that is over, or that never was, stays as it is."""
    loaded = await load(tx, referee, stream_of(fight_id))
    if loaded.state is None or loaded.state.ended:
        return
    await tx.append(loaded.stream, loaded.version, FightVoided(reason))
    for kind in (DEADLINE, PARKED):
        await tx.cancel_timer(kind, loaded.stream)
