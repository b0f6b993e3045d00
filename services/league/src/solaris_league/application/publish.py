"""What the world may know: the allow-list from private to public events. What is not listed stays private."""

from dataclasses import asdict
from typing import Any

from solaris_league.domain.appeal import RulingPublished
from solaris_league.domain.fight import FightVoided
from solaris_league.domain.injuries import InjuriesRolled, MechwarriorDied
from solaris_league.domain.mechwarrior import MechwarriorEntered
from solaris_league.domain.person import TokenRevoked
from solaris_league.domain.round import (
    FightScheduled,
    LotDrawn,
    RankingPublished,
    RoundClosed,
    RoundOpened,
    ScheduledSide,
)
from solaris_shared.messaging.envelope import PublicEvent

PREFIX = "solaris.league."
OF_MECHWARRIORS = {
    MechwarriorEntered: "mechwarrior-entered",
    InjuriesRolled: "injuries-rolled",
    MechwarriorDied: "mechwarrior-died",
}


def publish(event: object, _stream: str) -> PublicEvent | None:
    """The public fact of a private event, or None."""
    match event:
        case TokenRevoked():
            return _fact("token-revoked", f"token/{event.token_id}", {"token_id": event.token_id})
        case MechwarriorEntered() | InjuriesRolled() | MechwarriorDied():
            return _fact(OF_MECHWARRIORS[type(event)], f"mechwarrior/{event.mechwarrior_id}", _plain(event))
        case RoundOpened():
            return _fact("round-opened", f"round/{event.round_id}", round_opened(event))
        case LotDrawn():
            return _fact("lot-drawn", f"round/{event.round_id}", lot_drawn(event))
        case FightScheduled():
            return _fact("fight-scheduled", f"fight/{event.fight_id}", fight_scheduled(event))
        case FightVoided():
            return _fact("fight-voided", f"fight/{event.fight_id}", fight_voided(event))
        case RulingPublished():
            return _fact("ruling-published", f"fight/{event.fight_id}", _plain(event))
        case RoundClosed():
            return _fact("round-closed", f"round/{event.round_id}", _plain(event))
        case RankingPublished():
            return _fact("ranking-published", f"round/{event.round_id}", _plain(event))
    return None


def _fact(name: str, subject: str, data: dict[str, Any]) -> PublicEvent:
    return PublicEvent(f"{PREFIX}{name}.v1", subject, data)


def _plain(event: Any) -> dict[str, Any]:
    """The fields under their public names: `class_` is "class" outside."""
    return {name.rstrip("_"): value for name, value in asdict(event).items()}


def round_opened(event: RoundOpened) -> dict[str, Any]:
    return {
        "round_id": event.round_id,
        "number": event.number,
        **_plain(event.terms),
        "lot_algorithm": event.lot_algorithm,
        "seed_commitment": event.seed_commitment,
    }


def lot_drawn(event: LotDrawn) -> dict[str, Any]:
    met = [{"mechwarrior_ids": [a, b], "times": times} for a, b, times in event.met]
    challenged = [list(pair) for pair in event.challenged]
    return {**_plain(event), "met": met, "challenged": challenged}


def fight_scheduled(event: FightScheduled) -> dict[str, Any]:
    return {
        "fight_id": event.fight_id,
        "round_id": event.round_id,
        "round": event.round,
        "ruleset": event.ruleset,
        "class": event.class_,
        "arena": event.arena,
        "turns": event.turns,
        "kind": event.kind,
        "turn_seconds": event.turn_seconds,
        "referee": None,
        "purse": dict(event.purse),
        "sides": [_side(side) for side in event.sides],
    }


def fight_voided(event: FightVoided) -> dict[str, Any]:
    return {**_plain(event), "codes": list(event.codes), "sides": [_side(side) for side in event.sides]}


def _side(side: ScheduledSide) -> dict[str, Any]:
    mech = {"instance_id": side.mech.instance_id, "model": side.mech.model, "owner": side.owner}
    return {**asdict(side), "mech": mech} | {"owner": side.owner}
