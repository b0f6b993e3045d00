"""Composition root of the league service."""

import json
from collections.abc import Callable
from pathlib import Path

from fastapi import APIRouter, FastAPI

from solaris_league.adapters.tables import load_rules
from solaris_league.api.appeals import appeals_router
from solaris_league.api.championship import championship_router
from solaris_league.api.identity import identity_router
from solaris_league.api.league import league_router
from solaris_league.api.office import Office
from solaris_league.application.event_types import EVENT_TYPES
from solaris_league.application.passwords import Passwords
from solaris_league.application.publish import publish
from solaris_league.application.reactors import ranking_office
from solaris_league.application.renewal import Renewals
from solaris_league.domain.rules import LeagueRules
from solaris_league.foreign_events import COMBAT
from solaris_league.projections import appeals, schedule, standings
from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.app import create_app
from solaris_shared.http.context import ApiContext
from solaris_shared.http.revocations import revoked_tokens
from solaris_shared.http.tokens import Claims, sign
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.settings import Settings

MIGRATIONS = Path(__file__).parent / "migrations"


def signer(key_file: Path | None) -> Callable[[Claims], str]:
    """Signs with the private key of the file; raises ValueError where there is none."""
    if key_file is None:
        raise ValueError("SOLARIS_SIGNING_KEY_FILE must be set")
    key = json.loads(key_file.read_text(encoding="utf-8"))
    return lambda claims: sign(key, claims)


def definition(rules: LeagueRules | None = None) -> ServiceDefinition:
    """The league service; without `rules` by the packaged table."""
    rules = rules or load_rules()

    def routers(context: ApiContext) -> list[APIRouter]:
        signing = context.settings.signing_key_file
        office = Office(rules, Passwords(), signer(signing), Renewals.of_file(signing))
        return [identity_router(office), league_router(office), appeals_router(), championship_router(office)]

    return ServiceDefinition(
        name="league",
        log=EventLog("league", EVENT_TYPES, publish),
        projections=(
            schedule.PROJECTION,
            standings.PROJECTION,
            appeals.PROJECTION,
            revoked_tokens("token-revoked"),
        ),
        reactors=(ranking_office(rules),),
        imports={"combat": ForeignTypes(COMBAT)},
        migrations=MIGRATIONS,
        routers=routers,
    )


def build_api(settings: Settings) -> FastAPI:
    """The API process."""
    return create_app(definition(), settings)
