"""A text of orders as it was typed, out of what a mail program made of it.

Line ends of every kind are one, marks that nobody sees are dropped, typographic quotation marks are plain
ones. Nothing else is mended: a quoted line ("> ...") may be an old order and stays what it is, no order.
Source: checks.md ML5 (quoted old orders are never carried out); docs/reference/orders.md.
"""

from __future__ import annotations

UNSEEN = "\ufeff\u200b\u200c\u200d\u2060\u00ad"
"""Byte order mark, zero-width spaces and joiners, soft hyphen."""
QUOTES = "“”„‟«»"
LINE_ENDS = "\r\x85\u2028\u2029"
_ESCAPES = str.maketrans({mark: f"\\u{ord(mark):04x}" for mark in UNSEEN + QUOTES + LINE_ENDS})
_TABLE = str.maketrans(dict.fromkeys(UNSEEN) | dict.fromkeys(QUOTES, '"') | dict.fromkeys(LINE_ENDS, "\n"))


def as_typed(text: str) -> str:
    """The text without what a mail program added."""
    return text.replace("\r\n", "\n").translate(_TABLE)


def escaped(quoted: str) -> str:
    """A JSON string that `as_typed` leaves as it is."""
    return quoted.translate(_ESCAPES)
