"""Ejection by order in movement phases, and turning where one lies (R 4.6; pilot.yaml, movement.yaml)."""

from typing import Any

from duels import ENGINE, arrange
from test_physical_phase import close

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.outcome import outcome
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.dice import ScriptedDice

STAND = {"mode": "stand"}
EJECT = {"mode": "eject"}


def moving(**a: Any) -> State:
    return arrange(ENGINE.evolve(close(), ev.Asking(3, "movement")), A=a)


def order(movement: dict[str, Any]) -> Orders:
    return ENGINE.parse_orders({"turn": 3, "movement": movement})


def carry_out(state: State, a: dict[str, Any], *faces: int) -> tuple[State, list[Any]]:
    dice = ScriptedDice(faces)
    events = ENGINE.decide(state, {"A": order(a), "B": order(STAND)}, dice)
    assert dice.left == ()
    for event in events:
        state = ENGINE.evolve(state, event)
    return state, list(events)


def test_a_mechwarrior_ejects_by_order_and_loses_the_fight() -> None:
    """Piloting 5, clear ground -2: 3 needed; no +1 of the automatic one."""
    state = moving()
    told = ENGINE.options(state, "A")["movement"]["eject"]
    assert told["number"] == 3
    assert ENGINE.check(state, "A", order(EJECT)) == []
    assert ENGINE.parse_orders(ENGINE.orders_json(order(EJECT))) == order(EJECT)
    after, events = carry_out(state, EJECT, 1, 2)
    out = next(event for event in events if isinstance(event, ev.PilotEjected))
    assert (out.number, out.safe, out.automatic) == (3, True, False)
    assert (after.units["A"].destroyed, after.units["A"].pilot_hits) == ("ejected", 0)
    end = outcome(after)
    assert [(side.side, side.result) for side in end.sides] == [("A", "loss"), ("B", "win")]
    assert end.sides[0].facts["pilot"]["ejected"]
    assert not end.sides[0].facts["mech"]["destroyed"]


def test_a_failed_roll_wounds_him() -> None:
    after, _ = carry_out(moving(prone=True), EJECT, 3, 4)
    assert after.units["A"].pilot_hits == 1


def test_who_is_unconscious_does_not_eject() -> None:
    """Ordered along with fire he may have woken up; if he has not, he stays where he is."""
    state = moving(conscious=False)
    assert [v.code for v in ENGINE.check(state, "A", order(EJECT))] == ["cannot-eject"]
    assert ENGINE.options(state, "A")["movement"]["eject"] is None
    both = arrange(close(), A={"conscious": False})
    orders = ENGINE.parse_orders({"turn": 3, "fire": {}, "movement": EJECT})
    assert ENGINE.check(both, "A", orders) == []
    after, events = carry_out(state, EJECT)
    assert not [event for event in events if isinstance(event, ev.PilotEjected)]
    assert after.units["A"].destroyed is None


def test_it_is_ordered_in_movement_only() -> None:
    """R 4.6: ejection is declared in movement phases; fire has no form for it."""
    last = ENGINE.evolve(close(), ev.Asking(3, "fire"))
    assert "movement" not in ENGINE.options(last, "A")
    orders = ENGINE.parse_orders({"turn": 3, "fire": {}, "movement": EJECT})
    assert [v.code for v in ENGINE.check(last, "A", orders)] == ["part-not-asked"]


def test_a_prone_mech_may_turn_where_it_lies() -> None:
    """movement.yaml prone: one MP a hexside, without standing up; offered and carried out."""
    state = moving(prone=True)
    offered = ENGINE.options(state, "A")["movement"]["modes"]["walk"]["reach"]
    lying = {(entry["facing"], entry["mp"], entry["steps"]) for entry in offered if entry.get("prone")}
    assert lying == {(3, 1, "L"), (2, 2, "LL"), (1, 3, "LLL"), (5, 1, "R"), (6, 2, "RR")}
    after, _ = carry_out(state, {"mode": "walk", "steps": ["L", "L"]})
    assert (after.units["A"].facing, after.units["A"].prone, after.units["A"].hex) == (1, True, Hex(2, 4))


def test_dropping_prone_is_offered_and_costs_one() -> None:
    assert ENGINE.options(moving(), "A")["movement"]["drop_prone_mp"] == 1
    after, events = carry_out(moving(), {"mode": "walk", "steps": ["D"]})
    assert after.units["A"].prone
    assert [event.side for event in events if isinstance(event, ev.WentProne)] == ["A"]
