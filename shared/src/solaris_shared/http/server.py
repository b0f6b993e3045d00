"""uvicorn, set up once: a stopping server lets commands in flight finish and then exits with 0."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

import uvicorn

from solaris_shared.http.protocol import BoundedProtocol

LONGEST_COMMAND_SECONDS = 10
GRACE_SECONDS = LONGEST_COMMAND_SECONDS + 5
KEEP_ALIVE_SECONDS = 15


class Server(uvicorn.Server):
    """SIGTERM and SIGINT ask it to finish; unlike uvicorn's own it does not kill itself with the signal
    afterwards."""

    owns_signals = True
    on_stop: Callable[[], None] | None = None
    """Called when the server is asked to stop, before it waits for the answers in flight."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if not self.owns_signals:
            yield
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.remove_signal_handler(number)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's, but a connection accepted a moment too late does not hold it up to its time-out."""
        if self.on_stop is not None:
            self.on_stop()
        closing = asyncio.create_task(self._close_idle())
        try:
            await super().shutdown(sockets)
        finally:
            closing.cancel()

    async def _close_idle(self) -> None:
        while True:
            await asyncio.sleep(0.1)
            for connection in list(self.server_state.connections):
                connection.shutdown()


class SideServer(Server):
    """A server beside other work in one process, which owns the signals; stop it by `should_exit = True`."""

    owns_signals = False


def make_server(
    app: Any, host: str, port: int, kind: type[Server] = Server, trusted_proxies: str = ""
) -> Server:
    """A server not started yet: `await make_server(...).serve()`.

    What `trusted_proxies` (addresses and networks, by commas) say in X-Forwarded-For is who asks; others may
    say what they like.
    """
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        lifespan="auto",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=trusted_proxies,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        http=BoundedProtocol,
    )
    return kind(config)


def serve(app: Any, host: str, port: int, trusted_proxies: str = "") -> None:
    """Serve until SIGTERM or SIGINT, on uvloop where it is installed."""
    server = make_server(app, host, port, trusted_proxies=trusted_proxies)
    server.on_stop = app.state.context.streams.stop
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve())
