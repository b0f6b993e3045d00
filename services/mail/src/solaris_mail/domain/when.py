"""Times and numbers as the reader writes them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from babel.numbers import format_decimal
from babel.units import format_unit

from solaris_mail.domain.contact import Reader

LONG = {"es": "EEEE, d 'de' MMMM 'de' y, HH:mm", "en": "EEEE, d MMMM y, HH:mm"}
SHORT = "EEE d MMM, HH:mm"
UNITS = ((86_400, "duration-day"), (3_600, "duration-hour"), (60, "duration-minute"), (1, "duration-second"))


def local(instant: datetime, reader: Reader) -> datetime:
    return instant.astimezone(ZoneInfo(reader.zone))


def long_time(instant: datetime, reader: Reader) -> str:
    """E.g. "viernes, 4 de diciembre de 2026, 23:59 (Europe/Madrid, UTC+1)": the offset settles the hour that
    comes twice in autumn."""
    here = local(instant, reader)
    text = format_datetime(here, LONG[reader.language], locale=reader.language)
    return f"{text} ({reader.zone}, {offset(here)})"


def short_time(instant: datetime, reader: Reader) -> str:
    """E.g. "vie 4 dic, 23:59" in the reader's zone, for a subject line."""
    return format_datetime(local(instant, reader), SHORT, locale=reader.language)


def utc_time(instant: datetime) -> str:
    """E.g. "2026-12-04 22:59 UTC"."""
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def offset(here: datetime) -> str:
    """E.g. "UTC+1", "UTC-3:30", "UTC"."""
    minutes = int(here.utcoffset().total_seconds()) // 60
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes >= 0 else "-"
    return "UTC" if minutes == 0 else f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "")


def span(seconds: int, reader: Reader) -> str:
    """E.g. "2 días", "90 segundos": in the largest unit that divides it."""
    size, unit = next(pair for pair in UNITS if seconds % pair[0] == 0)
    return format_unit(seconds // size, unit, locale=reader.language)


def money(amount: int, reader: Reader) -> str:
    """E.g. "300.000 BC" (Billetes ComStar), "300,000 C-bills"."""
    number = format_decimal(amount, locale=reader.language)
    return f"{number} BC" if reader.language == "es" else f"{number} C-bills"
