"""Named steps at which tests make a process stop, wait or fail. Off (the normal case), a step costs one
comparison.

Set with "name:action[=argument][@number|@p<probability>][#seed]", several joined by ";":
`relay.published_not_acked:exit@3` ends the process at the third passing, `proj.mid_batch:sleep=2@p0.1#7`
waits two seconds at a tenth of the passings, `con.before_commit:error` raises there.
"""

import asyncio
import os
import random
from dataclasses import dataclass, field
from enum import StrEnum

EXIT_CODE = 77


class Failpoint(StrEnum):
    """Every step of the kernel; a service adds its own with `register`."""

    CMD_BEFORE_TX = "cmd.before_tx"
    CMD_AFTER_FIRST_WRITE = "cmd.after_first_write"
    CMD_BEFORE_COMMIT = "cmd.before_commit"
    CMD_COMMITTED_NOT_ANSWERED = "cmd.committed_not_answered"
    SEQ_HEAD_LOCKED = "seq.head_locked"
    SEQ_LOG_MOVED = "seq.log_moved"
    SEQ_BEFORE_COMMIT = "seq.before_commit"
    RELAY_READ = "relay.read"
    RELAY_BEFORE_PUBLISH = "relay.before_publish"
    RELAY_PUBLISHED_NOT_ACKED = "relay.published_not_acked"
    RELAY_ACKED_NOT_CHECKED = "relay.acked_not_checked"
    CON_FETCHED = "con.fetched"
    CON_BEFORE_COMMIT = "con.before_commit"
    CON_COMMITTED_NOT_ACKED = "con.committed_not_acked"
    CON_ACKED = "con.acked"
    PM_TIMER_READ = "pm.timer_read"
    PM_TIMER_EMITTED_NOT_MARKED = "pm.timer_emitted_not_marked"
    PM_REACTED_NOT_MARKED = "pm.reacted_not_marked"
    PROJ_MID_BATCH = "proj.mid_batch"
    PROJ_REBUILD_HALF = "proj.rebuild_half"
    PROJ_BEFORE_SWAP = "proj.before_swap"
    PROJ_AFTER_SWAP = "proj.after_swap"


class FailpointError(Exception):
    """Raised at a step with the action `error`."""


@dataclass(slots=True)
class Plan:
    """What one step does."""

    action: str
    argument: float
    number: int
    probability: float
    rng: random.Random
    passed: int = field(default=0)

    def due(self) -> bool:
        """Count this passing; tell whether it is one that acts."""
        self.passed += 1
        if self.number:
            return self.passed == self.number
        return self.rng.random() < self.probability


_known: set[str] = set(Failpoint)
_plans: dict[str, Plan] = {}
_hits: dict[str, int] = {}


def register(*names: str) -> None:
    """Make the steps of a service known (at import, so that `configure` accepts them)."""
    _known.update(names)


def known() -> frozenset[str]:
    """All steps of this process; a test fails if one was never passed."""
    return frozenset(_known)


def configure(text: str) -> None:
    """Set the steps described in `text`, and only those. Raises ValueError for an unknown step or action."""
    _plans.clear()
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        name, _, rest = part.partition(":")
        if name not in _known:
            raise ValueError(f"unknown step {name!r}")
        _plans[name] = _parse(rest)


def _parse(text: str) -> Plan:
    text, _, seed = text.partition("#")
    text, _, when = text.partition("@")
    action, _, argument = text.partition("=")
    if action not in ("exit", "sleep", "error"):
        raise ValueError(f"unknown action {action!r}")
    probability = float(when[1:]) if when.startswith("p") else 1.0
    number = int(when) if when and not when.startswith("p") else 0
    return Plan(action, float(argument or 0), number, probability, random.Random(seed))


def hits() -> dict[str, int]:
    """How often each step was passed in this process while any step was configured."""
    return dict(_hits)


async def hit(name: str) -> None:
    """Pass the step `name`."""
    if not _plans:
        return
    _hits[name] = _hits.get(name, 0) + 1
    if (plan := _plans.get(name)) is None or not plan.due():
        return
    if plan.action == "exit":
        os._exit(EXIT_CODE)
    if plan.action == "error":
        raise FailpointError(name)
    await asyncio.sleep(plan.argument)
