"""Rows of case files that the rules contradict: the table of docs/rules/battletech/differences.md.

A row is excepted by its id and by the hash of its very line, so a row that changes is judged again.
"""

import re
from hashlib import sha256
from pathlib import Path

PAGE = Path(__file__).resolve().parents[5] / "docs/rules/battletech/differences.md"
"""The page in a checkout; an installed package has none, and then nothing is excepted."""
DIGITS = 12
_ROW = re.compile(rf"^\| (?P<case>[a-z]+[-0-9]\S*) \| (?P<hash>[0-9a-f]{{{DIGITS}}}) \|", re.MULTILINE)

Exceptions = frozenset[tuple[str, str]]


def line_hash(line: str) -> str:
    """The first digits of the SHA-256 of a line without its end."""
    return sha256(line.encode()).hexdigest()[:DIGITS]


def exceptions(page: Path = PAGE) -> Exceptions:
    """Id and line hash of every row that the page lists; none without a page."""
    if not page.is_file():
        return frozenset()
    return frozenset(_ROW.findall(page.read_text(encoding="utf-8")))
