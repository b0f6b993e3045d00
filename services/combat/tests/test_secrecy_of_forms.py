"""SEC1, SEC2, SEC17 for every form of order: pages are the same bytes whatever B sealed, or nothing.

Pairs of worlds in memory, 50 in CI and 2,000 on demand; and a token beside every order of a running fight,
found nowhere before the reveal. The same over REST, JetStream and mail: tests/system/test_secrecy.py.
"""

import json
import random
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hall import scheduled
from test_fights import dump

from solaris_combat.api.presentation import comments_json, fight_json, options_json
from solaris_combat.application.fights import Referee, terms_of
from solaris_combat.application.memory import FightMemory
from solaris_combat.application.publish import publisher
from solaris_combat.application.vault import Vault
from solaris_combat.domain.commitment import commitment
from solaris_combat.domain.events import Box, Opened, OrdersSealed
from solaris_combat.domain.fight import evolve
from solaris_combat.domain.opening import open_fight
from solaris_combat.domain.resolution import Questions, resolve
from solaris_combat.engines.battletech.engine import build
from solaris_combat.engines.battletech.lot import orders_by_lot
from solaris_combat.engines.canonical import canonical
from solaris_combat.engines.dice import SeededDice
from solaris_combat.engines.registry import Registry
from solaris_combat.foreign_events import FightScheduled

ENGINE = build()
REGISTRY = Registry([ENGINE])
PAGE = Path(__file__).parents[3] / "docs/reference/orders.md"
FORMS = [
    {"turn": 0, **json.loads(twin)}
    for twin in re.findall(r"```orders\n.*?```\s+```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
]
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
FIGHT = "00000000-0000-4000-8000-000000000001"
SEED = b"\x07" * 32


def terms():
    """A duel as the league schedules it."""
    fact = scheduled(
        "00000000-0000-4000-8000-000000000001", ruleset="solaris7/1", arena="la-cantera", turns=8
    )
    for side, model in zip(fact["sides"], ("PNT-9R", "JVN-10N"), strict=True):
        side["mech"]["model"] = model
    return terms_of(msgspec.convert({**fact, "referee": "eve"}, FightScheduled, strict=False))


def opened(requests):
    """A fight after so many resolved requests, and who may look at it."""
    fight = None
    for event in open_fight(REGISTRY, terms(), SEED, Box("", "", ""), NOON):
        fight = evolve(REGISTRY, fight, event)
    dice = SeededDice(bytes([requests]) * 32)
    for _ in range(requests):
        sealed = {side: Opened(choose(fight, side, dice), "", "") for side in fight.request.sides}
        result = resolve(replace(fight, expired=True), sealed, {}, SEED, NOON)
        assert not isinstance(result, Questions)
        for event in result.events:
            fight = evolve(REGISTRY, fight, event)
    return fight


def choose(fight, side, dice):
    return ENGINE.orders_json(orders_by_lot(fight.game, side, dice))


def with_sealed(referee, fight, orders, comment):
    """The fight after B sealed these orders with a comment."""
    place = f"fight-{fight.terms.fight_id}/{fight.request.turn}/{fight.request.kind}/B"
    salt = referee.vault.random(32)
    box = referee.vault.seal(place, {"orders": orders, "salt": salt.hex()})
    beside = referee.vault.seal(f"{place}/comment", comment) if comment else None
    hashed = commitment(salt, orders)
    event = OrdersSealed("B", fight.request.turn, fight.request.kind, box, hashed, NOON, beside)
    assert publisher(REGISTRY)(event, f"fight-{fight.terms.fight_id}") is None
    return evolve(REGISTRY, fight, event)


def seen(referee, fight):
    """Every page of everybody but B, as bytes."""
    pages = [fight_json(referee, fight, person) for person in ("ana", "eve", "zoe", None)]
    return canonical([*pages, options_json(referee, fight, "A"), comments_json(referee, fight, None)])


def check_pairs(count):
    rng = random.Random(17)
    referee = Referee(
        REGISTRY, Vault("0123456789abcdef" * 4, random.Random(1).randbytes), FightMemory(REGISTRY)
    )
    fights = [opened(number) for number in (0, 1, 2, 3, 5)]
    for number in range(count):
        fight = rng.choice(fights)
        dice = SeededDice(number.to_bytes(32, "big"))
        forms = [FORMS[number % len(FORMS)], rng.choice([*FORMS, choose(fight, "B", dice)])]
        worlds = [with_sealed(referee, fight, form, rng.choice(["", "a wish"])) for form in forms]
        assert seen(referee, fight) == seen(referee, worlds[0]) == seen(referee, worlds[1])
        assert fight_json(referee, worlds[0], "ben")["you"]["sealed"] is not None


def test_fifty_pairs_of_worlds():
    """Every form of docs/reference/orders.md stands among them."""
    assert len(FORMS) >= 25
    check_pairs(50)


@pytest.mark.soak
def test_two_thousand_pairs_of_worlds():
    check_pairs(2000)


@pytest.fixture
def registry():
    return REGISTRY


async def test_a_token_beside_every_order_is_found_nowhere_before_the_reveal(hall):
    """SEC17: neither token nor orders, in JSON or as text, stand in any table; afterwards the orders do."""
    sides = scheduled(hall.fight_id)["sides"]
    for side, model in zip(sides, ("PNT-9R", "JVN-10N"), strict=True):
        side["mech"]["model"] = model
    await hall.schedule(ruleset="solaris7/1", arena="la-cantera", turns=8, sides=sides)
    dice = SeededDice(b"canary".ljust(32))
    kinds = set()
    for number in range(6):
        fight = await hall.fight()
        kinds.add(fight.request.kind)
        orders = choose(fight, "B", dice)
        texts = [ENGINE.write_text(ENGINE.parse_orders(orders), language) for language in ("es", "en")]
        token = f"CANARY-{number}-ca11ab1e"
        await hall.put("ben", {"text": texts[number % 2], "comment": token})
        await hall.settle()
        found = await dump(hall)
        part = {name: value for name, value in orders.items() if name != "turn"}
        for secret in (token, token.encode().hex(), *texts, json.dumps(part), canonical(part).decode()):
            assert secret not in found
        await hall.put("ana", choose(fight, "A", dice))
        await hall.settle()
        while (fight := await hall.fight()).asked:
            await hall.move_clock(3600 * 100 * (number + 1))
            await hall.settle()
        assert orders in [
            {**side["orders"]}
            for _, envelope in await hall.outbox()
            if "orders-opened" in envelope["type"]
            for side in envelope["data"]["sides"]
        ]
        assert token not in await dump(hall), "the comment stays sealed at rest"
    assert kinds >= {"initial", "movement", "fire_and_movement"}
