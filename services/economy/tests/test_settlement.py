"""Purses, repairs and 'Mech instances on the facts of combat and the league."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from solaris_economy.adapters.tables import load_repair_terms
from solaris_economy.application.audit import account_states, faults
from solaris_economy.application.mechs import register_mech
from solaris_economy.application.reactors import (
    FIGHT_CONCLUDED,
    FIGHT_OPENED,
    FIGHT_VOIDED,
    LOADOUT_FIXED,
    MECHWARRIOR_ENTERED,
    accounts_reactor,
    settlement_reactor,
)
from solaris_economy.application.transfers import ensure_bank
from solaris_economy.foreign_events import COMBAT, LEAGUE
from solaris_shared.errors import Conflict, NotFound
from solaris_shared.log.event_log import Meta, Stored
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.log.unit_of_work import Store

TERMS = load_repair_terms()
PANTHER = 2_476_260
RED, BLUE = UUID(int=0xA), UUID(int=0xB)
RED_MECH, BLUE_MECH = UUID(int=0xC), UUID(int=0xD)


def imported(type_: str, data: dict) -> Stored:
    """The event as the importer has stored it."""
    event = ForeignTypes(LEAGUE | COMBAT).decode(type_, data, {})
    return Stored(1, 1, "import-x", 1, uuid4(), type_, event, {}, datetime.now(UTC))


def entered(mechwarrior: UUID) -> Stored:
    data = {
        "mechwarrior_id": str(mechwarrior),
        "person_id": f"person-{mechwarrior.int}",
        "name": "x",
        "class": 3,
    }
    return imported(MECHWARRIOR_ENTERED, data)


def side(letter: str, mechwarrior: UUID, result: str, mech: UUID, damaged: bool, destroyed: bool) -> dict:
    return {
        "side": letter,
        "mechwarrior_id": str(mechwarrior),
        "person_id": f"person-{mechwarrior.int}",
        "result": result,
        "victory_points": 3,
        "mech": {
            "instance_id": str(mech),
            "model": "PNT-9R",
            "owner": "organisers",
            "damaged": damaged,
            "destroyed": destroyed,
        },
        "kills": 0,
    }


def concluded(
    red: str = "win", red_harm=(False, False), blue_harm=(True, False), fight: UUID | None = None
) -> Stored:
    blue = {"win": "loss", "loss": "win", "draw": "draw"}[red]
    data = {
        "fight_id": str(fight or uuid4()),
        "round": 1,
        "class": 3,
        "turns": 5,
        "ended_by": "turn-limit",
        "purse": {"win": 300_000, "draw": 200_000, "loss": 100_000},
        "sides": [side("A", RED, red, RED_MECH, *red_harm), side("B", BLUE, blue, BLUE_MECH, *blue_harm)],
    }
    return imported(FIGHT_CONCLUDED, data)


async def react(store: Store, stored: Stored) -> None:
    """Hand the fact to both reactors, each in its own transaction, as the worker does."""
    for reactor in (accounts_reactor(), settlement_reactor(TERMS)):
        if handler := reactor.handles.get(stored.type):
            async with store.transaction(
                Meta(uuid4(), "c", str(stored.event_id), f"reactor:{reactor.name}")
            ) as tx:
                await handler(tx, stored)


async def register(store: Store, mech: UUID, owner: str = "organisers") -> None:
    async with store.transaction(Meta(uuid4(), "c", "c", "commission")) as tx:
        await ensure_bank(tx)
        await register_mech(tx, TERMS, mech, "PNT-9R", PANTHER, owner)


async def balances(store: Store) -> dict[str, int]:
    async with store.connection() as conn:
        assert await faults(conn, store.log) == []
        names = {str(RED): "red", str(BLUE): "blue"}
        states = await account_states(conn, store.log)
        return {names.get(owner, owner): account.balance for owner, account in states.items()}


async def public(store: Store) -> list[str]:
    """Types of the public facts appended so far."""
    async with store.connection() as conn:
        rows = await conn.fetch("SELECT subject FROM pending WHERE subject IS NOT NULL ORDER BY ordinal")
        return [row["subject"].split(".")[-2] for row in rows]


async def stored_types(store: Store, stream: str) -> list[str]:
    async with store.connection() as conn:
        return [stored.type for stored in await store.log.load(conn, stream)]


async def test_everybody_who_enters_gets_an_account_at_zero(store: Store):
    await react(store, entered(RED))
    await react(store, entered(RED))
    assert await balances(store) == {"red": 0}
    assert await public(store) == ["account-opened"]


@pytest.mark.parametrize(
    ("red", "purses"),
    [("win", (300_000, 100_000)), ("draw", (200_000, 200_000)), ("loss", (100_000, 300_000))],
)
async def test_each_side_gets_the_purse_of_its_result(store: Store, red: str, purses: tuple[int, int]):
    for mechwarrior in (RED, BLUE):
        await react(store, entered(mechwarrior))
    await react(store, concluded(red, blue_harm=(False, False)))
    after = await balances(store)
    assert (after["red"], after["blue"]) == purses
    assert after["organisers"] == -sum(purses)
    assert (await public(store)).count("purse-paid") == 2


async def test_a_fight_that_overtakes_the_league_opens_the_accounts_itself(store: Store):
    """The facts of two services arrive in no common order."""
    await react(store, concluded(blue_harm=(False, False)))
    await react(store, entered(RED))
    assert (await balances(store))["red"] == 300_000
    assert await stored_types(store, f"account-{RED}") == ["account-opened", "account-credited"]


async def test_a_lent_mech_is_repaired_by_the_organisers(store: Store):
    await register(store, BLUE_MECH)
    await react(store, concluded())
    after = await balances(store)
    assert after == {"organisers": -400_000 - 247_626, "workshop": 247_626, "red": 300_000, "blue": 100_000}
    assert await stored_types(store, f"mech-{BLUE_MECH}") == [
        "mech-registered",
        "damage-reported",
        "mech-repaired",
    ]


async def test_an_own_mech_is_repaired_by_its_owner_into_the_red(store: Store):
    """R 4.7 "obligatoriamente"; R 5: he is in the red then, and out of it with the next purses."""
    await react(store, entered(BLUE))
    await register(store, BLUE_MECH, str(BLUE))
    await react(store, concluded())
    assert (await balances(store))["blue"] == 100_000 - 247_626
    assert (await public(store))[-2:] == ["account-went-negative", "repair-charged"]
    await react(store, concluded("loss", blue_harm=(False, False)))
    assert (await balances(store))["blue"] == 100_000 - 247_626 + 300_000
    assert "account-recovered" in await public(store)


async def test_a_destroyed_mech_is_written_off_and_costs_no_repair(store: Store):
    await register(store, BLUE_MECH)
    await react(store, concluded(blue_harm=(True, True)))
    assert (await balances(store))["workshop"] == 0
    assert (await public(store))[-1] == "mech-written-off"


async def test_damage_of_an_unknown_mech_waits_for_its_registration(store: Store):
    """What cannot be settled stays visible and is settled later, once."""
    fight = concluded(fight=UUID(int=1))
    await react(store, fight)
    assert await stored_types(store, f"mech-{BLUE_MECH}") == ["damage-reported"]
    await register(store, BLUE_MECH)
    assert (await balances(store))["workshop"] == 247_626
    with pytest.raises(Conflict, match="mech-already-registered"):
        await register(store, BLUE_MECH)
    assert (await balances(store))["workshop"] == 247_626


async def test_damage_after_a_write_off_stays_open(store: Store):
    await register(store, BLUE_MECH)
    await react(store, concluded(blue_harm=(True, True)))
    await react(store, concluded())
    assert (await balances(store))["workshop"] == 0
    assert (await stored_types(store, f"mech-{BLUE_MECH}"))[-1] == "damage-reported"


async def test_a_fight_is_settled_once(store: Store):
    """Even if its conclusion came a second time as another event."""
    await react(store, concluded(fight=UUID(int=1)))
    with pytest.raises(Conflict, match="transfer-posted"):
        await react(store, concluded(fight=UUID(int=1)))
    assert (await balances(store))["red"] == 300_000


async def test_a_mech_belongs_to_an_account(store: Store):
    with pytest.raises(NotFound, match="account-unknown"):
        await register(store, RED_MECH, "nobody")


async def test_what_is_public_tells_no_person(store: Store):
    """Public facts carry accounts and 'Mechs; persons stay inside."""
    await register(store, BLUE_MECH)
    await react(store, concluded())
    async with store.connection() as conn:
        envelopes = await conn.fetch("SELECT envelope FROM pending WHERE envelope IS NOT NULL")
    assert envelopes
    assert not any(b"person" in row["envelope"] for row in envelopes)


