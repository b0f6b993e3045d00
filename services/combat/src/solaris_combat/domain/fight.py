"""The fight aggregate's state and how events change it. It knows seats and sealed orders, but no game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from solaris_combat.domain import record
from solaris_combat.domain.events import (
    AllOrdersSealed,
    AnswerAsked,
    AnswerSealed,
    Box,
    DeadlineReached,
    FightConcluded,
    FightOpened,
    FightRefused,
    FightVoided,
    OrdersOpened,
    OrdersSealed,
    PhaseResolved,
    Request,
    SeedDrawn,
    SidePlan,
    Terms,
)
from solaris_combat.engines.registry import AnyEngine, Registry


@dataclass(frozen=True, slots=True)
class Fight:
    """One fight. `game` is the engine's state; `sealed`, `asked`, `answers` belong to the present request;
    `comments` are what was sealed with a request to the referee and has been opened since."""

    terms: Terms
    engine: AnyEngine | None
    seed_commitment: str = ""
    seed: Box | None = None
    game: Any = None
    request: Request | None = None
    deadline: datetime | None = None
    expired: bool = False
    sealed: Mapping[str, OrdersSealed] = field(default_factory=dict)
    asked: Mapping[str, AnswerAsked] = field(default_factory=dict)
    answers: Mapping[tuple[str, str], AnswerSealed] = field(default_factory=dict)
    comments: tuple[OrdersSealed | AnswerSealed, ...] = ()
    nonces: tuple[bytes, ...] = ()
    dice_position: int = 0
    lines: tuple[bytes, ...] = ()
    concluded: FightConcluded | None = None
    ended: str | None = None

    @property
    def playing(self) -> AnyEngine:
        """The engine of a fight that was opened."""
        assert self.engine is not None
        return self.engine

    def seat_of(self, person: str) -> str | None:
        """The side a person plays, or None."""
        return next((seat.unit.side for seat in self.terms.seats if seat.person_id == person), None)


def evolve(registry: Registry, fight: Fight | None, event: object) -> Fight:
    """The fight after one more event of its stream."""
    if fight is None:
        return _begin(registry, event)
    change = CHANGES.get(type(event))
    changed = change(fight, event) if change else _play(fight, event)
    line = record.line_of(changed.playing, event) if changed.engine else None
    return replace(changed, lines=(*changed.lines, line)) if line else changed


def _begin(registry: Registry, event: object) -> Fight:
    match event:
        case FightOpened():
            setup = event.terms.setup
            engine = registry.pinned(setup.ruleset, event.engine_version)
            return Fight(
                terms=event.terms,
                engine=engine,
                seed_commitment=event.seed_commitment,
                request=event.request,
                deadline=event.deadline,
                lines=record.opening_lines(event, engine),
            )
        case FightRefused():
            return Fight(terms=event.terms, engine=None, ended="refused")
    raise ValueError(f"a fight cannot begin with {type(event).__name__}")


def _play(fight: Fight, event: object) -> Fight:
    return replace(fight, game=fight.playing.evolve(fight.game, event))


def _seal(fight: Fight, event: OrdersSealed) -> Fight:
    return replace(fight, sealed={**fight.sealed, event.side: event})


def _ask(fight: Fight, event: AnswerAsked) -> Fight:
    return replace(fight, asked={**fight.asked, event.side: event})


def _answer(fight: Fight, event: AnswerSealed) -> Fight:
    asked = {side: question for side, question in fight.asked.items() if side != event.side}
    return replace(fight, asked=asked, answers={**fight.answers, (event.side, event.digest): event})


def _open_orders(fight: Fight, event: OrdersOpened) -> Fight:
    said = (one for one in (*fight.sealed.values(), *fight.answers.values()) if one.comment)
    cleared = replace(
        fight, sealed={}, asked={}, answers={}, expired=False, comments=(*fight.comments, *said)
    )
    return cleared if fight.nonces else replace(cleared, nonces=nonces(fight, event.plans))


def nonces(fight: Fight, plans: tuple[SidePlan, ...]) -> tuple[bytes, ...]:
    """Every side's nonce out of its first orders, in the order of the seats."""
    engine = fight.playing
    orders = {plan.side: engine.parse_orders(plan.opened.orders) for plan in plans}
    return tuple(engine.nonce(orders[side]) for side in fight.terms.sides)


def _next(fight: Fight, event: PhaseResolved) -> Fight:
    return replace(fight, request=event.request, deadline=event.deadline, dice_position=event.dice_position)


def _conclude(fight: Fight, event: FightConcluded) -> Fight:
    return replace(fight, concluded=event, request=None, deadline=None, ended="concluded")


def _void(fight: Fight, event: FightVoided) -> Fight:
    return replace(fight, request=None, deadline=None, ended="voided")


def _unchanged(fight: Fight, event: object) -> Fight:
    return fight


CHANGES: Mapping[type, Callable[[Fight, Any], Fight]] = {
    AllOrdersSealed: _unchanged,
    SeedDrawn: lambda fight, event: replace(fight, seed=event.box),
    OrdersSealed: _seal,
    AnswerAsked: _ask,
    AnswerSealed: _answer,
    DeadlineReached: lambda fight, event: replace(fight, expired=True),
    OrdersOpened: _open_orders,
    PhaseResolved: _next,
    FightConcluded: _conclude,
    FightVoided: _void,
}
