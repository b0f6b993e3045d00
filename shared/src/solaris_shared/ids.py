"""Identifiers. None of them embeds time, so none tells when, or in which order, something happened."""

import json
from uuid import UUID, uuid4, uuid5

NAMESPACE = UUID("6f7c1c6e-6f0b-5d0c-9c7e-7a1f2d3b4c5d")


def new_id() -> UUID:
    """A random id (UUID version 4)."""
    return uuid4()


def derived_id(*parts: str) -> UUID:
    """The id which these parts, in this order, always give; ("ab", "c") and ("a", "bc") differ."""
    return uuid5(NAMESPACE, json.dumps(parts))


def command_id(principal: str, route: str, key: str) -> UUID:
    """The id of a command: one principal's one Idempotency-Key on one route is one command."""
    return derived_id("command", principal, route, key)


def event_id(command: UUID, index: int) -> UUID:
    """The id of the event which `command` appended as its `index`-th, from 0, over all streams."""
    return uuid5(command, str(index))
