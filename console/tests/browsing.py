"""What tests of the console share: its origin, its keys, and how a form token is read from a page."""

import re
import socket
from typing import Any

from solaris_console.settings import ConsoleSettings

ORIGIN = "https://liga.example"
KEY, OTHER = "ab" * 32, "cd" * 32


def nowhere() -> str:
    """An address of this machine where nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def settings(**changes: Any) -> ConsoleSettings:
    away = nowhere()
    urls = {f"{name}_url": away for name in ("league", "combat", "economy", "mail")}
    return ConsoleSettings(**({"session_keys": KEY, "public_url": ORIGIN} | urls | changes))


def token(page: str) -> str:
    """The form token of a page."""
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found
    return found[1]
