"""Schemas drawn from examples: exact where the code is exact, silent where it is not."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from uuid import UUID

import pytest

from solaris_local.contracts.coverage import rules_of
from solaris_local.contracts.files import compare, write
from solaris_local.contracts.samples import samples
from solaris_local.contracts.schemas import schema_of
from solaris_shared.log.codec import to_json


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Part:
    name: str
    faces: tuple[int, ...]
    note: str | None


@dataclass(frozen=True)
class Happened:
    thing_id: UUID
    colour: Colour
    kind: Literal["a", "b"]
    parts: tuple[Part, ...]
    counts: dict[str, int]
    pair: tuple[int, str]
    remark: str | None = None


def test_examples_fill_every_annotation() -> None:
    filled, bare = samples(Happened)
    assert filled.parts == (Part("name", (1,), "note"), Part("name", (), None))
    assert filled.counts == {"key": 1}
    assert (filled.colour, bare.colour) == (Colour.RED, Colour.BLUE)
    assert (bare.parts, bare.counts, bare.remark) == ((), {}, None)
    assert samples(Happened) == (filled, bare), "the same on every machine"


def test_schemas_say_what_is_required_and_what_may_be_null() -> None:
    schema = schema_of([to_json(one) for one in samples(Happened)])
    assert schema["properties"]["thing_id"] == {"type": "string", "format": "uuid"}
    assert schema["properties"]["remark"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    part = schema["properties"]["parts"]["items"]
    assert part["required"] == ["faces", "name", "note"]
    assert {"type": "null"} in part["properties"]["note"]["anyOf"]
    assert "remark" in schema["required"], "always written, sometimes null"
    assert schema_of([{"a": 1}, {}])["required"] == []


def test_a_float_is_no_contract() -> None:
    with pytest.raises(TypeError):
        schema_of([{"a": 0.5}])


def test_generated_files_replace_and_remove(tmp_path) -> None:
    stale = tmp_path / "contracts" / "events" / "old.json"
    stale.parent.mkdir(parents=True)
    stale.write_text("{}")
    files = {"contracts/events/new.json": "{}\n"}
    assert compare(tmp_path, files) == ["contracts/events/new.json", "contracts/events/old.json"]
    write(tmp_path, files)
    assert compare(tmp_path, files) == []
    assert not stale.exists()


def test_a_rule_module_tells_its_rule_source_and_tests(tmp_path) -> None:
    engine = tmp_path / "services/combat/src/solaris_combat/engines/battletech"
    tests = tmp_path / "services/combat/tests"
    engine.mkdir(parents=True)
    tests.mkdir(parents=True)
    (engine / "heat.py").write_text('"""Heat of a turn.\n\nMore. Source: BMRr heat; R 4.\n"""\n')
    (tests / "test_heat.py").write_text(
        "from solaris_combat.engines.battletech import heat\ndef test_a(): ...\nasync def test_b(): ...\n"
    )
    [rule] = rules_of(tmp_path)
    assert (rule.module, rule.title, rule.source) == ("heat", "Heat of a turn.", "BMRr heat; R 4.")
    assert rule.tests == (("services/combat/tests/test_heat.py", 2),)
