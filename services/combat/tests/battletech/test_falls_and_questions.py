"""Who is asked again: both after a fall by fire, only the faller after a fall while moving (R 4.6)."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange, begin, setup

from solaris_combat.application.publish import publisher
from solaris_combat.domain.events import Opened, OrdersOpened, SidePlan
from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.contract import Asked, Question
from solaris_combat.engines.dice import ScriptedDice
from solaris_combat.engines.registry import Registry


def ready(kind: str, turn: int, models: tuple[str, str] = ("PNT-9R", "JVN-10N"), **sides: Any) -> State:
    """A fight that wants these orders, with the units as a test wants them."""
    state = begin(ENGINE, setup(*models), b"").state
    state = ENGINE.evolve(state, ev.PhaseBegan(turn, "movement"))
    return arrange(ENGINE.evolve(state, ev.Asking(turn, kind)), **sides)


def orders(turn: int, **parts: Any) -> Orders:
    return ENGINE.parse_orders({"turn": turn, **parts})


def fold(state: State, events: tuple[object, ...]) -> State:
    for event in events:
        state = ENGINE.evolve(state, event)
    return state


STILL = {"mode": "stand"}
NO_FIRE = {"twist": 0, "shots": []}
PPC = {"twist": 0, "shots": [{"weapon": "ra-ppc-1", "target": "B"}]}


def lame(state: State, side: str = "B") -> State:
    """One hit away from losing the right leg."""
    unit = state.units[side]
    armor = {**unit.armor, Location.RL: (0, 0)}
    structure = {**unit.structure, Location.RL: 1}
    return replace(state, units={**state.units, side: replace(unit, armor=armor, structure=structure)})


def shot_down(movement: dict[str, Any] = STILL) -> tuple[State, tuple[object, ...]]:
    """A shoots B's leg off in turn 3 while both have ordered movement for turn 4."""
    a, b = {"position": "0104", "facing": 2}, {"position": "0404", "facing": 5}
    state = lame(ready("fire_and_movement", 3, A=a, B=b))
    mine = orders(3, fire=PPC, movement={"mode": "walk", "steps": ["F"]})
    theirs = orders(3, fire=NO_FIRE, movement=movement)
    assert ENGINE.check(state, "A", mine) == []
    assert ENGINE.check(state, "B", theirs) == []
    faces = [6, 6, 2, 3, 1, 1, 1, 2, 1, 4, 4, 6, 6]
    events = ENGINE.decide(state, {"A": mine, "B": theirs}, ScriptedDice(faces))
    assert not isinstance(events, Asked)
    return fold(state, events), events


def test_a_fall_by_fire_voids_both_movements_and_asks_both_again() -> None:
    """GYR1."""
    state, events = shot_down({"mode": "walk", "steps": ["F", "F"]})
    assert next(event for event in events if isinstance(event, ev.UnitFell)).side == "B"
    assert not [event for event in events if isinstance(event, ev.UnitMoved)]
    assert events[-2:] == (ev.MovementVoided(4, ("B",)), ev.Asking(4, "movement"))
    for side in "AB":
        request = ENGINE.request(state, side)
        assert request is not None
        assert (request.turn, request.kind) == (4, "movement")
    assert ENGINE.waiting_for(state) == {"A", "B"}
    assert state.units["B"].prone


def test_movements_that_a_fall_voided_stay_closed_while_they_are_asked_again() -> None:
    """R 4.6: nobody learns from them where the other means to go; the fire is open, no salt is."""
    _, events = shot_down({"mode": "walk", "steps": ["F", "F"]})
    sealed = Opened({"turn": 3, "fire": PPC, "movement": STILL}, "5a" * 32, "c0" * 32)
    opened = OrdersOpened(3, "fire_and_movement", (SidePlan("A", sealed),), ENGINE.withheld(events))
    public = publisher(Registry([ENGINE]))(opened, "fight-1")
    assert public is not None
    assert public.data["withheld"] == ["movement"]
    (side,) = public.data["sides"]
    assert side["orders"] == {"turn": 3, "fire": PPC}
    assert (side["salt"], side["commitment"]) == ("", "c0" * 32)


