"""The relay: one connection, one message, one recipient."""

import asyncio
import re
from dataclasses import dataclass
from email.message import EmailMessage

import aiosmtplib

from solaris_mail.application.delivery import Outcome
from solaris_shared.testing import failpoints

CONNECTED = "out.connected"
ACCEPTED_NOT_MARKED = "out.accepted_not_marked"
failpoints.register(CONNECTED, ACCEPTED_NOT_MARKED)

MAX_DETAIL = 300


@dataclass(frozen=True, slots=True)
class Relay:
    """Address and ways of the operator's relay. `tls`: none, starttls or tls. `timeout`: seconds for one
    attempt, from connect to the last answer."""

    hostname: str
    port: int
    sender: str
    tls: str = "none"
    username: str | None = None
    password: str | None = None
    timeout: float = 45.0

    async def send(self, message: EmailMessage, address: str) -> Outcome:
        """One attempt. Only an answer about this recipient or this message can refuse the letter; trouble
        with the relay itself defers it, and a lost connection leaves it unknown."""
        try:
            async with asyncio.timeout(self.timeout):
                await self.transmit(message.as_bytes(), address)
        except aiosmtplib.SMTPRecipientsRefused as error:
            refusal = error.recipients[0]
            return verdict(refusal.code, refusal.message, address)
        except aiosmtplib.SMTPDataError as error:
            return verdict(error.code, error.message, address)
        except aiosmtplib.SMTPResponseException as error:
            return Outcome("deferred", error.code, tidy(error.message, address))
        except (aiosmtplib.SMTPException, OSError, TimeoutError) as error:
            return Outcome("unknown", None, tidy(f"{type(error).__name__}: {error}", address))
        await failpoints.hit(ACCEPTED_NOT_MARKED)
        return Outcome("accepted", 250)

    async def transmit(self, content: bytes, address: str) -> None:
        """Raises aiosmtplib's errors."""
        client = aiosmtplib.SMTP(
            hostname=self.hostname,
            port=self.port,
            use_tls=self.tls == "tls",
            start_tls=self.tls == "starttls",
            username=self.username,
            password=self.password,
            timeout=self.timeout,
        )
        try:
            await client.connect()
            await failpoints.hit(CONNECTED)
            await client.sendmail(self.sender, [address], content)
        finally:
            client.close()


def verdict(code: int, text: str, address: str) -> Outcome:
    """5xx is for good, 4xx for now (RFC 5321 4.2.1)."""
    return Outcome("refused" if code >= 500 else "deferred", code, tidy(text, address))


def tidy(text: str, address: str) -> str:
    """The relay's words on one line, without the address: operators read them."""
    line = re.sub(r"\s+", " ", "".join(letter if letter.isprintable() else " " for letter in text)).strip()
    return re.sub(re.escape(address), "<address>", line, flags=re.IGNORECASE)[:MAX_DETAIL]
