"""The record of a fight (`.s7r`): canonical JSON lines, the same bytes off-line and from the service.

Header (with `teams` where sides fight together), one load-out per side, the engine's opening events; then per
request the opened orders and what came of them; the result with the opened seed; the digest of every
byte before it (SHA-256). There is no clock time in it, so the same seed and orders always give the same file.
"""

from typing import Any

from solaris_combat.domain.events import (
    ActTaken,
    FightConcluded,
    FightOpened,
    OrdersOpened,
    PhaseResolved,
    RequestRenewed,
    SidePlan,
)
from solaris_combat.engines.canonical import canonical, plain, sha256
from solaris_combat.engines.contract import Outcome
from solaris_combat.engines.dice import ALGORITHM
from solaris_combat.engines.registry import AnyEngine

FORMAT = "s7r/1"


def opening_lines(event: FightOpened, engine: AnyEngine) -> tuple[bytes, ...]:
    """Header and load-outs."""
    setup = event.terms.setup
    header = {
        "line": "header",
        "format": FORMAT,
        "release": event.release,
        "dice": ALGORITHM,
        "fight": event.terms.fight_id,
        "ruleset": setup.ruleset,
        "ruleset_hash": event.ruleset_hash,
        "engine": event.engine_version,
        "class": setup.fight_class,
        "arena": setup.arena,
        "turns": setup.turns,
        "sides": list(event.terms.sides),
        "seed_commitment": event.seed_commitment,
        **({"teams": dict(setup.teams)} if setup.teams else {}),
        **({"permanence": True} if setup.permanence else {}),
    }
    loadouts = [
        {
            "line": "loadout",
            "sheet": sha256(canonical(engine.models[unit.model])),
            **plain(unit),
        }
        for unit in setup.units
    ]
    return tuple(_line(entry) for entry in (header, *loadouts))


def line_of(engine: AnyEngine, event: object) -> bytes | None:
    """The line an event adds to the record, or None; the conclusion adds the result and the digest."""
    match event:
        case OrdersOpened():
            plans = [_plan(plan) for plan in event.plans]
            return _line({"line": "orders", "turn": event.turn, "kind": event.kind, "sides": plans})
        case ActTaken():
            return _line({"line": "act", "name": event.name, "data": plain(event.data)})
        case RequestRenewed():
            return _line({"line": "renewed", "next": plain(event.request), "reopened": event.reopened})
        case PhaseResolved():
            request = plain(event.request)
            return _line({"line": "phase", "turn": event.turn, "kind": event.kind, "next": request})
        case FightConcluded():
            return result_line(event.outcome, event.seed) + digest_line(event.record_digest)
    name = next((name for name, cls in engine.event_types.items() if cls is type(event)), None)
    return _line({"line": "event", "event": name, "data": plain(event)}) if name else None


def result_line(outcome: Outcome, seed: str) -> bytes:
    """Who won, and the opened seed."""
    return _line({"line": "result", "seed": seed, **plain(outcome)})


def digest_line(digest: str) -> bytes:
    """The last line."""
    return _line({"line": "digest", "sha256": digest})


def digest(lines: tuple[bytes, ...], outcome: Outcome, seed: str) -> str:
    """Digest of a record whose lines up to the result are given."""
    return sha256(b"".join(lines) + result_line(outcome, seed))


def _plan(plan: SidePlan) -> dict[str, Any]:
    return {"side": plan.side, **plain(plan.opened), "answers": plain(plan.answers)}


def _line(entry: dict[str, Any]) -> bytes:
    return canonical(entry) + b"\n"
