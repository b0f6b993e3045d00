"""Public facts as CloudEvents 1.0 in JSON. The bytes are made once, when the event is appended, and never
again.
"""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec

from solaris_shared.errors import SolarisError
from solaris_shared.log.codec import check_json, to_json

TYPE = re.compile(r"solaris\.([a-z][a-z0-9-]*)\.([a-z][a-z0-9-]*)\.v([1-9][0-9]*)")
SUBJECT = re.compile(r"([a-z][a-z0-9-]*)/([A-Za-z0-9_-]+)")
NATS_SUBJECT = re.compile(
    r"solaris\.([a-z][a-z0-9-]*)\.[a-z][a-z0-9-]*\.[A-Za-z0-9_-]+\.([a-z][a-z0-9-]*)\.v([1-9][0-9]*)"
)
PUBLICATION_HEADER = "Solaris-Publication"
"""Carries the publication beside the bytes, so that an importer can check that it is the stream's number."""
MAX_ENVELOPE = 512 * 1024
"""Bytes; half of the server's default limit of a message."""


class ContractBroken(SolarisError):
    """Bytes or fields that are not one of our CloudEvents."""


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """What the world may know of one private event."""

    type: str
    """solaris.<service>.<event>.v<N>"""
    subject: str
    """<aggregate>/<id>"""
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Envelope:
    """A decoded public fact of some service."""

    id: str
    source: str
    type: str
    subject: str
    time: str
    data: dict[str, Any]
    correlationid: str = ""
    causationid: str = ""


def source_of(service: str) -> str:
    """The CloudEvents source of a service's facts."""
    return f"/solaris/{service}"


def nats_subject(type_: str, subject: str) -> str:
    """solaris.<service>.<aggregate>.<id>.<event>.v<N>; raises ContractBroken for malformed parts."""
    kind, about = _parts_of_type(type_), SUBJECT.fullmatch(subject)
    if not kind or not about:
        raise ContractBroken("envelope-malformed", f"type {type_!r} or subject {subject!r}")
    return f"solaris.{kind[0]}.{about[1]}.{about[2]}.{kind[1]}.v{kind[2]}"


@functools.lru_cache(1024)
def _parts_of_type(type_: str) -> tuple[str, ...] | None:
    match = TYPE.fullmatch(type_)
    return match and match.groups()


def type_of_nats_subject(subject: str) -> str:
    """The CloudEvents type a NATS subject claims, "" if it is not one of ours."""
    match = NATS_SUBJECT.fullmatch(subject)
    return f"solaris.{match[1]}.{match[2]}.v{match[3]}" if match else ""


def encode(
    service: str, public: PublicEvent, event_id: UUID, meta: Mapping[str, str], now: datetime
) -> tuple[str, bytes]:
    """NATS subject and bytes of a public fact of `service`.

    Raises ContractBroken if the fact is another service's, malformed or too large, EventInvalid for refused
    values.
    """
    subject = nats_subject(public.type, public.subject)
    if not subject.startswith(f"solaris.{service}."):
        raise ContractBroken("envelope-foreign", f"{public.type} is not a type of {service}")
    fields = {
        "specversion": "1.0",
        "id": str(event_id),
        "source": source_of(service),
        "type": public.type,
        "subject": public.subject,
        "time": now.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "datacontenttype": "application/json",
        "partitionkey": public.subject,
        "correlationid": meta["correlation_id"],
        "causationid": meta["causation_id"],
        "data": to_json(public.data),
    }
    raw = msgspec.json.encode({name: value for name, value in fields.items() if value != ""})
    if len(raw) > MAX_ENVELOPE:
        raise ContractBroken("envelope-too-large", f"{public.type}: {len(raw)} bytes")
    return subject, raw


def decode(service: str, subject: str, raw: bytes) -> Envelope:
    """The fact of `service` in a message on NATS `subject`. Raises ContractBroken with the reason."""
    if len(raw) > MAX_ENVELOPE:
        raise ContractBroken("envelope-too-large", f"{len(raw)} bytes")
    try:
        fields = msgspec.json.decode(raw)
        envelope = msgspec.convert(fields, Envelope)
        UUID(envelope.id)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise ContractBroken("envelope-malformed", str(error)) from error
    if fields.get("specversion") != "1.0" or envelope.source != source_of(service):
        raise ContractBroken("envelope-foreign", "not a CloudEvent 1.0 of this source")
    if nats_subject(envelope.type, envelope.subject) != subject:
        raise ContractBroken("envelope-misplaced", "type and subject do not belong to the NATS subject")
    check_json(envelope.data)
    return envelope


def id_of(raw: bytes) -> str:
    """The event id in bytes that `encode` made."""
    return msgspec.json.decode(raw)["id"]
