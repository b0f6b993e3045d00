"""What one service reads of another fits what the other publishes: each tolerant model against its producer's
examples, field by field, so that a renamed field is found here and not on a halted reactor."""

import dataclasses
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from solaris_local.contracts.documents import contracts_of, definition

SERVICES = ("league", "combat", "economy", "mail")


def reads() -> Iterator[tuple[str, str, str, type]]:
    """(reader, producer, type, model) of every import."""
    for reader in SERVICES:
        for producer, types in definition(reader).imports.items():
            for type_, model in types.models.items():
                yield reader, producer, type_, model


def fields(model: Any) -> dict[str, Any]:
    """Public name -> type of each field."""
    if issubclass(model, msgspec.Struct):
        return {field.encode_name: field.type for field in msgspec.structs.fields(model)}
    return {field.name: field.type for field in dataclasses.fields(model)}


def unknown_fields(model: Any, data: Any, path: str = "") -> Iterator[str]:
    """Fields the model knows and the example has not."""
    if not isinstance(model, type):
        for inner in get_args(model):
            yield from unknown_fields(inner, data[0] if isinstance(data, list) and data else data, path)
    elif isinstance(data, dict) and (dataclasses.is_dataclass(model) or issubclass(model, msgspec.Struct)):
        for name, inner in fields(model).items():
            if name not in data:
                yield f"{path}/{name}"
            else:
                yield from unknown_fields(inner, data[name], f"{path}/{name}")


@pytest.mark.parametrize(
    ("reader", "producer", "type_", "model"),
    [pytest.param(*one, id=f"{one[0]} reads {one[2]}") for one in reads()],
)
def test_a_reader_knows_only_what_its_producer_publishes(reader, producer, type_, model):
    published = {contract.type: contract for contract in contracts_of(producer)}
    assert type_ in published, f"{producer} does not publish {type_}"
    for example in published[type_].examples:
        decoded = definition(reader).imports[producer].decode(type_, example, {})
        assert isinstance(decoded, model)
    best = min((list(unknown_fields(model, one)) for one in published[type_].examples), key=len)
    assert best == []
