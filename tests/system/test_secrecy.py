"""SEC1, SEC17: three worlds differ only in what B has done; until the reveal only B can tell them apart.

In world X B has sealed some orders, in Y others (twice), in N none. Everything else is the same. What A, a
spectator, a partner, a referee and an operator get over REST, JetStream, mail and metrics must be equal byte
for byte.
"""

import json
from contextlib import AsyncExitStack

import pytest
from worlds import ANA, FIGHT, World, differences, get_paths, open_world

from solaris_combat.api import presentation
from solaris_combat.application import fights, publish
from solaris_combat.domain.events import OrdersSealed
from solaris_combat.engines.battletech.order_writing import write
from solaris_combat.projections import notices
from solaris_shared.errors import Unprocessable
from solaris_shared.testing.servers import private_nats

WORLDS = ("X", "Y", "N")
PHASES = 3


@pytest.fixture
async def worlds(databases, tmp_path, eyes, request):
    """The worlds of a test (all three unless it names some), each on its own; "macro": fights of four."""
    names = getattr(request, "param", WORLDS)
    macro, names = "macro" in names, [name for name in names if name != "macro"]
    async with AsyncExitStack() as stack:
        opened = {}
        for number, name in enumerate(names):
            server = stack.enter_context(private_nats())
            opened[name] = await stack.enter_async_context(
                open_world(databases, server.url, tmp_path, eyes, macro, traps=5 * number)
            )
        yield opened


async def b_acts(name: str, world: World, phase: int) -> None:
    """What the worlds differ in. B reads his pages equally often everywhere: reading is not sealing."""
    for attempt in range(2):
        orders = await world.choose(world.eyes.ben, 1, f"{name} {phase} {attempt}")
        if name == "N" or (name == "X" and attempt):
            continue
        sent = as_text(orders) if name == "Y" else orders
        got = await world.put(world.eyes.ben, sent, f"b-{name}-{phase}-{attempt}")
        assert got["status"] == 200, got
        await world.settle()


def as_text(orders: dict) -> dict:
    """The same orders as people write them, with a special request to the referee."""
    return {"text": write(orders, "es"), "comment": "con permiso del árbitro"}


async def a_acts(world: World, phase: int) -> dict:
    """Everything A can try, with every answer."""
    ana, path = world.eyes.ana, f"/v1/fights/{FIGHT}"
    orders = await world.choose(ana, 1, f"A {phase}")
    seen = {
        "preview": await world.ask(world.combat, "POST", f"{path}/orders/preview", ana, json=orders),
        "wrong turn": await world.put(ana, {**orders, "turn": 99}, f"a-wrong-{phase}"),
        "malformed": await world.put(ana, {"turn": phase, "odd": 1}, f"a-odd-{phase}"),
        "answers": await world.put(ana, {"turn": phase, "answers": []}, f"a-answers-{phase}"),
        "stale": await world.put(ana, orders, f"a-stale-{phase}", **{"If-Match": '"0"'}),
        "sealed": await world.put(ana, orders, f"a-{phase}"),
        "again": await world.put(ana, orders, f"a-{phase}"),
        "key reused": await world.put(ana, {**orders, "turn": 99}, f"a-{phase}"),
        "mine": await world.ask(world.combat, "GET", f"{path}/orders/mine", ana),
        "page": await world.ask(world.combat, "GET", path, ana),
    }
    seen["replaced"] = await world.put(ana, orders, f"a-{phase}-2", **{"If-Match": own_tag(seen["mine"])})
    seen["stranger"] = await world.put(world.eyes.viewers["referee"], orders, f"e-{phase}")
    assert seen["sealed"]["status"] == 200 and seen["replaced"]["status"] == 200, seen["sealed"]
    for name, token in world.eyes.mates.items() if world.macro else ():
        mates = await world.choose(token, 1, f"{name} {phase}")
        seen[f"{name} sealed"] = await world.put(token, mates, f"{name}-{phase}")
        assert seen[f"{name} sealed"]["status"] == 200, seen
    return seen


def own_tag(look: dict) -> str:
    return dict(look["headers"])["etag"]


async def play(worlds: dict[str, World], phases: int = PHASES) -> list[str]:
    """Play the first phases in all worlds; every difference seen before and after each reveal."""
    found: list[str] = []
    for phase in range(phases):
        hour = 3600 * phase
        for name, world in worlds.items():
            await world.at(hour + 60)
            await b_acts(name, world, phase)
            await world.at(hour + 120)
            await world.settle()
        found += differences({name: await world.look() for name, world in worlds.items()})
        found += differences({name: await a_acts(world, phase) for name, world in worlds.items()})
        for name, world in worlds.items():
            await world.at(hour + 180)
            last = await world.choose(world.eyes.ben, 1, f"last {phase}")
            got = await world.put(world.eyes.ben, last, f"b-last-{phase}")
            assert got["status"] == 200, (name, got)
            await world.settle()
        found += differences({name: await world.look() for name, world in worlds.items()})
    return found


async def judge(worlds: dict[str, World]) -> list[str]:
    """More time, a correction and a surrender while B has sealed, twice, once or not at all."""
    found: list[str] = []
    for name, world in worlds.items():
        await world.at(3600 * PHASES + 60)
        await b_acts(name, world, PHASES)
    asked = {name: await ruled(world) for name, world in worlds.items()}
    found += differences(asked)
    assert all(one["status"] == 200 for look in asked.values() for one in look.values()), asked
    found += differences({name: await world.look() for name, world in worlds.items()})
    for name, world in worlds.items():
        await b_acts(name, world, PHASES + 1)
        got = await world.post(world.eyes.ana, "yield", {"how": "surrender"}, "a-yields")
        assert got["status"] == 200, got
        await world.settle()
    return found + differences({name: await world.look() for name, world in worlds.items()})


