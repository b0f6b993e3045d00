"""The loop that sends what is due. Several may run: a letter is in one hand at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage

from jinja2 import TemplateError

from solaris_mail.application.compose import Composer
from solaris_mail.application.contacts import make_code
from solaris_mail.application.delivery import Claim, Outcome, claim, expire, settle
from solaris_mail.domain.retry import RetrySchedule
from solaris_shared import clock
from solaris_shared.log.unit_of_work import Store

Send = Callable[[EmailMessage, str], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class PostOffice:
    """`send` makes one attempt (adapters.smtp). `lease` must outlast it; `hands` letters are sent side by
    side, so that a slow relay holds up no more than these."""

    composer: Composer
    send: Send
    code_key: bytes
    schedule: RetrySchedule = field(default_factory=RetrySchedule)
    lease: timedelta = timedelta(minutes=2)
    hands: int = 4

    async def run_once(self, store: Store) -> int:
        """Send a handful of letters; the number tried. What fails here (the database) is raised when all are
        done; the lease then brings those letters back."""
        async with store.atomic() as conn:
            now = await clock.now(conn)
            await expire(conn, now)
            claims = await claim(conn, now, self.lease, self.hands)
        ends = await asyncio.gather(*(self.deliver(store, one) for one in claims), return_exceptions=True)
        for failure in filter(None, ends):
            raise failure
        return len(claims)

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
