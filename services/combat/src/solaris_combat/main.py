"""Composition root of combat: loads the rules, builds the vault and hands everything to the kernel."""

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI

from solaris_combat.api.catalogue_routes import catalogue_router
from solaris_combat.api.dice_routes import dice_router
from solaris_combat.api.fight_routes import fight_router
from solaris_combat.api.list_routes import list_router
from solaris_combat.api.notice_routes import notice_router
from solaris_combat.api.order_routes import order_router
from solaris_combat.api.plain_text import PATHS
from solaris_combat.api.referee_routes import referee_router
from solaris_combat.api.telling_routes import telling_router
from solaris_combat.application.event_types import event_types
from solaris_combat.application.fights import DEADLINE, PARKED, Referee
from solaris_combat.application.memory import FightMemory
from solaris_combat.application.publish import publisher
from solaris_combat.application.reactors import (
    deadline_timer,
    parked_timer,
    resolution_reactor,
    schedule_reactor,
)
from solaris_combat.application.vault import Vault
from solaris_combat.engines.dice import check_vectors
from solaris_combat.engines.registry import Registry
from solaris_combat.foreign_events import LEAGUE
from solaris_combat.projections.desks import DESKS
from solaris_combat.projections.dice import dice_statistics
from solaris_combat.projections.fights import fight_list
from solaris_combat.projections.notices import NOTICES
from solaris_combat.rulesets import rulesets
from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.app import create_app
from solaris_shared.http.revocations import revocation_models, revoked_tokens
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.settings import Settings

SERVICE = "combat"
MIGRATIONS = Path(__file__).parent / "migrations"
TOKEN_REVOKED = "solaris.league.token-revoked.v1"


def definition(
    settings: Settings | None = None,
    registry: Registry | None = None,
    random: Callable[[int], bytes] = secrets.token_bytes,
) -> ServiceDefinition:
    """The service as the kernel runs it; ValueError for a data key of fewer than 32 characters.

    The dice draw a published vector first. Without settings (generating contracts) nothing can be sealed or
    opened.
    """
    check_vectors()
    registry = registry or rulesets()
    vault = Vault(settings.data_key if settings else "", random)
    referee = Referee(registry, vault, FightMemory(registry))

    def routers(_context: Any) -> list[APIRouter]:
        return [
            list_router(),
            fight_router(referee),
            order_router(referee),
            referee_router(referee),
            notice_router(),
            telling_router(referee),
            catalogue_router(registry),
            dice_router(),
        ]

    return ServiceDefinition(
        name=SERVICE,
        log=EventLog(SERVICE, event_types(registry), publisher(registry)),
        projections=(
            fight_list(registry),
            DESKS,
            NOTICES,
            dice_statistics(registry),
            revoked_tokens(TOKEN_REVOKED),
        ),
        reactors=(schedule_reactor(referee), resolution_reactor(referee)),
        timers={DEADLINE: deadline_timer(referee), PARKED: parked_timer(referee)},
        imports={"league": ForeignTypes({**LEAGUE, **revocation_models(TOKEN_REVOKED)})},
        migrations=MIGRATIONS,
        routers=routers,
        plain_text=PATHS,
    )


def build_api(settings: Settings) -> FastAPI:
    """The API process."""
    return create_app(definition(settings), settings)
