"""The relay copies the outbox into the service's stream: message number k is publication k, byte for byte.

The proof stands in docs/explanation/append-sequence-relay-import.md.
"""

from time import monotonic

from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging.envelope import PUBLICATION_HEADER, id_of
from solaris_shared.messaging.jetstream import Bus, Message, StreamEnd
from solaris_shared.operations import Permit
from solaris_shared.testing import failpoints

NAME = "relay"
BATCH = 100
VERIFY_SECONDS = 5.0
"""An idle relay looks so often whether the stream still ends where it left it."""
OUTBOX = """
SELECT publication, subject, envelope FROM outbox WHERE publication > $1 ORDER BY publication LIMIT $2
"""


class Relay:
    """Publishes for one service; a second relay beside it is harmless."""

    def __init__(self, store: Store, bus: Bus, max_bytes: int = 1 << 30, replicas: int = 1) -> None:
        self.store = store
        self.bus = bus
        self.permit = Permit(store, NAME)
        self.stream = store.log.service.upper()
        self.subject = f"solaris.{store.log.service}.>"
        self.limits = (max_bytes, replicas)
        self.last: int | None = None
        self._verified = 0.0

    async def step(self) -> bool:
        """Publish the next page; False if there was nothing to do, or the relay is halted. Raises BusAway."""
        if not await self.permit.given():
            self.last = None
            return False
        after = self.last
        if after is None or monotonic() - self._verified > VERIFY_SECONDS:
            self.last = after = await self._verify()
        if after is None:
            return False
        messages = await self._next(after)
        await failpoints.hit("relay.read")
        if not messages:
            return False
        self.last = None
        await failpoints.hit("relay.before_publish")
        sent = await self.bus.publish(messages)
        await failpoints.hit("relay.published_not_acked")
        if sent == len(messages):
            self.last = after + sent
        await failpoints.hit("relay.acked_not_checked")
        return sent > 0

    async def _next(self, after: int) -> list[Message]:
        async with self.store.connection() as conn:
            rows = await conn.fetch(OUTBOX, after, BATCH)
        return [
            Message(number, subject, data, {"Nats-Msg-Id": id_of(data), PUBLICATION_HEADER: str(number)})
            for number, subject, data in rows
        ]

    async def _verify(self) -> int | None:
        """Set `last` to the stream's end if that is ours; create the stream if there is none; else halt."""
        end = await self.bus.stream_end(self.stream)
        if end is None:
            await self.bus.create_stream(self.stream, self.subject, *self.limits)
            end = StreamEnd(0, 0)
        if problem := await self._problem(end):
            await self.permit.withdraw(problem)
            return None
        self.last, self._verified = end.last, monotonic()
        return self.last

    async def _problem(self, end: StreamEnd) -> str:
        """What is wrong with the stream, "" if it is a prefix of the outbox as far as its end and count
        tell.
        """
        if end.count != end.last:
            return f"stream {self.stream} holds {end.count} of {end.last} messages"
        if end.last == 0:
            return ""
        ours = await self._next(end.last - 1)
        if not ours:
            return f"stream {self.stream} ends at {end.last}, beyond the outbox"
        if await self.bus.message(self.stream, end.last) != ours[0].data:
            return f"message {end.last} of stream {self.stream} is not publication {end.last}"
        return ""
