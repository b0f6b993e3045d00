"""The fight aggregate's state and how events change it. It knows seats and sealed orders, but no game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from solaris_combat.domain import record
from solaris_combat.domain.events import (
    ActTaken,
    AllOrdersSealed,
    AnswerAsked,
    AnswerSealed,
    Box,
    DeadlineExtended,
    DeadlineReached,
    FightConcluded,
    FightOpened,
    FightParked,
    FightRefused,
    FightResumed,
    FightVoided,
    LengthWished,
    OrdersOpened,
    OrdersSealed,
    PhaseResolved,
    Request,
    RequestRenewed,
    SeedDrawn,
    SidePlan,
    SideSubstituted,
    Terms,
)
from solaris_combat.engines.registry import AnyEngine, Registry
from solaris_shared.errors import Rejected

RULESET_CHANGED = "ruleset-changed"


@dataclass(frozen=True, slots=True)
class Fight:
    """One fight. `game` is the engine's state; `sealed`, `asked`, `answers` belong to the present request;
    `comments` are what was sealed with a request to the referee and has been opened since. `wishes` for the
    length of the fight, `substitutes` of persons, `extended`: seconds of extensions used up. `ruleset_hash`:
    that of the rules it began with."""

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
    wishes: Mapping[str, int] = field(default_factory=dict)
    substitutes: Mapping[str, str] = field(default_factory=dict)
    extended: int = 0
    comments: tuple[OrdersSealed | AnswerSealed, ...] = ()
    nonces: tuple[bytes, ...] = ()
    dice_position: int = 0
    lines: tuple[bytes, ...] = ()
    concluded: FightConcluded | None = None
    ended: str | None = None
    ruleset_hash: str = ""
    parked: FightParked | None = None

    @property
    def playing(self) -> AnyEngine:
        """The engine of a fight that was opened."""
        assert self.engine is not None
        return self.engine

    def seat_of(self, person: str) -> str | None:
        """The side a person plays, or None."""
        return next((side for side, one in self.persons.items() if one == person), None)

    @property
    def persons(self) -> Mapping[str, str]:
        """Who plays each side now."""
        return {seat.unit.side: seat.person_id for seat in self.terms.seats} | dict(self.substitutes)


def rules_fit(fight: Fight) -> bool:
    """Whether the tables of this release are those the fight began with: it ends under its own."""
    return fight.playing.ruleset_hash == fight.ruleset_hash


def check_rules(fight: Fight) -> None:
    """Rejected where the tables of this release are not those the fight began with."""
    if not rules_fit(fight):
        raise Rejected(
            RULESET_CHANGED,
            "the tables of the ruleset are not those this fight began with; put them back, or void the fight",
            pinned=fight.ruleset_hash,
            carried=fight.playing.ruleset_hash,
        )


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
                ruleset_hash=event.ruleset_hash,
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
    """Wishes for a length lapse with the beginning: they were for the mean, and consent to nothing later."""
    began = event.turn == 0 and event.request is not None and event.request.turn > 0
    following = replace(
        fight, request=event.request, deadline=event.deadline, dice_position=event.dice_position
    )
    return replace(following, wishes={}) if began else following


def _renew(fight: Fight, event: RequestRenewed) -> Fight:
    asked = replace(fight, request=event.request, deadline=event.deadline)
    return replace(asked, sealed={}, asked={}, answers={}, expired=False) if event.reopened else asked


def _wish(fight: Fight, event: LengthWished) -> Fight:
    return replace(fight, wishes={**fight.wishes, event.by: event.turns})


def _take_act(fight: Fight, event: ActTaken) -> Fight:
    return replace(fight, wishes={}) if event.name == "lengthen" else fight


def _extend(fight: Fight, event: DeadlineExtended) -> Fight:
    return replace(fight, deadline=event.deadline, extended=fight.extended + event.seconds)


def _substitute(fight: Fight, event: SideSubstituted) -> Fight:
    sealed = {side: one for side, one in fight.sealed.items() if side != event.side}
    wishes = {by: turns for by, turns in fight.wishes.items() if by != event.side}
    substitutes = {**fight.substitutes, event.side: event.person_id}
    return replace(fight, sealed=sealed, wishes=wishes, substitutes=substitutes)


def _park(fight: Fight, event: FightParked) -> Fight:
    return replace(fight, parked=event)


def _resume(fight: Fight, event: FightResumed) -> Fight:
    return replace(fight, parked=None, deadline=event.deadline, expired=False)


def _conclude(fight: Fight, event: FightConcluded) -> Fight:
    return replace(fight, concluded=event, request=None, deadline=None, parked=None, ended="concluded")


def _void(fight: Fight, event: FightVoided) -> Fight:
    return replace(fight, request=None, deadline=None, parked=None, ended="voided")


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
    ActTaken: _take_act,
    RequestRenewed: _renew,
    LengthWished: _wish,
    DeadlineExtended: _extend,
    SideSubstituted: _substitute,
    FightConcluded: _conclude,
    FightVoided: _void,
    FightParked: _park,
    FightResumed: _resume,
}
