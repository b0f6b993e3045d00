"""Triple-strength myomer and MASC: what they add, and how MASC fails (BMR; movement.yaml masc, heat.yaml)."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE
from sheets import unit
from test_physical import pair, strike
from test_physical_phase import close

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.mech import Location, Slot
from solaris_combat.engines.battletech.mobility import run_mp, walk_mp
from solaris_combat.engines.battletech.movement import MASC_RUN
from solaris_combat.engines.battletech.myomer import FAILS_AT, WALK_MORE, masc_number, masc_works, strong
from solaris_combat.engines.battletech.options import heat_after
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.physical import Blow
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


@pytest.mark.parametrize(
    ("heat", "walk", "twice"),
    [(8, 4, False), (9, 6, True), (10, 5, True), (14, 5, True), (15, 4, True), (20, 3, True), (25, 2, True)],
)
def test_myomer_works_from_heat_9_at_every_heat_above(heat: int, walk: int, twice: bool) -> None:
    """heat.yaml tsm: +2 at every heat of 9 or more, then minus heat // 5 (9: net +1; 10-14: 0; 15-19: -1).

    It stops below 9; blows count twice while it works (physical_damage), under water or not.
    """
    nda = replace(fresh_unit("A", CATALOGUE["NDA-1K"]), heat=heat)
    assert (walk_mp(nda), strong(nda)) == (walk, twice)
    kick = nda.design.tons // 5
    striker, target = pair()
    found = strike(Blow("kick", Location.RL), (replace(nda, position=striker.position, facing=3), target))
    assert found.damage == kick * (2 if twice else 1)


def test_movement_goes_by_the_heat_after_the_turn_before() -> None:
    """effects_apply: next turn. Who will be at heat 8 is told what he walks if he fires himself to 9."""
    state = ENGINE.evolve(close(), ev.Asking(4, "fire_and_movement"))
    nda = fresh_unit("A", CATALOGUE["NDA-1K"])
    nda = replace(nda, position=state.units["A"].position, facing=3, heat_built=28)
    state = replace(state, units={**state.units, "A": nda})
    offered = ENGINE.options(state, "A")
    assert heat_after(offered["fire"]["heat"], 0) == 28 - 20
    assert offered["movement"]["modes"]["walk"]["mp"] == 6
    told = [(row["heat"], row["walk"]) for row in offered["movement"]["mp_by_heat"]]
    assert told == [(0, 5), (5, 4), (9, 6), (10, 5), (15, 4), (20, 3), (25, 2), (30, 1)]


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
