"""Consume the league's public facts from NATS as a partner: every event once, in order, across restarts.

    python examples/partner_consumer.py nats://127.0.0.1:4222 partner.nk partner-ana COMBAT events.jsonl

The consumer on the server remembers what was acknowledged; an event is acknowledged when its line is written.
After a crash in between it is delivered again, so the number of the last line tells what to leave out. Needs
nats-py[nkeys].
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import BinaryIO

import nats
from nats.errors import TimeoutError as NothingNew


def bookmark(file: BinaryIO) -> int:
    """The number of the last whole line; half a line at the end (we were killed while writing) is removed."""
    file.seek(0)
    whole = file.read().rpartition(b"\n")[0]
    file.truncate(len(whole) + 1 if whole else 0)
    file.seek(0, os.SEEK_END)
    return json.loads(whole.rpartition(b"\n")[2])["number"] if whole else 0


async def consume(url: str, seed_file: str, durable: str, stream: str, path: Path) -> None:
    """Consume for ever; the defaults of nats-py give up after two minutes, so they are set here."""
    client = await nats.connect(
        url,
        nkeys_seed=seed_file,
        inbox_prefix=f"_INBOX.{durable}",
        max_reconnect_attempts=-1,
        ping_interval=5,
        max_outstanding_pings=2,
    )
    puller = await client.jetstream().pull_subscribe_bind(durable, stream)
    with path.open("a+b") as file:
        last = bookmark(file)
        while True:
            try:
                messages = await puller.fetch(100, timeout=2)
            except NothingNew:
                continue
            for message in messages:
                number = message.metadata.sequence.stream  # the publication: the same number as in every feed
                if number > last + 1:
                    raise SystemExit(f"after {last} came {number}: something was lost")
                if number == last + 1:
                    file.write(b'{"number":%d,"event":%b}\n' % (number, message.data))
                    file.flush()
                    last = number
            await messages[-1].ack()  # the consumer's policy: this and all before it


if __name__ == "__main__":
    address, seed, name, source, target = sys.argv[1:]
    asyncio.run(consume(address, seed, name, source, Path(target)))
