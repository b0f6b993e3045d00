"""Charges: only after both wanted one hex, by the winner of initiative (R 4.6; D; C-03, C-04)."""

from typing import Any

import pytest
from duels import ENGINE, arrange
from test_physical_phase import against, close, fire, only, resolve

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Moved
from solaris_combat.engines.dice import ScriptedDice

CHARGE = {"attack": "charge", "target": "B"}
PUSH = {"attack": "push", "target": "B"}
RAN = Moved("run", 3, 3)


def contested(winner: str = "A", **a: Any) -> State:
    """A ran 3 hexes to 0204 and stopped before 0205, which B, who also came from elsewhere, keeps."""
    loser = "B" if winner == "A" else "A"
    state = close(a={"moved": RAN} | a, b={"moved": Moved("walk", 2, 2)})
    return ENGINE.evolve(state, ev.InitiativeRolled(3, "0205", loser, winner, ()))


def codes(state: State, side: str = "A", **more: Any) -> list[str]:
    strike = CHARGE if side == "A" else against(CHARGE)
    return [f"{v.code}: {v.detail}" for v in ENGINE.check(state, side, fire(strike, **more))]


def test_the_winner_of_the_hex_may_charge_and_fire() -> None:
    assert codes(contested()) == []
    laser = {"weapon": "ra-medium-laser-1", "target": "B"}
    assert codes(contested(), shots=(laser,)) == []
    offered = ENGINE.options(contested(), "A")["fire"]["twists"][0]["physical"]
    told = next(one for one in offered if one["attack"] == "charge")
    assert (told["number"], told["damage"], told["own_damage"], told["holds_fire"]) == (7, 15, 5, [])


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (close(), "charge-not-available"),
        (contested(moved=Moved("jump", 3, 3)), "charge-not-available"),
        (contested(moved=Moved()), "not before the contested hex"),
        (contested(facing=2), "not before the contested hex"),
        (contested(moved=Moved("run", 3, 6)), "too few MP for the charge"),
        (contested(prone=True), "attacker prone"),
    ],
)
def test_nobody_else_may(state: State, why: str) -> None:
    """PHY4: a charge only after both wanted one hex, walking or running, with MP left."""
    found = codes(state)
    assert len(found) == 1
    assert why in found[0]


def lapses(state: State, side: str) -> bool:
    """Whether a charge is offered that would be declared in vain."""
    offered = ENGINE.options(state, side)["fire"]["twists"][0]["physical"]
    return next(one for one in offered if one["attack"] == "charge")["lapses"]


def test_the_loser_of_initiative_may_declare_a_charge_that_lapses() -> None:
    """PHY4, C-04: both may declare, only the winner's is resolved."""
    state = contested("B")
    assert codes(state) == []
    assert lapses(state, "A")
    _, events = resolve(state, fire(CHARGE), fire())
    assert [one.impossible for one in only(events, ev.PhysicalResolved)] == ["initiative lost"]


def test_nobody_charges_after_a_step_backward() -> None:
    step = ev.Stepped("B", "0204", 4, 1)
    back = ev.UnitMoved(3, "A", "walk", "0203", (step,), "0204", 4, 1, 1, 4)
    assert "moved backward" in codes(ENGINE.evolve(contested(), back))[0]


def test_a_charge_hits_drives_the_target_on_and_hurts_both() -> None:
    """7 to hit; 15 points in three groups on B, 5 on A; both roll at +2 in their new hexes."""
    faces = (4, 3, 3, 4, 3, 4, 3, 4, 3, 4, 4, 4, 4, 4)
    after, events = resolve(contested(), fire(CHARGE), fire(), *faces)
    hit = only(events, ev.PhysicalResolved)[0]
    assert [item.value for item in hit.modifiers] == [5, 2]
    assert (hit.hit, hit.damage, hit.own_damage, hit.struck_side) == (True, 15, 5, "front")
    assert (after.units["A"].position, after.units["B"].position) == (Hex(2, 5), Hex(2, 6))
    rolls = [(roll.side, roll.cause, roll.number) for roll in only(events, ev.PilotingRollMade)]
    assert rolls == [("A", "made_charge", 7), ("B", "was_charged", 7)]
    assert after.wanted == ev.Asking(4, "movement")


@pytest.mark.parametrize(("die", "where"), [(3, "0104"), (4, "0304")])
def test_a_charge_that_misses_carries_on_beside_the_target(die: int, where: str) -> None:
    """Looking south, the right is west: 0104 on 1 to 3, else 0304; no roll is asked."""
    state = close(a={"moved": RAN, "position": "0203"}, b={"position": "0204"})
    state = ENGINE.evolve(state, ev.InitiativeRolled(3, "0204", "B", "A", ()))
    after, events = resolve(state, fire(CHARGE), fire(), 1, 2, die)
    moved = only(events, ev.UnitDisplaced)
    assert [(one.side, one.hex) for one in moved] == [("A", where)]
    assert moved[0].rolls[0].faces == (die,)
    assert not only(events, ev.PilotingRollMade)
    assert after.units["B"].position == Hex(2, 4)


def test_a_charge_that_misses_takes_the_higher_way() -> None:
    """0305 is one level higher than 0105: no die."""
    _, events = resolve(contested(), fire(CHARGE), fire(), 1, 2)
    assert [(one.hex, one.rolls) for one in only(events, ev.UnitDisplaced)] == [("0305", ())]


def test_a_push_at_who_charges_is_lost() -> None:
    faces = (1, 2)
    _, events = resolve(contested(), fire(CHARGE), fire(against(PUSH)), *faces)
    told = [(one.side, one.impossible) for one in only(events, ev.PhysicalResolved)]
    assert told == [("A", ""), ("B", "target charges")]


def test_a_new_movement_forgets_the_contest() -> None:
    state = ENGINE.evolve(contested(), ev.PhaseBegan(4, "movement"))
    assert state.contests == ()
    assert state.backed == frozenset()


def test_a_contest_in_play_opens_the_charge_for_the_winner() -> None:
    """A walks two hexes south and B two north to one hex; A wins 6+6 to 1+1 and stops before it."""
    state = ENGINE.evolve(close("movement"), ev.Asking(3, "movement"))
    state = arrange(state, A={"position": "0203", "facing": 3}, B={"position": "0207", "facing": 0})
    orders = {
        side: ENGINE.parse_orders({"turn": 3, "movement": {"mode": "walk", "steps": ["F"] * steps}})
        for side, steps in (("A", 2), ("B", 2))
    }
    events = ENGINE.decide(state, orders, ScriptedDice([6, 6, 1, 1]))
    for event in events:
        state = ENGINE.evolve(state, event)
    assert (state.units["A"].position, state.units["B"].position) == (Hex(2, 4), Hex(2, 5))
    assert codes(state) == []
    assert lapses(state, "B")
