"""Canonical JSON: the one spelling of a value whose bytes are hashed, committed to and recorded."""

import hashlib
import json
from typing import Any

import msgspec

_LEAVES = (str, int, bool, type(None))


def canonical(value: Any) -> bytes:
    """UTF-8 JSON, sorted keys, no spaces; TypeError for a float or anything that is not plain JSON."""
    _check(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def plain(value: Any) -> Any:
    """Frozen dataclasses, tuples, enums and sets as plain JSON values; sets come out sorted."""
    return msgspec.to_builtins(value, str_keys=True, order="deterministic")


def sha256(data: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _check(value: Any) -> None:
    if isinstance(value, _LEAVES):
        return
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"key {key!r} is not text")
        value = value.values()
    elif not isinstance(value, list | tuple):
        raise TypeError(f"{type(value).__name__} has no canonical form")
    for item in value:
        if not isinstance(item, _LEAVES):
            _check(item)
