"""Orders: their JSON is read strictly, with a pointer to every mistake, and written canonically."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solaris_combat.engines.battletech import orders as o
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.contract import OrdersInvalid

EXAMPLES = [
    {"turn": 0, "initial": {"nonce": "ab" * 32, "bins": {"ct-srm-4-ammo-1": 8}}},
    {
        "turn": 1,
        "movement": {"mode": "walk", "steps": ["F", "L", "F"], "if_fallen": {"attempts": 1, "steps": []}},
    },
    {
        "turn": 3,
        "fire": {"twist": 0, "shots": [{"weapon": "ra-ppc-1", "target": "B", "bin": None}]},
        "movement": {"mode": "jump", "path": ["0507", "0508"], "facing": 4},
    },
    {"turn": 3, "answers": [{"attempts": 2, "steps": ["F"]}]},
    {"turn": 0, "initial": {"bins": {"lt-lrm-15-ammo-1": ["normal", "dead-fire hot"], "a": []}}},
]

MISTAKES = [
    ([], "", "not-an-object"),
    ({"turn": 1}, "", "orders-empty"),
    ({"turn": -1, "fire": {}}, "/turn", "not-in-range"),
    ({"turn": True, "fire": {}}, "/turn", "not-in-range"),
    ({"turn": 1, "fire": {}, "a/b": 1}, "/a~1b", "field-unknown"),
    ({"turn": 0, "initial": {"nonce": "AB"}}, "/initial/nonce", "nonce-malformed"),
    ({"turn": 0, "initial": {"bins": {"x": -1}}}, "/initial/bins/x", "not-in-range"),
    ({"turn": 0, "initial": {"bins": {"x": [1]}}}, "/initial/bins/x/0", "not-a-name"),
    ({"turn": 0, "initial": {"bins": {"x": "DF"}}}, "/initial/bins/x", "not-in-range"),
    ({"turn": 0, "initial": {"auto_eject": 1}}, "/initial/auto_eject", "not-a-boolean"),
    ({"turn": 1, "fire": {"twist": 2}}, "/fire/twist", "not-in-range"),
    ({"turn": 1, "fire": {"shots": {}}}, "/fire/shots", "not-a-list"),
    ({"turn": 1, "fire": {"shots": [{"weapon": "a", "target": 3}]}}, "/fire/shots/0/target", "not-a-name"),
    ({"turn": 1, "fire": {"shots": [{}] * 65}}, "/fire/shots", "list-too-long"),
    ({"turn": 1, "movement": {"mode": "fly"}}, "/movement/mode", "mode-unknown"),
    ({"turn": 1, "movement": {"mode": "walk", "steps": ["F", "X"]}}, "/movement/steps/1", "step-unknown"),
    ({"turn": 1, "movement": {"mode": "walk", "path": ["0101"]}}, "/movement/path", "field-not-for-mode"),
    ({"turn": 1, "movement": {"mode": "jump", "path": ["ax"]}}, "/movement/path/0", "hex-malformed"),
    ({"turn": 1, "movement": {"mode": "jump", "path": ["0012"]}}, "/movement/path/0", "hex-malformed"),
    ({"turn": 1, "fire": {"shots": [{"weapon": "a", "hex": "0000"}]}}, "/fire/shots/0/hex", "hex-malformed"),
    ({"turn": 1, "movement": {"mode": "jump", "facing": 7}}, "/movement/facing", "not-in-range"),
    ({"turn": 1, "answers": [{"attempts": 1, "steps": ["U"]}]}, "/answers/0/steps", "step-not-here"),
]


@pytest.mark.parametrize("data", EXAMPLES)
def test_examples_are_read_and_their_canonical_form_is_a_fixed_point(data: dict) -> None:
    canonical = o.orders_json(o.parse_orders(data))
    assert o.orders_json(o.parse_orders(canonical)) == canonical
    assert o.parse_orders(canonical) == o.parse_orders(data)


@pytest.mark.parametrize(("data", "pointer", "code"), MISTAKES)
def test_a_mistake_is_refused_with_its_place(data: object, pointer: str, code: str) -> None:
    with pytest.raises(OrdersInvalid) as refused:
        o.parse_orders(data)
    assert [(v.pointer, v.code) for v in refused.value.violations] == [(pointer, code)]


def test_the_league_counts_facings_from_one() -> None:
    jump = o.parse_orders(EXAMPLES[2]).movement
    assert jump == o.Movement("jump", path=(Hex(5, 7), Hex(5, 8)), facing=3)


def test_a_nonce_is_carried_by_the_first_orders() -> None:
    orders = o.with_nonce(o.Orders(0), bytes(range(32)))
    assert o.nonce(orders) == bytes(range(32))
    assert o.nonce(o.Orders(1)) == bytes(32)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.fixed_dictionaries(
        {"turn": st.integers(-1, 100) | st.none()},
        optional={part: json_values for part in ("initial", "fire", "movement", "answers", "more")},
    )
    | json_values
)
def test_any_json_is_read_or_refused_and_nothing_else(data: object) -> None:
    try:
        orders = o.parse_orders(data)
    except OrdersInvalid as refused:
        assert all(v.code and v.detail for v in refused.violations)
    else:
        assert o.parse_orders(o.orders_json(orders)) == orders