def voided(fight: UUID) -> Stored:
    sides = [{"side": name, "mechwarrior_id": str(who)} for name, who in (("A", RED), ("B", BLUE))]
    return imported(FIGHT_VOIDED, {"fight_id": str(fight), "reason": "off", "sides": sides})


async def test_a_voided_fight_pays_nothing_whatever_combat_says_of_it(store):
    fight = uuid4()
    await react(store, entered(RED))
    await react(store, entered(BLUE))
    await react(store, voided(fight))
    await react(store, concluded(fight=fight))
    found = await balances(store)
    assert {found[who] for who in ("red", "blue")} == {0}
    assert await store.pool.fetchval("SELECT count(*) FROM posting") == 0


async def test_a_purse_paid_before_the_news_came_goes_back(store):
    """The facts of two services arrive in any order: the books end the same."""
    fight = uuid4()
    await react(store, concluded(fight=fight, blue_harm=(False, False)))
    assert (await balances(store))["red"] == 300_000
    await react(store, voided(fight))
    found = await balances(store)
    assert {found[who] for who in ("red", "blue", "organisers")} == {0}


def opened(fight: UUID) -> Stored:
    sides = [
        {"side": letter, "mechwarrior_id": str(who), "person_id": f"person-{who.int}", "name": "x"}
        for letter, who in (("A", RED), ("B", BLUE))
    ]
    return imported(FIGHT_OPENED, {"fight_id": str(fight), "sides": sides, "turns": 10})


