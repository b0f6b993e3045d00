"""What the routes of a service work with. Built by the app factory; database handles exist while the app
runs."""

import functools
import hashlib
import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fastapi import Request
from prometheus_client import CollectorRegistry
from sqlalchemy.ext.asyncio import AsyncEngine

from solaris_shared.http.limits import Limiter
from solaris_shared.http.pages import Cursors
from solaris_shared.http.streams import Streams
from solaris_shared.http.tokens import Verifier
from solaris_shared.log.unit_of_work import Store

if TYPE_CHECKING:
    from solaris_shared.views import Views


@functools.lru_cache(64)
def _derived(secret: bytes, purpose: str) -> bytes:
    return hmac.new(secret, purpose.encode(), hashlib.sha256).digest()


@dataclass(slots=True)
class ApiContext:
    """Handed to `ServiceDefinition.routers`; in a route use `context_of(request)`."""

    definition: Any
    settings: Any
    verifier: Verifier
    limiter: Limiter
    secret: bytes
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    streams: Streams = field(init=False)
    _store: Store | None = None
    _views: "Views | None" = None
    _engine: AsyncEngine | None = None

    def __post_init__(self) -> None:
        self.streams = Streams(self.registry)

    @property
    def store(self) -> Store:
        if self._store is None:
            raise RuntimeError("the application has not started")
        return self._store

    @property
    def views(self) -> "Views":
        if self._views is None:
            raise RuntimeError("the application has not started")
        return self._views

    @property
    def cursors(self) -> Cursors:
        return Cursors(self.derived("cursors"))

    def derived(self, purpose: str) -> bytes:
        """A key for one purpose, derived from the service's data key."""
        return _derived(self.secret, purpose)

    @property
    def engine(self) -> AsyncEngine:
        """For what writes read models (an operator's rebuild); queries go through `views`."""
        if self._engine is None:
            raise RuntimeError("the application has not started")
        return self._engine

    def started(self, store: Store, views: "Views", engine: AsyncEngine) -> None:
        self._store, self._views, self._engine = store, views, engine


def context_of(request: Request) -> ApiContext:
    return request.app.state.context
