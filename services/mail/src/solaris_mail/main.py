"""Composition root of mail."""

import hashlib
import hmac
from email.headerregistry import Address
from pathlib import Path

from fastapi import FastAPI

from solaris_mail.adapters.post_office import PostOffice
from solaris_mail.adapters.smtp import Relay
from solaris_mail.adapters.templates import load_templates
from solaris_mail.api import contacts, letters
from solaris_mail.application.compose import Composer
from solaris_mail.application.desk import Desk
from solaris_mail.application.event_types import EVENT_TYPES
from solaris_mail.application.gauges import LETTER_GAUGES
from solaris_mail.application.league_letters import league_reactor
from solaris_mail.application.publish import publish
from solaris_mail.application.reactors import fight_reactor, schedule_reactor
from solaris_mail.foreign_events import COMBAT, LEAGUE
from solaris_mail.settings import MailSettings
from solaris_shared.definition import ServiceDefinition
from solaris_shared.http.app import create_app
from solaris_shared.http.revocations import revocation_models, revoked_tokens
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.runner import Loop
from solaris_shared.worker import Runtime

TOKEN_REVOKED = "solaris.league.token-revoked.v1"
SENDER_NAME = "Liga Solaris 7"
POLL_SECONDS = 0.5


SETTINGS = MailSettings


def definition(settings: MailSettings | None = None) -> ServiceDefinition:
    """Mail as these settings want it; without any it can be described, not run (see `checked`)."""
    settings = settings or MailSettings()
    desk, composer, code_key = Desk(settings.mail_domain), make_composer(settings), derive_code_key(settings)
    post_office = PostOffice(composer, make_relay(settings).send, code_key)

    async def deliver(runtime: Runtime) -> None:
        async def step() -> bool:
            return await post_office.run_once(runtime.store) > 0

        loop = Loop("post office", step, runtime.signals, POLL_SECONDS)
        runtime.loops.append(loop)
        await loop.run()

    return ServiceDefinition(
        name="mail",
        log=EventLog("mail", EVENT_TYPES, publish),
        projections=(revoked_tokens(TOKEN_REVOKED),),
        reactors=(schedule_reactor(desk), fight_reactor(desk), league_reactor(desk)),
        imports={
            "league": ForeignTypes({**LEAGUE, **revocation_models(TOKEN_REVOKED)}),
            "combat": ForeignTypes(COMBAT),
        },
        loops=(deliver,),
        gauges=LETTER_GAUGES,
        migrations=Path(__file__).parent / "migrations",
        routers=lambda _context: [
            contacts.read_routes(),
            contacts.write_routes(desk, code_key),
            letters.letter_routes(composer),
            letters.delivery_routes(),
            letters.notice_routes(),
        ],
    )


def checked(settings: MailSettings) -> MailSettings:
    """ValueError without a data key: anybody could make codes."""
    if not settings.data_key:
        raise ValueError("SOLARIS_DATA_KEY (or _FILE) must be set")
    return settings


def build_api(settings: MailSettings) -> FastAPI:
    """The API process."""
    return create_app(definition(checked(settings)), settings)


def make_composer(settings: MailSettings) -> Composer:
    """Writes this league's letters."""
    console, combat = (url.rstrip("/") for url in (settings.console_public_url, settings.combat_public_url))
    fights = f"{console}/fights" if console else f"{combat}/v1/fights"
    return Composer(
        templates=load_templates(),
        sender=Address(SENDER_NAME, addr_spec=settings.smtp_sender),
        domain=settings.mail_domain,
        fight_url=lambda fight_id: f"{fights}/{fight_id}",
    )


def make_relay(settings: MailSettings) -> Relay:
    """The operator's relay."""
    return Relay(
        hostname=settings.smtp_host,
        port=settings.smtp_port,
        sender=settings.smtp_sender,
        tls=settings.smtp_tls,
        username=settings.smtp_username or None,
        password=settings.smtp_password or None,
    )


def derive_code_key(settings: MailSettings) -> bytes:
    """The key of confirmation codes, from the service's data key."""
    return hmac.new(settings.data_key.encode(), b"contact-confirmation", hashlib.sha256).digest()
