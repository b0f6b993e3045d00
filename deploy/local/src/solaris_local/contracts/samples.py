"""Example objects of a dataclass, made from its annotations alone: one filled, one as bare as may be.

A list in the filled one holds both kinds of item, so that what may be null inside is seen.

Nothing is random: the same code gives the same examples on every machine.
"""

import dataclasses
import types
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from solaris_local.contracts.schemas import ANY_KEY

EXAMPLE_ID = UUID("5f1a4c0e-7d3b-4e6a-9b2c-3062c0ffee07")
EXAMPLE_INSTANT = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
HEX_NAMES = ("seed", "salt", "nonce", "digest", "hash", "commitment")
OPEN = (Any, object)
MEANINGS: dict[str, object] = {
    "owner": "organisers",
    "fight_class": 3,
    "class_": 3,
    "class": 3,
    "gunnery": 4,
    "piloting": 5,
    "turn": 3,
    "model": "PNT-9R",
}


def samples(kind: type) -> tuple[object, object]:
    """The filled and the bare example of a dataclass."""
    return example(kind, "", filled=True), example(kind, "", filled=False)


def example(kind: Any, name: str, filled: bool) -> Any:
    """One example value for an annotation; `name` is the field it stands in."""
    if isinstance(kind, NewType):
        return example(kind.__supertype__, name, filled)
    if dataclasses.is_dataclass(kind) or (isinstance(kind, type) and hasattr(kind, "_fields")):
        return _record(kind, filled)
    if get_origin(kind) in (Union, types.UnionType):
        return _choice(get_args(kind), name, filled)
    if get_origin(kind) is Literal:
        return get_args(kind)[0 if filled else -1]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)[0 if filled else -1]
    return _container(kind, name, filled) if get_origin(kind) else _plain(kind, name)


def _record(kind: Any, filled: bool) -> Any:
    hints = get_type_hints(kind)
    return kind(
        **{name: example(hint, name, filled) for name, hint in hints.items() if _is_field(kind, name)}
    )


def _is_field(kind: Any, name: str) -> bool:
    if dataclasses.is_dataclass(kind):
        return any(field.name == name and field.init for field in dataclasses.fields(kind))
    return name in kind._fields


def _choice(members: tuple[Any, ...], name: str, filled: bool) -> Any:
    if not filled and type(None) in members:
        return None
    return example(next(member for member in members if member is not type(None)), name, filled)


def _container(kind: Any, name: str, filled: bool) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple and Ellipsis not in arguments:
        return tuple(example(argument, name, filled) for argument in arguments)
    if not filled:
        return origin() if origin is not Mapping and isinstance(origin, type) and _concrete(origin) else {}
    if len(arguments) == 2 and Ellipsis not in arguments:
        return {} if arguments[1] in OPEN else {ANY_KEY: example(arguments[1], name, filled)}
    items = [example(arguments[0], name.removesuffix("s"), full) for full in (True, False)]
    distinct = items[: 1 + (items[0] != items[1])]
    return origin(distinct) if _concrete(origin) else tuple(distinct)


def _concrete(origin: Any) -> bool:
    return origin in (list, tuple, set, frozenset, dict)


def _plain(kind: Any, name: str) -> Any:
    if kind is str:
        return _text(name)
    values = {int: MEANINGS.get(name, 1), bool: True, UUID: EXAMPLE_ID, bytes: b"\x00", object: {}, Any: {}}
    values |= {datetime: EXAMPLE_INSTANT, date: EXAMPLE_INSTANT.date(), dict: {}, tuple: (), list: []}
    return values[kind]


def _text(name: str) -> str:
    """A text that looks like what the field's name promises."""
    if name in MEANINGS and isinstance(MEANINGS[name], str):
        return str(MEANINGS[name])
    if name.endswith(("_id", "id")):
        return str(EXAMPLE_ID)
    if name.endswith(("_at", "deadline")):
        return EXAMPLE_INSTANT.strftime("%Y-%m-%dT%H:%M:%SZ")
    if name.endswith(HEX_NAMES):
        return "00" * 32
    return name.rstrip("_").replace("_", "-") or "text"
