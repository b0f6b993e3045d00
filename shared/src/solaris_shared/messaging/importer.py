"""An importer copies another service's stream into the own log: version k of `import-<service>` is message k.

No business code: what a fact means is up to the projections and reactors that handle its type. The proof
stands in docs/explanation/append-sequence-relay-import.md.
"""

from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from solaris_shared import clock, ids
from solaris_shared.errors import VersionConflict
from solaris_shared.log.codec import EventInvalid, EventUnreadable, dump, to_json
from solaris_shared.log.event_log import Row, append_rows
from solaris_shared.log.foreign import UNREADABLE, ForeignTypes, ForeignUnreadable, import_stream
from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging import envelope
from solaris_shared.messaging.envelope import ContractBroken, Envelope
from solaris_shared.messaging.jetstream import Bus, BusAway, ConsumerGone, Message, Puller
from solaris_shared.operations import Permit
from solaris_shared.testing import failpoints

BATCH = 256
Feed = Callable[[int, int], Awaitable[Sequence[Message]]]
"""The producer's own feed: what it has beyond a number, so many at most. Raises BusAway."""
VERSION = "SELECT coalesce(max(version), 0) FROM event WHERE stream = $1"
KNOWN = f"SELECT {clock.NOW_SQL}, ARRAY(SELECT event_id FROM event WHERE event_id = ANY($1::uuid[]))"
STORED = """
SELECT version, event_id, type, data->>'raw' AS raw FROM event WHERE stream = $1 AND version = ANY($2::int[])
"""