def loaded(fight: UUID, letter: str, *kinds: str) -> Stored:
    special = [{"bin": f"bin-{kind}", "munition": kind, "price": 50_000} for kind in kinds]
    charge = 50_000 * len(kinds)
    data = {"fight_id": str(fight), "side": letter, "bins": {}, "special": special, "charge": charge}
    return imported(LOADOUT_FIXED, data)


async def test_special_ammunition_is_charged_for_by_kind_and_bin(store: Store):
    """R 4.6.6, C-06: 50,000 for each kind in each bin, into the red if need be; normal loads are free."""
    fight = uuid4()
    for stored in (opened(fight), loaded(fight, "A", "dead-fire", "heat-seeking", "x"), loaded(fight, "B")):
        await react(store, stored)
    assert await balances(store) == {"organisers": 150_000, "red": -150_000, "workshop": 0}
    assert (await public(store)).count("special-ammo-charged") == 1


async def test_a_fight_that_is_off_gives_special_ammunition_back(store: Store):
    fight = uuid4()
    await react(store, opened(fight))
    await react(store, loaded(fight, "A", "dead-fire"))
    await react(store, voided(fight))
    assert (await balances(store))["red"] == 0
    late = uuid4()
    await react(store, opened(late))
    await react(store, voided(late))
    await react(store, loaded(late, "B", "dead-fire"))
    assert "blue" not in await balances(store)


async def test_a_loadout_of_an_unknown_fight_halts(store: Store):
    with pytest.raises(NotFound):
        await react(store, loaded(uuid4(), "A", "dead-fire"))
