"""Mail's database, a real SMTP server that can misbehave, and a post office between them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from aiosmtpd.smtp import SMTP, Envelope, Session

import solaris_mail
from solaris_mail.adapters.post_office import PostOffice
from solaris_mail.adapters.smtp import Relay
from solaris_mail.application.desk import Desk
from solaris_mail.main import definition, derive_code_key, make_composer
from solaris_mail.settings import MailSettings
from solaris_shared.log.event_log import EventLog, Meta
from solaris_shared.log.unit_of_work import Store

SETTINGS = MailSettings(data_key="d" * 64, combat_public_url="https://combat.example/")


@pytest.fixture
def migrations() -> Path:
    return Path(solaris_mail.__file__).parent / "migrations"


@pytest.fixture
def event_log() -> EventLog:
    return definition(SETTINGS).log


@dataclass
class Mailbox:
    """An SMTP server: keeps what it accepts; `faults` are used up one by one, "" behaves."""

    faults: list[str] = field(default_factory=list)
    accepted: list[tuple[str, EmailMessage]] = field(default_factory=list)
    recipients: list[list[str]] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    port: int = 0

    def fault(self) -> str:
        return self.faults[0] if self.faults else ""

    def used(self) -> None:
        self.faults[:1] = []

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options
    ) -> str:
        reply = {
            "rcpt-4xx": f"450 4.2.0 greylisted {address}",
            "rcpt-5xx": f"550 5.1.1 no such user <{address}>",
        }
        if (fault := self.fault()) in reply:
            self.used()
            return reply[fault]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options
    ) -> str:
        if self.fault() == "mail-5xx":
            self.used()
            return "530 5.7.0 authenticate first"
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        fault = self.fault()
        self.used()
        if fault == "slow":
            await asyncio.sleep(10)
        if fault == "drop":
            server.transport.abort()
            return ""
        if fault.startswith("data-"):
            return {"data-4xx": "451 4.3.0 try later", "data-5xx": "554 5.7.1 not wanted"}[fault]
        content = envelope.original_content
        self.raw.append(content)
        self.recipients.append(list(envelope.rcpt_tos))
        self.accepted.append((envelope.rcpt_tos[0], message_from_bytes(content, policy=policy.default)))
        if fault == "accept-then-die":
            server.transport.abort()
        return "250 OK"


@pytest.fixture
async def mailbox() -> AsyncIterator[Mailbox]:
    box = Mailbox()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(box, loop=loop, ident="test"), "127.0.0.1", 0)
    box.port = server.sockets[0].getsockname()[1]
    yield box
    server.close()
    with suppress(TimeoutError):
        await asyncio.wait_for(server.wait_closed(), 1)


@pytest.fixture
def post_office(mailbox: Mailbox) -> PostOffice:
    relay = Relay("127.0.0.1", mailbox.port, SETTINGS.smtp_sender, timeout=1.0)
    return PostOffice(make_composer(SETTINGS), relay.send, derive_code_key(SETTINGS))


@pytest.fixture
def desk() -> Desk:
    return Desk(SETTINGS.mail_domain)


CONTACT = """
INSERT INTO contact (person_id, address, language, zone, channels, confirmed_at, updated_at)
VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())
"""


@pytest.fixture
def reader(store: Store) -> Callable:
    """A person with a proved address."""

    async def make(
        address: str = "ana@players.example",
        language: str = "es",
        zone: str = "Europe/Madrid",
        channels: tuple[str, ...] = ("mail",),
    ) -> str:
        person = str(uuid4())
        await store.pool.execute(CONTACT, person, address, language, zone, list(channels))
        return person

    return make


@pytest.fixture
def write(store: Store, desk: Desk) -> Callable:
    """Queue a turn letter; returns its row's id."""

    async def make(person: str, name: str = "Halcón", rival: str = "Lobo Gris", deadline=None) -> UUID:
        facts = {
            "kind": "fire_and_movement",
            "turn": 3,
            "arena": "la-cantera",
            "turns": 8,
            "you": {"name": name, "model": "PNT-9R"},
            "rival": {"name": rival, "model": "JVN-10N"},
        }
        async with store.transaction(Meta(uuid4(), "c", "c", "test")) as tx:
            letter = await desk.write(tx, uuid4(), person, "turn", facts, uuid4(), deadline)
        return letter.letter_id

    return make


@pytest.fixture
def letter(store: Store) -> Callable:
    """A letter's row."""

    async def find(letter_id: UUID):
        return await store.pool.fetchrow("SELECT * FROM letter WHERE letter_id = $1", letter_id)

    return find


@pytest.fixture
def attempts(store: Store) -> Callable:
    """(outcome, code) of each attempt at a letter."""

    async def find(letter_id: UUID) -> list[tuple[str | None, int | None]]:
        rows = await store.pool.fetch(
            "SELECT outcome, code FROM attempt WHERE letter_id = $1 ORDER BY number", letter_id
        )
        return [(row["outcome"], row["code"]) for row in rows]

    return find
