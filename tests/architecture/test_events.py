"""Stored events live for ever: their names are frozen, and no personal data may stand in their fields."""

import dataclasses
import importlib
import json
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

FROZEN = Path(__file__).with_name("stored_names.json")
SERVICES = ("league", "combat", "economy", "mail")
PERSONAL = re.compile(r"(^|_)(e?mail|name_real|real_name|ip|address|phone|handle|password)(_|$)")


def event_types(service: str) -> dict[str, type]:
    """Stored name -> dataclass of one service."""
    found: dict[str, type] = importlib.import_module(f"solaris_{service}.main").definition().log.types.types
    return found


@pytest.mark.parametrize("service", SERVICES)
def test_stored_names_are_frozen(service: str) -> None:
    """A name once released is never renamed or removed; a new one is added to stored_names.json here."""
    frozen = json.loads(FROZEN.read_text())[service]
    assert sorted(event_types(service)) == frozen


@pytest.mark.parametrize("service", SERVICES)
def test_events_carry_no_personal_data(service: str) -> None:
    found = [f"{name}.{path}" for name, kind in event_types(service).items() for path in field_paths(kind)]
    assert not [path for path in found if PERSONAL.search(path.rsplit(".", maxsplit=1)[-1])]


def field_paths(kind: Any, seen: tuple[Any, ...] = ()) -> Iterator[str]:
    """Field names of a dataclass and of everything it holds."""
    if dataclasses.is_dataclass(kind) and kind not in seen:
        for name, hint in get_type_hints(kind).items():
            yield name
            yield from (
                f"{name}.{inner}" for part in parts(hint) for inner in field_paths(part, (*seen, kind))
            )


def parts(hint: Any) -> Iterator[Any]:
    """Types that an annotation is made of."""
    yield hint
    for argument in get_args(hint):
        if not isinstance(argument, str | types.EllipsisType):
            yield from parts(argument)
