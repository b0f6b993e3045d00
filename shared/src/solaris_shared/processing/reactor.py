"""Reactors drive process managers: they turn a stored event into new events, timers and rows, exactly
once.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from solaris_shared.log.event_log import Stored
from solaris_shared.log.unit_of_work import Transaction

React = Callable[[Transaction, Stored], Awaitable[None]]


@dataclass(frozen=True)
class Reactor:
    """`handles`: stored type name, own or foreign -> what to do, in one transaction with the checkpoint.

    A reactor starts at the beginning of the log and is never rebuilt. The command id of what it appends
    derives from its name and the source event. A rule that says no is an outcome to be recorded, not an
    exception to be raised.
    """

    name: str
    handles: Mapping[str, React]
