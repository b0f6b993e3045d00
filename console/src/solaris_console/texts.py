"""What the console says, Spanish first, English second: texts.toml by key, facts filled into the braces."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.dates import format_datetime, get_timezone_name
from babel.numbers import format_decimal

LANGUAGES: Final = ("es", "en")
DAY: Final = {"es": "EEE d MMM, HH:mm", "en": "EEE d MMM, HH:mm"}


@cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """Language -> key -> text."""
    return tomllib.loads(files("solaris_console").joinpath("texts.toml").read_text(encoding="utf-8"))


def preferred(accepted: str) -> str:
    """The first language of an Accept-Language header that the console speaks; else Spanish."""
    ranked = []
    for number, part in enumerate(accepted[:500].split(",")):
        name, _, quality = part.partition(";")
        ranked.append((-_quality(quality), number, name.strip().lower()[:2]))
    return next((name for weight, _, name in sorted(ranked) if name in LANGUAGES and weight < 0), "es")


def _quality(text: str) -> float:
    try:
        return float(text.partition("=")[2] or 1)
    except ValueError:
        return 0.0


def zone_of(name: str) -> ZoneInfo:
    """The time zone; Madrid's where the name is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("Europe/Madrid")


@dataclass(frozen=True, slots=True)
class Speech:
    """A language, a time zone, and the league's own words for the keys of the APIs."""

    language: str
    zone: str = "Europe/Madrid"
    words: Mapping[str, str] | None = None

    def text(self, key: str, **facts: Any) -> str:
        """A text; KeyError for an unknown key, which a test finds."""
        return texts()[self.language][key].format(**facts)

    def known(self, key: str) -> str:
        """A text, or "" where there is none for the key."""
        return texts()[self.language].get(key, "")

    def word(self, key: str, prefix: str = "") -> str:
        """A name from combat's vocabulary; the key made readable where that is missing."""
        words = self.words or {}
        return words.get(f"{prefix}{key}") or words.get(key) or key.replace("_", " ").replace("-", " ")

    def terrain(self, key: str) -> str:
        """The terrain of a hex; of several kinds each of them ("light_woods+rough")."""
        return " + ".join(self.known(f"terrain.{kind}") or self.word(kind) for kind in key.split("+"))

    def arena(self, arena_id: str) -> str:
        """An arena's own name; its id made readable where combat's vocabulary has none."""
        return (self.words or {}).get(f"arena.{arena_id}") or arena_id.replace("-", " ").title()

    def mount(self, name: str) -> str:
        """A weapon or bin by its id ("ra-ppc-1", "lt-srm-4-ammo-2"): what it is and where."""
        place, _, rest = name.partition("-")
        what, _, number = rest.rpartition("-")
        if not (what and number.isdecimal()):
            return name
        ordinal = f" {number}" if int(number) > 1 else ""
        return f"{self.word(what.removesuffix('-ammo'))}{ordinal} ({self.word(place.upper(), 'at.')})"

    def salvo(self, name: str) -> str:
        """A munition, hot-loaded or not ("normal hot")."""
        kind, _, hot = name.partition(" ")
        said = self.word(kind, "munition.")
        return f"{said} ({self.word('hot', 'munition.')})" if hot else said

    def number(self, value: int) -> str:
        """Thousands as the language writes them."""
        return format_decimal(value, locale=self.language, group_separator=True)

    def time(self, moment: str | None) -> str:
        """A moment of an API in the reader's zone, which is named."""
        if not moment:
            return ""
        zone = zone_of(self.zone)
        there = datetime.fromisoformat(moment).astimezone(zone)
        said = format_datetime(there, DAY[self.language], tzinfo=zone, locale=self.language)
        return f"{said} ({get_timezone_name(there, width='short', locale=self.language)})"
