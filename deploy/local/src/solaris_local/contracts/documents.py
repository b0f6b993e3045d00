"""All files under contracts/, as text by path: what `solaris contracts` writes and CI compares."""

import importlib
import importlib.util
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from solaris_local import services
from solaris_local.contracts.samples import EXAMPLE_ID, samples
from solaris_local.contracts.schemas import schema_of
from solaris_shared.definition import ServiceDefinition
from solaris_shared.log.codec import dump, to_json
from solaris_shared.messaging.envelope import PublicEvent

PROBE = "probe"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class Contract:
    """One public event type: a schema and an example of its data."""

    type: str
    service: str
    aggregate: str
    stored: str
    examples: tuple[dict[str, Any], ...]

    @property
    def schema(self) -> dict[str, Any]:
        """Schema of `data`; readers must ignore properties they do not know."""
        return schema_of(self.examples)

    @property
    def address(self) -> str:
        """NATS subject with the id of the aggregate as a parameter."""
        event = self.type.removeprefix(f"solaris.{self.service}.")
        return f"solaris.{self.service}.{self.aggregate}.{{id}}.{event}"


def definition(service: str) -> ServiceDefinition:
    """A service's definition from its composition root."""
    found: ServiceDefinition = importlib.import_module(f"solaris_{service}.main").definition()
    return found


def contracts_of(service: str) -> tuple[Contract, ...]:
    """Every public event of a service, found by publishing examples of its private ones."""
    log = definition(service).log
    given = _given_examples(service)
    found: dict[str, Contract] = {}
    for stored, kind in sorted(log.types.types.items()):
        public = [_published(log.publish, stored, event) for event in given.get(stored) or samples(kind)]
        facts = [fact for fact in public if fact]
        if facts:
            found[facts[0].type] = _contract(service, stored, facts)
    return tuple(contract for _, contract in sorted(found.items()))


def _given_examples(service: str) -> Mapping[str, Sequence[object]]:
    """Examples that the service itself offers where its publish needs coherent events."""
    name = f"solaris_{service}.application.examples"
    if importlib.util.find_spec(name) is None:
        return {}
    offered: Mapping[str, Sequence[object]] = importlib.import_module(name).EXAMPLES
    return offered


def _published(publish: Any, stored: str, event: object) -> PublicEvent | None:
    """What the allow-list makes of an example, in a stream of the aggregate that its answer names."""
    try:
        fact: PublicEvent | None = publish(event, f"{PROBE}-{EXAMPLE_ID}")
        return publish(event, f"{_stream(fact, stored)}-{EXAMPLE_ID}") if fact else None
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"{stored}: no example passes publish(); offer one in examples.py") from error


def _stream(fact: PublicEvent, stored: str) -> str:
    """The aggregate named by the answer; where it only repeats the stream, the first word of the event."""
    named = _aggregate(fact)
    return stored.split("-", maxsplit=1)[0] if named == PROBE else named


def _aggregate(fact: PublicEvent) -> str:
    return fact.subject.split("/", maxsplit=1)[0]


def _contract(service: str, stored: str, facts: Sequence[PublicEvent]) -> Contract:
    examples = tuple(json.loads(dump(to_json(fact.data))) for fact in facts)
    return Contract(facts[0].type, service, _aggregate(facts[0]), stored, examples)


def documents() -> dict[str, str]:
    """Path below contracts/ -> text."""
    found = {service: contracts_of(service) for service in services.NAMES}
    every = [contract for own in found.values() for contract in own]
    files = {path: _json(value) for contract in every for path, value in _event_files(contract)}
    files["asyncapi.json"] = _json(asyncapi(every))
    for service in services.NAMES:
        files[f"openapi/{service}.json"] = _json(openapi(service))
    return files


def _event_files(contract: Contract) -> Iterator[tuple[str, Any]]:
    schema = {"$schema": DIALECT, "$id": f"urn:{contract.type}", "title": contract.type} | contract.schema
    yield f"events/{contract.type}.schema.json", schema
    yield f"events/{contract.type}.example.json", envelope(contract)


