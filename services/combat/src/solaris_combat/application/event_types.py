"""Stored names of everything combat appends: the fight's own events and those of every engine."""

from solaris_combat.domain.events import FIGHT_EVENTS
from solaris_combat.engines.registry import Registry
from solaris_shared.log.codec import EventTypes


def event_types(registry: Registry) -> EventTypes:
    """One registry for the log; ValueError if two engines use one stored name for different events."""
    types = EventTypes(FIGHT_EVENTS)
    for engine in registry:
        types = types | EventTypes(engine.event_types)
    return types
