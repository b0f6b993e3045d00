"""PostgreSQL and NATS for tests: given by address, or else private ones from the entry point group
`solaris.test_servers`.

SOLARIS_TEST_DATABASE_URL (a superuser's) and SOLARIS_TEST_NATS_URL name servers to use. The kernel only knows
what it needs of a server; who starts it registers itself.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.metadata import entry_points
from typing import Protocol, cast

GROUP = "solaris.test_servers"


class Server(Protocol):
    """A running server that a test may crash, empty and start again on the same port."""

    url: str
    port: int

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def kill(self) -> None: ...
    def wipe(self) -> None: ...


def private(name: str) -> AbstractContextManager[Server]:
    """A fresh server (`postgres` or `nats`) for the length of the block."""
    found = entry_points(group=GROUP, name=name)
    if not found:
        raise RuntimeError(f"nothing provides a {name} server for tests: install one or give its address")
    return cast(AbstractContextManager[Server], next(iter(found)).load()())


@contextmanager
def postgres_url() -> Iterator[str]:
    """A server's superuser address for the length of the block."""
    if given := os.environ.get("SOLARIS_TEST_DATABASE_URL"):
        yield given
        return
    with private("postgres") as server:
        yield server.url


@contextmanager
def nats_url() -> Iterator[str]:
    """A NATS server's address for the length of the block."""
    if given := os.environ.get("SOLARIS_TEST_NATS_URL"):
        yield given
        return
    with private("nats") as server:
        yield server.url


def private_nats() -> AbstractContextManager[Server]:
    """A server that the caller may kill, wipe and start again."""
    return private("nats")
