"""What the events of the services may not hold."""

import dataclasses
import importlib
import re
import typing
from collections.abc import Iterator

import pytest
from source import SERVICES

BANNED = re.compile(r"e_?mail|real_?name|name_real|password|phone|birth|street|ip|address", re.IGNORECASE)


def fields(kind: object, seen: frozenset[object] = frozenset()) -> Iterator[tuple[str, object]]:
    """Every field name and type that a stored event of this type may hold, at any depth."""
    if kind in seen:
        return
    for argument in typing.get_args(kind):
        yield from fields(argument, seen)
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        for field in dataclasses.fields(kind):
            yield field.name, hints[field.name]
            yield from fields(hints[field.name], seen | {kind})


@pytest.mark.parametrize("service", sorted(name.removeprefix("solaris_") for name in SERVICES))
def test_events_hold_no_personal_data_and_no_floats(service: str) -> None:
    """S01, S04: names and addresses stand in mutable tables, events carry opaque ids; no float anywhere."""
    types = importlib.import_module(f"solaris_{service}.main").definition().log.types.types
    assert types
    found = [(stored, *field) for stored, event in types.items() for field in fields(event)]
    assert [entry for entry in found if BANNED.fullmatch(entry[1])] == []
    assert [entry for entry in found if entry[2] is float] == []