async def ruled(world: World) -> dict:
    """What the Commission does, with every answer."""
    commission = world.eyes.judge
    page = await world.ask(world.combat, "GET", f"/v1/fights/{FIGHT}", commission)
    more = {"deadline": json.loads(page["body"])["deadline"], "seconds": 3600, "reason": "Hay fiesta."}
    right = {"side": "B", "changes": {"heat": 3}, "reason": "Contado dos veces."}
    answers = {
        "extended": await world.post(commission, "extensions", more, "extended"),
        "corrected": await world.post(commission, "corrections", right, "corrected"),
    }
    await world.settle()
    return answers


async def test_three_worlds_are_one_until_the_reveal(worlds):
    found = await play(worlds) + await judge(worlds)
    assert not found, "\n".join(found[:20])
    page = (await worlds["N"].combat.client.get(f"/v1/fights/{FIGHT}")).json()
    assert page["game"]["turn"] >= 2, "the worlds must have gone through real phases"
    assert worlds["N"].mailbox.letters, "letters must have been among what was compared"
    assert any(ANA in path or FIGHT in path for path in get_paths(worlds["N"].combat.app))


@pytest.mark.parametrize("worlds", [("X", "N", "macro")], indirect=True, ids=["X-N"])
async def test_a_macro_fight_keeps_the_secret_from_friend_and_foe(worlds):
    """SEC1, MIN3 in a fight of four in Hartford Gardens: neither enemies nor his own team-mate see whether or
    what B has sealed, and nobody sees that there are traps in one world and none in the other."""
    found = await play(worlds, 2)
    assert not found, "\n".join(found[:20])
    page = (await worlds["N"].combat.client.get(f"/v1/fights/{FIGHT}")).json()
    assert page["game"]["turn"] >= 1
    assert page["teams"] == {"A": "1", "B": "2", "C": "1", "D": "2"}


def leak_page(monkeypatch):
    honest = presentation.fight_json
    monkeypatch.setattr(
        "solaris_combat.api.fight_routes.fight_json",
        lambda referee, fight, person: {**honest(referee, fight, person), "sealed": len(fight.sealed)},
    )


def leak_fact(monkeypatch):
    fact = ("orders-sealed", lambda event: {"side": event.side})
    monkeypatch.setitem(publish.FACTS, OrdersSealed, fact)


def leak_etag(monkeypatch):
    honest = presentation.fight_json

    def leaky(referee, fight, person):
        page = honest(referee, fight, person)
        return dict(reversed(page.items())) if len(fight.sealed) > 0 else page

    monkeypatch.setattr("solaris_combat.api.fight_routes.fight_json", leaky)


def leak_refusal(monkeypatch):
    honest = fights.check_orders

    def leaky(fight, side, data, now):
        try:
            return honest(fight, side, data, now)
        except Unprocessable as error:
            error.detail += " (both)" if set(fight.sealed) - {side} else ""
            raise

    monkeypatch.setattr(fights, "check_orders", leaky)


def leak_metric(monkeypatch):
    monkeypatch.setattr("solaris_shared.http.middleware.UNWATCHED", frozenset())


def leak_notice(monkeypatch):
    honest = notices._tell

    async def leaky(conn, stored, side, kind, more):
        for one in ("A", "B"):
            await honest(conn, stored, one, kind, more if one == side else {})

    monkeypatch.setattr(notices, "_tell", leaky)


@pytest.mark.parametrize("worlds", [("X", "N")], indirect=True, ids=["X-N"])
@pytest.mark.parametrize("leak", [leak_page, leak_fact, leak_etag, leak_refusal, leak_metric, leak_notice])
async def test_a_planted_leak_turns_it_red(worlds, monkeypatch, leak):
    leak(monkeypatch)
    assert await play(worlds, 1) != []


@pytest.mark.parametrize("worlds", [("X",)], indirect=True, ids=["X"])
async def test_canary(worlds, capsys):
    """B's sealed orders stand in no table, message, letter, log line or metric before the reveal."""
    world = worlds["X"]
    orders = await world.choose(world.eyes.ben, 1, "canary")
    token = "ca11ab1e" * 8
    orders["initial"]["nonce"] = token
    assert (await world.put(world.eyes.ben, orders, "canary"))["status"] == 200
    await world.settle()
    seen = repr(await world.look()) + capsys.readouterr().out + await dump(world)
    for spelling in (token, bytes.fromhex(token).decode("latin1"), json.dumps(orders["initial"])):
        assert spelling not in seen
    mine = await world.ask(world.combat, "GET", f"/v1/fights/{FIGHT}/orders/mine", world.eyes.ben)
    assert token in mine["body"].decode()
    await world.put(world.eyes.ana, await world.choose(world.eyes.ana, 1, "a"), "ana")
    await world.settle()
    assert token in await dump(world)


async def dump(world: World) -> str:
    """Every row of every table of both services as text."""
    texts = []
    for service in (world.combat, world.mail):
        tables = await service.pool.fetch(
            "SELECT schemaname AS s, tablename AS t FROM pg_tables"
            " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        )
        for table in tables:
            rows = await service.pool.fetch(f'SELECT x::text AS line FROM "{table["s"]}"."{table["t"]}" x')
            texts += [row["line"] for row in rows]
    return "\n".join(texts)
