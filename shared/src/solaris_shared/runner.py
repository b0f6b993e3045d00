"""Loops: each repeats one step until the process stops, soon after work appears and rarely while there is
none.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

import structlog

from solaris_shared.database import is_transient

POLL = 0.1
"""Seconds between looks for work that no wake-up announced."""
QUICK_POLL = 0.01
"""The same, while work has been found within the last second."""
LONGEST_PAUSE = 5.0
"""Seconds between attempts at a step that keeps failing; the first pause is 0.1, each next twice that."""

Step = Callable[[], Awaitable[bool | float]]
"""Whether there was work; or after how many seconds there will be some by itself."""


class Signals:
    """Wake-ups inside one process, and the request to stop. No LISTEN/NOTIFY: a hint that gets lost costs
    one poll.
    """

    def __init__(self) -> None:
        self._events: list[asyncio.Event] = []
        self.stopping = asyncio.Event()
        self.appended = asyncio.Event()
        """Set by who appends in this process: the sequencer has work then, and nobody else yet."""

    def subscribe(self) -> asyncio.Event:
        """An event that every wake-up sets."""
        event = asyncio.Event()
        self._events.append(event)
        return event

    def wake(self) -> None:
        """There may be work."""
        for event in self._events:
            event.set()

    def stop(self) -> None:
        """Finish what is begun, begin nothing."""
        self.stopping.set()
        self.appended.set()
        self.wake()


@dataclass(slots=True)
class LoopStatus:
    """How a loop fares, for health and metrics."""

    name: str
    failures: int = 0
    error: str = ""


class Loop:
    """One loop; an exception of `step` is logged and the step tried again later. `woken`: by the growth of
    the log, or by `event` alone; else it only polls.
    """

    def __init__(
        self,
        name: str,
        step: Step,
        signals: Signals,
        poll: float = POLL,
        quick: bool = False,
        woken: bool = True,
        event: asyncio.Event | None = None,
    ) -> None:
        self.step = step
        self.signals = signals
        self.poll = poll
        self.quick = quick
        self.status = LoopStatus(name)
        self._event = event or (signals.subscribe() if woken else signals.stopping)
        self._last_work = 0.0
        self._log = structlog.get_logger("solaris.loop").bind(loop=name)

    async def run(self) -> None:
        """Repeat until `signals.stop()`."""
        while not self.signals.stopping.is_set():
            if self._event is not self.signals.stopping:
                self._event.clear()
            try:
                found = await self.step()
            except Exception as error:  # noqa: BLE001 - the one place that outlives any failure of a step
                await self._failed(error)
                continue
            self.status.failures, self.status.error = 0, ""
            if found is True:
                self._last_work = monotonic()
                await asyncio.sleep(0)
            else:
                await self._pause(found or self._interval())

    def _interval(self) -> float:
        return QUICK_POLL if self.quick and monotonic() - self._last_work < 1 else self.poll

    async def _failed(self, error: Exception) -> None:
        status = self.status
        status.failures += 1
        status.error = f"{type(error).__name__}: {error}"
        level = self._log.warning if is_transient(error) else self._log.error
        level("step failed", error=status.error, failures=status.failures, exc_info=not is_transient(error))
        with suppress(TimeoutError):
            pause = min(POLL * 2 ** (status.failures - 1), LONGEST_PAUSE)
            await asyncio.wait_for(self.signals.stopping.wait(), pause)

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._event.wait(), seconds)
