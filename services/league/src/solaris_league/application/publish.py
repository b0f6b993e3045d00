"""What the world may know: the allow-list from private to public events. What is not listed stays private."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from solaris_league.domain.appeal import RulingPublished
from solaris_league.domain.fight import FightVoided
from solaris_league.domain.injuries import InjuriesRolled, MechwarriorDied
from solaris_league.domain.mechwarrior import MechwarriorEntered, Promoted, Relegated
from solaris_league.domain.person import TokenRevoked
from solaris_league.domain.round import (
    ChallengeAnswered,
    ChallengeIssued,
    FightScheduled,
    LotDrawn,
    PoolExtended,
    RankingPublished,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    ScheduledSide,
)
from solaris_shared.messaging.envelope import PublicEvent

PREFIX = "solaris.league."


def publish(event: object, _stream: str) -> PublicEvent | None:
    """The public fact of a private event, or None."""
    if (fact := FACTS.get(type(event))) is None:
        return None
    name, subject, key, data = fact
    return PublicEvent(f"{PREFIX}{name}.v1", f"{subject}/{getattr(event, key)}", data(event))


def _plain(event: Any) -> dict[str, Any]:
    """The fields under their public names: `class_` is "class" outside."""
    return {name.rstrip("_"): value for name, value in msgspec.to_builtins(event).items()}


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


def challenge(event: ChallengeIssued | ChallengeAnswered) -> dict[str, Any]:
    challenger, challenged = event.fighters
    return {
        "round_id": event.round_id,
        "round": event.round,
        "class": event.class_,
        "challenge_id": event.challenge_id,
        "challenger": _plain(challenger),
        "challenged": _plain(challenged),
    }


def ruling_published(event: RulingPublished) -> dict[str, Any]:
    return {**_plain(event), "sides": [_side(side) for side in event.sides]}


def fight_voided(event: FightVoided) -> dict[str, Any]:
    return {**_plain(event), "codes": list(event.codes), "sides": [_side(side) for side in event.sides]}


def _side(side: ScheduledSide) -> dict[str, Any]:
    mech = {"instance_id": side.mech.instance_id, "model": side.mech.model, "owner": side.owner}
    return {**msgspec.to_builtins(side), "mech": mech} | {"owner": side.owner}


def _token(event: TokenRevoked) -> dict[str, Any]:
    return {"token_id": event.token_id}


def challenge_answered(event: ChallengeAnswered) -> dict[str, Any]:
    return challenge(event) | {"accepted": event.accepted}


FACTS: Mapping[type, tuple[str, str, str, Callable[[Any], dict[str, Any]]]] = {
    TokenRevoked: ("token-revoked", "token", "token_id", _token),
    MechwarriorEntered: ("mechwarrior-entered", "mechwarrior", "mechwarrior_id", _plain),
    InjuriesRolled: ("injuries-rolled", "mechwarrior", "mechwarrior_id", _plain),
    MechwarriorDied: ("mechwarrior-died", "mechwarrior", "mechwarrior_id", _plain),
    Promoted: ("promoted", "mechwarrior", "mechwarrior_id", _plain),
    Relegated: ("relegated", "mechwarrior", "mechwarrior_id", _plain),
    RoundOpened: ("round-opened", "round", "round_id", round_opened),
    ChallengeIssued: ("challenge-issued", "round", "round_id", challenge),
    ChallengeAnswered: ("challenge-answered", "round", "round_id", challenge_answered),
    LotDrawn: ("lot-drawn", "round", "round_id", lot_drawn),
    FightScheduled: ("fight-scheduled", "fight", "fight_id", fight_scheduled),
    FightVoided: ("fight-voided", "fight", "fight_id", fight_voided),
    RulingPublished: ("ruling-published", "fight", "fight_id", ruling_published),
    RoundClosed: ("round-closed", "round", "round_id", _plain),
    PoolExtended: ("pool-extended", "round", "round_id", _plain),
    RoundVoided: ("round-voided", "round", "round_id", _plain),
    RankingPublished: ("ranking-published", "round", "round_id", _plain),
}
"""Private event -> public name, its subject's kind and key, and what is told."""
