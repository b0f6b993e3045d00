"""Canonical JSON: the one spelling of a value whose bytes are hashed, committed to and recorded."""

import hashlib
import json
from typing import Any

import msgspec


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
    match value:
        case None | bool() | int() | str():
            return
        case dict():
            for key, item in value.items():
                if not isinstance(key, str):
                    raise TypeError(f"key {key!r} is not text")
                _check(item)
        case list() | tuple():
            for item in value:
                _check(item)
        case _:
            raise TypeError(f"{type(value).__name__} has no canonical form")
