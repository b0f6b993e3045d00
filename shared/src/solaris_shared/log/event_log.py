"""The log of one service: load a stream, append to it, read all of it in its one global order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import msgspec

from solaris_shared import ids
from solaris_shared.database import statements
from solaris_shared.errors import VersionConflict
from solaris_shared.log.codec import EventTypes, check_json, dump
from solaris_shared.log.foreign import IMPORT_PREFIX, UNREADABLE, ForeignTypes, ForeignUnreadable
from solaris_shared.messaging import envelope
from solaris_shared.messaging.envelope import PublicEvent
from solaris_shared.operator_events import KERNEL_TYPES, OperatorActed

Publish = Callable[[object, str], PublicEvent | None]
"""(private event, stream) -> the public fact, or None. Pure; an explicit allow-list."""

APPEND_FIRST, APPEND_NEXT, APPEND_SEVERAL = statements("append.sql")

COLUMNS = """
e.ordinal, e.stream, e.version, e.event_id, e.type, e.type_version, e.data::text, e.meta::text, e.recorded_at
"""
LOAD = f"""
SELECT NULL::bigint AS position, {COLUMNS} FROM event e WHERE stream = $1 AND version > $2 ORDER BY version
"""
READ = f"""
SELECT l.position, {COLUMNS} FROM log l JOIN event e ON e.ordinal = l.ordinal
WHERE l.position > $1 ORDER BY l.position LIMIT $2
"""


@dataclass(frozen=True, slots=True)
class Meta:
    """Where an event comes from; stored with it."""

    command_id: UUID
    correlation_id: str
    causation_id: str
    principal: str

    def as_json(self) -> dict[str, str]:
        """As it is stored."""
        return msgspec.to_builtins(self)


@dataclass(frozen=True, slots=True)
class Stored:
    """An event as it stands in the log. `position` is None until the sequencer has numbered it."""

    ordinal: int
    position: int | None
    stream: str
    version: int
    event_id: UUID
    type: str
    event: object
    meta: dict[str, Any]
    recorded_at: datetime


class Row(NamedTuple):
    """An event ready to be appended; `subject` and `envelope` are None where it stays private."""

    event_id: UUID
    type: str
    type_version: int
    data: str
    meta: str
    subject: str | None = None
    envelope: bytes | None = None


async def append_rows(
    conn: asyncpg.Connection, stream: str, expected: int, rows: Sequence[Row], now: datetime
) -> int:
    """Append `rows` at expected+1.. in one statement and return the new version.

    Raises VersionConflict unless the stream is at `expected`; the surrounding transaction is over then.
    """
    if expected < 0 or not stream:
        raise ValueError(f"cannot append to {stream!r} at version {expected}")
    try:
        if len(rows) == 1:
            statement = APPEND_NEXT if expected else APPEND_FIRST
            done = await conn.execute(statement, stream, expected, now, *rows[0])
        else:
            done = await conn.execute(APPEND_SEVERAL, stream, expected, now, *zip(*rows, strict=True))
    except asyncpg.UniqueViolationError as error:
        raise VersionConflict("version-conflict", f"{stream} is not at {expected}") from error
    if done != f"INSERT 0 {len(rows)}":
        raise VersionConflict("version-conflict", f"{stream} has no version {expected}")
    return expected + len(rows)


class EventLog:
    """Access to the log of `service`; holds no connection and no state."""

    def __init__(
        self,
        service: str,
        types: EventTypes,
        publish: Publish,
        imports: Mapping[str, ForeignTypes] = MappingProxyType({}),
    ) -> None:
        self.service = service
        self.types = types | KERNEL_TYPES
        self.publish = publish
        self.imports = dict(imports)

    def with_imports(self, imports: Mapping[str, ForeignTypes]) -> "EventLog":
        """The same log, reading the imported events of these foreign services."""
        return EventLog(self.service, self.types, self.publish, imports)

    async def append(
        self,
        conn: asyncpg.Connection,
        stream: str,
        expected: int,
        events: Sequence[object],
        meta: Meta,
        now: datetime,
        first: int = 0,
    ) -> int:
        """Append `events` at expected+1.. in the caller's transaction, with what `publish` makes of them.

        `first` is the number of events this command has appended before, in any stream. Returns the new
        version. Raises VersionConflict, EventInvalid, ContractBroken and whatever `publish` raises; after
        VersionConflict the caller's transaction must be rolled back.
        """
        if not events:
            return expected
        rows = [self.row(stream, event, meta, now, first + n) for n, event in enumerate(events)]
        return await append_rows(conn, stream, expected, rows, now)

    def row(self, stream: str, event: object, meta: Meta, now: datetime, index: int = 0) -> Row:
        """The row of an event, the `index`-th of its command, with what `publish` makes of it."""
        name, version, data = self.types.encode(event)
        fields = meta.as_json()
        check_json(fields)
        id_ = ids.event_id(meta.command_id, index)
        public = None if isinstance(event, OperatorActed) else self.publish(event, stream)
        row = Row(id_, name, version, dump(data), dump(fields))
        if public is None:
            return row
        subject, raw = envelope.encode(self.service, public, id_, fields, now)
        return row._replace(subject=subject, envelope=raw)

    async def load(self, conn: asyncpg.Connection, stream: str, after: int = 0) -> list[Stored]:
        """The events of `stream` with versions beyond `after`, in order."""
        return [self.decode(record) for record in await conn.fetch(LOAD, stream, after)]

    async def read(self, conn: asyncpg.Connection, after: int, limit: int = 500) -> list[Stored]:
        """Up to `limit` events beyond position `after`, in position order. Raises EventUnreadable."""
        return [self.decode(record) for record in await self.read_raw(conn, after, limit)]

    async def read_raw(self, conn: asyncpg.Connection, after: int, limit: int = 500) -> list[asyncpg.Record]:
        """As `read`, not decoded: a handler decodes only what it handles. There is no other query of the
        log.
        """
        return await conn.fetch(READ, after, limit)

    def decode(self, record: asyncpg.Record) -> Stored:
        """The stored event of a record of `read_raw`. Raises EventUnreadable."""
        data, meta = msgspec.json.decode(record["data"]), msgspec.json.decode(record["meta"])
        return Stored(
            record["ordinal"],
            record["position"],
            record["stream"],
            record["version"],
            record["event_id"],
            record["type"],
            self._event(record["stream"], record["type"], record["type_version"], data, meta),
            meta,
            record["recorded_at"],
        )

    def _event(self, stream: str, type_: str, version: int, data: Any, meta: dict[str, Any]) -> object:
        if not stream.startswith(IMPORT_PREFIX):
            return self.types.decode(type_, version, data)
        if type_ == UNREADABLE:
            return ForeignUnreadable(**data)
        foreign = self.imports.get(stream.removeprefix(IMPORT_PREFIX), ForeignTypes({}))
        return foreign.decode(type_, data, meta)
