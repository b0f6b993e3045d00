"""Events of other services as this one has imported them."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from solaris_shared.log.codec import EventUnreadable
from solaris_shared.messaging.envelope import type_of_nats_subject

REASON_LENGTH = 500
IMPORT_PREFIX = "import-"
UNREADABLE = "foreign-unreadable"
"""Stored name of a message that could not be decoded or broke its contract; its bytes are kept."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A foreign public fact for which this service declares no model."""

    type: str
    subject: str
    data: Any
    id: str
    time: str


@dataclass(frozen=True, slots=True)
class ForeignUnreadable:
    """A message kept as it came. `type` is what its NATS subject claims, "" if that tells nothing either."""

    subject: str
    type: str
    reason: str
    raw: str
    """the bytes, base64"""

    @classmethod
    def of(cls, subject: str, reason: str, data: bytes) -> "ForeignUnreadable":
        """Keep `data`."""
        clean = reason.encode("utf-8", "replace").decode().replace("\x00", "")[:REASON_LENGTH]
        return cls(subject, type_of_nats_subject(subject), clean, cls.encode(data))

    @staticmethod
    def encode(data: bytes) -> str:
        """As `raw` holds them."""
        return base64.b64encode(data).decode()

    @property
    def bytes(self) -> bytes:
        """The message as it came."""
        return base64.b64decode(self.raw)


class ForeignTypes:
    """Tolerant models of the few public events of one foreign service which this service reads."""

    def __init__(self, models: Mapping[str, type]) -> None:
        """`models`: CloudEvents type -> frozen dataclass; fields the model does not know are ignored."""
        self.models = dict(models)

    def decode(self, type_: str, data: Any, meta: Mapping[str, Any]) -> object:
        """The model of a known type, `Foreign` of another. Raises EventUnreadable where data breaks the
        model.
        """
        model = self.models.get(type_)
        if model is None:
            return Foreign(type_, meta.get("subject", ""), data, meta.get("id", ""), meta.get("time", ""))
        try:
            return msgspec.convert(data, model, str_keys=True)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise EventUnreadable("foreign-contract-broken", f"{type_}: {error}") from error


def import_stream(service: str) -> str:
    """Name of the stream that holds what was imported from `service`."""
    return IMPORT_PREFIX + service
