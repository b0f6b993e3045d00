"""contracts/ is generated from the code: what is committed may not differ; examples keep their schemas."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from solaris_local import services
from solaris_local.contracts.documents import contracts_of
from solaris_local.contracts.files import compare, generated

ROOT = Path(__file__).resolve().parents[2]
EVENTS = ROOT / "contracts" / "events"


def test_committed_contracts_equal_the_code() -> None:
    """On a failure: run `make contracts`, read the difference, commit it or keep the contract."""
    assert compare(ROOT, generated(ROOT)) == []


@pytest.mark.parametrize("service", services.NAMES)
def test_every_example_keeps_its_schema(service: str) -> None:
    contracts = contracts_of(service)
    assert contracts, f"{service} publishes nothing"
    for contract in contracts:
        Draft202012Validator.check_schema(contract.schema)
        validator = Draft202012Validator(contract.schema)
        for example in contract.examples:
            validator.validate(example)


def test_asyncapi_names_every_public_event_once() -> None:
    document = json.loads((ROOT / "contracts" / "asyncapi.json").read_text())
    types = {path.name.removesuffix(".schema.json") for path in EVENTS.glob("*.schema.json")}
    assert document["asyncapi"] == "3.0.0"
    feeds = {name for name in document["channels"] if name.startswith("feed.")}
    assert set(document["channels"]) - feeds == set(document["components"]["messages"]) == types
    sent = {operation["channel"]["$ref"].split("/")[-1] for operation in document["operations"].values()}
    assert sent == types | feeds
    for name in types:
        address = document["channels"][name]["address"]
        assert address.startswith("solaris.") and "{id}" in address


def test_asyncapi_has_a_feed_for_each_service_with_all_its_events() -> None:
    document = json.loads((ROOT / "contracts" / "asyncapi.json").read_text())
    for service in services.NAMES:
        channel = document["channels"][f"feed.{service}"]
        assert channel["address"] == "/v1/events"
        assert set(channel["messages"]) == {contract.type for contract in contracts_of(service)}


@pytest.mark.parametrize("service", services.NAMES)
def test_openapi_documents_problems_and_versions_every_path(service: str) -> None:
    document = json.loads((ROOT / "contracts" / "openapi" / f"{service}.json").read_text())
    assert document["openapi"].startswith("3.")
    assert document["paths"], "no route"
    unversioned = [path for path in document["paths"] if not path.startswith(("/v1/", "/.well-known/"))]
    assert not unversioned
