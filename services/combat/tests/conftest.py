"""Combat on a real database with the little game of `ropes`, and the league as an importer would store it."""

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import hall as halls
from ropes import Ropes

from solaris_combat.engines.registry import Registry
from solaris_combat.main import MIGRATIONS, definition
from solaris_shared.database import open_engine
from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.tokens import make_key, public_jwks
from solaris_shared.log.event_log import EventLog
from solaris_shared.settings import Settings


@pytest.fixture
def migrations() -> Path:
    return MIGRATIONS


@pytest.fixture
def registry() -> Registry:
    return Registry([Ropes()])


@pytest.fixture
def signing_key() -> dict:
    return make_key()


@pytest.fixture
def settings(database: str, tmp_path: Path, signing_key: dict) -> Settings:
    (tmp_path / "jwks.json").write_text(json.dumps(public_jwks(signing_key)))
    return Settings(
        service="combat",
        database_url=database,
        database_pool=20,
        jwks_file=tmp_path / "jwks.json",
        data_key="0123456789abcdef" * 4,
        cursor_key="c" * 32,
    )


@pytest.fixture
def service(settings: Settings, registry: Registry) -> ServiceDefinition:
    """Its entropy is fixed, so the same test always draws the same seed."""
    return definition(settings, registry, halls.entropy())


@pytest.fixture
def event_log(service: ServiceDefinition) -> EventLog:
    return service.log


@pytest.fixture
async def hall(store, service, database, registry) -> AsyncIterator["halls.Hall"]:
    """The running service without its processes: every loop is stepped until nothing is left to do."""
    engine = open_engine(database, name="combat-test")
    hall = halls.Hall(store, engine, service, registry, str(uuid4()))
    await hall.prepare()
    yield hall
    await engine.dispose()
