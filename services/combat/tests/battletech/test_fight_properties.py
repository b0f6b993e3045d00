"""What holds of any request carried out, whatever the sides order: dice, events, rounds, and what is seen.

'Mechs in any bad shape, in any arena and class, with orders by lot; the last of a few requests is looked at.
"""

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from duels import ENGINE, Recorded, battered, begin, setup
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import fire_events, harm
from solaris_combat.engines.battletech.board import arena_ids
from solaris_combat.engines.battletech.lot import answer_by_lot, orders_by_lot
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.play import AnswerNeeded, Play
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.turn import _CARRY_OUT
from solaris_combat.engines.dice import Roll, SeededDice

SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MODELS = ("PNT-9R", "HBK-4G", "NDA-1K", "GRF-1N", "CPLT-C1", "AS7-D", "RVN-3L", "ASN-21")


@dataclass(frozen=True)
class Carried:
    """A request carried out: the state before, the orders, and what came of it."""

    before: State
    orders: dict[str, Orders]
    events: tuple[Any, ...]
    after: State
    drawn: list[Roll]


@st.composite
def requests(draw: st.DrawFn) -> Carried:
    """The last of up to four requests of a duel; before the second the 'Mechs are battered."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    terms = setup(draw(st.sampled_from(MODELS)), draw(st.sampled_from(MODELS)), rng.choice(arena_ids()))
    state = begin(ENGINE, replace(terms, fight_class=rng.choice((3, 4, 5))), b"").state
    last = draw(st.integers(1, 4))
    carried = carry_out(state, rng)
    for number in range(1, last):
        if carried.after.ended:
            break
        state = battered(carried.after, rng) if number == 1 else carried.after
        carried = carry_out(state, rng)
    return carried


def carry_out(state: State, rng: random.Random) -> Carried:
    orders = {side: orders_by_lot(state, side, lot(rng)) for side in ENGINE.waiting_for(state)}
    key = rng.randbytes(32)
    while True:
        dice = Recorded(SeededDice(key))
        play = Play(state, dice)
        assert state.wanted is not None
        try:
            _CARRY_OUT[state.wanted.kind](play, orders)
        except AnswerNeeded as needed:
            given = answer_by_lot(needed.question, lot(rng))
            orders[needed.side] = ENGINE.add_answer(orders[needed.side], given)
            continue
        return Carried(state, orders, tuple(play.events), play.state, dice.rolls)


def lot(rng: random.Random) -> SeededDice:
    return SeededDice(rng.randbytes(32))


@SOME
@given(requests())
def test_every_die_drawn_is_recorded_once_and_in_order(one: Carried) -> None:
    assert [roll for event in one.events for roll in getattr(event, "rolls", ())] == one.drawn


@SOME
@given(requests())
def test_the_fold_of_the_events_is_the_state(one: Carried) -> None:
    """Nothing of the state that the rules went on with came about without an event."""
    state = one.before
    for event in one.events:
        state = ENGINE.evolve(state, event)
    assert state == one.after


@SOME
@given(requests())
def test_rounds_are_conserved(one: Carried) -> None:
    """What is gone from a belt was fired, used by an anti-missile system, or went up."""
    if one.before.wanted is not None and one.before.wanted.kind == "initial":
        return
    for side, unit in one.before.units.items():
        gone, blown = rounds_gone(one.events, side)
        for store, belt in unit.belts.items():
            left = len(one.after.units[side].belts[store])
            assert store in blown or len(belt) - left == gone[store], (side, store)


def rounds_gone(events: tuple[Any, ...], side: str) -> tuple[Counter[str], set[str]]:
    """Rounds that each bin gave, less those that a launcher without a lock kept; and bins that exploded."""
    gone: Counter[str] = Counter()
    blown: set[str] = set()
    for event in (event for event in events if getattr(event, "side", None) == side):
        if isinstance(event, ev.FireDeclared):
            gone.update(name for shot in event.shots for name in (shot.bin, shot.second_bin) if name)
        elif isinstance(event, ev.ShotResolved) and event.bin and not event.spent:
            gone[event.bin] -= 1
        elif isinstance(event, fire_events.AmsFired):
            gone.update(event.rounds)
        elif isinstance(event, harm.Explosion):
            blown.add(event.item)
            gone.update(filter(None, (event.bin,)))
    return gone, blown


@SOME
@given(requests())
def test_what_a_side_sees_does_not_depend_on_what_the_other_ordered(one: Carried) -> None:
    """Views, options, previews and checks of A are the same whatever B sealed and while it is carried out."""
    before = looks(one.before, one.orders["A"])
    still = {**one.orders, "B": ENGINE.default_orders(one.before, "B")}
    for sealed in (one.orders, still):
        ENGINE.decide(one.before, sealed, SeededDice(bytes(32)))
        assert looks(one.before, one.orders["A"]) == before


def looks(state: State, ordered: Orders) -> list[Any]:
    asked = replace(ordered, answers=())
    return [
        *(ENGINE.view(state, viewer) for viewer in ("A", None)),
        ENGINE.options(state, "A"),
        ENGINE.preview(state, "A", asked),
        ENGINE.check(state, "A", asked),
    ]
