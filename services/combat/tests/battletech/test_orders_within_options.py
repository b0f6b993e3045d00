"""In fights by lot: what the options offer passes the check; what the check accepts lies within the options.

The orders that are checked against the options come from elsewhere: by lot out of the rules themselves, and
made odd in one thing or two, so whatever is accepted of them was not put together from the options. Bugs
planted in either turn a property red.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange, battered, begin, setup
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from offered import blows, fires, movements
from sheets import quad
from test_fight_properties import MODELS, carry_out, lot
from test_myomer import racer
from within import odd, outside

from solaris_combat.engines.battletech import legality, options, physical_legality
from solaris_combat.engines.battletech.board import arena_ids
from solaris_combat.engines.battletech.hex import Hex, neighbours
from solaris_combat.engines.battletech.jumping import Jump
from solaris_combat.engines.battletech.lot import orders_by_lot
from solaris_combat.engines.battletech.movement import Allowance
from solaris_combat.engines.battletech.options import heat_after
from solaris_combat.engines.battletech.physical import PhysicalNumber
from solaris_combat.engines.battletech.spread import Arrival
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import TargetNumber
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.battletech.way import allowed_for
from solaris_combat.engines.contract import OrdersInvalid

SOME = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
PLANTED = settings(SOME, max_examples=3000, derandomize=True, database=None, phases=(Phase.generate,))
Json = dict[str, Any]


def fought(number: int) -> tuple[State, random.Random]:
    """A duel anywhere, in any class, after up to three requests by lot, the 'Mechs battered, often close."""
    rng = random.Random(number)
    terms = setup(rng.choice(MODELS), rng.choice(MODELS), rng.choice(arena_ids()))
    state = begin(ENGINE, replace(terms, fight_class=rng.choice((3, 4, 5))), b"").state
    for request in range(rng.choice((0, 1, 2, 2, 2, 3))):
        after = carry_out(state, rng).after
        if after.ended:
            break
        state = shaken(after, rng) if request == 0 and rng.random() < 0.7 else after
    return (close(state, rng) if state.turn else state), rng


def shaken(state: State, rng: random.Random) -> State:
    """In any bad shape; A's sometimes on four legs or with a MASC."""
    made = rng.choice((None, None, quad, racer))
    if made:
        old = state.units["A"]
        state = replace(state, units={**state.units, "A": made(position=old.position, facing=old.facing)})
    return battered(state, rng)


def close(state: State, rng: random.Random) -> State:
    """B one or two hexes from A, more often than not."""
    here = state.units["A"].hex
    near = [there for step in neighbours(here) for there in (step, step, *neighbours(step))]
    free = [h for h in near if h in state.board and h != here]
    able = [h for h in free if state.board.index(h) not in state.board.closed]
    return arrange(state, B={"position": str(rng.choice(able))}) if rng.random() < 0.6 and able else state


def accepted_lies_within(number: int) -> None:
    """Orders by lot, and odd ones made of them: of those that the check accepts every part is offered."""
    state, rng = fought(number)
    for side in ENGINE.waiting_for(state):
        told = ENGINE.options(state, side)
        drawn = ENGINE.orders_json(orders_by_lot(state, side, lot(rng)))
        for orders in (drawn, *(odd(drawn, told, rng) for _ in range(8 if "movement" in drawn else 0))):
            judge(state, side, orders, told)


def judge(state: State, side: str, orders: Json, told: Json) -> None:
    try:
        ordered = ENGINE.parse_orders(orders)
    except OrdersInvalid:
        return
    shown = ENGINE.preview(state, side, ordered)
    if shown["legal"]:
        fired = shown.get("fire", {}).get("heat", {}).get("fired", 0)
        heat = (
            heat_after(told["fire"]["heat"], fired)
            if "fire" in told
            else told.get("movement", {}).get("heat", 0)
        )
        full = ENGINE.orders_json(ordered)
        assert outside(told, full, shown.get("movement"), heat) == [], full


def offered_passes(number: int, draw: Callable[[Any], Any]) -> None:
    """Fire and movement put together from the options alone are legal together."""
    state, rng = fought(number)
    side = rng.choice(sorted(ENGINE.waiting_for(state)))
    told = ENGINE.options(state, side)
    if "initial" in told:
        return
    orders: Json = {"turn": told["turn"]}
    heat = told.get("movement", {}).get("heat", 0)
    if "fire" in told:
        orders["fire"] = draw(st.one_of(fires(told["fire"]), blows(told["fire"])))
        heat = heat_after(told["fire"]["heat"], heat_of(told["fire"], orders["fire"]))
    if "movement" in told:
        orders["movement"] = draw(movements(told["movement"], heat))
    assert ENGINE.check(state, side, ENGINE.parse_orders(orders)) == [], orders


