"""Contacts: who wants letters where, proved by a code that only the mailbox gets.

The code is derived, not stored: whoever reads the database cannot confirm an address.
"""

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg

from solaris_mail.application.desk import Desk
from solaris_mail.domain.contact import ContactConfirmed
from solaris_shared.errors import Conflict, Rejected, Unprocessable
from solaris_shared.log.unit_of_work import Transaction

CODE_LIFE = timedelta(hours=48)
CODES_A_DAY = 5
MAC_LENGTH = 16

FIND = "SELECT * FROM contact WHERE person_id = $1"
SAVE = """
INSERT INTO contact (person_id, pending_address, language, zone, channels, updated_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (person_id) DO UPDATE SET pending_address = excluded.pending_address, language =
excluded.language,
    zone = excluded.zone, channels = excluded.channels, updated_at = excluded.updated_at
"""
RECENT_CODES = """
SELECT count(*) FROM letter WHERE person_id = $1 AND kind = 'confirmation' AND created_at > $2
"""
VOID_CODES = """
UPDATE confirmation SET expires_at = $2 WHERE person_id = $1 AND used_at IS NULL AND expires_at > $2
"""
VOID_CODE_LETTERS = """
UPDATE letter SET state = 'superseded', final_at = $2
WHERE person_id = $1 AND kind = 'confirmation' AND state = 'queued'
"""
ADD_CODE = "INSERT INTO confirmation (letter_id, person_id, address, expires_at) VALUES ($1, $2, $3, $4)"
FIND_CODE = "SELECT person_id, address, expires_at, used_at FROM confirmation WHERE letter_id = $1 FOR UPDATE"
USE_CODE = "UPDATE confirmation SET used_at = $2 WHERE letter_id = $1"
CONFIRM = """
UPDATE contact SET address = $2, pending_address = NULL, confirmed_at = $3, updated_at = $3,
    bounced_address = NULL, bounced_at = NULL, bounce_reason = NULL
WHERE person_id = $1
"""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asks for; `address` is checked."""

    address: str
    language: str
    zone: str
    channels: tuple[str, ...]


async def put_contact(tx: Transaction, desk: Desk, person_id: str, wish: Wish) -> dict[str, Any]:
    """Save the wish; an address not proved yet gets a letter with a code, and the old one stays in use until
    then.

    Rejected `too-many-confirmations`: the address of a stranger is not to be flooded.
    """
    known = await tx.conn.fetchrow(FIND + " FOR UPDATE", person_id)
    proved = (
        known is not None and known["address"] == wish.address and known["bounced_address"] != wish.address
    )
    pending = None if proved else wish.address
    await tx.conn.execute(SAVE, person_id, pending, wish.language, wish.zone, list(wish.channels), tx.now)
    await void_codes(tx, person_id)
    if not proved:
        await send_code(tx, desk, person_id, wish.address)
    return {"confirmation": "not-needed" if proved else "sent"}


async def void_codes(tx: Transaction, person_id: str) -> None:
    """Only the latest code counts."""
    await tx.conn.execute(VOID_CODES, person_id, tx.now)
    await tx.conn.execute(VOID_CODE_LETTERS, person_id, tx.now)


async def send_code(tx: Transaction, desk: Desk, person_id: str, address: str) -> None:
    """Queue the letter of confirmation; it goes to the new address, whatever the contact says."""
    if await tx.conn.fetchval(RECENT_CODES, person_id, tx.now - timedelta(days=1)) >= CODES_A_DAY:
        raise Rejected("too-many-confirmations", f"at most {CODES_A_DAY} letters of confirmation a day")
    expires = tx.now + CODE_LIFE
    letter = await desk.write(tx, tx.meta.command_id, person_id, "confirmation", {}, deadline=expires)
    await tx.conn.execute(ADD_CODE, letter.letter_id, person_id, address, expires)


async def confirm(tx: Transaction, key: bytes, code: str) -> dict[str, Any]:
    """The code proves control of the address it was sent to.

    Unprocessable `code-invalid`; Conflict `code-used`, `code-expired` (too late, or a newer code was asked
    for).
    """
    letter_id, mac = read_code(code)
    row = await tx.conn.fetchrow(FIND_CODE, letter_id)
    if row is None or not hmac.compare_digest(mac, code_mac(key, letter_id, row["address"])):
        raise invalid()
    if row["used_at"] is not None:
        raise Conflict("code-used", "this code has been used")
    if row["expires_at"] <= tx.now:
        raise Conflict("code-expired", "this code is out of date; ask for a new one")
    await tx.conn.execute(USE_CODE, letter_id, tx.now)
    await tx.conn.execute(CONFIRM, row["person_id"], row["address"], tx.now)
    await tell(tx, row["person_id"])
    return {"confirmed": True}


async def tell(tx: Transaction, person_id: str) -> None:
    """The fact, without the address."""
    loaded = await tx.load(f"contact-{person_id}", lambda _state, event: event)
    await tx.append(loaded.stream, loaded.version, ContactConfirmed(person_id))


def make_code(key: bytes, letter_id: UUID, address: str) -> str:
    """43 characters that fit on one line: the letter's id and what only this service can add to it."""
    raw = letter_id.bytes + code_mac(key, letter_id, address)
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_code(code: str) -> tuple[UUID, bytes]:
    """Letter id and MAC; Unprocessable `code-invalid`."""
    try:
        raw = base64.b64decode(code.strip() + "=" * (-len(code.strip()) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise invalid() from error
    if len(raw) != 16 + MAC_LENGTH:
        raise invalid()
    return UUID(bytes=raw[:16]), raw[16:]


def invalid() -> Unprocessable:
    return Unprocessable("code-invalid", "this is not a code of ours")


def code_mac(key: bytes, letter_id: UUID, address: str) -> bytes:
    return hmac.new(key, letter_id.bytes + address.encode(), hashlib.sha256).digest()[:MAC_LENGTH]


async def find_contact(conn: asyncpg.Connection | asyncpg.Pool, person_id: str) -> asyncpg.Record | None:
    """The contact as it stands."""
    return await conn.fetchrow(FIND, person_id)
