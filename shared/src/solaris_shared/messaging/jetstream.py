"""JetStream, as little of it as relay and importers need. The only module that imports nats.

The client's defaults are all wrong for a service that must outlive its broker: it would give up after two
minutes, notice a dead peer after six, and keep publishes of an outage to send them later. Every call here is
bounded, and whatever the client raises comes out as BusAway, which passes by itself.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import nats
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NotJSMessageError

CALL_SECONDS = 2.0
FETCH_SECONDS = 1.0
ACK_WAIT_SECONDS = 10.0
"""A message that is not acknowledged is delivered again after so long: far more than ten times
FETCH_SECONDS.
"""
CONNECT_SECONDS = 2.0
OPTIONS: dict[str, Any] = {
    "max_reconnect_attempts": -1,
    "reconnect_time_wait": 0.25,
    "connect_timeout": 2,
    "pending_size": -1,
    "ping_interval": 2,
    "max_outstanding_pings": 2,
}
NOT_FOUND = frozenset({10014, 10059})
"""Error codes: no such consumer, no such stream."""


class BusAway(ConnectionError):
    """The broker does not answer, or not as hoped. Nothing is known about what it did."""


class ConsumerGone(BusAway):
    """The consumer does not exist any more; make it anew."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a stream."""

    sequence: int
    subject: str
    data: bytes
    headers: Mapping[str, str]
    reply: str = ""
    pending: int = 0
    """how many more wait behind it"""


@dataclass(frozen=True, slots=True)
class StreamEnd:
    """What a stream holds: `last` is the highest number it ever gave, `count` the messages still there."""

    last: int
    count: int


@contextlib.asynccontextmanager
async def _bounded(seconds: float) -> AsyncIterator[None]:
    """Turn the client's errors and a time-out into BusAway."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (nats.errors.Error, TimeoutError, OSError) as error:
        if isinstance(error, BusAway):
            raise
        raise BusAway(f"{type(error).__name__}: {error}") from error


async def _quiet(_error: Exception) -> None:
    """The client's own complaints; what matters comes out of the calls."""


class Bus:
    """A connection as one user, made when first needed and again whenever it was closed."""

    def __init__(self, url: str, user: str, seed: str = "") -> None:
        self.url = url
        self.user = user
        self.seed = seed
        self._client: Client | None = None
        self._acks: asyncio.Queue[Msg] = asyncio.Queue()
        self._inbox, self._batch = "", 0

    async def client(self) -> Client:
        """The connected client. Raises BusAway."""
        if self._client is None or self._client.is_closed:
            options = OPTIONS | ({"nkeys_seed_str": self.seed} if self.seed else {})
            client = Client()
            async with _bounded(CONNECT_SECONDS):
                prefix = f"_INBOX.{self.user}"
                await client.connect(
                    self.url, name=self.user, inbox_prefix=prefix, error_cb=_quiet, **options
                )
                self._inbox = client.new_inbox()
                await client.subscribe(f"{self._inbox}.>", cb=self._acks.put)
            self._client = client
        if not self._client.is_connected:
            raise BusAway("not connected")
        return self._client

    async def close(self) -> None:
        """Flush what is written and close."""
        client, self._client = self._client, None
        if client is not None and not client.is_closed:
            with contextlib.suppress(nats.errors.Error, TimeoutError, OSError):
                async with asyncio.timeout(CALL_SECONDS):
                    await client.flush()
            await client.close()

    async def _call(self, method: str, body: object = None) -> dict[str, Any] | None:
        """A JetStream API call; None if the thing does not exist. Raises BusAway."""
        client = await self.client()
        async with _bounded(CALL_SECONDS):
            data = b"" if body is None else msgspec.json.encode(body)
            answer = msgspec.json.decode((await client.request(f"$JS.API.{method}", data, CALL_SECONDS)).data)
        error = answer.get("error")
        if error and error.get("err_code") in NOT_FOUND:
            return None
        if error:
            raise BusAway(f"{method}: {error}")
        return answer

    async def stream_end(self, stream: str) -> StreamEnd | None:
        """Where `stream` ends; None if there is no such stream."""
        info = await self._call(f"STREAM.INFO.{stream}")
        return StreamEnd(info["state"]["last_seq"], info["state"]["messages"]) if info else None

    async def create_stream(self, stream: str, subject: str, max_bytes: int, replicas: int) -> None:
        """Create a stream that never drops anything: when it is full it refuses (D05)."""
        await self._call(
            f"STREAM.CREATE.{stream}",
            {
                "name": stream, "subjects": [subject], "storage": "file", "retention": "limits",
                "discard": "new", "max_bytes": max_bytes, "max_msgs": -1, "max_age": 0, "max_consumers": -1,
                "deny_delete": True, "deny_purge": True, "num_replicas": replicas,
                "duplicate_window": 120_000_000_000,
            },
        )  # fmt: skip

    async def message(self, stream: str, sequence: int) -> bytes | None:
        """The bytes of message `sequence`, None if it is not there."""
        answer = await self._call(f"STREAM.MSG.GET.{stream}", {"seq": sequence})
        return msgspec.convert(answer["message"].get("data", ""), bytes) if answer else None

    async def publish(self, messages: Sequence[Message]) -> int:
        """Publish `messages`, each only if it gets exactly its `sequence`; how many did, from the first on.

        Fewer than all: unknown, read the stream's end again. Raises BusAway, also for a full stream.
        """
        client = await self.client()
        self._batch += 1
        inbox = f"{self._inbox}.{self._batch}"
        async with _bounded(CALL_SECONDS + 0.02 * len(messages)):
            for number, message in enumerate(messages):
                headers = {**message.headers, "Nats-Expected-Last-Sequence": str(message.sequence - 1)}
                await client.publish(message.subject, message.data, f"{inbox}.{number}", headers)
            return await _count_acks(self._acks, inbox, messages)

    async def consumer(
        self, stream: str, durable: str, subject: str, start: int, anew: bool, reset: bool
    ) -> "Puller | None":
        """The durable consumer, None if there is no stream. It is made at `start` if there is none, if
        `anew`, or if `reset` and messages are under way to somebody: they would come again only after
        ACK_WAIT_SECONDS.
        """
        info = await self._call(f"CONSUMER.INFO.{stream}.{durable}")
        if info and (anew or (reset and info["num_ack_pending"])):
            await self._call(f"CONSUMER.DELETE.{stream}.{durable}")
            info = None
        made = info is None
        if made:
            config = {
                "durable_name": durable, "name": durable, "filter_subject": subject, "ack_policy": "all",
                "deliver_policy": "by_start_sequence", "opt_start_seq": start, "max_deliver": -1,
                "ack_wait": int(ACK_WAIT_SECONDS * 1e9), "max_ack_pending": 10_000,
            }  # fmt: skip
            name = f"CONSUMER.CREATE.{stream}.{durable}.{subject}"
            if await self._call(name, {"stream_name": stream, "config": config}) is None:
                return None
        puller = Puller(self, stream, durable, made)
        await puller.open()
        return puller


