"""Skidding on pavement: the roll, the slide, its damage, and who stands in the way."""

from dataclasses import replace
from typing import Any

from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import events, ground_events, skid
from solaris_combat.engines.battletech.battlefield import untouched
from solaris_combat.engines.battletech.board import board_from_texts
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.state import State, evolve
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import SeededDice, dice_key

SEED = bytes(32)
TURN = 2
RUN = ["F", "F", "F", "R", "F", "F"]
"""Three hexes north from 0611, then around the corner."""


def paved(hexes: dict[str, tuple[int, str]] | None = None, **b: Any) -> State:
    state = begin(ENGINE, setup("GRF-1N", "WVR-6R"), SEED).state
    away = {"position": "0101", "facing": 3} | b
    state = arrange(state, A={"position": "0611", "facing": 0, "piloting": 7}, B=away)
    floor = {f"{c:02}{r:02}": (0, "pavement:1") for c in range(1, 13) for r in range(1, 13)}
    board = board_from_texts(12, 12, floor | (hexes or {}))
    return replace(state, ground=untouched(board), wanted=events.Asking(TURN, "movement"), turn=TURN - 1)


def go(state: State, seed: int, steps: list[str] = RUN) -> tuple[Any, ...]:
    orders = {
        "A": ENGINE.parse_orders({"turn": TURN, "movement": {"mode": "run", "steps": steps}}),
        "B": ENGINE.parse_orders({"turn": TURN, "movement": {"mode": "stand"}}),
    }
    assert ENGINE.check(state, "A", orders["A"]) == []
    while True:
        dice = SeededDice(dice_key(seed.to_bytes(32, "big"), (SEED, SEED)))
        decided = ENGINE.decide(state, orders, dice)
        if not isinstance(decided, Asked):
            return decided
        for side, asked in decided.questions.items():
            orders[side] = ENGINE.add_answer(orders[side], ENGINE.default_answer(state, side, asked))


def skidded(state: State, steps: list[str] = RUN) -> tuple[tuple[Any, ...], Any]:
    """The first run of some seeds that ends in a slide."""
    for seed in range(40):
        happened = go(state, seed, steps)
        slides = [event for event in happened if isinstance(event, ground_events.UnitSkidded)]
        if slides:
            return happened, slides[0]
    raise AssertionError("nobody skids")


def folded(state: State, happened: tuple[Any, ...]) -> State:
    for event in happened:
        state = evolve(state, event)
    return state


def test_who_fails_the_roll_falls_at_the_corner_and_slides_straight_on():
    state = paved()
    happened, slide = skidded(state)
    roll = next(e for e in happened if isinstance(e, events.PilotingRollMade))
    assert [(m.value, m.reason) for m in roll.modifiers] == [(7, "piloting skill"), (-1, "hexes moved")]
    fallen = next(e for e in happened if isinstance(e, events.UnitFell))
    assert fallen.hex == slide.start == "0608"
    assert (slide.hexes, slide.hex, slide.stopped) == (("0607", "0606"), "0606", "")
    assert slide.damage == skid.slide_damage(55, 2)
    unit = folded(state, happened).units["A"]
    assert (unit.position, unit.prone, unit.moved.skidded) == (Hex(6, 6), True, True)


def test_who_holds_the_road_runs_on():
    state = paved()
    for seed in range(40):
        happened = go(state, seed)
        if not any(isinstance(event, events.UnitFell) for event in happened):
            break
    assert folded(state, happened).units["A"].position == Hex(8, 7)


def test_ground_that_rises_or_drops_stops_the_slide():
    for level in (1, -1):
        _, slide = skidded(paved({"0606": (level, "")}))
        assert (slide.hexes, slide.stopped) == (("0607",), "ground")


def test_the_edge_of_the_arena_and_a_closed_hex_stop_the_slide():
    """PROPOSED: movement.yaml skid says nothing of either; the edge holds as it holds who is pushed."""
    _, slide = skidded(paved({"0606": (0, "impassable:1")}))
    assert (slide.hexes, slide.stopped) == (("0607",), "ground")
    edge = arrange(paved(), A={"position": "0604"})
    _, slide = skidded(edge, [*"FFFRF"])
    assert (slide.start, slide.hexes, slide.stopped) == ("0601", (), "ground")
    assert slide.damage == 0


def test_a_unit_in_the_way_is_charged():
    state = paved(position="0606", facing=3)
    happened, slide = skidded(state)
    assert (slide.hexes, slide.stopped) == (("0607",), "unit")
    charge = next(e for e in happened if isinstance(e, events.PhysicalResolved))
    assert (charge.attack, charge.side, charge.target) == ("charge", "A", "B")
    assert charge.number is not None
    assert charge.hit == (charge.damage > 0) == bool(charge.own_damage)


def test_a_unit_that_slid_is_harder_to_hit():
    state = paved()
    moved = replace(state.units["A"].moved, skidded=True)
    state = arrange(state, A={"moved": moved, "position": "0606"}, B={"position": "0609", "facing": 0})
    state = replace(state, wanted=events.Asking(TURN, "fire"), turn=TURN)
    shot = {"weapon": next(m.id for m in state.units["B"].design.mounts), "target": "A"}
    orders = ENGINE.parse_orders({"turn": TURN, "fire": {"shots": [shot]}})
    told = ENGINE.preview(state, "B", orders)["fire"]["shots"][0]["modifiers"]
    assert (2, "target skidded") in [(m["value"], m["reason"]) for m in told]
