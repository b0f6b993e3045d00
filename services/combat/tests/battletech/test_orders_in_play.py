"""Setting up, the initial turn, and what fire may be ordered: everything else is refused with its place."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange, begin, setup

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import harm, heat_events
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.contract import Asked, SetupRefused
from solaris_combat.engines.dice import ScriptedDice

UNFIT = [
    ({"ruleset": "solaris7/9"}, "/ruleset", "unknown-ruleset"),
    ({"fight_class": 2}, "/class", "class-not-played"),
    ({"fight_class": 6}, "/class", "class-not-played"),
    ({"fight_class": 4, "turns": 10}, "/turns", "turns-not-allowed"),
    ({"fight_class": 5, "turns": 15}, "/turns", "turns-not-allowed"),
    ({"fight_class": 5, "turns": 7}, "/turns", "turns-not-allowed"),
    ({"turns": 10}, "/turns", "turns-not-allowed"),
    ({"arena": "the-moon"}, "/arena", "unknown-arena"),
    ({"units": ()}, "/units", "sides-not-played"),
]


@pytest.mark.parametrize(("change", "pointer", "code"), UNFIT)
def test_what_is_not_played_is_refused_at_set_up(change: dict[str, Any], pointer: str, code: str) -> None:
    terms = replace(setup(), **change)
    assert (pointer, code) in [(v.pointer, v.code) for v in ENGINE.check_setup(terms)]
    with pytest.raises(SetupRefused):
        ENGINE.open(terms)


def test_an_unknown_model_or_skill_is_refused_with_its_side() -> None:
    terms = setup(right="XXX-1")
    assert [(v.pointer, v.code) for v in ENGINE.check_setup(terms)] == [("/units/1/model", "unknown-model")]
    left = replace(terms.units[0], gunnery=9)
    found = ENGINE.check_setup(replace(terms, units=(left, replace(terms.units[1], model="JVN-10N"))))
    assert [(v.pointer, v.code) for v in found] == [("/units/0/gunnery", "skill-out-of-range")]


def at_start() -> State:
    return begin(ENGINE, setup(), b"").state


def initial(**fields: Any) -> Orders:
    return ENGINE.parse_orders({"turn": 0, "initial": fields})


@pytest.mark.parametrize(
    ("bins", "code"),
    [
        ({"lt-srm-4-ammo-1": 8}, ""),
        ({"lt-srm-4-ammo-1": 0}, ""),
        ({"lt-srm-4-ammo-1": 9}, "too-many-rounds"),
        ({"lt-srm-4-ammo-1": 26}, "bin-overfull"),
        ({"no-bin": 1}, "unknown-bin"),
    ],
)
def test_rounds_are_capped_by_the_length_of_the_fight(bins: dict[str, int], code: str) -> None:
    """R 4.6.5: no more rounds of a weapon than the fight has turns; a bin may be empty."""
    codes = [v.code for v in ENGINE.check(at_start(), "A", initial(bins=bins))]
    assert code in codes if code else codes == []


def test_two_launchers_may_carry_twice_the_rounds() -> None:
    full = {"rt-srm-6-ammo-1": 15, "lt-srm-6-ammo-1": 1}
    assert ENGINE.check(at_start(), "B", initial(bins=full)) == []
    assert ENGINE.check(at_start(), "B", initial(bins={**full, "lt-srm-6-ammo-1": 2})) != []


def test_the_initial_turn_loads_and_draws_places() -> None:
    state = at_start()
    orders = {"A": initial(auto_eject=False), "B": initial(bins={"rt-srm-6-ammo-1": 0})}
    events = ENGINE.decide(state, orders, ScriptedDice([3, 3, 3, 5, 2]))
    assert not isinstance(events, Asked)
    for event in events:
        state = ENGINE.evolve(state, event)
    assert state.units["A"].shots == {"lt-srm-4-ammo-1": 8}
    assert state.units["B"].shots == {"rt-srm-6-ammo-1": 0, "lt-srm-6-ammo-1": 15}
    assert state.auto_eject == {"A": False, "B": True}
    drawn = next(event for event in events if isinstance(event, ev.StartPositionsDrawn))
    assert [(p.side, p.place, p.hex) for p in drawn.places] == [("A", 3, "1514"), ("B", 5, "0114")]
    assert [roll.faces for roll in drawn.rolls] == [(3,), (3,), (3,), (5,)]
    assert events[-1] == ev.Asking(1, "movement")
    assert state.ground.wind == 1


def duel(**facts: Any) -> State:
    """Turn 8, fire alone is wanted: A at three hexes of B on open ground, facing it."""
    state = ENGINE.evolve(at_start(), ev.PhaseBegan(8, "movement"))
    a, b = {"position": "0104", "facing": 2}, {"position": "0404", "facing": 5}
    return arrange(ENGINE.evolve(state, ev.Asking(8, "fire")), A=a | facts, B=b)


def fire(*shots: dict[str, Any], twist: int = 0) -> Orders:
    return ENGINE.parse_orders({"turn": 8, "fire": {"twist": twist, "shots": list(shots)}})


PPC = {"weapon": "ra-ppc-1", "target": "B"}
SRM = {"weapon": "ct-srm-4-1", "target": "B", "bin": "lt-srm-4-ammo-1"}


@pytest.mark.parametrize(
    ("facts", "orders", "pointer", "code"),
    [
        ({}, fire(PPC, SRM), None, None),
        ({}, fire(PPC, PPC), "/fire/shots/1/weapon", "weapon-twice"),
        ({}, fire({**PPC, "weapon": "x"}), "/fire/shots/0/weapon", "unknown-weapon"),
        ({}, fire({**PPC, "target": "A"}), "/fire/shots/0/target", "unknown-target"),
        ({}, fire({**PPC, "target": "3"}, SRM), "/fire/shots/0/target", "unknown-target"),
        ({}, fire({**PPC, "bin": "lt-srm-4-ammo-1"}), "/fire/shots/0/bin", "bin-not-needed"),
        ({}, fire({**SRM, "bin": "x"}), "/fire/shots/0/bin", "no-ammunition"),
        ({"belts": {"lt-srm-4-ammo-1": ()}}, fire(SRM), "/fire/shots/0/bin", "no-ammunition"),
        ({"facing": 5}, fire(PPC), "/fire/shots/0", "shot-impossible"),
        ({"shutdown": True}, fire(PPC), "/fire", "out-of-action"),
        ({"conscious": False}, fire(PPC), "/fire", "out-of-action"),
        ({"prone": True}, fire(twist=1), "/fire/twist", "prone-no-twist"),
        ({}, ENGINE.parse_orders({"turn": 7, "fire": {}}), "/turn", "wrong-turn"),
        ({}, ENGINE.parse_orders({"turn": 8, "movement": {"mode": "stand"}}), "/movement", "part-not-asked"),
        ({}, ENGINE.parse_orders({"turn": 8, "answers": [{"attempts": 0}]}), "/answers", "answer-not-asked"),
    ],
)
def test_illegal_fire_is_refused_with_its_place(
    facts: dict[str, Any], orders: Orders, pointer: str | None, code: str | None
) -> None:
    found = [(v.pointer, v.code) for v in ENGINE.check(duel(**facts), "A", orders)]
    assert (pointer, code) in found if pointer else found == []


def resolve(state: State, a: Orders, b: Orders, faces: list[int]) -> tuple[State, list[Any]]:
    dice = ScriptedDice(faces)
    events = ENGINE.decide(state, {"A": a, "B": b}, dice)
    assert not isinstance(events, Asked)
    assert dice.left == ()
    for event in events:
        state = ENGINE.evolve(state, event)
    return state, list(events)


def test_a_unit_destroyed_in_the_phase_still_fires() -> None:
    """Everything is declared first: B loses its centre torso to A's first shot, and fires all the same."""
    unit = duel().units["B"]
    armor = {**unit.armor, Location.CT: (0, 0)}
    state = arrange(duel(), B={"armor": armor, "structure": {**unit.structure, Location.CT: 1}})
    back = {"weapon": "rt-srm-6-1", "target": "A", "bin": "rt-srm-6-ammo-1"}
    faces = [6, 6, 3, 4, 1, 1]
    after, events = resolve(state, fire(PPC), fire(back), faces)
    shots = [event for event in events if isinstance(event, ev.ShotResolved)]
    assert [(shot.side, shot.hit) for shot in shots] == [("A", True), ("B", False)]
    assert after.units["B"].destroyed == "centre torso"
    assert next(e for e in events if isinstance(e, harm.Destroyed)).side == "B"
    assert isinstance(events[-1], ev.DuelEnded)
    assert events[-1].results == {"A": "win", "B": "loss"}
    assert not [e for e in events if isinstance(e, heat_events.HeatApplied)]


