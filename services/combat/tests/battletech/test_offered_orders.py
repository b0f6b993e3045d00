"""Orders put together from the options pass the check, and what the check accepts lies within the options.

For shots, movements, physical attacks, clubs, MASC and ejection, with bipeds and quads in any bad shape.
"""

import random
from dataclasses import replace
from functools import cache
from typing import Any

from duels import ENGINE, arrange, battered, begin, setup
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from offered import blows, fires, lies_within, movements
from sheets import quad
from test_myomer import racer

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, neighbour
from solaris_combat.engines.battletech.options import heat_after
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Moved, Unit

FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
MODELS = ("PNT-9R", "HBK-4G", "NDA-1K", "GRF-1N", "WVR-6R", "AS7-D")


@cache
def opened(left: str, right: str) -> State:
    return begin(ENGINE, replace(setup(left, right), fight_class=5), b"").state


@st.composite
def situations(draw: st.DrawFn) -> State:
    """Two 'Mechs side by side or apart, in any bad shape, with or without a contest before."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    state = opened(draw(st.sampled_from(MODELS)), draw(st.sampled_from(MODELS)))
    here = Hex(rng.randint(2, 14), rng.randint(2, 16))
    way = rng.choice(DIRECTIONS)
    there = neighbour(here, way)
    if draw(st.booleans()):
        there = neighbour(neighbour(there, way), way)
    places = {"A": here, "B": there if there in state.board else neighbour(here, (way + 3) % 6)}
    special = draw(st.sampled_from((None, quad, racer)))
    if special:
        state = replace(state, units={**state.units, "A": special()})
    state = battered(state, rng)
    state = ENGINE.evolve(state, ev.PhaseBegan(3, "movement"))
    if draw(st.booleans()):
        state = ENGINE.evolve(state, ev.InitiativeRolled(3, str(places["B"]), "B", "A", ()))
    for side, place in places.items():
        facts = {
            "position": str(place),
            "facing": rng.choice(DIRECTIONS),
            "club": rng.choice(("", "", "limb")),
        }
        state = arrange(state, **{side: facts | {"moved": _moved(state.units[side], rng)}})
    kind = draw(st.sampled_from(("movement", "fire_and_movement")))
    return ENGINE.evolve(state, ev.Asking(3, kind))


def _moved(unit: Unit, rng: random.Random) -> Moved:
    mode = rng.choice(("stand", "walk", "run", "jump" if unit.design.jump else "walk"))
    return Moved() if mode == "stand" else Moved(mode, rng.randint(1, 3), rng.randint(1, 3))


def heat_of(options: dict[str, Any]) -> int:
    """Heat when the movement begins: what is left after a turn without fire."""
    fire = options.get("fire")
    return heat_after(fire["heat"], 0) if fire else options["movement"]["heat"]


@FEW
@given(st.data(), situations())
def test_orders_from_the_options_pass_the_check(data: st.DataObject, state: State) -> None:
    options = ENGINE.options(state, "A")
    orders: dict[str, Any] = {"turn": 3}
    if "fire" in options:
        orders["fire"] = data.draw(blows(options["fire"]))
    orders["movement"] = data.draw(movements(options["movement"], heat_of(options)))
    assert ENGINE.check(state, "A", ENGINE.parse_orders(orders)) == [], orders


@FEW
@given(st.data(), situations())
def test_fire_from_the_options_passes_the_check(data: st.DataObject, state: State) -> None:
    """Shots at enemies, hexes and the air, fed and aimed in any way, with any blow they leave possible."""
    options = ENGINE.options(state, "A")
    if "fire" in options:
        fire = data.draw(fires(options["fire"]))
        orders = {"turn": 3, "fire": fire, "movement": {"mode": "stand"}}
        assert ENGINE.check(state, "A", ENGINE.parse_orders(orders)) == [], orders


STEPS = st.lists(st.sampled_from(tuple("FBLRUDQEZC")), max_size=6)


@FEW
@given(
    st.one_of(
        st.builds(
            lambda mode, steps: {"mode": mode, "steps": steps}, st.sampled_from(("walk", "run")), STEPS
        ),
        st.builds(lambda steps: {"mode": "run", "steps": steps, "masc": True}, STEPS),
        st.just({"mode": "eject"}),
    ),
    situations(),
)
def test_an_accepted_movement_lies_within_the_options(move: dict[str, Any], state: State) -> None:
    state = ENGINE.evolve(state, ev.Asking(3, "movement"))
    orders = ENGINE.parse_orders({"turn": 3, "movement": move})
    if ENGINE.check(state, "A", orders):
        return
    options = ENGINE.options(state, "A")["movement"]
    end = ENGINE.preview(state, "A", orders)["movement"]
    assert lies_within(options, move, end, options["heat"]), (move, end)


ATTACKS = ("punch", "kick", "push", "club", "hatchet", "charge", "death_from_above")


@FEW
@given(
    st.sampled_from(ATTACKS),
    st.sampled_from((None, "RA", "LA", "RL", "LL")),
    st.sampled_from((-1, 0, 1)),
    st.sampled_from((None, "tree", "limb", "girder")),
    situations(),
)
def test_an_accepted_attack_lies_within_the_options(
    attack: str, limb: str | None, twist: int, club: str | None, state: State
) -> None:
    state = ENGINE.evolve(state, ev.Asking(3, "fire_and_movement"))
    strike = {"attack": attack, "limb": limb, "target": "B"}
    fire = {"twist": twist, "physical": [] if club else [strike], "pick_up": club}
    orders = ENGINE.parse_orders({"turn": 3, "fire": fire, "movement": {"mode": "stand"}})
    if ENGINE.check(state, "A", orders):
        return
    options = ENGINE.options(state, "A")["fire"]
    if club:
        assert club in [one["kind"] for one in options["clubs"]]
        return
    offered = next(one for one in options["twists"] if one["twist"] == twist)["physical"]
    assert any(
        (one["attack"], one["limb"], one["target"], one["possible"]) == (attack, limb, "B", True)
        for one in offered
    )
