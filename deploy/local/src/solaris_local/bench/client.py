"""A very small HTTP/1.1 client: a load generator on the same two cores must not cost more than what it
measures.
"""

import asyncio
import json
from typing import Any


class Connections:
    """Up to `limit` kept-alive connections to one address; a request waits for a free one."""

    def __init__(self, host: str, port: int, limit: int) -> None:
        self.host, self.port = host, port
        self._slots = asyncio.Semaphore(limit)
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def send(
        self, method: str, path: str, headers: dict[str, str], body: Any = None
    ) -> tuple[int, dict[str, Any]]:
        """Status and JSON answer. Raises OSError, IncompleteReadError."""
        data = b"" if body is None else json.dumps(body).encode()
        fields = {
            "Host": self.host,
            "Content-Length": str(len(data)),
            "Content-Type": "application/json",
        } | headers
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        async with self._slots:
            reader, writer = (
                self._free.pop() if self._free else await asyncio.open_connection(self.host, self.port)
            )
            writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data)
            status, answer = await _answer(reader)
            self._free.append((reader, writer))
        return status, answer

    def close(self) -> None:
        """Close what is open."""
        for _, writer in self._free:
            writer.close()
        self._free.clear()


async def _answer(reader: asyncio.StreamReader) -> tuple[int, dict[str, Any]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = next(
        (
            int(line.split(":")[1])
            for line in head.split("\r\n")
            if line.lower().startswith("content-length:")
        ),
        0,
    )
    data = await reader.readexactly(length)
    return int(head.split(" ", 2)[1]), json.loads(data) if data else {}
