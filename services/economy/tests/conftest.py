"""Economy's log and database for its tests."""

from pathlib import Path

import pytest

import solaris_economy
from solaris_economy.application.event_types import EVENT_TYPES
from solaris_economy.application.publish import publish
from solaris_economy.foreign_events import COMBAT, LEAGUE
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes


@pytest.fixture
def migrations() -> Path:
    return Path(solaris_economy.__file__).parent / "migrations"


@pytest.fixture
def event_log() -> EventLog:
    imports = {"league": ForeignTypes(LEAGUE), "combat": ForeignTypes(COMBAT)}
    return EventLog("economy", EVENT_TYPES, publish, imports)
