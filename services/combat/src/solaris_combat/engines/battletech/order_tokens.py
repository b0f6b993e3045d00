"""The words, signs and values of orders as text, each with the place where it stands.

Source: R 4.6 (what a turn asks of a player), in the manner of the mails of the league.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from solaris_combat.engines.battletech.order_words import phrases, plain
from solaris_combat.engines.contract import OrdersInvalid, Violation

RULE = "R 4.6"
UNSEEN = "\ufeff\u200b"
"""Signs that mail programs add and nobody sees."""
_WORD = re.compile(rf'[^\s;,:="{UNSEEN}]+')


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys all differ: of two values for one key nobody could tell which was meant."""
    if len(found := dict(pairs)) < len(pairs):
        raise _Repeated
    return found


class _Repeated(ValueError):
    pass


_JSON = json.JSONDecoder(object_pairs_hook=_once)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a quoted text, "name=value", or the end of a clause ("," parts shots)."""

    kind: str
    text: str
    at: int
    value: Any = None


def refuse(text: str, at: int, detail: str) -> NoReturn:
    before = text[:at]
    line, column = before.count("\n") + 1, at - (before.rfind("\n") + 1) + 1
    where = f"line {line}, column {column}: {detail}"
    raise OrdersInvalid(Violation("text-not-understood", where, "/text", RULE))


def tokens(text: str) -> Iterator[Token]:
    """Words and signs; the rest of the line after "comentario" is one token."""
    at, fresh = 0, True
    while at < len(text):
        sign = text[at]
        if sign in ";\n":
            yield Token("end", sign, at)
            at, fresh = at + 1, True
        elif sign == ",":
            yield Token("comma", sign, at)
            at += 1
        elif sign.isspace() or sign in ":" + UNSEEN:
            at += 1
        else:
            token, at = _word_or_value(text, at, fresh)
            yield token
            fresh = False
    yield Token("end", "", len(text))


def _word_or_value(text: str, at: int, fresh: bool) -> tuple[Token, int]:
    if text[at] == '"':
        value, end = _decode(text, at)
        return Token("quoted", value, at), end
    found = _WORD.match(text, at)
    if found is None:
        refuse(text, at, f"{text[at]!r} has no meaning here")
    word, end = found.group(), found.end()
    if text[end : end + 1] == "=":
        value, after = _decode(text, end + 1)
        return Token("value", word, at, value), after
    if fresh and phrases("clause").get((plain(word),)) == "comment":
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop
        return Token("comment", text[end:stop].lstrip(" :"), at), stop
    return Token("word", word, at), end


def _decode(text: str, at: int) -> tuple[Any, int]:
    """A value in JSON; no text in it holds NUL or half a character, which no page could show."""
    try:
        value, end = _JSON.raw_decode(text, at)
        said = json.dumps(value, ensure_ascii=False)
        said.encode()
    except _Repeated:
        refuse(text, at, "a key stands more than once in its object")
    except (ValueError, RecursionError):
        refuse(text, at, "a value in JSON is expected here")
    if "\\u0000" in said:
        refuse(text, at, "a value in JSON is expected here")
    return value, end
