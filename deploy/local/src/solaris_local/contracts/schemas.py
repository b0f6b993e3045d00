"""JSON Schemas of what is really published, drawn from examples and merged."""

import re
from collections.abc import Sequence
from typing import Any

UUID_FORM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
INSTANT_FORM = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
LARGEST = 2**53 - 1
ANY_KEY = "key"
"""The one key of an example mapping whose keys are data, not names."""

Schema = dict[str, Any]


def schema_of(examples: Sequence[Any]) -> Schema:
    """A schema that every example satisfies: a property is required if it stands in all of them."""
    kinds = {_kind(value): None for value in examples}
    branches = [_branch(kind, [value for value in examples if _kind(value) == kind]) for kind in kinds]
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    for kind, name in (
        (bool, "boolean"),
        (int, "integer"),
        (str, "string"),
        (dict, "object"),
        ((list, tuple), "array"),
    ):
        if isinstance(value, kind):
            return name
    raise TypeError(f"{value!r} is not JSON of ours")


def _branch(kind: str, values: list[Any]) -> Schema:
    if kind == "object":
        return _object(values)
    if kind == "array":
        items = [item for value in values for item in value]
        return {"type": "array"} | ({"items": schema_of(items)} if items else {})
    if kind == "string":
        return _string(values)
    if kind == "integer":
        return {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST}
    return {"type": kind}


def _object(values: list[dict[str, Any]]) -> Schema:
    names = sorted({name for value in values for name in value})
    if names == [ANY_KEY]:
        return {
            "type": "object",
            "additionalProperties": schema_of([value[ANY_KEY] for value in values if value]),
        }
    required = [name for name in names if all(name in value for value in values)]
    properties = {name: schema_of([value[name] for value in values if name in value]) for name in names}
    return {"type": "object", "properties": properties, "required": required} if names else {"type": "object"}


def _string(values: list[str]) -> Schema:
    if all(UUID_FORM.fullmatch(value) for value in values):
        return {"type": "string", "format": "uuid"}
    if all(INSTANT_FORM.fullmatch(value) for value in values):
        return {"type": "string", "format": "date-time"}
    return {"type": "string"}
