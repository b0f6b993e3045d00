"""The worker process of a service: sequencer, relay, importers, projectors, reactors, timers and the
service's own loops, each on its own connection of the pool.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from sqlalchemy.ext.asyncio import AsyncEngine

from solaris_shared.database import open_engine, open_pool
from solaris_shared.definition import ServiceDefinition
from solaris_shared.foreign_feed import ForeignFeed
from solaris_shared.log.sequencer import Head, peek, sequence_paced
from solaris_shared.log.unit_of_work import Store
from solaris_shared.messaging.importer import Importer
from solaris_shared.messaging.jetstream import Bus
from solaris_shared.messaging.relay import NAME as RELAY
from solaris_shared.messaging.relay import Relay
from solaris_shared.processing.projector import Projector
from solaris_shared.processing.reactor import ReactorRunner
from solaris_shared.processing.timers import TimerRunner
from solaris_shared.runner import Loop, LoopStatus, Signals, Step
from solaris_shared.settings import Settings
from solaris_shared.tail import PassingBy, Tail
from solaris_shared.views import Views

IDLE_POLL = 1.0
"""Seconds between looks of a handler that nothing woke: the sequencer of this process wakes it when the
log grows.
"""
NO_STREAM_POLL = 0.5
"""Seconds between looks of an importer for a stream that is not there yet, or that it may not read."""
WAITED = 0.5
"""An importer's step that took so many seconds has waited for messages: it goes on at once."""
STOP_SECONDS = 10.0
"""How long the loops may take to finish what they have begun."""


@dataclass
class Runtime:
    """What the loops of one process share."""

    definition: ServiceDefinition
    settings: Settings
    store: Store
    engine: AsyncEngine
    views: Views
    signals: Signals = field(default_factory=Signals)
    loops: list[Loop] = field(default_factory=list)
    remote_lags: dict[str, int] = field(default_factory=dict)
    """Messages the relay has not published, or an importer not imported, by the name of its row"""
    head: Head = field(default_factory=lambda: Head(0, 0))

    @property
    def stop(self) -> asyncio.Event:
        """Set when the process is to end."""
        return self.signals.stopping

    @property
    def wake(self) -> asyncio.Event:
        """A new event which every growth of the log sets (clear it before looking for work)."""
        return self.signals.subscribe()

    @property
    def statuses(self) -> list[LoopStatus]:
        """How each loop fares."""
        return [loop.status for loop in self.loops]


@asynccontextmanager
async def open_runtime(definition: ServiceDefinition, settings: Settings) -> AsyncIterator[Runtime]:
    """Connections of one process, closed at the end."""
    pool = await open_pool(
        settings.database_url, settings.database_pool, f"{definition.name}-worker", min_size=0
    )
    engine = open_engine(settings.database_url, name=f"{definition.name}-worker", pool_pre_ping=False)
    try:
        store = Store(pool, definition.log)
        yield Runtime(definition, settings, store, engine, Views(engine, definition.projections))
    finally:
        await engine.dispose()
        pool.terminate()


def sequencer_step(runtime: Runtime, tail: Tail) -> Step:
    """Sequence what waits; wake the others whenever the log has grown, whoever made it grow."""

    def grown(head: Head) -> None:
        tail.head = head.position
        if head != runtime.head:
            runtime.head = head
            runtime.signals.wake()

    async def step() -> bool:
        head, work = await peek(runtime.store)
        if work:
            head = await sequence_paced(runtime.store, grown)
        grown(head)
        return work

    return step


def log_loops(runtime: Runtime) -> list[Loop]:
    """The loops which need the database only."""
    definition, store, signals = runtime.definition, runtime.store, runtime.signals
    tail = Tail(store)
    step = sequencer_step(runtime, tail)
    loops = [Loop("sequencer", step, signals, quick=True, event=signals.appended)]
    for projection in definition.projections:
        handler = PassingBy(tail, Projector(store, runtime.engine, projection))
        loops.append(Loop(f"projection {projection.name}", handler.step, signals, IDLE_POLL))
    for reactor in definition.reactors:
        handler = PassingBy(tail, ReactorRunner(store, reactor), signals.appended.set)
        loops.append(Loop(f"reactor {reactor.name}", handler.step, signals, IDLE_POLL))
    if definition.timers:
        loops.append(Loop("timers", TimerRunner(store, definition.timers).step, signals))
    return loops


def relay_step(runtime: Runtime, bus: Bus) -> Step:
    """Relay, and note how many publications are not known to have arrived, above all while the broker is
    away."""
    relay = Relay(runtime.store, bus, runtime.settings.stream_max_bytes, runtime.settings.stream_replicas)
    arrived = 0

    async def step() -> bool:
        nonlocal arrived
        try:
            found = await relay.step()
            return found and (relay.last is None or relay.last < runtime.head.publication)
        finally:
            arrived = arrived if relay.last is None else relay.last
            if runtime.head.publication:
                runtime.remote_lags[RELAY] = max(0, runtime.head.publication - arrived)

    return step


def importer_step(runtime: Runtime, bus: Bus, foreign: str) -> Step:
    """Import, and note how many messages wait."""
    importer = Importer(runtime.store, bus, foreign, runtime.definition.name, runtime.signals.appended.set)
    if base := runtime.settings.feed_of(foreign):
        importer.feed = ForeignFeed(base).read

    async def step() -> bool:
        begin = monotonic()
        busy = await importer.step()
        runtime.remote_lags[importer.stream] = importer.pending
        return busy or monotonic() - begin > WAITED

    return step


def bus_loops(runtime: Runtime, relay_bus: Bus, importer_bus: Bus) -> list[Loop]:
    """The loops which need the broker."""
    signals = runtime.signals
    loops = [Loop("relay", relay_step(runtime, relay_bus), signals, IDLE_POLL)]
    for foreign in runtime.definition.imports:
        step = importer_step(runtime, importer_bus, foreign)
        loops.append(Loop(f"import {foreign}", step, signals, NO_STREAM_POLL, woken=False))
    return loops


@asynccontextmanager
async def open_buses(runtime: Runtime) -> AsyncIterator[tuple[Bus, Bus]]:
    """The relay's and the importers' connections to the broker, as two users."""
    name, settings = runtime.definition.name, runtime.settings
    relay = Bus(settings.nats_url, f"{name}-relay", settings.nats_relay_seed)
    importer = Bus(settings.nats_url, f"{name}-importer", settings.nats_importer_seed)
    try:
        yield relay, importer
    finally:
        await relay.close()
        await importer.close()


async def run_worker(runtime: Runtime, loops: list[Loop]) -> None:
    """Run `loops` and the service's own until `runtime.signals.stop()`, then let them finish what they
    have begun.
    """
    runtime.loops = loops
    tasks = [asyncio.create_task(loop.run(), name=loop.status.name) for loop in loops]
    tasks += [asyncio.ensure_future(loop(runtime)) for loop in runtime.definition.loops]
    stopping = asyncio.create_task(runtime.stop.wait())
    try:
        done, _ = await asyncio.wait([stopping, *tasks], return_when=asyncio.FIRST_COMPLETED)
        if stopping not in done:
            runtime.signals.stop()
        await asyncio.wait(tasks, timeout=STOP_SECONDS)
    finally:
        for task in [stopping, *tasks]:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
