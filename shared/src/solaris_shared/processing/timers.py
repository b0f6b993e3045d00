"""Durable timers: rows that call a handler when they are due."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from solaris_shared.log.unit_of_work import Transaction


@dataclass(frozen=True, slots=True)
class Timer:
    """A timer that is due. `key` and `data` name the process and the state it was set for."""

    kind: str
    key: str
    due_at: datetime
    data: dict[str, Any]


TimerHandler = Callable[[Transaction, Timer], Awaitable[str]]
"""Returns "done", or "void" if the process has gone on without it."""
