"""Follow the public feed of one service: every event once, in order, however often the line is cut.

    python examples/sse_consumer.py http://127.0.0.1:8702 events.jsonl

The file is the result and the bookmark at once: one line {"number", "event"} for each event, and its last
whole line tells where to go on after a restart. Needs httpx.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import httpx

SILENCE_SECONDS = 40.0
"""The server sends a heartbeat every 15 s: silence for longer means that the line is dead."""
PAUSE_SECONDS = 1.0


def bookmark(file: BinaryIO) -> int:
    """The number of the last whole line; half a line at the end (we were killed while writing) is removed."""
    file.seek(0)
    whole = file.read().rpartition(b"\n")[0]
    file.truncate(len(whole) + 1 if whole else 0)
    file.seek(0, os.SEEK_END)
    return json.loads(whole.rpartition(b"\n")[2])["number"] if whole else 0


def events(answer: httpx.Response) -> Iterator[dict[str, bytes]]:
    """The events of a stream as {"id", "event", "data"}.

    Bytes are split at line feeds only: JSON text may hold other characters that splitlines() takes for
    line ends. What is cut before its empty line does not count.
    """
    buffer = b""
    for chunk in answer.iter_bytes():
        *blocks, buffer = (buffer + chunk).split(b"\n\n")
        for block in blocks:
            fields = dict(line.split(b": ", 1) for line in block.split(b"\n") if line[:1] != b":")
            if b"data" in fields:
                yield {name.decode(): value for name, value in fields.items()}


def follow_once(client: httpx.Client, url: str, after: int, file: BinaryIO) -> int:
    """Read one connection until it ends or breaks; the number reached (also when it breaks: see the file)."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    with client.stream("GET", url, headers=headers) as answer:
        answer.raise_for_status()
        for event in events(answer):
            number = int(event["id"])
            if event["event"] == b"gap":
                raise SystemExit(
                    f"the feed cannot go on after {after}: {event['data'].decode()}; begin again"
                )
            if number != after + 1:
                raise SystemExit(f"after {after} came {number}: something was lost")
            file.write(b'{"number":%d,"event":%b}\n' % (number, event["data"]))
            file.flush()
            after = number
    return after


def follow(base: str, path: Path, until: int | None = None) -> None:
    """Follow for ever, or until event number `until` has been written."""
    with path.open("a+b") as file, httpx.Client(timeout=httpx.Timeout(10, read=SILENCE_SECONDS)) as client:
        while until is None or bookmark(file) < until:
            try:
                follow_once(client, f"{base}/v1/events", bookmark(file), file)
            except httpx.HTTPError as error:
                print(f"cut ({type(error).__name__}); going on in a moment", file=sys.stderr)
            time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    follow(sys.argv[1].rstrip("/"), Path(sys.argv[2]))
