"""Composition root of economy."""

from pathlib import Path

from fastapi import FastAPI

from solaris_economy.adapters.tables import load_repair_terms
from solaris_economy.api import accounts, mechs
from solaris_economy.application.event_types import EVENT_TYPES
from solaris_economy.application.publish import publish
from solaris_economy.application.reactors import accounts_reactor, settlement_reactor
from solaris_economy.application.transfers import ensure_bank
from solaris_economy.foreign_events import COMBAT, LEAGUE
from solaris_economy.projections.books import BOOKS
from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.app import create_app
from solaris_shared.http.revocations import revocation_models, revoked_tokens
from solaris_shared.ids import derived_id
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.log.unit_of_work import Command, Transaction
from solaris_shared.runner import Loop
from solaris_shared.settings import Settings
from solaris_shared.worker import IDLE_POLL, Runtime

TOKEN_REVOKED = "solaris.league.token-revoked.v1"


def definition() -> ServiceDefinition:
    """Economy, with its tables loaded."""
    terms = load_repair_terms()
    return ServiceDefinition(
        name="economy",
        log=EventLog("economy", EVENT_TYPES, publish),
        projections=(BOOKS, revoked_tokens(TOKEN_REVOKED)),
        reactors=(accounts_reactor(), settlement_reactor(terms)),
        imports={
            "league": ForeignTypes({**LEAGUE, **revocation_models(TOKEN_REVOKED)}),
            "combat": ForeignTypes(COMBAT),
        },
        loops=(open_bank,),
        migrations=Path(__file__).parent / "migrations",
        routers=lambda _context: [accounts.router, mechs.router, mechs.registration(terms)],
    )


def build_api(settings: Settings) -> FastAPI:
    """The API process."""
    return create_app(definition(), settings)


async def open_bank(runtime: Runtime) -> None:
    """The bank exists from the start of the first worker; the loop then rests until the process stops."""
    command = Command(derived_id("economy", "open-bank"), b"", "economy", "open-bank")
    opened = False

    async def work(tx: Transaction) -> dict:
        await ensure_bank(tx)
        return {}

    async def step() -> bool:
        nonlocal opened
        if not opened:
            await runtime.store.run(command, work)
            opened = True
        return False

    loop = Loop("bank", step, runtime.signals, IDLE_POLL)
    runtime.loops.append(loop)
    await loop.run()
