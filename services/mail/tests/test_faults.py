"""Many letters through every fault of the relay and every death of the sender (F10, ML3): each at least
once."""

import asyncio
from collections import Counter

from solaris_mail.adapters.post_office import PostOffice
from solaris_mail.adapters.smtp import ACCEPTED_NOT_MARKED, CONNECTED
from solaris_mail.application.audit import faults
from solaris_shared import clock
from solaris_shared.log.unit_of_work import Store
from solaris_shared.testing import failpoints
from solaris_shared.testing.failpoints import FailpointError

FAULTS = ["rcpt-4xx", "data-4xx", "slow", "drop", "accept-then-die"]


async def until_all_are_done(store: Store, *offices: PostOffice) -> int:
    """Run the offices side by side, with time passing between, until no letter waits; the deaths on the
    way."""
    deaths = 0
    for turn in range(1, 60):
        ends = await asyncio.gather(*(office.run_once(store) for office in offices), return_exceptions=True)
        deaths += sum(isinstance(end, FailpointError) for end in ends)
        assert not [end for end in ends if isinstance(end, Exception) and not isinstance(end, FailpointError)]
        if not await store.pool.fetchval("SELECT count(*) FROM letter WHERE state = 'queued'"):
            break
        async with store.connection() as conn:
            await clock.shift(conn, turn * 1_801)
    async with store.connection() as conn:
        assert await faults(conn) == []
    return deaths


async def test_every_letter_survives_every_fault_of_the_relay(store, post_office, mailbox, reader, write):
    """F10: four letters for each fault; all arrive, repeats under the same Message-ID."""
    mailbox.faults = FAULTS * 4
    people = [await reader(f"p{number}@players.example") for number in range(20)]
    letters = {await write(person) for person in people}
    await until_all_are_done(store, post_office, post_office)
    sent = Counter(message["Message-ID"] for _, message in mailbox.accepted)
    rows = await store.pool.fetch(
        "SELECT message_id, state FROM letter WHERE letter_id = ANY ($1)", list(letters)
    )
    assert {row["state"] for row in rows} == {"sent"}
    assert set(sent) == {row["message_id"] for row in rows}
    assert len(set(mailbox.raw)) == 20


async def test_every_letter_survives_the_death_of_its_sender(store, post_office, mailbox, reader, write):
    """ML3: the sender dies at a third of its steps; no letter is lost, every repeat is the same message."""
    people = [await reader(f"p{number}@players.example") for number in range(30)]
    for person in people:
        await write(person)
    failpoints.configure(f"{CONNECTED}:error@p0.15#1;{ACCEPTED_NOT_MARKED}:error@p0.3#2")
    deaths = await until_all_are_done(store, post_office)
    assert deaths > 5
    sent = Counter(message["Message-ID"] for _, message in mailbox.accepted)
    assert len(sent) == len(set(mailbox.raw)) == 30
    assert sum(sent.values()) > 30