def test_both_out_in_one_phase_compare_points() -> None:
    """Both lose the centre torso in the same phase: the points decide (solaris7-tables 1.7)."""
    state = duel()
    for side in "AB":
        unit = state.units[side]
        hurt = {"armor": {**unit.armor, Location.CT: (0, 0)}, "structure": {**unit.structure, Location.CT: 1}}
        state = arrange(state, **{side: hurt})
    back = {"weapon": "rt-srm-6-1", "target": "A", "bin": "rt-srm-6-ammo-1"}
    after, events = resolve(state, fire(PPC), fire(back), [6, 6, 3, 4, 6, 6, 1, 1, 3, 4, 2, 4])
    assert {side: unit.destroyed for side, unit in after.units.items()} == dict.fromkeys("AB", "centre torso")
    ended = events[-1]
    assert isinstance(ended, ev.DuelEnded)
    assert ended.results == {"A": "loss", "B": "win"}


def test_heat_of_movement_and_weapons_comes_in_and_sinks_take_their_part() -> None:
    state = duel()
    state = ENGINE.evolve(
        state,
        ev.UnitMoved(8, "A", "jump", "0104", (), "0104", 3, 4, 4, 4),
    )
    state = ENGINE.evolve(state, ev.Asking(8, "fire"))
    _, events = resolve(state, fire(PPC, SRM), fire(), [1, 1, 1, 1])
    heat = next(event for event in events if isinstance(event, heat_events.HeatApplied) and event.side == "A")
    assert [(item.value, item.reason) for item in heat.items] == [(4, "jump"), (10, "ppc"), (3, "srm-4")]
    assert (heat.before, heat.capacity, heat.after) == (0, 13, 4)


