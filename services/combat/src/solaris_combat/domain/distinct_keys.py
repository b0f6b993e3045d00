"""Every key of a JSON object stands once: of two values for one key nobody could tell which was meant."""

import json
from collections.abc import Iterable
from typing import Any


class _Pairs(list[tuple[str, Any]]):
    """An object as it was written: its keys with their values, in order."""


def repeated_keys(text: str | bytes) -> list[str]:
    """JSON pointers of the keys that stand more than once in their object; ValueError for what is no JSON."""
    found: dict[str, None] = {}
    waiting: list[tuple[Any, str]] = [(json.loads(text, object_pairs_hook=_Pairs), "")]
    for node, at in waiting:
        seen = set()
        for key, value in _entries(node):
            place = f"{at}/{key.replace('~', '~0').replace('/', '~1')}"
            if key in seen:
                found[place] = None
            seen.add(key)
            waiting.append((value, place))
    return list(found)


def _entries(node: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(node, _Pairs):
        return node
    return [(str(number), one) for number, one in enumerate(node)] if isinstance(node, list) else ()
