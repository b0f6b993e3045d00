"""What the worker's metrics say of letters."""

from solaris_mail.application.gauges import LETTER_GAUGES
from solaris_shared import clock


async def shown(store):
    return {one.name: await store.pool.fetchval(one.sql) for one in LETTER_GAUGES}


async def test_letters_that_wait_are_late_or_failed_are_counted(store, reader, write):
    assert set((await shown(store)).values()) == {0}
    await write(await reader())
    async with store.connection() as conn:
        await clock.shift(conn, 60)
    seen = await shown(store)
    assert seen["solaris_letters_queued"] == 1 and 60 <= seen["solaris_letters_late_seconds"] < 120
    now = "(SELECT max(created_at) FROM letter)"
    await store.pool.execute(f"UPDATE letter SET state = 'refused', final_at = {now}")
    assert list((await shown(store)).values()) == [0, 0, 1]
