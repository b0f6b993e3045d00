"""What the world learns of a fight: an allow-list. An event that is not named here stays private.

Private on purpose: the seed, sealed orders, questions and answers, and that a deadline was reached.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from solaris_combat.domain.events import (
    AllOrdersSealed,
    DeadlineExtended,
    FightConcluded,
    FightOpened,
    FightParked,
    FightRefused,
    FightResumed,
    Opened,
    OrdersOpened,
    PhaseResolved,
    Request,
    RequestRenewed,
    Seat,
    SideSubstituted,
    Terms,
)
from solaris_combat.engines.canonical import plain
from solaris_combat.engines.contract import Json, SideOutcome
from solaris_combat.engines.registry import Registry
from solaris_shared.log.event_log import Publish
from solaris_shared.messaging.envelope import PublicEvent

STREAM = "fight-"


def publisher(registry: Registry) -> Publish:
    """The allow-list of this release: the fight's public facts, and what each engine shows the world."""
    names = {
        engine.event_types[stored]: public
        for engine in registry
        for stored, public in engine.publish_names.items()
    }

    def publish(event: object, stream: str) -> PublicEvent | None:
        fight_id = stream.partition("-")[2]
        if (fact := FACTS.get(type(event))) is not None:
            name, data = fact
            return _public(name, fight_id, data(event))
        shown = names.get(type(event))
        return _public(shown, fight_id, plain(event)) if shown else None

    return publish


def _public(name: str, fight_id: str, data: Json) -> PublicEvent:
    return PublicEvent(
        type=f"solaris.combat.{name}.v1", subject=f"fight/{fight_id}", data={"fight_id": fight_id, **data}
    )


def _opened(event: FightOpened) -> Json:
    setup = event.terms.setup
    return {
        **_schedule(event.terms),
        "turns": setup.turns,
        "turn_seconds": event.terms.turn_seconds,
        "ruleset": setup.ruleset,
        "ruleset_hash": event.ruleset_hash,
        "engine_version": event.engine_version,
        "seed_commitment": event.seed_commitment,
        "sides": [_seat(seat, setup.teams) for seat in event.terms.seats],
        "next": next_json(event.request),
        "deadline": instant(event.deadline),
    }


def _refused(event: FightRefused) -> Json:
    return {**_schedule(event.terms), "violations": plain(event.violations)}


def _schedule(terms: Terms) -> Json:
    setup = terms.setup
    return {
        "round": terms.round,
        "kind": terms.kind,
        "class": setup.fight_class,
        "arena": setup.arena,
        "referee": terms.referee,
    }


def _seat(seat: Seat, teams: Mapping[str, str]) -> Json:
    """One seat; `team` is None for who fights for himself."""
    return {
        "side": seat.unit.side,
        "team": teams.get(seat.unit.side),
        "mechwarrior_id": seat.mechwarrior_id,
        "person_id": seat.person_id,
        "name": seat.unit.name,
        "gunnery": seat.unit.gunnery,
        "piloting": seat.unit.piloting,
        "mech": {"instance_id": seat.instance_id, "model": seat.unit.model, "owner": seat.owner},
    }


def _all_sealed(event: AllOrdersSealed) -> Json:
    return {
        "turn": event.turn,
        "phase": event.kind,
        "commitments": dict(event.commitments),
        "missing": list(event.missing),
    }


def _orders_opened(event: OrdersOpened) -> Json:
    sides = [
        {"side": plan.side, **_shown(plan.opened, event.withheld), "answers": plain(plan.answers)}
        for plan in event.plans
    ]
    return {"turn": event.turn, "phase": event.kind, "sides": sides, "withheld": list(event.withheld)}


def _shown(opened: Opened, withheld: Sequence[str]) -> Json:
    """Orders without the parts that stay closed; then without the salt too, or those could be guessed."""
    if not withheld:
        return dict(plain(opened))
    orders = {part: value for part, value in opened.orders.items() if part not in withheld}
    return {"orders": plain(orders), "salt": "", "commitment": opened.commitment}


def _phase_resolved(event: PhaseResolved) -> Json:
    return {
        "turn": event.turn,
        "phase": event.kind,
        "next": next_json(event.request),
        "deadline": instant(event.deadline),
    }


def _renewed(event: RequestRenewed) -> Json:
    return {
        "next": next_json(event.request),
        "deadline": instant(event.deadline),
        "reopened": event.reopened,
    }


def _extended(event: DeadlineExtended) -> Json:
    return {
        "turn": event.turn,
        "phase": event.kind,
        "before": instant(event.before),
        "deadline": instant(event.deadline),
        "by": event.role,
        "reason": event.reason,
    }


def _substituted(event: SideSubstituted) -> Json:
    return {
        "side": event.side,
        "person_id": event.person_id,
        "before": event.before,
        "by": event.by,
        "reason": event.reason,
    }


def _parked(event: FightParked) -> Json:
    return {"code": event.code, "pinned": event.pinned, "carried": event.carried}


def _resumed(event: FightResumed) -> Json:
    return {"next": next_json(event.request), "deadline": instant(event.deadline)}


def _concluded(event: FightConcluded) -> Json:
    terms, outcome = event.terms, event.outcome
    by_side = {side.side: side for side in outcome.sides}
    return {
        **_schedule(terms),
        "turns": outcome.turns,
        "ended_by": outcome.ended_by,
        "sides": [_side_result(seat, by_side[seat.unit.side], terms.setup.teams) for seat in terms.seats],
        "purse": dict(terms.purse),
        "seed": event.seed,
        "record_digest": event.record_digest,
    }


def _side_result(seat: Seat, outcome: SideOutcome, teams: Mapping[str, str]) -> Json:
    facts = dict(outcome.facts)
    mech = {**_seat(seat, teams)["mech"], **facts.pop("mech", {})}
    return {
        "side": seat.unit.side,
        "team": teams.get(seat.unit.side),
        "mechwarrior_id": seat.mechwarrior_id,
        "person_id": seat.person_id,
        "name": seat.unit.name,
        "result": outcome.result,
        "victory_points": outcome.victory_points,
        "mech": mech,
        **facts,
    }


def next_json(request: Request | None) -> Json | None:
    """The request as the world sees it: who must order what."""
    if request is None:
        return None
    return {"turn": request.turn, "kind": request.kind, "sides": list(request.sides)}


def instant(moment: datetime | None) -> str | None:
    """RFC 3339 in UTC, or None."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None


FACTS: Mapping[type, tuple[str, Callable[[Any], Json]]] = {
    FightOpened: ("fight-opened", _opened),
    FightRefused: ("fight-refused", _refused),
    AllOrdersSealed: ("all-orders-sealed", _all_sealed),
    OrdersOpened: ("orders-opened", _orders_opened),
    PhaseResolved: ("phase-resolved", _phase_resolved),
    RequestRenewed: ("request-renewed", _renewed),
    DeadlineExtended: ("deadline-extended", _extended),
    SideSubstituted: ("side-substituted", _substituted),
    FightParked: ("fight-parked", _parked),
    FightResumed: ("fight-resumed", _resumed),
    FightConcluded: ("fight-concluded", _concluded),
}
