"""Triple-strength myomer and MASC: what they add, and how MASC fails (BMR; movement.yaml masc, heat.yaml)."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE
from sheets import unit
from test_physical_phase import close

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.mech import Location, Slot
from solaris_combat.engines.battletech.mobility import run_mp, walk_mp
from solaris_combat.engines.battletech.movement import MASC_RUN
from solaris_combat.engines.battletech.myomer import FAILS_AT, WALK_MORE, masc_number, masc_works, strong
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.dice import ScriptedDice


def test_figures() -> None:
    assert FAILS_AT == (2, 4, 6, 10, 12)
    assert (WALK_MORE, MASC_RUN) == (2, 2)


def test_hot_myomer_walks_faster() -> None:
    """A No-Dachi walks 5: at heat 9 it is 5 - 1 + 2 = 6, runs 9; cold or torn it is slower."""
    nda = fresh_unit("A", CATALOGUE["NDA-1K"])
    assert [
        (walk_mp(replace(nda, heat=heat)), run_mp(replace(nda, heat=heat))) for heat in (0, 8, 9, 15)
    ] == [
        (5, 8),
        (4, 6),
        (6, 9),
        (4, 6),
    ]
    slot = next((at, n) for at in Location for n, s in enumerate(nda.design.slots[at], 1) if s.kind == "tsm")
    torn = replace(nda, heat=9, hits=frozenset({slot}))
    assert (strong(torn), walk_mp(torn)) == (False, 4)
    assert walk_mp(replace(unit("PNT-9R"), heat=9)) == 3


def racer(**changes: Any) -> Unit:
    """A Panther with a MASC of two slots in its left torso."""
    made = unit("PNT-9R")
    slots = {**made.design.slots, Location.LT: (Slot("other", "masc"),) * 2}
    return replace(made, design=replace(made.design, slots=slots), **changes)


def racing(**changes: Any) -> State:
    state = ENGINE.evolve(close(), ev.Asking(3, "movement"))
    made = racer(position=state.units["A"].position, facing=0, **changes)
    return replace(state, units={**state.units, "A": made})


def run(steps: str = "FF", **more: Any) -> Orders:
    data = {"mode": "run", "steps": list(steps), **more}
    return ENGINE.parse_orders({"turn": 3, "movement": data})


def carry_out(state: State, a: Orders, *faces: int) -> tuple[State, list[Any]]:
    stand = ENGINE.parse_orders({"turn": 3, "movement": {"mode": "stand"}})
    dice = ScriptedDice(faces)
    events = ENGINE.decide(state, {"A": a, "B": stand}, dice)
    assert dice.left == ()
    for event in events:
        state = ENGINE.evolve(state, event)
    return state, list(events)


def test_masc_needs_all_its_slots() -> None:
    assert masc_works(racer())
    assert not masc_works(racer(hits=frozenset({(Location.LT, 1)})))
    assert not masc_works(unit("PNT-9R"))


def test_what_masc_offers() -> None:
    """Twice the walking MP (8 for 4), with the roll told beforehand; never without one."""
    told = ENGINE.options(racing(), "A")["movement"]["masc"]
    assert (told["mp"], told["fails_at_or_below"]) == (8, 2)
    assert max(entry["mp"] for entry in told["reach"]) == 8
    assert ENGINE.options(racing(), "B")["movement"]["masc"] is None
    assert ENGINE.check(racing(), "A", run("RRRFFF", masc=True)) == []
    assert [v.code for v in ENGINE.check(racing(), "A", run("RRRFFF"))] == ["too-few-mp"]
    torn = racing(hits=frozenset({(Location.LT, 1)}))
    assert [v.code for v in ENGINE.check(torn, "A", run("FF", masc=True))] == ["no-masc"]
    assert ENGINE.parse_orders(ENGINE.orders_json(run(masc=True))) == run(masc=True)


def test_a_run_with_masc_holds_or_seizes() -> None:
    """3 holds; 2 takes both hips and the MASC, nothing moves, and two rolls at +2 and +2 are due."""
    after, events = carry_out(racing(), run("FF", masc=True), 1, 2)
    used = next(event for event in events if isinstance(event, ev.MascUsed))
    assert (used.number, used.failed) == (2, False)
    assert (after.units["A"].masc, str(after.units["A"].hex)) == (1, "0202")
    after, events = carry_out(racing(), run("FF", masc=True), 1, 1, 6, 6, 6, 6)
    broken = after.units["A"]
    assert str(broken.hex) == "0204"
    assert not masc_works(broken)
    assert walk_mp(broken) == 0
    rolls = [event for event in events if isinstance(event, ev.PilotingRollMade)]
    assert [(roll.cause, roll.number) for roll in rolls] == [("hip_actuator_destroyed", 9)] * 2


@pytest.mark.parametrize(("used", "number"), [(0, 2), (1, 4), (2, 6), (3, 10), (4, 12), (7, 12)])
def test_the_longer_it_runs_the_sooner_it_fails(used: int, number: int) -> None:
    assert masc_number(racer(masc=used)) == number


def test_a_turn_of_rest_cools_it_by_one_step() -> None:
    state = racing(masc=2)
    assert ENGINE.evolve(state, ev.TurnEnded(3)).units["A"].masc == 1
    used = ENGINE.evolve(state, ev.MascUsed(3, "A", 6, False, ()))
    assert ENGINE.evolve(used, ev.TurnEnded(3)).units["A"].masc == 3
