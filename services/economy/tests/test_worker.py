"""The whole of economy: imported facts through the real worker to balances, and a rebuild that changes
nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import pytest
import sqlalchemy as sa

from solaris_economy.adapters.tables import load_repair_terms
from solaris_economy.application.audit import BALANCES, faults
from solaris_economy.application.mechs import register_mech
from solaris_economy.application.transfers import ensure_bank
from solaris_economy.main import definition
from solaris_economy.projections.books import BOOKS, account, entry, mech, metadata
from solaris_shared import clock
from solaris_shared.errors import Unavailable
from solaris_shared.log.codec import dump
from solaris_shared.log.event_log import EventLog, Meta, Row, append_rows
from solaris_shared.log.unit_of_work import Store
from solaris_shared.processing.projector import Projector
from solaris_shared.settings import Settings
from solaris_shared.worker import Runtime, log_loops, open_runtime, run_worker

ANA, BEA = str(UUID(int=0xA)), str(UUID(int=0xB))
PURSE = {"win": 300_000, "draw": 200_000, "loss": 100_000}


@pytest.fixture
def event_log() -> EventLog:
    return definition().log


async def imports(store: Store, service: str, type_: str, *facts: dict) -> None:
    """Public facts of another service, as its importer stores them."""
    stream = f"import-{service}"
    async with store.atomic() as conn:
        version = await conn.fetchval("SELECT count(*) FROM event WHERE stream = $1", stream)
        rows = [Row(uuid4(), type_, 1, dump(fact), dump({"subject": "x/y"})) for fact in facts]
        await append_rows(conn, stream, version, rows, await clock.now(conn))


@asynccontextmanager
async def working(database: str) -> AsyncIterator[Runtime]:
    """The worker's loops but for the broker's."""
    async with open_runtime(definition(), Settings(database_url=database)) as runtime:
        task = asyncio.create_task(run_worker(runtime, log_loops(runtime)))
        try:
            yield runtime
        finally:
            runtime.signals.stop()
            await task


def ordered(table: sa.Table) -> sa.Select:
    return sa.select(table).order_by(*table.primary_key)


async def books(runtime: Runtime) -> dict[str, list]:
    """The read model, table by table."""
    async with runtime.views.open("books") as conn:
        return {
            table.name: [
                tuple(row) for row in await conn.execute(sa.select(table).order_by(*table.primary_key))
            ]
            for table in metadata.sorted_tables
        }


async def eventually(check, expected) -> None:
    for _ in range(200):
        try:
            found = await check()
        except Unavailable as error:  # the view is still being built
            found = error
        if found == expected:
            return
        await asyncio.sleep(0.05)
    assert found == expected


def entered(mechwarrior: str) -> dict:
    return {"mechwarrior_id": mechwarrior, "person_id": f"p-{mechwarrior[-1]}", "name": "x", "class": 3}


def concluded(number: int) -> dict:
    """Ana wins; Bea's lent 'Mech is damaged."""
    sides = [
        {"side": "A", "mechwarrior_id": ANA, "person_id": "p-a", "result": "win", "victory_points": 9,
         "mech": {"instance_id": str(UUID(int=1)), "model": "JVN-10N", "owner": "organisers", "damaged":
         False,
                  "destroyed": False}, "pilot": {}, "kills": 0},
        {"side": "B", "mechwarrior_id": BEA, "person_id": "p-b", "result": "loss", "victory_points": 1,
         "mech": {"instance_id": str(UUID(int=2)), "model": "PNT-9R", "owner": "organisers", "damaged": True,
                  "destroyed": False}, "pilot": {}, "kills": 0},
    ]  # fmt: skip
    return {"fight_id": str(UUID(int=number)), "round": 1, "class": 3, "turns": 8, "ended_by": "turn-limit",
            "sides": sides, "purse": PURSE, "seed": "00", "record_digest": "00"}  # fmt: skip


async def test_facts_become_balances_and_a_rebuild_changes_nothing(store: Store, database: str):
    """I1 and I5: postings, events and read model agree, and the read model equals a rebuild from scratch."""
    async with store.transaction(Meta(uuid4(), "c", "c", "commission")) as tx:
        await ensure_bank(tx)
        await register_mech(tx, load_repair_terms(), UUID(int=2), "PNT-9R", 2_476_260, "organisers")
    async with working(database) as runtime:
        await imports(store, "combat", "solaris.combat.fight-concluded.v1", concluded(101))
        await imports(store, "league", "solaris.league.mechwarrior-entered.v1", entered(ANA), entered(BEA))
        await imports(store, "combat", "solaris.combat.fight-concluded.v1", concluded(102), concluded(103))

        async def balances() -> dict[str, int]:
            async with runtime.views.open("books") as conn:
                rows = await conn.execute(sa.select(account.c.owner, account.c.balance))
                return {row.owner: row.balance for row in rows}

        spent = 3 * (400_000 + 247_626)
        expected = {"organisers": -spent, "workshop": 3 * 247_626, ANA: 900_000, BEA: 300_000}
        await eventually(balances, expected)
        before = await books(runtime)
        assert await Projector(runtime.store, runtime.engine, BOOKS).rebuild() == 2
        assert await books(runtime) == before
        assert len(before[entry.name]) == 2 * (6 + 3)
        assert before[mech.name] == [(UUID(int=2), "PNT-9R", 2_476_260, "organisers", "ready", 0)]
    async with store.connection() as conn:
        assert await faults(conn, store.log) == []
        postings = await conn.fetch(BALANCES)
    assert {row["account"]: row["balance"] for row in postings} == expected


async def test_the_bank_exists_from_the_start(store: Store, database: str):
    async def owners() -> set[str]:
        return {row["stream"] for row in await store.pool.fetch("SELECT stream FROM event")}

    for _ in range(2):
        async with working(database):
            await eventually(owners, {"account-organisers", "account-workshop"})


async def test_an_unreadable_conclusion_halts_settlement_and_nothing_else(store: Store, database: str):
    """What cannot be applied is visible and is not skipped; accounts go on being opened."""
    broken = concluded(101) | {"purse": {"win": "much"}}
    await imports(store, "combat", "solaris.combat.fight-concluded.v1", broken)
    await imports(store, "league", "solaris.league.mechwarrior-entered.v1", entered(ANA))

    async def reactors() -> dict[str, str]:
        rows = await store.pool.fetch("SELECT name, state FROM reactor")
        return {row["name"]: row["state"] for row in rows}

    async with working(database):
        await eventually(reactors, {"accounts": "running", "settlement": "failed"})

        async def opened() -> int:
            return await store.pool.fetchval("SELECT count(*) FROM event WHERE stream = $1", f"account-{ANA}")

        await eventually(opened, 1)
    error = await store.pool.fetchval("SELECT error FROM reactor WHERE name = 'settlement'")
    assert "foreign-contract-broken" in error