def heat_of(offer: Json, fire: Json) -> int:
    """What the shots make, as the options tell it."""
    made = 0
    weapons = {one["weapon"]: one for one in offer["twists"][0]["weapons"]}
    for shot in fire.get("shots", ()):
        modes = {one["mode"]: one["heat"] for one in weapons[shot["weapon"]]["modes"]}
        made += modes.get(shot.get("mode"), weapons[shot["weapon"]]["heat"])
    return made


@SOME
@given(st.integers(0, 2**32))
def test_accepted_orders_lie_within_the_options(number: int) -> None:
    accepted_lies_within(number)


@SOME
@given(st.integers(0, 2**32), st.data())
def test_offered_orders_pass_the_check(number: int, data: st.DataObject) -> None:
    offered_passes(number, data.draw)


def nothing(*_: Any, **__: Any) -> tuple[Any, ...]:
    return ()


def always(*_: Any, **__: Any) -> bool:
    return True


def sure_shot(*_: Any, **__: Any) -> TargetNumber:
    return TargetNumber(True, 4, (), "", "front")


def sure_blow(*_: Any, **__: Any) -> PhysicalNumber:
    return PhysicalNumber(sure_shot())


def one_more(unit: Unit, move: Any) -> Allowance:
    allowed = allowed_for(unit, move)
    return replace(allowed, walk=allowed.walk + 1, run=allowed.run + 1, jump=allowed.jump + 1)


def any_jump(*_: Any, **__: Any) -> Jump:
    return Jump(1, Hex(1, 1), ())


def cheaper(board: Any, arrival: Arrival) -> Json:
    told = options_arrival(board, arrival)
    return told | {"mp": max(0, told["mp"] - 1)}


options_arrival = options._arrival
A_KICK = {"target": "0505", "attack": "kick", "limb": "RL", "holds_fire": []}
ACCEPTED_TOO_MUCH: list[tuple[Any, str, Any]] = [
    (legality, "_one_arm", nothing),
    (legality, "number_of", sure_shot),
    (legality, "allowed_for", one_more),
    (legality, "follow_jump", any_jump),
    (legality, "refusal", lambda *_: None),
    (legality, "can_flip_arms", always),
    (legality, "_unfed", nothing),
    (legality, "apart", nothing),
    (legality, "can_twist", always),
    (physical_legality, "blow_number", sure_blow),
    (physical_legality, "check_pick_up", nothing),
    (physical_legality, "_check_thing", nothing),
    (options, "_at_its_fastest", options.moving_unit),
]
"""Bugs of the check, each by what is planted where; the last is one of the options, which forget to cool."""
OFFERED_TOO_MUCH: list[tuple[Any, str, Any]] = [
    (options, "usable_bins", lambda unit, _: unit.design.bins),
    (options, "_arrival", cheaper),
    (options, "blow_number", sure_blow),
    (options, "number_of", sure_shot),
    (options, "barred_by", nothing),
    (options, "can_twist", always),
    (options, "can_flip_arms", always),
    (options, "_still", lambda state, side: list(state.foes(side))),
    (options, "ceiling", lambda board, unit, mp: 99),
    (options, "masc_works", always),
    (options, "modes_of", lambda weapon, _: ("double",)),
    (options, "usable_jump_mp", lambda board, unit, allowed: allowed.jump + 1),
    (options, "shots_at_ground", lambda *_: [{"hex": "0505", "intent": "building", "number": 4}]),
    (
        options,
        "_ground_blows",
        lambda *_: [{"target": "0505", "attack": "kick", "limb": "RL", "holds_fire": []}],
    ),
    (options, "clubs_here", lambda *_: {"tree": None}),
]
"""Bugs of the options."""


RARE = ("_one_arm", "apart", "can_twist", "refusal", "follow_jump", "barred_by", "_still", "ceiling")
"""Bugs that few fights meet: they are looked for on demand."""


def often(bugs: list[tuple[Any, str, Any]]) -> list[Any]:
    return [pytest.param(*bug, marks=[pytest.mark.soak] if bug[1] in RARE else []) for bug in bugs]


@pytest.mark.parametrize(("module", "name", "bug"), often(ACCEPTED_TOO_MUCH))
def test_a_check_that_accepts_too_much_is_found(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, bug: Any
) -> None:
    monkeypatch.setattr(module, name, bug)
    with pytest.raises(AssertionError):
        for number in range(3000):
            accepted_lies_within(number)


@pytest.mark.parametrize(("module", "name", "bug"), often(OFFERED_TOO_MUCH))
def test_options_that_offer_too_much_are_found(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, bug: Any
) -> None:
    monkeypatch.setattr(module, name, bug)

    @PLANTED
    @given(st.integers(0, 2**32), st.data())
    def offered(number: int, data: st.DataObject) -> None:
        offered_passes(number, data.draw)

    with pytest.raises(AssertionError):
        offered()