def test_without_a_fall_the_movement_follows_at_once() -> None:
    a, b = {"position": "0104", "facing": 2}, {"position": "0404", "facing": 5}
    state = ready("fire_and_movement", 3, A=a, B=b)
    walk = orders(3, fire=NO_FIRE, movement={"mode": "walk", "steps": ["F"]})
    events = ENGINE.decide(state, {"A": walk, "B": walk}, ScriptedDice([]))
    assert not isinstance(events, Asked)
    assert ENGINE.withheld(events) == ()
    assert [e.side for e in events if isinstance(e, ev.UnitMoved)] == ["A", "B"]
    assert events[-1] == ev.Asking(4, "fire_and_movement")
    phases = [(e.turn, e.phase) for e in events if isinstance(e, ev.PhaseBegan)]
    assert phases == [(3, "weapon_fire"), (3, "heat"), (3, "end_of_turn"), (4, "movement")]


def wading(answers: list[dict[str, Any]] | None = None, **more: Any) -> Orders:
    """A walks down into the pool; entering water of depth 1 asks for a piloting roll."""
    movement = {"mode": "walk", "steps": ["F"], **more}
    first = orders(1, movement=movement)
    for answer in answers or []:
        first = ENGINE.add_answer(first, orders(1, answers=[answer]))
    return first


def at_the_shore(rival: dict[str, Any] | None = None) -> State:
    b = rival or {"position": "1502", "facing": 4}
    return ready("movement", 1, ("JVN-10N", "PNT-9R"), A={"position": "0608", "facing": 1}, B=b)


FALLS = [1, 1, 1, 4, 4, 1, 1, 6, 6]
"""Fails the roll for the water (needs 4), falls on its front: left torso, which stays tight; no wound."""


def decide_wading(state: State, mine: Orders, theirs: Orders, faces: list[int]) -> Any:
    assert ENGINE.check(state, "B", theirs) == []
    return ENGINE.decide(state, {"A": mine, "B": theirs}, ScriptedDice(faces))


def still() -> Orders:
    return orders(1, movement=STILL)


def test_a_fall_while_moving_asks_only_the_faller() -> None:
    """GYR1."""
    state = at_the_shore()
    assert ENGINE.check(state, "A", wading()) == []
    asked = decide_wading(state, wading(), still(), FALLS)
    assert isinstance(asked, Asked)
    assert set(asked.questions) == {"A"}
    question = asked.questions["A"]
    assert (question.turn, question.kind, question.facts["fall"]) == (1, "fallen", 1)
    assert question.options["recovery"]["attempts_at_most"] == 1


def test_the_question_is_the_same_whatever_the_rival_ordered() -> None:
    """The faller learns nothing, and the rival's order changes nothing he is told (R 4.6)."""
    rivals = [
        {"mode": "stand"},
        {"mode": "walk", "steps": ["F"]},
        {"mode": "run", "steps": list("FL")},
        {"mode": "jump", "path": ["1402"], "facing": 2},
    ]
    asked: list[Question] = []
    for movement in rivals:
        decided = decide_wading(at_the_shore(), wading(), orders(1, movement=movement), FALLS)
        asked.append(decided.questions["A"])
    assert all(question == asked[0] for question in asked)
    assert "1502" not in str(asked[0])


