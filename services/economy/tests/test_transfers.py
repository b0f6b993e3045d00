"""Transfers in a real database: both accounts, the transfer and its postings, all or nothing."""

import asyncio
from uuid import UUID, uuid4

import asyncpg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solaris_economy.application.account_state import EVERY, find_account
from solaris_economy.application.audit import account_states, faults
from solaris_economy.application.transfers import ensure_account, ensure_bank, lock_accounts, post
from solaris_economy.domain.account import AccountCredited
from solaris_economy.domain.transfer import Transfer
from solaris_shared.errors import Conflict, InFlight, NotFound, Rejected, VersionConflict
from solaris_shared.log.event_log import Meta
from solaris_shared.log.unit_of_work import Command, Loaded, Store, Transaction


def transfer(
    payer: str, payee: str, amount: int, id_: UUID | None = None, mandatory: bool = False
) -> Transfer:
    return Transfer(id_ or uuid4(), payer, payee, amount, "test", "", mandatory)


async def run(store: Store, *transfers: Transfer, command: UUID | None = None) -> str:
    """One command that posts the transfers; the outcome in a word."""

    async def work(tx: Transaction) -> dict:
        await lock_accounts(tx, {owner for one in transfers for owner in (one.payer, one.payee)})
        for one in transfers:
            await post(tx, one)
        return {"posted": len(transfers)}

    digest = repr([one.transfer_id for one in transfers]).encode()
    try:
        result = await store.run(Command(command or uuid4(), digest, "test", "c"), work)
    except Rejected as error:
        return error.code
    return "replayed" if result.replayed else "posted"


async def open_accounts(store: Store, **balances: int) -> None:
    """The bank, and mechwarriors with money from it."""
    async with store.transaction(Meta(uuid4(), "c", "c", "test")) as tx:
        await ensure_bank(tx)
        for owner, balance in balances.items():
            await lock_accounts(tx, (owner,))
            await ensure_account(tx, owner, "mechwarrior", f"person-{owner}")
            if balance:
                await post(tx, transfer("organisers", owner, balance))


async def balances(store: Store) -> dict[str, int]:
    async with store.connection() as conn:
        assert await faults(conn, store.log) == []
        return {owner: account.balance for owner, account in (await account_states(conn, store.log)).items()}


async def test_a_transfer_books_both_sides(store: Store):
    await open_accounts(store, m1=300_000, m2=0)
    assert await run(store, transfer("m1", "m2", 120_000)) == "posted"
    assert await balances(store) == {"organisers": -300_000, "workshop": 0, "m1": 180_000, "m2": 120_000}


async def test_parallel_debits_never_overdraw(store: Store):
    """C06, ECO1: of 50 purchases of 600,000 on a balance of 1,000,000 one succeeds."""
    await open_accounts(store, m1=1_000_000)
    outcomes = await asyncio.gather(*(run(store, transfer("m1", "organisers", 600_000)) for _ in range(50)))
    assert sorted(outcomes) == ["insufficient-funds"] * 49 + ["posted"]
    assert (await balances(store))["m1"] == 400_000


async def test_the_floor_holds_without_the_lock(store: Store, monkeypatch: pytest.MonkeyPatch):
    """C06: the version check alone refuses whoever read an older balance."""

    async def no_lock(*_: object) -> None: ...

    monkeypatch.setattr("solaris_economy.application.transfers.lock_accounts", no_lock)
    await open_accounts(store, m1=100)

    async def attempt() -> str:
        async def work(tx: Transaction) -> dict:
            await post(tx, transfer("m1", "organisers", 60))
            return {}

        try:
            await store.run(Command(uuid4(), b"", "test", "c"), work)
        except (Rejected, VersionConflict) as error:
            return error.code
        return "posted"

    outcomes = await asyncio.gather(*(attempt() for _ in range(12)))
    assert outcomes.count("posted") == 1
    assert (await balances(store))["m1"] == 40


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    start=st.integers(0, 500),
    moves=st.lists(
        st.tuples(st.sampled_from("abz"), st.sampled_from("abz"), st.integers(1, 300)),
        min_size=2,
        max_size=14,
    ),
)
async def test_concurrent_transfers_keep_every_balance_above_its_floor(store: Store, start: int, moves: list):
    """C06 as a property: any set of parallel transfers, both directions, ends with nobody below the floor
    and with exactly the posted ones booked."""
    names = {letter: f"{letter}-{uuid4()}" for letter in "ab"} | {"z": "organisers"}
    await open_accounts(store, **{names["a"]: start, names["b"]: start})
    wanted = [transfer(names[payer], names[payee], amount) for payer, payee, amount in moves]
    outcomes = await asyncio.gather(*(run(store, one) for one in wanted))
    booked = [one for one, outcome in zip(wanted, outcomes, strict=True) if outcome == "posted"]
    after = await balances(store)
    for letter in "ab":
        owner = names[letter]
        got = sum(one.amount for one in booked if one.payee == owner)
        spent = sum(one.amount for one in booked if one.payer == owner)
        assert after[owner] == start + got - spent >= 0


