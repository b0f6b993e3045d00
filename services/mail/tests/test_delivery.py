"""Deliveries against a real SMTP server, well and ill behaved (F10): at least once, always one Message-ID."""

import asyncio
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from solaris_mail.adapters.smtp import ACCEPTED_NOT_MARKED, Relay
from solaris_mail.domain.retry import RetrySchedule
from solaris_shared import clock
from solaris_shared.log.unit_of_work import Store
from solaris_shared.testing import failpoints
from solaris_shared.testing.failpoints import FailpointError


async def go_on(store: Store, seconds: int) -> None:
    """Let time pass."""
    async with store.connection() as conn:
        await clock.shift(conn, seconds)


async def test_a_letter_goes_out_once(store, post_office, mailbox, reader, write, letter, attempts):
    id_ = await write(await reader())
    assert await post_office.run_once(store) == 1
    assert await post_office.run_once(store) == 0
    ((address, message),) = mailbox.accepted
    row = await letter(id_)
    assert (address, message["Message-ID"], row["state"]) == (
        "ana@players.example",
        row["message_id"],
        "sent",
    )
    assert mailbox.recipients == [["ana@players.example"]]
    assert await attempts(id_) == [("accepted", 250)]


@pytest.mark.parametrize(
    ("fault", "first"),
    [
        ("rcpt-4xx", ("deferred", 450)),
        ("data-4xx", ("deferred", 451)),
        ("mail-5xx", ("deferred", 530)),
        ("slow", ("unknown", None)),
        ("drop", ("unknown", None)),
        ("accept-then-die", ("unknown", None)),
    ],
)
async def test_a_failed_attempt_is_tried_again_with_the_same_message(
    store, post_office, mailbox, reader, write, letter, attempts, fault, first
):
    """F10: 4xx, a relay that wants something else, 10 s of silence, the line cut after DATA, accepted and
    dead."""
    mailbox.faults = [fault]
    id_ = await write(await reader())
    await post_office.run_once(store)
    waiting = await letter(id_)
    assert (waiting["state"], await attempts(id_)) == ("queued", [first])
    assert await post_office.run_once(store) == 0
    await go_on(store, 61)
    await post_office.run_once(store)
    assert (await letter(id_))["state"] == "sent"
    assert await attempts(id_) == [first, ("accepted", 250)]
    assert {message["Message-ID"] for _, message in mailbox.accepted} == {waiting["message_id"]}
    assert len(mailbox.accepted) == (2 if fault == "accept-then-die" else 1)
    assert len(set(mailbox.raw)) == 1


@pytest.mark.parametrize(("fault", "code"), [("rcpt-5xx", 550), ("data-5xx", 554)])
async def test_a_refusal_ends_the_letter_and_marks_the_address(
    store, post_office, mailbox, reader, write, letter, attempts, fault, code
):
    """F10 5xx: no more mail goes there until the person gives an address again."""
    mailbox.faults = [fault]
    person = await reader()
    first = await write(person)
    await post_office.run_once(store)
    assert ((await letter(first))["state"], await attempts(first)) == ("refused", [("refused", code)])
    contact = await store.pool.fetchrow("SELECT * FROM contact WHERE person_id = $1", person)
    assert contact["bounced_address"] == "ana@players.example"
    assert str(code) in contact["bounce_reason"]
    assert "ana@" not in contact["bounce_reason"]
    second = await write(person)
    assert await post_office.run_once(store) == 0
    assert (await letter(second))["state"] == "queued"
    assert mailbox.accepted == []


async def test_a_relay_that_is_away_loses_nothing(store, post_office, mailbox, reader, write, letter):
    id_ = await write(await reader())
    away = Relay("127.0.0.1", 1, "liga@solaris7.example", timeout=1.0)
    closed = type(post_office)(post_office.composer, away.send, post_office.code_key)
    await closed.run_once(store)
    assert (await letter(id_))["state"] == "queued"
    await go_on(store, 61)
    await post_office.run_once(store)
    assert len(mailbox.accepted) == 1


async def test_whoever_dies_between_acceptance_and_mark_sends_the_same_message_again(
    store, post_office, mailbox, reader, write, letter, attempts
):
    """At least once: the lease brings the letter back; the reader's program sees one Message-ID twice."""
    id_ = await write(await reader())
    failpoints.configure(f"{ACCEPTED_NOT_MARKED}:error@1")
    with pytest.raises(FailpointError):
        await post_office.run_once(store)
    failpoints.configure("")
    assert await post_office.run_once(store) == 0
    assert await attempts(id_) == [(None, None)]
    await go_on(store, 121)
    assert await post_office.run_once(store) == 1
    assert await attempts(id_) == [(None, None), ("accepted", 250)]
    assert len(mailbox.raw) == 2
    assert len(set(mailbox.raw)) == 1


HOLDS_A_LETTER = """
import asyncio, sys
from solaris_mail.adapters.post_office import PostOffice
from solaris_mail.main import definition, derive_code_key, make_composer
from solaris_mail.settings import MailSettings
from solaris_shared.database import open_pool
from solaris_shared.log.unit_of_work import Store

async def send(message, address):
    print("in hand", flush=True)
    await asyncio.sleep(600)

async def main():
    settings = MailSettings(data_key="d" * 64)
    store = Store(await open_pool(sys.argv[1]), definition(settings).log)
    await PostOffice(make_composer(settings), send, derive_code_key(settings)).run_once(store)

asyncio.run(main())
"""


