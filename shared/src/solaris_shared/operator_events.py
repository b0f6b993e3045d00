"""The kernel's own events: what operators did. They are private, and every service's log knows them."""

from dataclasses import dataclass

from solaris_shared.log.codec import EventTypes


@dataclass(frozen=True, slots=True)
class OperatorActed:
    """An operator let a handler try again, pass over an event, or be built anew.

    `kind` is projection, reactor, timer or messaging; `name` the handler's (a timer's with its key);
    `position` the place in the log at which it stood, if any.
    """

    kind: str
    name: str
    action: str
    position: int | None
    operator: str
    reason: str


KERNEL_TYPES = EventTypes({"operator-acted": OperatorActed})