async def _count_acks(acks: asyncio.Queue[Msg], inbox: str, messages: Sequence[Message]) -> int:
    """Wait for the acknowledgements; the length of the prefix that got its numbers. Late ones of an earlier
    batch tell nothing of this one.
    """
    good, left = [False] * len(messages), len(messages)
    while left:
        answer = await acks.get()
        batch, _, number_text = answer.subject.rpartition(".")
        if batch != inbox:
            continue
        left, number = left - 1, int(number_text)
        ack = msgspec.json.decode(answer.data) if answer.data else {}
        good[number] = ack.get("seq") == messages[number].sequence
        if not good[number]:
            if ack.get("error", {}).get("err_code") == 10077:
                raise BusAway(f"the stream is full: {ack['error']}")
            break
    return good.index(False) if False in good else len(good)


class Puller:
    """Pulls messages of one consumer. One request is open at a time and serves several fetches; the server
    ends each within FETCH_SECONDS, so silence beyond that means that the request was lost.
    """

    def __init__(self, bus: Bus, stream: str, durable: str, made: bool) -> None:
        self.bus = bus
        self.made = made
        self.next = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{durable}"
        self._messages: asyncio.Queue[Msg] = asyncio.Queue()
        self._inbox = ""
        self._wanted = 0
        self._close: Callable[[], Awaitable[None]] | None = None

    async def open(self) -> None:
        """Subscribe to the inbox of the answers."""
        client = await self.bus.client()
        self._inbox = client.new_inbox()
        async with _bounded(CALL_SECONDS):
            self._close = (await client.subscribe(self._inbox, cb=self._messages.put)).unsubscribe

    async def close(self) -> None:
        """Take no more."""
        if self._close is not None:
            with contextlib.suppress(nats.errors.Error):
                await self._close()

    async def fetch(self, limit: int) -> list[Message]:
        """Up to `limit` messages as soon as there is one, [] if none came in time. Raises ConsumerGone,
        BusAway.
        """
        client = await self.bus.client()
        if self._wanted <= 0:
            body = {"batch": limit, "expires": int(FETCH_SECONDS * 1e9)}
            async with _bounded(CALL_SECONDS):
                await client.publish(self.next, msgspec.json.encode(body), self._inbox)
            self._wanted = limit
        found: list[Message] = []
        while len(found) < limit and (answer := await self._answer(bool(found))) is not None:
            if (message := self._take(answer)) is not None:
                found.append(message)
        return found

    async def _answer(self, at_once: bool) -> Msg | None:
        """The next answer, waiting for one unless `at_once`; None if there is none."""
        if not self._messages.empty():
            return self._messages.get_nowait()
        if at_once or self._wanted <= 0:
            return None
        try:
            return await asyncio.wait_for(self._messages.get(), FETCH_SECONDS + 1)
        except TimeoutError:
            self._wanted = 0
            raise BusAway("the request for messages got no answer") from None

    def _take(self, answer: Msg) -> Message | None:
        """A message, or None for the end of a request."""
        try:
            metadata = answer.metadata
        except NotJSMessageError:
            self._wanted = 0
            status = (answer.headers or {}).get("Status", "")
            if status not in ("404", "408"):
                raise ConsumerGone(f"status {status}: {(answer.headers or {}).get('Description')}") from None
            return None
        self._wanted -= 1
        headers = answer.headers or {}
        sequence, pending = metadata.sequence.stream, metadata.num_pending
        return Message(sequence, answer.subject, answer.data, headers, answer.reply, pending)

    async def acknowledge(self, message: Message) -> None:
        """Acknowledge `message` and everything before it. An acknowledgement that gets lost costs a
        repeat.
        """
        client = await self.bus.client()
        async with _bounded(CALL_SECONDS):
            await client.publish(message.reply, b"+ACK")
