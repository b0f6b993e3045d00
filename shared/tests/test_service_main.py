"""`python -m solaris_<name>`: the processes of a service as the operating system sees them."""

import asyncio
import os
import sys
from time import monotonic

import pytest

from solaris_shared.definition import ServiceDefinition
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.unit_of_work import Store
from solaris_shared.testing import counters
from solaris_shared.testing.counters import LOG, TOTALS, Counted

DEFINITION = ServiceDefinition("test", LOG, projections=(TOTALS,))
PROGRAM = """
from solaris_shared.definition import ServiceDefinition
from solaris_shared.service_main import main
from solaris_shared.testing.counters import LOG, TOTALS
main(ServiceDefinition("test", LOG, projections=(TOTALS,)))
"""


@pytest.fixture
def event_log() -> EventLog:
    return LOG


async def spawn(database: str, nats: str, *arguments: str) -> asyncio.subprocess.Process:
    environment = {**os.environ, "SOLARIS_DATABASE_URL": database, "SOLARIS_NATS_URL": nats}
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", PROGRAM, *arguments, env=environment, stdout=pipe, stderr=pipe
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str, str]:
    """Status and output."""
    out, err = await asyncio.wait_for(process.communicate(), 40)
    return process.returncode, out.decode(), err.decode()


async def wait_until_projected(store: Store) -> None:
    for _ in range(300):
        async with store.connection() as conn:
            if await conn.fetchval("SELECT count(*) FROM projection WHERE stage = 'live' AND checkpoint > 0"):
                return
        await asyncio.sleep(0.1)
    raise AssertionError("the worker did nothing")


async def test_migrate_worker_and_rebuild_from_the_command_line(
    store: Store, database: str, nats_server: str
):
    assert (await ended(await spawn(database, nats_server, "migrate")))[0] == 0
    worker = await spawn(database, nats_server, "worker")
    async with store.transaction(counters.meta()) as tx:
        await tx.append("counter-a", 0, Counted(1))
    await wait_until_projected(store)
    rebuilt = await ended(await spawn(database, nats_server, "rebuild", "totals"))
    assert rebuilt[:2] == (0, "totals: generation 2 is live\n")
    worker.terminate()
    assert (await ended(worker))[0] == 0
    status, _, said = await ended(await spawn(database, nats_server, "rebuild", "nothing"))
    assert (status, "there are: totals" in said) == (2, True)


async def test_a_worker_ends_with_zero_while_the_broker_was_never_there(store: Store, database: str):
    """Services keep working while NATS is down, and stop in order."""
    worker = await spawn(database, "nats://127.0.0.1:1", "worker")
    async with store.transaction(counters.meta()) as tx:
        await tx.append("counter-a", 0, Counted(1))
    await wait_until_projected(store)
    begin = monotonic()
    worker.terminate()
    assert (await ended(worker))[0] == 0
    assert monotonic() - begin < 8


def test_the_definition_reads_foreign_events_through_its_log():
    with pytest.raises(ValueError, match="handed to"):
        ServiceDefinition("other", LOG)
    assert DEFINITION.log.imports == {}
