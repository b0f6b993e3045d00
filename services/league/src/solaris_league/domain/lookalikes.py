"""Callsigns that look like others: letters of two alphabets in one word, and names of the same shape.

Whatever a keyboard of one language writes stays allowed: accents, ñ, quotes, emoji, a name that is all Greek,
Cyrillic or Japanese. Method: Unicode UTS #39, mixed-script detection (5.1) and confusable skeletons (4), the
latter with the letters of tables/league.toml (`lookalikes`).
"""

import unicodedata
from collections.abc import Mapping

from solaris_shared.errors import Unprocessable

WRITTEN_TOGETHER = frozenset(
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL", "KATAKANA-HIRAGANA"}
)
"""No letter of these looks like one of another but among themselves (UTS #39, "highly restrictive")."""


def alphabet(letter: str) -> str | None:
    """The script of a letter by its Unicode name, e.g. "CYRILLIC"; None for what is no letter of its own."""
    if not unicodedata.category(letter).startswith("L"):
        return None
    script = unicodedata.name(letter, "UNKNOWN").partition(" ")[0]
    return None if script == "MODIFIER" else script


def check_alphabets(name: str, pointer: str) -> None:
    """Raises Unprocessable for a word whose letters are of two alphabets."""
    for word in unicodedata.normalize("NFKC", name).split():
        scripts = {script for letter in word if (script := alphabet(letter))}
        if len(scripts) > 1 and not scripts <= WRITTEN_TOGETHER:
            named = ", ".join(sorted(script.title() for script in scripts))
            words = "Una palabra mezcla letras de dos alfabetos / a word mixes letters of two alphabets"
            error = {"pointer": pointer, "code": "name-mixes-alphabets", "detail": f"{words}: {named}."}
            raise Unprocessable("invalid", "1 error(s) in the data.", errors=[error])


def shape(name: str, lookalikes: Mapping[str, str]) -> str:
    """What a name looks like: the same for names that a reader takes for each other. `lookalikes`: letter ->
    the letters it looks like."""
    bare = "".join(c for c in _decomposed(name) if unicodedata.category(c) != "Mn")
    plain = "".join(lookalikes.get(c, c) for c in bare).casefold()
    again = "".join(lookalikes.get(c, c) for c in _decomposed(plain))
    return " ".join(again.casefold().split())


def _decomposed(name: str) -> str:
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name))
