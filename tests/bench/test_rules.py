"""The benches of the engine print what they promise.

Figures of time are judged by a person on a quiet machine; the tests ask for what no load turns round.
"""

import os
from pathlib import Path

import pytest

from solaris_combat.engines.battletech.lot import orders_by_lot
from solaris_local.bench import match, rules

SHARED = Path(os.environ.get("SOLARIS_SHARED", Path(__file__).parents[3] / "shared"))
PRINTED = {"per_cpu_second", "median", "rounds"}


def numbers(result: dict) -> dict:
    assert all(figure > 0 for figure in result.values())
    return result


@pytest.mark.bench
def test_numbers_to_hit_with_lines_cost_more_than_without():
    if not (SHARED / rules.CASES).is_file():
        message = f"no shared cases in {SHARED}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    result = numbers(rules.to_hit(0.5))
    assert set(result) == {*PRINTED, "with_lines"}
    assert result["with_lines"] < result["per_cpu_second"]


@pytest.mark.bench
def test_lines_are_made_faster_than_sets_of_hexes():
    lines, sets = numbers(rules.los(0.3)), numbers(rules.reach(0.3))
    assert set(lines) == PRINTED
    assert set(sets) == {*PRINTED, "listed"}
    assert lines["per_cpu_second"] > sets["per_cpu_second"]


@pytest.mark.bench
def test_fights_are_counted_and_their_turns_timed():
    result = numbers(rules.fight(0.2))
    assert set(result) == {*PRINTED, "turn_p99_cpu_ms", "macro_turn_p99_cpu_ms"}


def test_a_fight_by_lot_is_the_same_every_time():
    first, second = match.played(3, wild=True), match.played(3, wild=True)
    assert first.events == second.events
    assert first.state.ended is not None


def test_every_order_by_lot_is_legal():
    for number in range(6):
        one = match.drawn(number, seats=2 + 2 * (number % 2), wild=True)
        for orders in one:
            for side, ordered in orders.items():
                assert one.engine.check(one.state, side, ordered) == [], (number, side, ordered)
                assert one.engine.parse_orders(one.engine.orders_json(ordered)) == ordered
            one.carry_out(orders)


def test_nothing_is_drawn_once_a_fight_is_over():
    over = match.played(1)
    with pytest.raises(ValueError, match="nothing is asked"):
        orders_by_lot(over.state, "A", over.lot("A"))
