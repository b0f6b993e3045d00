"""Stored names and JSON of events.

A stored name is an explicit constant ("order-placed"), so classes may move and be renamed freely (V01). A
stored event keeps the version of its payload; upcasters lift old payloads one version at a time, one event to
one event (V04).
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from solaris_shared.errors import SolarisError, Unprocessable

MAX_INTEGER = 2**53 - 1
"""The largest integer, either sign, that every JSON reader keeps exactly."""

HALF_PAIR = re.compile("[\ud800-\udfff]")
REFUSALS = {
    int: ("integer-out-of-range", "beyond 2**53 - 1"),
    float: ("float-refused", "floats are not stored"),
    str: ("text-refused", "NUL or half a surrogate pair"),
}

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


class EventInvalid(Unprocessable):
    """An event that may not be stored: a float, an integer beyond 2**53 - 1, a NUL or half a surrogate
    pair.
    """


class EventUnreadable(SolarisError):
    """A stored event this release cannot read: unknown name, newer payload version, or a payload that does
    not fit.
    """


def check_json(value: Any) -> None:
    """Raise EventInvalid at the first thing in `value` that must not stand in a payload."""
    if not _is_fine(value):
        _explain(value, "")


def _is_fine(value: Any) -> bool:
    """Whether everything in `value` may be stored; quick, for it runs with every append."""
    kind = type(value)
    if kind is str:
        return "\x00" not in value and (value.isascii() or not HALF_PAIR.search(value))
    if kind is int:
        return -MAX_INTEGER <= value <= MAX_INTEGER
    if kind is dict:
        return all(type(key) is str and _is_fine(key) and _is_fine(item) for key, item in value.items())
    if kind is list or kind is tuple:
        return all(map(_is_fine, value))
    return value is None or kind is bool


def _explain(value: Any, path: str) -> None:
    """Raise EventInvalid for the first thing that is not fine, with the JSON pointer of its place."""
    if isinstance(value, dict):
        for key, item in value.items():
            if type(key) is not str or not _is_fine(key):
                raise EventInvalid("text-refused", f"{path or '/'}: a key is no clean text", pointer=path)
            _explain(item, f"{path}/{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _explain(item, f"{path}/{index}")
    elif not _is_fine(value):
        code, what = REFUSALS.get(type(value), ("not-json", type(value).__name__))
        raise EventInvalid(code, f"{path or '/'}: {what}", pointer=path)


def to_json(value: Any) -> Any:
    """`value` (dataclasses, ids, instants, enums, sets...) as checked plain JSON values; sets come out
    sorted.
    """
    try:
        plain = msgspec.to_builtins(value, str_keys=True, order="deterministic")
    except (TypeError, ValueError, OverflowError) as error:
        raise EventInvalid("not-json", str(error)) from error
    check_json(plain)
    return plain


def dump(plain: Any) -> str:
    """JSON text of plain values that `check_json` has passed."""
    return msgspec.json.encode(plain).decode()


class EventTypes:
    """The registry of one service's private events: stored name <-> dataclass."""

    def __init__(
        self,
        types: Mapping[str, type],
        upcasters: Mapping[tuple[str, int], Upcaster] = MappingProxyType({}),
        versions: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """`versions` gives the current payload version of each name (1 where absent); `upcasters[name, n]`
        lifts a payload of version n to n + 1. Raises ValueError for a class under two names or a missing
        upcaster.
        """
        self.types = dict(types)
        self.upcasters = dict(upcasters)
        self.versions = dict(versions)
        self._names = {cls: name for name, cls in self.types.items()}
        if len(self._names) != len(self.types):
            raise ValueError("one class stands under two stored names")
        for name, version in self.versions.items():
            missing = [step for step in range(1, version) if (name, step) not in self.upcasters]
            if name not in self.types or missing:
                raise ValueError(f"{name}: unknown name, or no upcaster from version {missing}")

    def __or__(self, other: "EventTypes") -> "EventTypes":
        """Both registries as one; a name in both must mean the same class."""
        for name in self.types.keys() & other.types.keys():
            if self.types[name] is not other.types[name]:
                raise ValueError(f"{name} means two classes")
        return EventTypes(
            self.types | other.types, self.upcasters | other.upcasters, self.versions | other.versions
        )

    def name_of(self, event: object) -> str:
        """The stored name of an event or event class; KeyError if it has none."""
        return self._names[event if isinstance(event, type) else type(event)]

    def encode(self, event: object) -> tuple[str, int, dict[str, Any]]:
        """Stored name, payload version and plain JSON payload. Raises EventInvalid for what may not be
        stored.
        """
        name = self.name_of(event)
        return name, self.versions.get(name, 1), to_json(event)

    def decode(self, name: str, version: int, data: dict[str, Any]) -> object:
        """The event of a stored payload, lifted to the current version. Raises EventUnreadable."""
        cls = self.types.get(name)
        current = self.versions.get(name, 1)
        if cls is None or version > current:
            raise EventUnreadable("event-unknown", f"{name} version {version} is not known to this release")
        for step in range(version, current):
            data = self.upcasters[name, step](data)
        try:
            return msgspec.convert(data, cls, str_keys=True)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise EventUnreadable("event-unreadable", f"{name} version {version}: {error}") from error
