"""SEC1, SEC2, SEC17 for every form of order: pages are the same bytes whatever B sealed, or nothing.

Pairs of worlds in memory, 50 in CI and 2,000 on demand: duels of Class 3 and 5 and a fight of four; and a
token beside every order of a running fight, found nowhere before the reveal. Worlds that differ in what an
arena hides: test_secrecy_of_hidden_things. The same over REST, JetStream and mail:
tests/system/test_secrecy.py.
"""

import json
import random
from dataclasses import replace

import pytest
from hall import scheduled
from secret_worlds import (
    ENGINE,
    FORMS,
    PERSONS,
    REGISTRY,
    begun,
    choose,
    make_referee,
    same,
    seen,
    with_question,
    with_sealed,
)
from test_fights import dump

from solaris_combat.api import presentation
from solaris_combat.application import publish
from solaris_combat.domain import acts
from solaris_combat.domain.events import OrdersSealed
from solaris_combat.engines.canonical import canonical
from solaris_combat.engines.dice import SeededDice

DUEL = (("PNT-9R", "JVN-10N"), "la-cantera", 3)
GARDENS = (("CPLT-C1", "ON1-V"), "hartford-gardens", 5)
MACRO = (("PNT-9R", "JVN-10N", "PXH-1", "WSP-1A"), "hartford-gardens", 3)
FIGHTS = [
    *((*DUEL, number) for number in (0, 1, 2, 3, 5)),
    *((*GARDENS, number) for number in (0, 1, 2)),
    *((*MACRO, number) for number in (0, 1, 2)),
]


def check_pairs(numbers, fights=FIGHTS):
    """Pair `number`: B sealed the form of that number, another one or nothing, asked a question or not."""
    rng = random.Random(17)
    referee = make_referee()
    for number in numbers:
        match = begun(*fights[number % len(fights)])
        dice = SeededDice(number.to_bytes(32, "big"))
        first = FORMS[number % len(FORMS)]
        second = rng.choice([*FORMS, choose(match.fight, "B", dice)])
        wished, silent = (
            with_sealed(referee, match, form, rng.choice(["", "a wish"])) for form in (first, second)
        )
        worlds = [wished, rng.choice([silent, with_question(referee, silent), match])]
        same(seen(referee, worlds[0]), seen(referee, worlds[1]), (number, first))
        mine = presentation.fight_json(referee, worlds[0].fight, PERSONS["B"])
        assert mine["you"]["sealed"] is not None


def test_fifty_pairs_of_worlds():
    """Every form of docs/reference/orders.md stands among them, and every fight of FIGHTS."""
    assert 25 <= len(FORMS) <= 50
    assert len(FIGHTS) <= 50
    check_pairs(range(50))


@pytest.mark.soak
def test_two_thousand_pairs_of_worlds():
    check_pairs(range(2000))


def leak_count(monkeypatch):
    """The page says how many have sealed."""
    honest = presentation._progress
    monkeypatch.setattr(
        presentation, "_progress", lambda fight, side: {**honest(fight, side), "sealed": len(fight.sealed)}
    )


def leak_fact(monkeypatch):
    """Sealing is a public fact."""
    monkeypatch.setitem(publish.FACTS, OrdersSealed, ("orders-sealed", lambda event: {"side": event.side}))


def leak_comment(monkeypatch):
    """The referee reads special requests before the orders are opened."""
    honest = presentation.comments_json

    def leaky(referee, fight, side):
        said = tuple(one for one in fight.sealed.values() if one.comment)
        return honest(referee, replace(fight, comments=(*fight.comments, *said)), side)

    monkeypatch.setattr(presentation, "comments_json", leaky)


def leak_question(monkeypatch):
    """Everybody hears that a side was asked something: it fell."""
    honest = presentation._progress
    monkeypatch.setattr(
        presentation, "_progress", lambda fight, side: {**honest(fight, side), "asked": sorted(fight.asked)}
    )


def leak_deadline(monkeypatch):
    """A correction gives more time where somebody had sealed."""
    honest = acts._deadline
    monkeypatch.setattr(
        acts,
        "_deadline",
        lambda fight, now, reopened: None if fight.sealed and reopened else honest(fight, now, reopened),
    )


LEAKS = [leak_count, leak_fact, leak_comment, leak_question, leak_deadline]


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("fight", [(*DUEL, 1), (*MACRO, 1)], ids=["duel", "macro"])
def test_a_planted_leak_turns_it_red(monkeypatch, leak, fight):
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=r"."):
        check_pairs(range(12), [fight])


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
