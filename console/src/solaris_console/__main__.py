"""`python -m solaris_console`: serve the console until SIGTERM or SIGINT."""

from solaris_console.app import create_console
from solaris_console.settings import ConsoleSettings
from solaris_shared.http.server import serve
from solaris_shared.ops.logging import configure_logging


def main() -> None:
    """Serve."""
    settings = ConsoleSettings()
    configure_logging("console", "web", settings.log_level)
    serve(create_console(settings), settings.http_host, settings.http_port)


if __name__ == "__main__":
    main()
