"""The worker process of a service: sequencer, relay, importers, projectors, reactors, timers and the
service's own loops, each on its own connection of the pool.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncEngine

from solaris_shared.database import open_engine, open_pool
from solaris_shared.log.sequencer import Head, peek, sequence
from solaris_shared.log.unit_of_work import Store
from solaris_shared.processing.definition import ServiceDefinition
from solaris_shared.processing.projector import Projector, Views
from solaris_shared.processing.reactor import ReactorRunner
from solaris_shared.processing.runner import Loop, LoopStatus, Signals, Step
from solaris_shared.processing.timers import TimerRunner
from solaris_shared.settings import Settings

IDLE_POLL = 1.0
"""Seconds between looks of a handler that nothing woke: the sequencer of this process wakes it when the
log grows.
"""
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
    engine = open_engine(settings.database_url, name=f"{definition.name}-worker")
    try:
        store = Store(pool, definition.log)
        yield Runtime(definition, settings, store, engine, Views(engine, definition.projections))
    finally:
        await engine.dispose()
        pool.terminate()


def sequencer_step(runtime: Runtime) -> Step:
    """Sequence what waits; wake the others whenever the log has grown, whoever made it grow."""

    async def step() -> bool:
        head, work = await peek(runtime.store)
        if work:
            head, _ = await sequence(runtime.store)
        if head != runtime.head:
            runtime.head = head
            runtime.signals.wake()
        return work

    return step


def prepared(runner: Projector | ReactorRunner) -> Step:
    """The runner's step, preceded once by its preparation."""
    ready = False

    async def step() -> bool:
        nonlocal ready
        if not ready:
            await runner.prepare()
            ready = True
        return await runner.step()

    return step


def log_loops(runtime: Runtime) -> list[Loop]:
    """The loops which need the database only."""
    definition, store, signals = runtime.definition, runtime.store, runtime.signals
    loops = [Loop("sequencer", sequencer_step(runtime), signals, quick=True)]
    for projection in definition.projections:
        step = prepared(Projector(store, runtime.engine, projection))
        loops.append(Loop(f"projection {projection.name}", step, signals, IDLE_POLL))
    for reactor in definition.reactors:
        loops.append(
            Loop(f"reactor {reactor.name}", prepared(ReactorRunner(store, reactor)), signals, IDLE_POLL)
        )
    if definition.timers:
        loops.append(Loop("timers", TimerRunner(store, definition.timers).step, signals))
    return loops


def worker_loops(runtime: Runtime) -> list[Loop]:
    """All loops of the kernel."""
    return log_loops(runtime)


async def run_worker(runtime: Runtime, loops: list[Loop]) -> None:
    """Run `loops` and the service's own until `runtime.signals.stop()`, then let them finish what they
    have begun.
    """
    runtime.loops = loops
    tasks = [asyncio.create_task(loop.run(), name=loop.status.name) for loop in loops]
    tasks += [asyncio.create_task(loop(runtime)) for loop in runtime.definition.loops]
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
