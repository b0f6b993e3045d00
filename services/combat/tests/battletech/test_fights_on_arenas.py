"""Whole fights on every arena, with fire at hexes and into the air strewn in: fold of events = state."""

import random

import pytest
from duels import ENGINE, begin, setup

from solaris_combat.engines.battletech import ground_events
from solaris_combat.engines.battletech.board import arena_ids
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.lot import answer_by_lot, orders_by_lot
from solaris_combat.engines.battletech.orders import Fire, Orders, Shot
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.dice import SeededDice
from solaris_combat.engines.frozen import replace

PAIRS = (("GRF-1N", "WVR-6R"), ("AWS-8Q", "VTR-9B"), ("FS9-H", "PNT-9R"))


def strewn(state: State, side: str, orders: Orders, rng: random.Random) -> Orders:
    """The orders with some shots turned at the ground where that is legal."""
    if orders.fire is None or not state.units[side].conscious or state.units[side].shutdown:
        return orders
    fire: Fire = orders.fire
    taken = {shot.weapon for shot in fire.shots}
    offered = ENGINE.options(state, side)["fire"]["ground"]
    for mount in state.units[side].design.mounts:
        if mount.id in taken or rng.random() < 0.4:
            continue
        shot = Shot(mount.id, "")
        if offered and rng.random() < 0.8:
            where = rng.choice(offered)
            shot = replace(shot, hex=Hex.parse(where["hex"]), intent=rng.choice(where["intents"]))
        more = replace(orders, fire=replace(fire, shots=(*fire.shots, shot)))
        if not ENGINE.check(state, side, more):
            orders, fire = more, replace(fire, shots=(*fire.shots, shot))
    return orders


@pytest.mark.parametrize("arena", arena_ids())
@pytest.mark.parametrize("number", [1, pytest.param(0, marks=pytest.mark.soak)])
def test_a_fight_to_the_end(arena: str, number: int):
    seed = bytes([number]) * 32
    fight = begin(ENGINE, setup(*PAIRS[number], arena=arena), seed)
    rng = random.Random(number)
    lots = {side: SeededDice(bytes([number, n]) * 16) for n, side in enumerate("AB")}
    while ENGINE.waiting_for(fight.state):
        orders = {}
        for side in "AB":
            lot = orders_by_lot(fight.state, side, lots[side])
            orders[side] = strewn(fight.state, side, lot, rng)
            assert ENGINE.check(fight.state, side, orders[side]) == []
            assert ENGINE.parse_orders(ENGINE.orders_json(orders[side])) == orders[side]
            assert ENGINE.preview(fight.state, side, orders[side])["legal"]
        fight.carry_out(orders, lambda side, question: answer_by_lot(question, lots[side]))
    state = None
    for event in fight.events:
        state = ENGINE.evolve(state, event)
        ENGINE.describe(event, "es")
    assert state == fight.state
    assert any(isinstance(event, ground_events.WindDrawn) for event in fight.events)
    for viewer in ("A", "B", None):
        assert ENGINE.view(fight.state, viewer)["ground"]["wind"]