def test_the_answer_goes_on_with_the_same_faces() -> None:
    state = at_the_shore()
    dice = ScriptedDice(FALLS)
    asked = ENGINE.decide(state, {"A": wading(), "B": still()}, dice)
    assert isinstance(asked, Asked)
    assert dice.left == ()
    down = wading([{"attempts": 0, "steps": []}])
    assert ENGINE.check_answer(state, "A", asked.questions["A"], orders(1, answers=[{"attempts": 0}])) == []
    stays = ENGINE.decide(state, {"A": down, "B": still()}, ScriptedDice(FALLS))
    up = wading([{"attempts": 1, "steps": ["R"]}])
    rises = ENGINE.decide(state, {"A": up, "B": still()}, ScriptedDice([*FALLS, 6, 5]))
    assert not isinstance(stays, Asked)
    assert not isinstance(rises, Asked)
    common = next(n for n, event in enumerate(rises) if isinstance(event, ev.StandUpAttempted))
    assert rises[:common] == stays[:common]
    assert fold(state, stays).units["A"].prone
    assert not fold(state, rises).units["A"].prone


def test_the_default_answer_is_to_stay_down() -> None:
    state = at_the_shore()
    asked = decide_wading(state, wading(), still(), FALLS)
    default = ENGINE.default_answer(state, "A", asked.questions["A"])
    assert ENGINE.orders_json(default) == {"turn": 1, "answers": [{"attempts": 0, "steps": []}]}
    assert ENGINE.parse_orders(ENGINE.orders_json(default)) == default
    assert ENGINE.check_answer(state, "A", asked.questions["A"], default) == []


def test_an_answer_given_in_advance_needs_no_question() -> None:
    state = at_the_shore()
    ready_to_rise = wading(if_fallen={"attempts": 1, "steps": []})
    assert ENGINE.check(state, "A", ready_to_rise) == []
    events = decide_wading(state, ready_to_rise, still(), [*FALLS, 6, 5])
    assert not fold(state, events).units["A"].prone


@pytest.mark.parametrize(
    ("answer", "pointer", "code"),
    [
        ({"turn": 2, "answers": [{"attempts": 0}]}, "/turn", "wrong-turn"),
        ({"turn": 1, "movement": {"mode": "stand"}}, "/movement", "part-not-asked"),
        ({"turn": 1, "answers": [{"attempts": 0}, {"attempts": 0}]}, "/answers", "one-answer"),
        ({"turn": 1, "answers": [{"attempts": 9}]}, "/answers/0/attempts", "too-many-attempts"),
        ({"turn": 1, "answers": [{"attempts": 0, "steps": ["F"]}]}, "/answers/0/steps/0", "prone"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(answer: dict[str, Any], pointer: str, code: str) -> None:
    state = at_the_shore()
    asked = decide_wading(state, wading(), still(), FALLS)
    found = ENGINE.check_answer(state, "A", asked.questions["A"], ENGINE.parse_orders(answer))
    assert (pointer, code) in [(v.pointer, v.code) for v in found]


def test_who_fails_to_stand_up_falls_again_and_tries_as_often_as_ordered() -> None:
    a = {"position": "0104", "facing": 2, "prone": True}
    state = ready("movement", 1, A=a, B={"position": "1502", "facing": 4})
    twice = orders(1, movement={"mode": "walk", "steps": ["U", "U"]})
    assert ENGINE.check(state, "A", twice) == []
    faces = [1, 1, 1, 3, 4, 6, 6, 6, 5]
    after = fold(state, ENGINE.decide(state, {"A": twice, "B": still()}, ScriptedDice(faces)))
    unit = after.units["A"]
    assert not unit.prone
    assert (unit.moved.attempts, unit.moved.mp) == (2, 4)


def test_attempts_not_needed_cost_nothing() -> None:
    a = {"position": "0104", "facing": 2, "prone": True}
    state = ready("movement", 1, A=a, B={"position": "1502", "facing": 4})
    order = orders(1, movement={"mode": "walk", "steps": ["U", "U", "R", "L", "F"]})
    after = fold(state, ENGINE.decide(state, {"A": order, "B": still()}, ScriptedDice([6, 6])))
    unit = after.units["A"]
    assert (str(unit.position), unit.moved.attempts, unit.moved.mp) == ("0204", 1, 3)
