"""A mail server for one machine: takes every letter and keeps it as an .eml file."""

import argparse
import asyncio
import contextlib
import signal
import time
from pathlib import Path

from aiosmtpd.smtp import SMTP, Envelope, Session


class Keeper:
    """Writes each accepted message before it answers 250, so that an accepted letter is on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Called by aiosmtpd for each message."""
        self.count += 1
        name = f"{time.time_ns():020d}-{self.count:06d}"
        part = self.folder / f".{name}.part"
        recipients = ", ".join(envelope.rcpt_tos)
        part.write_bytes(f"X-Envelope-To: {recipients}\r\n".encode() + (envelope.original_content or b""))
        part.rename(self.folder / f"{name}.eml")
        return "250 OK"


async def serve(port: int, folder: Path) -> None:
    """Serve on loopback until SIGTERM or SIGINT."""
    keeper, loop, stop = Keeper(folder), asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    server = await loop.create_server(
        lambda: SMTP(keeper, enable_SMTPUTF8=True, loop=loop), "127.0.0.1", port
    )
    await stop.wait()
    server.close()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(server.wait_closed(), 1)


def main() -> None:
    """`python -m solaris_local.smtp_sink --port N --folder DIR`"""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(serve(arguments.port, arguments.folder))


if __name__ == "__main__":
    main()
