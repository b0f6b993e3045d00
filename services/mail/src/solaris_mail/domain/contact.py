"""How a person is reached. The data itself lives in a mutable table; the log only says that an address was
proved."""

from dataclasses import dataclass
from zoneinfo import available_timezones

from solaris_shared.errors import Unprocessable

LANGUAGES = ("es", "en")
DEFAULT_ZONE = "Europe/Madrid"


@dataclass(frozen=True, slots=True)
class ContactConfirmed:
    """The person proved control of the address given for him; the id is opaque."""

    person_id: str


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a letter: language of the text, IANA zone of the times."""

    language: str = "es"
    zone: str = DEFAULT_ZONE


def check_zone(zone: str) -> str:
    """An IANA zone name; Unprocessable with `zone-unknown`."""
    if zone not in available_timezones():
        detail = f"{zone!r} is not a zone of the IANA database"
        errors = [{"pointer": "/zone", "code": "zone-unknown", "detail": detail}]
        raise Unprocessable("invalid", detail, errors=errors)
    return zone
