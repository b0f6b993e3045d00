"""`python -m solaris_console`: serve the console until SIGTERM or SIGINT."""

import asyncio
import logging

from solaris_console.app import create_console
from solaris_console.settings import ConsoleSettings
from solaris_shared.http.server import make_server
from solaris_shared.ops.logging import configure_logging


def main() -> None:
    """Serve."""
    settings = ConsoleSettings()
    configure_logging("console", "web", settings.log_level)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    server = make_server(
        create_console(settings),
        settings.http_host,
        settings.http_port,
        trusted_proxies=settings.trusted_proxies,
    )
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve())


if __name__ == "__main__":
    main()
