"""The whole of mail: imported facts through the real worker to letters in a mailbox."""

import asyncio
from uuid import uuid4

import pytest

from solaris_mail.main import definition
from solaris_mail.settings import MailSettings
from solaris_shared import clock
from solaris_shared.log.codec import dump
from solaris_shared.log.event_log import Row, append_rows
from solaris_shared.log.unit_of_work import Store
from solaris_shared.worker import log_loops, open_runtime, run_worker

SIDES = [
    {
        "side": side,
        "mechwarrior_id": str(uuid4()),
        "name": name,
        "mech": {"model": model, "owner": "organisers"},
    }
    for side, name, model in (("A", "Halcón", "PNT-9R"), ("B", "Lobo Gris", "JVN-10N"))
]


async def imports(store: Store, service: str, *facts: tuple[str, dict]) -> None:
    """Public facts of another service, as its importer stores them."""
    stream = f"import-{service}"
    async with store.atomic() as conn:
        version = await conn.fetchval("SELECT count(*) FROM event WHERE stream = $1", stream)
        rows = [
            Row(uuid4(), f"solaris.{service}.{name}.v1", 1, dump(fact), dump({"subject": "x/y"}))
            for name, fact in facts
        ]
        await append_rows(conn, stream, version, rows, await clock.now(conn))


@pytest.fixture
async def people(reader) -> tuple[str, str]:
    return await reader(), await reader("wolf@players.example", "en", "America/Bogota")


async def test_facts_become_letters_in_each_readers_language(store, database, mailbox, people):
    """A fight from the draw to the result; the league's facts come late and out of step with combat's."""
    sides = [side | {"person_id": person} for side, person in zip(SIDES, people, strict=True)]
    common = {
        "fight_id": str(uuid4()),
        "round": 1,
        "class": 3,
        "arena": "la-cantera",
        "turns": 8,
        "sides": sides,
    }
    purse = {"win": 300_000, "draw": 200_000, "loss": 100_000}
    ended = [
        side
        | {
            "result": word,
            "victory_points": points,
            "mech": side["mech"] | {"damaged": True, "destroyed": False},
        }
        for side, word, points in zip(sides, ("win", "loss"), (43, 12), strict=True)
    ]
    settings = MailSettings(
        database_url=database, data_key="d" * 64, smtp_host="127.0.0.1", smtp_port=mailbox.port
    )

    async def arrived(number: int) -> None:
        for _ in range(200):
            if len(mailbox.accepted) >= number:
                return
            await asyncio.sleep(0.05)

    async with open_runtime(definition(settings), settings) as runtime:
        task = asyncio.create_task(run_worker(runtime, log_loops(runtime)))
        deadline = "2099-12-04T22:59:00Z"
        await imports(store, "combat", ("fight-opened", common | {"deadline": deadline}))
        await arrived(2)
        await imports(store, "league", ("fight-scheduled", common | {"turn_seconds": 90, "purse": purse}))
        end = common | {"sides": ended, "ended_by": "turn-limit", "purse": purse}
        await imports(
            store, "combat", ("phase-resolved", {"fight_id": common["fight_id"]}), ("fight-concluded", end)
        )
        await arrived(6)
        runtime.signals.stop()
        await task

    subjects = {address: set() for address, _ in mailbox.accepted}
    for address, message in mailbox.accepted:
        subjects[address].add(message["Subject"])
    assert subjects == {
        "ana@players.example": {
            "Solaris 7 · Ronda 1: combates contra Lobo Gris",
            "Solaris 7 · Turno inicial contra Lobo Gris: órdenes hasta el vie 4 dic, 23:59",
            "Solaris 7 · Victoria ante Lobo Gris",
        },
        "wolf@players.example": {
            "Solaris 7 · Round 1: you fight Halcón",
            "Solaris 7 · Initial turn against Halcón: orders by Fri 4 Dec, 17:59",
            "Solaris 7 · You lost to Halcón",
        },
    }
    assert len({message["Message-ID"] for _, message in mailbox.accepted}) == 6
