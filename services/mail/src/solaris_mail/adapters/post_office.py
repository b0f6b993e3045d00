"""The loop that sends what is due. Several may run: a letter is in one hand at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage

from jinja2 import TemplateError

from solaris_mail.application.compose import Composer
from solaris_mail.application.contacts import make_code
from solaris_mail.application.delivery import Claim, Outcome, claim, expire, renew, settle
from solaris_mail.domain.retry import RetrySchedule
from solaris_shared import clock
from solaris_shared.log.unit_of_work import Store

RENEWALS = 3
"""Tries to renew a lease before it ends."""
Send = Callable[[EmailMessage, str], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class PostOffice:
    """`send` makes one attempt (adapters.smtp). A letter in hand is leased for `lease`, and again while it is
    being sent: so long may the letters of a dead sender wait. `hands` letters are sent side by side, so that
    a slow relay holds up no more than these."""

    composer: Composer
    send: Send
    code_key: bytes
    schedule: RetrySchedule = field(default_factory=RetrySchedule)
    lease: timedelta = timedelta(seconds=10)
    hands: int = 4

    async def run_once(self, store: Store) -> int:
        """Send a handful of letters; the number tried. What fails here (the database) is raised when all are
        done; the lease then brings those letters back."""
        async with store.atomic() as conn:
            now = await clock.now(conn)
            await expire(conn, now)
            claims = await claim(conn, now, self.lease, self.hands)
        sending = asyncio.gather(*(self.deliver(store, one) for one in claims), return_exceptions=True)
        try:
            await self.keep(store, claims, sending)
        finally:
            sending.cancel()
        for failure in filter(None, sending.result()):
            raise failure
        return len(claims)

    async def keep(self, store: Store, claims: list[Claim], sending: asyncio.Future) -> None:
        """Renew the leases until every letter is sent. Who cannot (the database is away) stops sending: the
        letters may be in other hands soon."""
        while not (await asyncio.wait({sending}, timeout=self.lease.total_seconds() / RENEWALS))[0]:
            async with store.atomic() as conn:
                await renew(conn, claims, await clock.now(conn) + self.lease)

    async def deliver(self, store: Store, one: Claim) -> None:
        """One attempt and its outcome. A letter that cannot be put into words waits; the reason shows."""
        try:
            message = self.message(one)
        except (TemplateError, ValueError, LookupError) as error:
            reason = f"cannot be written: {type(error).__name__}: {error}"
            outcome = Outcome("deferred", None, reason[:300])
        else:
            outcome = await self.send(message, one.address)
        async with store.atomic() as conn:
            await settle(conn, one, outcome, self.schedule, await clock.now(conn))

    def message(self, one: Claim) -> EmailMessage:
        """The letter as it goes out; a letter of confirmation gets its code now."""
        confirming = one.letter.kind == "confirmation"
        code = make_code(self.code_key, one.letter.letter_id, one.address) if confirming else ""
        return self.composer.message(one.letter, one.reader, one.address, one.written_at, code)
