"""The sequencer of a bench in a process of its own, as in production: `python -m
solaris_local.bench.sequencing URL`.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from solaris_shared.database import open_pool
from solaris_shared.log.codec import EventTypes
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.sequencer import peek, sequence_paced
from solaris_shared.log.unit_of_work import Store
from solaris_shared.runner import QUICK_POLL
from solaris_shared.service_main import quick_loop


@contextmanager
def sequencer(url: str) -> Iterator[None]:
    """A sequencer on the database for the length of the block."""
    process = subprocess.Popen([sys.executable, "-m", __name__, url])
    try:
        yield
    finally:
        process.terminate()
        process.wait()


async def sequence_for_ever(url: str) -> None:
    """What the worker's loop does while there is work."""
    store = Store(
        await open_pool(url, 2, "bench-sequencer"), EventLog("bench", EventTypes({}), lambda *_: None)
    )
    while True:
        _, work = await peek(store)
        if work:
            await sequence_paced(store)
        else:
            await asyncio.sleep(QUICK_POLL)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        runner.run(sequence_for_ever(sys.argv[1]))