def envelope(contract: Contract) -> dict[str, Any]:
    """The filled example as a whole CloudEvent."""
    return {
        "specversion": "1.0",
        "id": str(UUID(int=EXAMPLE_ID.int + 1)),
        "source": f"/solaris/{contract.service}",
        "type": contract.type,
        "subject": f"{contract.aggregate}/{EXAMPLE_ID}",
        "time": "2026-11-30T20:00:00Z",
        "datacontenttype": "application/json",
        "partitionkey": f"{contract.aggregate}/{EXAMPLE_ID}",
        "correlationid": "example",
        "causationid": "example",
        "data": contract.examples[0],
    }


def asyncapi(contracts: Sequence[Contract]) -> dict[str, Any]:
    """AsyncAPI 3: a channel and an operation for each public event type, and for each service's feed."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Solaris 7 public facts",
            "version": "1",
            "description": "CloudEvents 1.0 in JSON, one JetStream stream for each service. The sequence in "
            "the stream is the publication number: gapless, and the same in every way to read it.",
        },
        "defaultContentType": "application/cloudevents+json",
        "channels": {contract.type: _channel(contract) for contract in contracts} | _feeds(contracts),
        "operations": {f"send.{contract.type}": _operation(contract) for contract in contracts}
        | {f"send.feed.{service}": _feed_operation(service) for service in services.NAMES},
        "components": {"messages": {contract.type: _message(contract) for contract in contracts}},
    }


def _channel(contract: Contract) -> dict[str, Any]:
    return {
        "address": contract.address,
        "parameters": {"id": {"description": f"id of the {contract.aggregate}"}},
        "messages": {contract.type: {"$ref": f"#/components/messages/{contract.type}"}},
    }


def _feeds(contracts: Sequence[Contract]) -> dict[str, Any]:
    """The same facts over HTTP: one channel for each service, its address on that service's API."""
    return {
        f"feed.{service}": {
            "address": "/v1/events",
            "description": f"All public facts of {service}. By Accept: text/event-stream (id = publication, "
            "event = type, data = the CloudEvent; resume with Last-Event-ID; a comment every 15 s; event "
            '"gap" {asked, last} for what cannot be served), application/x-ndjson (closed by a line of type '
            '"end") or application/json (a page).',
            "messages": {c.type: {"$ref": f"#/components/messages/{c.type}"} for c in contracts
                         if c.service == service},
            "bindings": {"http": {}},
        }
        for service in services.NAMES
    }  # fmt: skip


def _feed_operation(service: str) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/feed.{service}"},
        "summary": f"Served by {service} at GET /v1/events",
        "bindings": {"http": {"method": "GET"}},
    }


def _operation(contract: Contract) -> dict[str, Any]:
    return {
        "action": "send",
        "channel": {"$ref": f"#/channels/{contract.type}"},
        "summary": f"Published by {contract.service} on stream {contract.service.upper()}",
    }


def _message(contract: Contract) -> dict[str, Any]:
    payload = {
        "type": "object",
        "properties": {
            "type": {"const": contract.type},
            "subject": {"type": "string"},
            "data": {"$ref": f"./events/{contract.type}.schema.json"},
        },
        "required": ["specversion", "id", "source", "type", "subject", "time", "data"],
    }
    return {"name": contract.type, "contentType": "application/cloudevents+json", "payload": payload}


def openapi(service: str) -> dict[str, Any]:
    """OpenAPI of a service's API, built without a database or broker; no key here opens anything."""
    from solaris_shared.http.app import create_app
    from solaris_shared.http.tokens import make_key, public_jwks
    from solaris_shared.settings import Settings

    main, secret, key = importlib.import_module(f"solaris_{service}.main"), "00" * 32, make_key()
    with tempfile.TemporaryDirectory() as folder:
        signing, jwks = Path(folder) / "signing.jwk", Path(folder) / "jwks.json"
        signing.write_text(json.dumps(key))
        jwks.write_text(json.dumps(public_jwks(key)))
        settings = getattr(main, "SETTINGS", Settings)(
            service=service, jwks_file=jwks, signing_key_file=signing, data_key=secret, cursor_key=secret
        )
        return create_app(definition(service), settings).openapi()


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