async def test_the_letters_of_a_killed_sender_wait_some_seconds_only(
    database, store, post_office, mailbox, reader, write, letter, attempts
):
    """kill -9 in the middle of an attempt: nobody touches the letter while the lease lasts, then the next
    worker sends it, with the same Message-ID."""
    id_ = await write(await reader())
    sender = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDS_A_LETTER, database, stdout=asyncio.subprocess.PIPE
    )
    assert await sender.stdout.readline() == b"in hand\n"
    sender.kill()
    await sender.wait()
    held = await letter(id_)
    assert held["leased_until"] - held["created_at"] < timedelta(seconds=60)
    assert await attempts(id_) == [(None, None)]
    await go_on(store, 11)
    assert await post_office.run_once(store) == 1
    assert await attempts(id_) == [(None, None), ("accepted", 250)]
    assert [message["Message-ID"] for _, message in mailbox.accepted] == [held["message_id"]]


async def test_a_slow_sender_that_lives_keeps_its_letter(
    store, post_office, mailbox, reader, write, letter, attempts
):
    """An attempt of a second under a lease of 0.4 seconds: renewed, so nobody sends the letter beside it."""
    mailbox.faults = ["slow"]
    id_ = await write(await reader())
    slow = asyncio.create_task(replace(post_office, lease=timedelta(seconds=0.4)).run_once(store))
    tried = 0
    while not slow.done():
        await asyncio.sleep(0.1)
        tried += 0 if slow.done() else await post_office.run_once(store)
    assert (await slow, tried) == (1, 0)
    assert await attempts(id_) == [("unknown", None)]
    assert (await letter(id_))["leased_until"] is None


async def test_many_workers_send_every_letter_once(store, post_office, mailbox, reader, write):
    """ML4: two workers on one database send no duplicate."""
    people = [await reader(f"p{number}@players.example") for number in range(12)]
    written = {(await letter_of(store, await write(person))) for person in people}
    while sum(await asyncio.gather(*(post_office.run_once(store) for _ in range(4)))):
        pass
    sent = [message["Message-ID"] for _, message in mailbox.accepted]
    assert len(sent) == 12
    assert set(sent) == written


async def letter_of(store: Store, id_) -> str:
    return await store.pool.fetchval("SELECT message_id FROM letter WHERE letter_id = $1", id_)


async def test_a_slow_letter_does_not_hold_up_the_others(store, post_office, mailbox, reader, write):
    mailbox.faults = ["slow"]
    for number in range(4):
        await write(await reader(f"p{number}@players.example"))
    assert await post_office.run_once(store) == 4
    assert len(mailbox.accepted) == 3


async def test_a_turn_letter_is_useless_after_its_deadline(
    store, post_office, mailbox, reader, write, letter, attempts
):
    """Expiry = deadline: never sent at or after it."""
    deadline = datetime.now(UTC) + timedelta(hours=2)
    mailbox.faults = ["rcpt-4xx"] * 99
    id_ = await write(await reader(), deadline=deadline)
    passed = 0
    for minutes in (0, 1, 5, 15, 30, 30, 30):
        passed += minutes * 60 + 1
        await go_on(store, passed)
        assert await post_office.run_once(store) == 1
    mailbox.faults = []
    await go_on(store, 7_201)
    assert await post_office.run_once(store) == 0
    assert (await letter(id_))["state"] == "expired"
    assert len(await attempts(id_)) == 7
    assert mailbox.accepted == []


async def test_letters_wait_for_a_contact_and_for_the_wish_to_get_mail(
    store, post_office, mailbox, reader, write, letter
):
    stranger = await write("nobody-yet")
    silent = await write(await reader(channels=()))
    assert await post_office.run_once(store) == 0
    await go_on(store, 5 * 86_400 + 1)
    await post_office.run_once(store)
    assert [(await letter(one))["state"] for one in (stranger, silent)] == ["expired", "expired"]
    assert mailbox.accepted == []


async def test_a_letter_that_cannot_be_written_shows_why_and_holds_up_nobody(
    store, post_office, mailbox, reader, write, letter, attempts
):
    broken = await write(await reader())
    await store.pool.execute("UPDATE letter SET facts = facts - 'rival' WHERE letter_id = $1", broken)
    await write(await reader("bea@players.example"))
    await post_office.run_once(store)
    assert [address for address, _ in mailbox.accepted] == ["bea@players.example"]
    assert await attempts(broken) == [("deferred", None)]
    reason = await store.pool.fetchval("SELECT detail FROM attempt WHERE letter_id = $1", broken)
    assert "rival" in reason


def test_the_schedule_of_retries():
    schedule, now = RetrySchedule(), datetime(2026, 1, 1, tzinfo=UTC)
    waits = [(schedule.next_attempt(now, number) - now).total_seconds() / 60 for number in range(1, 7)]
    assert waits == [1, 5, 15, 30, 30, 30]
    assert schedule.expiry(now, None) == now + timedelta(days=5)
    assert schedule.expiry(now, now) == now
