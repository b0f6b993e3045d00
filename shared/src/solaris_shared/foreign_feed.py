"""Another service's public feed over HTTP, for the one case in which the broker has lost messages from the
middle of a stream: the producer still has them, byte for byte.
"""

import asyncio
import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence

import msgspec
import structlog

from solaris_shared.messaging.envelope import ContractBroken, nats_subject
from solaris_shared.messaging.jetstream import BusAway, Message

FEED_SECONDS = 5.0
PAGE = 256
MAX_BYTES = 256 << 20
log = structlog.get_logger()


class ForeignFeed:
    """The feed of the service at `base` (http://league-api:8000)."""

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")

    async def read(self, after: int, count: int) -> Sequence[Message]:
        """Up to `count` messages beyond number `after`. Raises BusAway, also for an answer that is none."""
        address = f"{self.base}/v1/events?after={after}&limit={min(count, PAGE)}"
        try:
            async with asyncio.timeout(2 * FEED_SECONDS):
                text = await asyncio.to_thread(_get, address)
            found = list(_messages(text, after))
        except (OSError, http.client.HTTPException, ValueError, KeyError, ContractBroken) as error:
            raise BusAway(f"{address}: {type(error).__name__}: {error}") from error
        log.error("a hole in a stream is read from its producer", address=address, found=len(found))
        return found


def _get(address: str) -> bytes:
    request = urllib.request.Request(address, headers={"Accept": "application/x-ndjson"})
    with urllib.request.urlopen(request, timeout=FEED_SECONDS) as answer:
        return answer.read(MAX_BYTES)


def _messages(text: bytes, after: int) -> Iterator[Message]:
    """The lines as messages; ValueError unless they are numbered one by one and end as they should."""
    *lines, end = text.splitlines()
    if msgspec.json.decode(end).get("type") != "end":
        raise ValueError("the answer was cut")
    for number, line in enumerate(lines, after + 1):
        frame = b'{"number":%d,"event":' % number
        if not line.startswith(frame):
            raise ValueError(f"number {number} does not follow")
        raw = line[len(frame) : -1]
        fact = msgspec.json.decode(raw)
        yield Message(number, nats_subject(fact["type"], fact["subject"]), raw, {})
