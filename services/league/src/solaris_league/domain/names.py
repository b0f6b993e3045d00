"""Handles and callsigns: what people may be called, and when two names are the same."""

import unicodedata

from solaris_shared.errors import Unprocessable

SHORTEST_HANDLE = 2


def fold(name: str) -> str:
    """The key under which names are unique: without case, accents, width or spaces around (NFKC,
    casefold)."""
    wide = unicodedata.normalize("NFKC", name).casefold()
    bare = "".join(c for c in unicodedata.normalize("NFKD", wide) if unicodedata.category(c) != "Mn")
    return " ".join(unicodedata.normalize("NFKC", bare).split())


def check_name(name: str, pointer: str) -> str:
    """The name in normal form C. Raises Unprocessable for one that is empty or holds control characters."""
    clean = " ".join(unicodedata.normalize("NFC", name).split())
    if len(fold(clean)) < SHORTEST_HANDLE or any(unicodedata.category(c) in FORBIDDEN for c in clean):
        error = {
            "pointer": pointer,
            "code": "name-not-allowed",
            "detail": "Two or more printable characters.",
        }
        raise Unprocessable("invalid", "1 error(s) in the data.", errors=[error])
    return clean


FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
