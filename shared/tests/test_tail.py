"""Handlers that pass events by: their checkpoints move together, and over nothing that is not theirs."""

from collections.abc import AsyncIterator

import pytest

from solaris_shared.database import open_engine
from solaris_shared.log.event_log import EventLog, Stored
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.log.unit_of_work import Store, Transaction
from solaris_shared.processing.projector import Projector
from solaris_shared.processing.reactor import Reactor, ReactorRunner
from solaris_shared.tail import PassingBy, Tail
from solaris_shared.testing import counters
from solaris_shared.testing.counters import LOG, TOTALS, Noted

CHECKPOINTS = "SELECT name, checkpoint FROM reactor UNION ALL SELECT name, checkpoint FROM projection"


@pytest.fixture
def event_log() -> EventLog:
    return LOG


async def idle(_tx: Transaction, _stored: Stored) -> None:
    """Nothing counted comes in these tests."""


@pytest.fixture
async def passers(store: Store, database: str) -> AsyncIterator[tuple[PassingBy, ...]]:
    """Two reactors and a projection, all at the end of an empty log."""
    engine, tail = open_engine(database), Tail(store)
    reactors = [ReactorRunner(store, Reactor(name, {"counted": idle})) for name in ("one", "two")]
    made = tuple(PassingBy(tail, handler) for handler in (*reactors, Projector(store, engine, TOTALS)))
    for passer in made:
        while await passer.step():
            pass
    yield made
    await engine.dispose()


async def note(store: Store) -> int:
    """Append what nobody handles; the last position."""
    async with store.transaction(counters.meta()) as tx:
        await tx.append(f"note-{tx.meta.command_id}", 0, Noted("nothing"))
    return (await sequence_all(store)).position


async def checkpoints(store: Store) -> dict[str, int]:
    return dict(await store.pool.fetch(CHECKPOINTS))


async def passed(passers: tuple[PassingBy, ...]) -> None:
    """All look at the log; the last one finds that it is time to move."""
    for number, passer in enumerate(passers, 1):
        passer.tail._moved = 0.0 if number == len(passers) else float("inf")
        await passer.step()


async def test_the_checkpoints_of_all_move_by_one_statement(store: Store, passers: tuple[PassingBy, ...]):
    position = await note(store)
    await passed(passers)
    assert await checkpoints(store) == {"one": position, "two": position, "totals": position}
    assert [passer.handler.checkpoint for passer in passers] == [position] * 3
    assert [await passer.step() for passer in passers] == [False] * 3


async def test_a_row_that_somebody_holds_holds_up_nobody_else(store: Store, passers: tuple[PassingBy, ...]):
    position = await note(store)
    async with store.atomic() as conn:
        await conn.execute("SELECT FROM reactor WHERE name = 'two' FOR UPDATE")
        await passed(passers)
    assert await checkpoints(store) == {"one": position, "two": 0, "totals": position}
    assert passers[1].handler.checkpoint is None, "it must look at its own row now"
    await passers[1].step()
    assert (await checkpoints(store))["two"] == position


@pytest.mark.parametrize("change", ["checkpoint = 7", "state = 'halted'", "attempts = 1"])
async def test_a_row_that_is_not_as_it_was_known_stays(
    store: Store, passers: tuple[PassingBy, ...], change: str
):
    await store.pool.execute(f"UPDATE reactor SET {change} WHERE name = 'one'")
    before = (await checkpoints(store))["one"]
    position = await note(store)
    await passed(passers)
    assert await checkpoints(store) == {"one": before, "two": position, "totals": position}
    assert passers[0].handler.checkpoint is None