class Importer:
    """Imports the facts of `foreign`; a second importer beside it is harmless."""

    def __init__(
        self, store: Store, bus: Bus, foreign: str, durable: str, wake: Callable[[], None] = lambda: None
    ) -> None:
        self.store = store
        self.bus = bus
        self.foreign = foreign
        self.durable = durable
        self.wake = wake
        self.feed: Feed | None = None
        self.stream = import_stream(foreign)
        self.types = store.log.imports.get(foreign, ForeignTypes({}))
        self.permit = Permit(store, self.stream)
        self.pending = 0
        self._puller: Puller | None = None
        self._reset, self._anew, self._first = True, False, False
        self._missing = 0
        self._at: int | None = None

    async def step(self) -> bool:
        """Import what has come; False if nothing has, or the importer is halted. Raises BusAway,
        VersionConflict.
        """
        if not await self.permit.given():
            await self.close()
            return False
        try:
            puller = self._puller or await self._open()
            if puller is None:
                return False
            messages = await puller.fetch(BATCH)
            await failpoints.hit("con.fetched")
            if messages:
                await self._take(puller, messages)
            else:
                self.pending = 0  # what the server counted last may have been below the consumer's start
        except (BusAway, VersionConflict) as error:
            self._reset = not isinstance(error, ConsumerGone)
            await self.close()
            raise
        return bool(messages)

    async def close(self) -> None:
        """Let go of the consumer (it stays on the server, where it is)."""
        puller, self._puller = self._puller, None
        if puller is not None:
            await puller.close()

    async def _open(self) -> Puller | None:
        """Bind to the consumer, made at the last version that is stored so that its message can be
        compared.
        """
        self._at = await self._version()
        stream, subject = self.foreign.upper(), f"solaris.{self.foreign}.>"
        start = max(self._at, 1)
        self._puller = await self.bus.consumer(stream, self.durable, subject, start, self._anew, self._reset)
        self._anew = self._reset = False
        self._first = self._puller is not None and self._puller.made
        return self._puller

    async def _version(self) -> int:
        async with self.store.connection() as conn:
            return await conn.fetchval(VERSION, self.stream)

    async def _take(self, puller: Puller, messages: Sequence[Message]) -> None:
        """Store the run of messages that begins at the next number, and acknowledge."""
        version = await self._version() if self._at is None else self._at
        repeats = [message for message in messages if message.sequence <= version]
        if repeats and not await self._same(repeats):
            return
        fresh = sorted((m for m in messages if m.sequence > version), key=lambda message: message.sequence)
        run = [m for n, m in enumerate(fresh, version + 1) if m.sequence == n]
        if run:
            await self._store(version, run)
            self._first, self._missing = False, 0
        if done := run or repeats:
            await puller.acknowledge(done[-1])
            await failpoints.hit("con.acked")
            self.pending = done[-1].pending
        if len(run) < len(fresh):
            await self._hole(version + len(run) + 1, fresh[len(run)].sequence)

    async def _store(self, version: int, run: Sequence[Message]) -> None:
        rows, self._at = [self._row(message) for message in run], None
        async with self.store.atomic() as conn:
            now, known = await conn.fetchrow(KNOWN, [row.event_id for row in rows])
            await append_rows(conn, self.stream, version, self._once(run, rows, set(known)), now)
            await failpoints.hit("con.before_commit")
        self._at = version + len(run)
        self.wake()
        await failpoints.hit("con.committed_not_acked")

    async def _hole(self, number: int, there: int) -> None:
        """Numbers before `there` are missing: make the consumer anew at our position; if they are missing
        twice then, take them from the producer's feed; without one that has them, halt."""
        if self._first and self._missing == number:
            if found := await self.feed(number - 1, there - number) if self.feed else ():
                await self._store(number - 1, found)
            else:
                text = f"message {number} of stream {self.foreign.upper()} is missing, later ones are there"
                await self.permit.withdraw(text)
        self._anew, self._missing = True, number
        await self.close()

    async def _same(self, repeats: Sequence[Message]) -> bool:
        """Whether repeated messages are the ones we stored; halts if one is another."""
        async with self.store.connection() as conn:
            found = await conn.fetch(STORED, self.stream, [message.sequence for message in repeats])
        stored = {row["version"]: row for row in found}
        for message in repeats:
            row, again = stored[message.sequence], self._row(message)
            raw = ForeignUnreadable.encode(message.data)
            if row["event_id"] != again.event_id and not (row["type"] == UNREADABLE and row["raw"] == raw):
                text = f"message {message.sequence} of {self.foreign.upper()} is not the one imported"
                await self.permit.withdraw(text)
                await self.close()
                return False
        return True

    def _row(self, message: Message) -> Row:
        try:
            fact = envelope.decode(self.foreign, message.subject, message.data)
            number = message.headers.get(envelope.PUBLICATION_HEADER, str(message.sequence))
            if number != str(message.sequence):
                raise ContractBroken("envelope-misplaced", f"publication {number} at {message.sequence}")
            self.types.decode(fact.type, fact.data, {})
        except (ContractBroken, EventInvalid, EventUnreadable) as error:
            return self._unreadable(message, str(error))
        return Row(self._id(fact.id), fact.type, 1, dump(fact.data), dump(_meta(fact)))

    def _unreadable(self, message: Message, reason: str) -> Row:
        kept = ForeignUnreadable.of(message.subject, reason, message.data)
        return Row(self._id(str(message.sequence)), UNREADABLE, 1, dump(to_json(kept)), dump({}))

    def _id(self, what: str) -> UUID:
        return ids.derived_id("import", self.foreign, what)

    def _once(self, run: Sequence[Message], rows: Sequence[Row], seen: set[UUID]) -> list[Row]:
        """An id that stands at an earlier number already breaks the contract."""
        kept = []
        for message, row in zip(run, rows, strict=True):
            kept.append(self._unreadable(message, "the id was used before") if row.event_id in seen else row)
            seen.add(row.event_id)
        return kept


def _meta(fact: Envelope) -> dict[str, str]:
    return {
        "id": fact.id, "source": fact.source, "time": fact.time, "subject": fact.subject,
        "correlation_id": fact.correlationid, "causation_id": fact.causationid,
    }  # fmt: skip
