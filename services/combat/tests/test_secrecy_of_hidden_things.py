"""MIN3, SEC1 for what an arena hides: traps, mines, vibrabombs, quicksand, turrets and the rolls for them.

Pairs of worlds, 50 in CI and 2,000 on demand, that differ in nothing but what lies where. Everything that
anybody sees is the same bytes, both sides' own pages included; and so are the public facts of the requests
that follow, with the same orders, until something shows in one of the two.
"""

import random
from itertools import pairwise

import pytest
from secret_worlds import (
    ENGINE,
    Match,
    TwoStreams,
    begun,
    chosen,
    make_referee,
    public,
    same,
    seen,
    without_digest,
)

from solaris_combat.application import telling
from solaris_combat.domain import resolution
from solaris_combat.engines.battletech import ground_events, options, preview, traps, view
from solaris_combat.engines.battletech.engine import BattleTech
from solaris_combat.engines.battletech.events import UnitMoved
from solaris_combat.engines.canonical import canonical

DUEL = (("CPLT-C1", "ON1-V"), "hartford-gardens", 5)
MACRO = (("PNT-9R", "JVN-10N", "PXH-1", "WSP-1A"), "hartford-gardens", 3)
SHOWS = (ground_events.TurretRose, ground_events.MineExploded, ground_events.TerrainChanged)
ROLLED = (ground_events.TrapRolled, ground_events.MinesTested)


def hidden_anew(match, rng, ends):
    """The match with other things hidden: traps, mines and vibrabombs, sometimes a mine where a move ends."""
    game = match.fight.game
    board = game.ground.base
    starts = {unit.hex for unit in game.units.values()}
    free = [str(h) for h in board.hexes() if h not in starts and traps.may_hold(board.ground(h))]
    near = [rng.choice(ends)] if ends and rng.random() < 0.7 else []
    places = list(dict.fromkeys([*near, *rng.sample(free, 8)]))
    cut = [0, *sorted(rng.randint(1, len(places)) for _ in range(3))]
    mined, trapped, rigged = (tuple(places[a:b]) for a, b in pairwise(cut))
    laid = [
        ground_events.TrapsHidden(trapped, ()),
        ground_events.MinesLaid(mined, 7, None, ()),
        ground_events.MinesLaid(rigged, 10, rng.choice((40, 90, 90)), ()),
    ]
    at = next(n for n, event in enumerate(match.events) if isinstance(event, ground_events.TrapsHidden))
    return Match().take([*match.events[:at], *laid, *match.events[at + 1 :]])


def check_pairs(numbers, fights=(DUEL, DUEL, DUEL, MACRO)):
    """How many pairs went on to the end with nothing shown, and how often something was rolled unseen."""
    referee, quiet, rolled = make_referee(), 0, 0
    for number in numbers:
        rng, TwoStreams.pair = random.Random(number), number
        match = begun(*fights[number % len(fights)], 1)
        orders = chosen(match, number.to_bytes(32, "big"))
        planned = match.resolved(orders)
        ends = [event.hex for event in planned if isinstance(event, UnitMoved)]
        worlds = [hidden_anew(match, rng, ends), rng.choice([match, hidden_anew(match, rng, [])])]
        last = 1 if number % 5 else 2
        for step in range(last + 1):
            views = [seen(referee, world, frozenset(), acts=step == 0) for world in worlds]
            same(*views, (number, step))
            if step == last or worlds[0].fight.request is None:
                quiet += 1
                break
            orders = chosen(worlds[0], number.to_bytes(32, "big")) if step else orders
            happened = [world.resolved(orders) for world in worlds]
            if any(isinstance(event, SHOWS) for one in happened for event in one):
                break
            facts = [without_digest(canonical(public(one))) for one in happened]
            same(*facts, (number, step))
            rolled += any(isinstance(event, ROLLED) for one in happened for event in one)
            worlds = [world.take(events) for world, events in zip(worlds, happened, strict=True)]
    return quiet, rolled


@pytest.fixture(autouse=True)
def two_streams(monkeypatch):
    monkeypatch.setattr(resolution, "SeededDice", TwoStreams)


def test_fifty_pairs_of_arenas():
    """Some of them go on unseen although something was rolled for in one world only."""
    quiet, rolled = check_pairs(range(50))
    assert quiet >= 8
    assert rolled >= 5


@pytest.mark.soak
def test_two_thousand_pairs_of_arenas():
    check_pairs(range(2000))


def leak_view(monkeypatch):
    """The board says how many traps are left."""
    honest = view.view
    monkeypatch.setattr(
        view,
        "view",
        lambda state, viewer: {**honest(state, viewer), "traps": len(state.hidden.traps)},
    )


def leak_options(monkeypatch):
    """A way over a trap is not offered."""
    honest = options.options
    monkeypatch.setattr(
        options, "options", lambda state, side: {**honest(state, side), "safe": not state.hidden.mines}
    )


def leak_preview(monkeypatch):
    """A preview of a movement is longer where mines lie."""
    honest = preview.preview
    monkeypatch.setattr(
        preview,
        "preview",
        lambda state, side, orders: {**honest(state, side, orders), "risk": len(state.hidden.mines)},
    )


def leak_fact(monkeypatch):
    """Where traps lie is published."""
    names = {**ENGINE.publish_names, "traps-hidden": "traps-hidden"}
    monkeypatch.setattr(BattleTech, "publish_names", names)


def leak_test(monkeypatch):
    """A roll for mines that do not go off is published."""
    names = {**ENGINE.publish_names, "mines-tested": "mines-tested", "trap-rolled": "trap-rolled"}
    monkeypatch.setattr(BattleTech, "publish_names", names)


def leak_number(monkeypatch):
    """Lines of the log are numbered in the fight's own stream: the gaps tell of private events."""
    honest = telling._said
    monkeypatch.setattr(
        telling, "_said", lambda step, text: {**honest(step, text), "version": step.stored.version}
    )


LEAKS = [leak_view, leak_options, leak_preview, leak_fact, leak_test, leak_number]


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_turns_it_red(monkeypatch, leak):
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        check_pairs(range(12))
