"""From facts to words: a letter in the reader's language, and the message that carries it.

The same letter always gives the same message, so every attempt sends the same bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from uuid import UUID

from jinja2 import Environment, pass_context
from jinja2.runtime import Context

from solaris_mail.domain import when
from solaris_mail.domain.address import recipient
from solaris_mail.domain.contact import Reader
from solaris_mail.domain.letter import Letter, thread_id
from solaris_mail.domain.places import place

LEAGUE_NAME = "Solaris 7"


@dataclass(frozen=True, slots=True)
class Text:
    """What a reader sees."""

    subject: str
    body: str


@dataclass(frozen=True, slots=True)
class Composer:
    """Writes letters: the first line of a template is the subject. `fight_url` makes the public address of a
    fight; `sender` is the From: mailbox."""

    templates: Environment
    sender: Address
    domain: str
    fight_url: Callable[[UUID], str]

    def text(self, letter: Letter, reader: Reader, token: str = "") -> Text:
        """The letter in the reader's language and zone; `token` goes into letters of confirmation only."""
        link = self.fight_url(letter.fight_id) if letter.fight_id else ""
        facts = letter.facts | {"deadline": letter.deadline, "link": link, "reader": reader, "token": token}
        words = self.templates.get_template(f"{reader.language}/{letter.kind}.txt").render(facts)
        subject, _, body = words.strip().partition("\n")
        footer = self.templates.get_template(f"{reader.language}/footer.txt").render()
        return Text(f"{LEAGUE_NAME} · {subject}", f"{body.strip()}\n\n{footer.strip()}\n")

    def message(
        self, letter: Letter, reader: Reader, address: str, written_at: datetime, token: str = ""
    ) -> EmailMessage:
        """The message to exactly one recipient. ValueError for an address that is not one (validated
        before)."""
        text = self.text(letter, reader, token)
        message = EmailMessage(policy=SMTP)
        message["From"] = self.sender
        message["To"] = recipient(letter.facts.get("you", {}).get("name", ""), address)
        message["Subject"] = text.subject
        message["Date"] = written_at
        message["Message-ID"] = letter.message_id
        if letter.fight_id:
            message["References"] = thread_id(letter.fight_id, letter.person_id, self.domain)
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text.body, charset="utf-8", cte="quoted-printable")
        message["Content-Language"] = reader.language
        return message


def register_filters(environment: Environment) -> Environment:
    """Filters that write as the letter's reader does."""

    def of_reader(write: Callable) -> Callable:
        @pass_context
        def filter_(context: Context, value: object) -> str:
            return write(value, context["reader"])

        return filter_

    environment.filters["long"] = of_reader(when.long_time)
    environment.filters["short"] = of_reader(when.short_time)
    environment.filters["span"] = of_reader(when.span)
    environment.filters["money"] = of_reader(when.money)
    environment.filters["utc"] = when.utc_time
    environment.filters["place"] = of_reader(lambda arena, reader: place(arena, reader.language))
    return environment
