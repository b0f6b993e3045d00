"""From sealed orders to events: what happens once every side is bound, or time is up."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from solaris_combat.domain import record
from solaris_combat.domain.events import (
    AllOrdersSealed,
    FightConcluded,
    Opened,
    OrdersOpened,
    PhaseResolved,
    Request,
    SidePlan,
)
from solaris_combat.domain.fight import Fight, check_rules, nonces
from solaris_combat.engines.canonical import canonical, plain, sha256
from solaris_combat.engines.contract import Asked, Question
from solaris_combat.engines.dice import SeededDice, dice_key
from solaris_combat.engines.registry import AnyEngine

MOST_QUESTIONS = 200


@dataclass(frozen=True, slots=True)
class Questions:
    """Nothing happens before these sides have answered; `digests` name the questions."""

    questions: Mapping[str, Question]
    digests: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The events that carry the request out."""

    events: tuple[object, ...]


def ready(fight: Fight) -> bool:
    """Whether the present request can be tried: all sides sealed, nobody owes an answer, or time is up."""
    return fight.request is not None and (fight.expired or bound(fight))


def bound(fight: Fight) -> bool:
    """Whether every side that is asked has sealed, and none owes an answer."""
    asked = fight.request.sides if fight.request else ()
    return set(asked) <= set(fight.sealed) and not fight.asked


def next_request(engine: AnyEngine, game: Any) -> Request | None:
    """The request the engine makes now; all sides that have something to order are asked the same."""
    asked = {side: engine.request(game, side) for side in sorted(engine.waiting_for(game))}
    sides = tuple(side for side, one in asked.items() if one)
    first = next((one for one in asked.values() if one), None)
    return Request(first.turn, first.kind, sides) if first else None


def resolve(
    fight: Fight,
    sealed: Mapping[str, Opened],
    answers: Mapping[tuple[str, str], Opened],
    seed: bytes,
    now: datetime | None,
) -> Resolution | Questions:
    """Carry out the present request with the orders and answers the sides had sealed.

    Where time is up a missing order or answer is replaced by the engine's default. `answers` are looked up by
    side and question digest. `now` dates the next deadline; None (off-line) sets none.
    """
    plans = _plans(fight, sealed)
    key = dice_key(seed, fight.nonces or nonces(fight, plans))
    played = _play(fight, plans, answers, key, seed)
    if isinstance(played, Questions):
        return played
    return Resolution(_events(fight, played, seed, now))


def question_digest(seed: bytes, side: str, question: Question) -> str:
    """Names a question; keyed with the secret seed, so it tells nothing to a reader of the database."""
    return sha256(seed + side.encode() + canonical(plain(question)))


@dataclass(frozen=True, slots=True)
class _Played:
    plans: tuple[SidePlan, ...]
    events: tuple[object, ...]
    position: int


def _plans(fight: Fight, sealed: Mapping[str, Opened]) -> tuple[SidePlan, ...]:
    assert fight.request is not None
    return tuple(SidePlan(side, sealed.get(side) or _default(fight, side)) for side in fight.request.sides)


def _default(fight: Fight, side: str) -> Opened:
    engine = fight.playing
    return Opened(engine.orders_json(engine.default_orders(fight.game, side)), "", "")


def _play(
    fight: Fight,
    plans: tuple[SidePlan, ...],
    answers: Mapping[tuple[str, str], Opened],
    key: bytes,
    seed: bytes,
) -> _Played | Questions:
    """Run the engine, each time with one more round of answers, always from the same dice position.

    A side that has nothing to order was not asked: its defaults are carried out, and no plan of it is told.
    """
    assert fight.request is not None
    check_rules(fight)
    asked_sides = fight.request.sides
    idle = sorted(fight.playing.waiting_for(fight.game) - set(asked_sides))
    plans = (*plans, *(SidePlan(side, _default(fight, side)) for side in idle))
    for _ in range(MOST_QUESTIONS):
        dice = SeededDice(key, fight.dice_position)
        decided = fight.playing.decide(fight.game, _orders(fight.playing, plans), dice)
        if not isinstance(decided, Asked):
            told = tuple(plan for plan in plans if plan.side in asked_sides)
            return _Played(told, decided, dice.position)
        digests = {side: question_digest(seed, side, asked) for side, asked in decided.questions.items()}
        given = {
            side: answers.get((side, digests[side])) or _default_answer(fight, side, asked)
            for side, asked in decided.questions.items()
        }
        still = {side: asked for side, asked in decided.questions.items() if given[side] is None}
        if still:
            return Questions(still, {side: digests[side] for side in still})
        plans = tuple(_with_answer(plan, given.get(plan.side)) for plan in plans)
    raise RuntimeError(f"{fight.playing.ruleset} asked {MOST_QUESTIONS} times in one request")


def _default_answer(fight: Fight, side: str, question: Question) -> Opened | None:
    assert fight.request is not None
    if not fight.expired and side in fight.request.sides:
        return None
    engine = fight.playing
    return Opened(engine.orders_json(engine.default_answer(fight.game, side, question)), "", "")


def _with_answer(plan: SidePlan, answer: Opened | None) -> SidePlan:
    return replace(plan, answers=(*plan.answers, answer)) if answer else plan


def _orders(engine: AnyEngine, plans: Iterable[SidePlan]) -> dict[str, Any]:
    return {plan.side: plan_orders(engine, plan) for plan in plans}


def plan_orders(engine: AnyEngine, plan: SidePlan) -> Any:
    """The engine's orders of a plan, answers added in their order."""
    orders = engine.parse_orders(plan.opened.orders)
    for answer in plan.answers:
        orders = engine.add_answer(orders, engine.parse_orders(answer.orders))
    return orders


def _events(fight: Fight, played: _Played, seed: bytes, now: datetime | None) -> tuple[object, ...]:
    request = fight.request
    assert request is not None
    engine, game = fight.playing, fight.game
    for event in played.events:
        game = engine.evolve(game, event)
    outcome = engine.outcome(game)
    following = None if outcome else next_request(engine, game)
    deadline = now + timedelta(seconds=fight.terms.turn_seconds) if now and following else None
    events = (
        _all_sealed(request, played.plans),
        OrdersOpened(request.turn, request.kind, played.plans, engine.withheld(played.events)),
        *played.events,
        PhaseResolved(request.turn, request.kind, following, deadline, played.position),
    )
    if outcome is None:
        return events
    added = tuple(line for event in events if (line := record.line_of(engine, event)))
    digest = record.digest(fight.lines + added, outcome, seed.hex())
    return (*events, FightConcluded(fight.terms, outcome, seed.hex(), digest))


def _all_sealed(request: Request, plans: tuple[SidePlan, ...]) -> AllOrdersSealed:
    commitments = {plan.side: plan.opened.commitment for plan in plans if plan.opened.commitment}
    missing = tuple(plan.side for plan in plans if not plan.opened.commitment)
    return AllOrdersSealed(request.turn, request.kind, commitments, missing)
