"""Reading JSON strictly: whatever is not as it must be is refused with a pointer to its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solaris_combat.engines.contract import OrdersInvalid, Violation

RULE = "R 4.6"


def text_or_none(fields: dict[str, Any], name: str, at: str) -> str | None:
    """A text, or None where the field is left out or null."""
    return None if fields.get(name) is None else text(fields, name, at)


def object_of(data: object, at: str, known: tuple[str, ...]) -> dict[str, Any]:
    """A JSON object with none but the known fields."""
    if not isinstance(data, dict):
        raise refused("not-an-object", at, "a JSON object is expected here")
    for name in data:
        if name not in known:
            place = f"{at}/{escaped(name)}"
            raise refused("field-unknown", place, f"unknown field; known are {', '.join(known)}")
    return data


def list_of(data: object, at: str, longest: int) -> list[Any]:
    """A JSON list that is not too long."""
    if not isinstance(data, list):
        raise refused("not-a-list", at, "a JSON list is expected here")
    if len(data) > longest:
        raise refused("list-too-long", at, f"at most {longest} entries")
    return data


def int_of(fields: dict[str, Any], name: str, at: str, least: int, most: int) -> int:
    """A whole number within bounds."""
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        place = f"{at}/{escaped(name)}"
        raise refused("not-in-range", place, f"{name} must be a whole number from {least} to {most}")
    return value


def flag(fields: dict[str, Any], name: str, at: str, *, usual: bool = False) -> bool:
    """True or false; `usual` where the field is left out."""
    value = fields.get(name, usual)
    if not isinstance(value, bool):
        raise refused("not-a-boolean", f"{at}/{name}", f"{name} must be true or false")
    return value


def text(fields: Mapping[Any, Any], name: str | int, at: str) -> str:
    """A text of 1 to 64 characters."""
    value = fields.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= 64:
        raise refused("not-a-name", f"{at}/{name}", f"{name} must be a text of 1 to 64 characters")
    return value


def escaped(name: object) -> str:
    """A name as part of a JSON pointer."""
    return str(name)[:64].replace("~", "~0").replace("/", "~1")


def refused(code: str, pointer: str, detail: str) -> OrdersInvalid:
    """The refusal of a place."""
    return OrdersInvalid(Violation(code, detail, pointer, RULE))
