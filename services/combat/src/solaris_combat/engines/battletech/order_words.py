"""The words of the text form of orders, in Spanish and English at once (tables/order_words.toml).

A phrase is a row of words as people type them: case, accents and the "-" and "/" inside a name are left out
of account. The longest phrase that fits counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.weapons import WEAPONS

LANGUAGES = ("es", "en")
Phrase = tuple[str, ...]
PLAIN = re.compile(r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*")
MOUNT = re.compile(r"(hd|ct|rt|lt|ra|la|rl|ll)-([a-z0-9-]+)-([1-9][0-9]?)")
"""Id of a mounted weapon: location, kind, number."""


def plain(word: str) -> str:
    """A word as it is compared: no case, no accents, no "-", "/" or brackets inside."""
    bare = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in bare if not unicodedata.combining(c) and c not in "-/().'")


def phrase_of(text: str) -> Phrase:
    """The words of a phrase as they are compared."""
    return tuple(plain(word) for word in text.split())


@cache
def phrases(kind: str) -> Mapping[Phrase, str]:
    """Phrase -> meaning of one kind of word; ValueError if a phrase has two meanings."""
    pairs = _weapon_phrases() if kind == "weapon" else _table_phrases(kind)
    found: dict[Phrase, str] = {}
    for phrase, meaning in pairs:
        if found.setdefault(phrase, meaning) != meaning:
            raise ValueError(f"{' '.join(phrase)!r} means both {found[phrase]} and {meaning}")
    return found


@cache
def longest(kind: str) -> int:
    """Words of the longest phrase of a kind."""
    return max(len(phrase) for phrase in phrases(kind))


def _table_phrases(kind: str) -> Iterator[tuple[Phrase, str]]:
    for meaning, words in table("order_words")[kind].items():
        for language in LANGUAGES:
            for text in words[language]:
                yield phrase_of(text), meaning


def _weapon_phrases() -> Iterator[tuple[Phrase, str]]:
    more = table("order_words")["weapon"]
    for key, weapon in WEAPONS.items():
        for text in (weapon.spanish, weapon.name, *more.get(key, ())):
            if text:
                yield phrase_of(text), key
                yield (plain(text.replace(" ", "")),), key
                yield phrase_of(text.replace("/", " ").replace("-", " ")), key


def word(kind: str, meaning: str, language: str) -> str:
    """The phrase that is written for a meaning; KeyError for one without words."""
    words: Mapping[str, Any] = table("order_words")[kind][meaning]
    return str(words[language][0])


def has_word(kind: str, meaning: str) -> bool:
    """Whether a meaning has words of its own."""
    return meaning in table("order_words")[kind]


def weapon_name(key: str, language: str) -> str:
    """The name that is written for a kind of weapon."""
    weapon = WEAPONS[key]
    return weapon.spanish if language == "es" and weapon.spanish else weapon.name


@cache
def reserved() -> frozenset[str]:
    """Words that begin a phrase, or go on with one: a name spelled like one of them is written in quotes."""
    kinds = (
        "clause",
        "part",
        "step",
        "recovery",
        "face",
        "load",
        "munition",
        "weapon",
        "intent",
        "mode",
        "hot",
        "of",
        "masc",
    )
    return frozenset(one for kind in kinds for phrase in phrases(kind) for one in phrase) - {"a", "at"}