def test_rounds_are_spent_when_declared_hit_or_miss() -> None:
    state = arrange(duel(), A={"belts": {"lt-srm-4-ammo-1": ("normal",) * 8}})
    after, _ = resolve(state, fire(SRM), fire(), [1, 1])
    assert after.units["A"].shots == {"lt-srm-4-ammo-1": 7}


def test_the_last_turn_ends_the_fight_on_points() -> None:
    state = duel()
    after, events = resolve(state, fire(PPC), fire(), [6, 6, 5, 5, 1, 1])
    ended = events[-1]
    assert isinstance(ended, ev.DuelEnded)
    assert (ended.ended_by, ended.points) == ("turn-limit", {"A": 10, "B": 0})
    outcome = ENGINE.outcome(after)
    assert outcome is not None
    assert [(one.side, one.result, one.victory_points) for one in outcome.sides] == [
        ("A", "win", 10),
        ("B", "loss", 0),
    ]
    assert outcome.sides[1].facts["mech"] == {"damaged": True, "destroyed": False, "reason": ""}


def test_movement_must_fit_what_the_ordered_fire_leaves() -> None:
    """Fire for 13 heat on 0 leaves a Panther cool; on 10 it costs two MP, and a long walk is refused."""
    state = ENGINE.evolve(duel(), ev.Asking(8, "fire_and_movement"))
    walk = {"mode": "walk", "steps": ["F", "R", "L", "R"]}
    both = ENGINE.parse_orders({"turn": 8, "fire": {"twist": 0, "shots": [PPC, SRM]}, "movement": walk})
    assert ENGINE.check(state, "A", both) == []
    hot = arrange(state, A={"heat": 10})
    found = [(v.pointer, v.code) for v in ENGINE.check(hot, "A", both)]
    assert found == [("/movement/steps/2", "too-few-mp")]


def test_preview_tells_numbers_and_heat_without_dice() -> None:
    state = duel()
    told = ENGINE.preview(state, "A", fire(PPC, SRM))
    assert told["legal"]
    assert [(shot["weapon"], shot["number"]) for shot in told["fire"]["shots"]] == [
        ("ra-ppc-1", 5),
        ("ct-srm-4-1", 4),
    ]
    assert told["fire"]["heat"] == {"now": 0, "built": 0, "sinks": 13, "fired": 13, "after_at_least": 0}
    assert ENGINE.preview(state, "A", fire(PPC, PPC))["violations"][0]["pointer"] == "/fire/shots/1/weapon"


def test_what_the_world_may_look_up_is_json() -> None:
    assert ENGINE.models["PNT-9R"]["weapons"]
    assert ENGINE.arenas["la-cantera"]["starts"][0] == {"place": 1, "hex": "0801", "facing": 4}
    assert ENGINE.rules["draw_band"]["mark"] == "TEXT"
    assert ENGINE.rules["hash"] == ENGINE.ruleset_hash
    assert len(ENGINE.ruleset_hash) == 64
