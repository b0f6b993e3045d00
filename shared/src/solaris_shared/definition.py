"""What a service hands to the kernel."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from solaris_shared.log.event_log import EventLog
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.processing.projection import Projection
from solaris_shared.processing.reactor import Reactor
from solaris_shared.processing.timers import TimerHandler

if TYPE_CHECKING:
    from solaris_shared.worker import Runtime

Loop = Callable[["Runtime"], Awaitable[None]]
"""A loop at the rim (sending mail); it ends by itself soon after `runtime.stop` is set."""

KERNEL_MIGRATIONS = Path(__file__).parent / "migrations"


def no_routes(_context: Any) -> list[Any]:
    """The routers of a service without an API."""
    return []


@dataclass(frozen=True, slots=True)
class GaugeQuery:
    """A number of the service's own that its worker shows: `sql` answers one row with one number."""

    name: str
    help: str
    sql: str


@dataclass(frozen=True)
class ServiceDefinition:
    """One service. `log` reads imported events as `imports` says; a service without tables of its own may
    leave `migrations` at the kernel's. `plain_text` is a pattern of paths that take text as well as JSON.
    """

    name: str
    log: EventLog
    projections: tuple[Projection, ...] = ()
    reactors: tuple[Reactor, ...] = ()
    timers: Mapping[str, TimerHandler] = field(default_factory=lambda: MappingProxyType({}))
    imports: Mapping[str, ForeignTypes] = field(default_factory=lambda: MappingProxyType({}))
    loops: tuple[Loop, ...] = ()
    gauges: tuple[GaugeQuery, ...] = ()
    migrations: Path = KERNEL_MIGRATIONS
    routers: Callable[[Any], list[Any]] = no_routes
    plain_text: str = "(?!)"

    def __post_init__(self) -> None:
        if self.log.service != self.name:
            raise ValueError(f"the log of {self.log.service} handed to {self.name}")
        object.__setattr__(self, "log", self.log.with_imports(self.imports))