async def test_a_repeated_command_books_once(store: Store):
    """ECO2: the same key twice gives the same answer, or that it is in flight, and one ledger entry."""
    await open_accounts(store, m1=300_000)
    command, one = uuid4(), transfer("m1", "organisers", 100_000)
    tries = [run(store, one, command=command) for _ in range(5)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    others = [outcome for outcome in outcomes if outcome != "posted"]
    assert len(others) == 4
    assert all(outcome == "replayed" or isinstance(outcome, InFlight) for outcome in others)
    assert await run(store, one, command=command) == "replayed"
    assert (await balances(store))["m1"] == 200_000


async def test_a_transfer_id_is_posted_once(store: Store):
    await open_accounts(store, m1=300_000)
    id_ = uuid4()
    assert await run(store, transfer("organisers", "m1", 1, id_)) == "posted"
    with pytest.raises(Conflict, match="transfer-posted"):
        await run(store, transfer("organisers", "m1", 1, id_))
    assert (await balances(store))["m1"] == 300_001


async def test_one_refused_transfer_undoes_the_command(store: Store):
    await open_accounts(store, m1=100, m2=0)
    outcome = await run(store, transfer("m1", "m2", 60), transfer("m1", "m2", 60))
    assert outcome == "insufficient-funds"
    assert (await balances(store))["m1"] == 100


async def test_opposite_transfers_do_not_deadlock(store: Store):
    await open_accounts(store, m1=1_000, m2=1_000)
    crossing = [transfer(*pair, 1) for pair in (("m1", "m2"), ("m2", "m1")) * 15]
    assert set(await asyncio.gather(*(run(store, one) for one in crossing))) == {"posted"}
    after = await balances(store)
    assert (after["m1"], after["m2"]) == (1_000, 1_000)


async def test_a_snapshot_is_only_a_short_cut(store: Store):
    """With, without and with an outdated snapshot the same state; a floor is kept beyond many of them."""
    await open_accounts(store, m1=3 * EVERY)
    for _ in range(3 * EVERY):
        assert await run(store, transfer("m1", "organisers", 1)) == "posted"
    assert await run(store, transfer("m1", "organisers", 1)) == "insufficient-funds"
    assert await store.pool.fetchval("SELECT version FROM account_snapshot WHERE owner = 'm1'") >= 2 * EVERY

    async def state() -> Loaded:
        async with store.transaction(Meta(uuid4(), "c", "c", "test")) as tx:
            return await find_account(tx, "m1")

    short = await state()
    await store.pool.execute("UPDATE account_snapshot SET format = 0, state = '{}'")
    assert await state() == short
    await store.pool.execute("DELETE FROM account_snapshot")
    assert await state() == short
    assert (await balances(store))["m1"] == short.state.balance == 0


async def test_no_account_no_transfer(store: Store):
    await open_accounts(store)
    with pytest.raises(NotFound, match="account-unknown"):
        await run(store, transfer("organisers", "nobody", 1))


INSERT = "INSERT INTO posting (transfer_id, account, amount, recorded_at) VALUES ($1, $2, $3, now())"


async def test_the_database_refuses_postings_that_do_not_sum_to_zero(store: Store):
    id_ = uuid4()
    async with store.connection() as conn:
        with pytest.raises(asyncpg.CheckViolationError, match="does not sum to zero"):
            async with conn.transaction():
                await conn.execute(INSERT, id_, "a", 5)
                await conn.execute(INSERT, id_, "b", -4)
        async with conn.transaction():
            await conn.execute(INSERT, id_, "a", 5)
            await conn.execute(INSERT, id_, "b", -5)
        with pytest.raises(asyncpg.CheckViolationError):
            await conn.execute(INSERT, id_, "c", 1)


@pytest.mark.parametrize(
    "change", ["UPDATE posting SET amount = 1", "DELETE FROM posting", "TRUNCATE posting"]
)
async def test_postings_never_change(store: Store, change: str):
    await open_accounts(store, m1=5)
    async with store.connection() as conn:
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append only"):
            await conn.execute(change)


async def test_the_audit_sees_an_account_that_disagrees_with_its_postings(store: Store):
    await open_accounts(store, m1=5)
    async with store.transaction(Meta(uuid4(), "c", "c", "test")) as tx:
        await tx.append("account-m1", 2, AccountCredited(uuid4(), 7, "forged", "organisers", ""))
    async with store.connection() as conn:
        assert await faults(conn, store.log) == ["account m1: 12 BC by its events, 5 BC by its postings"]
