"""Fights of more than two: teams, places, one hex wanted by many, many targets, the end, points."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from duels import ENGINE, arrange, begin, macro, play

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.outcome import outcome
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Moved
from solaris_combat.engines.battletech.victory import points_lost
from solaris_combat.engines.contract import Asked, Setup, SetupRefused
from solaris_combat.engines.dice import ScriptedDice, SeededDice, dice_key

TWO_TO_ONE = macro("PNT-9R,PNT-9R", "JVN-10N")


def after(state: State, events: Any) -> State:
    for event in events:
        state = ENGINE.evolve(state, event)
    return state


def begun(terms: Setup = TWO_TO_ONE, kind: str = "movement", turn: int = 2, **sides: Any) -> State:
    """A fight after its initial turn, with the units where a test wants them."""
    state = begin(ENGINE, terms, b"").state
    orders = {side: ENGINE.default_orders(state, side) for side in ENGINE.waiting_for(state)}
    state = after(state, ENGINE.decide(state, orders, SeededDice(dice_key(b"", (bytes(32),)))))
    state = replace(state, turn=turn if kind == "fire_and_movement" else turn - 1)
    return arrange(ENGINE.evolve(state, ev.Asking(turn, kind)), **sides)


def order(turn: int = 2, **parts: Any) -> Orders:
    return ENGINE.parse_orders({"turn": turn, **parts})


def carry_out(state: State, faces: tuple[int, ...], **orders: Orders) -> tuple[State, list[Any]]:
    events = ENGINE.decide(state, orders, ScriptedDice(faces))
    assert not isinstance(events, Asked)
    return after(state, events), list(events)


def walk(*steps: str) -> Orders:
    return order(movement={"mode": "walk", "steps": list(steps)})


STAND = order(movement={"mode": "stand"})


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (macro("PNT-9R,PNT-9R"), "one-team"),
        (replace(TWO_TO_ONE, teams={"A": "1", "B": "1", "C": "2", "D": "2"}), "unknown-side"),
        (replace(TWO_TO_ONE, units=TWO_TO_ONE.units[1:]), "sides-not-played"),
        (replace(TWO_TO_ONE, units=TWO_TO_ONE.units[:1], teams={}), "sides-not-played"),
        (macro(*["PNT-9R"] * 7), "no-start-place"),
    ],
)
def test_what_cannot_be_set_up(terms: Setup, code: str) -> None:
    assert code in [violation.code for violation in ENGINE.check_setup(terms)]
    with pytest.raises(SetupRefused):
        ENGINE.open(terms)


def test_two_to_eight_sides_can_be() -> None:
    for terms in (
        TWO_TO_ONE,
        macro(*["PNT-9R"] * 6),
        macro("PNT-9R,PNT-9R,PNT-9R,PNT-9R", "JVN-10N,JVN-10N,JVN-10N,JVN-10N"),
    ):
        assert ENGINE.check_setup(terms) == []


def test_a_team_starts_side_by_side_on_dry_hexes() -> None:
    terms = macro("PNT-9R,PNT-9R,PNT-9R,PNT-9R", "JVN-10N,JVN-10N,JVN-10N,JVN-10N")
    state = begun(terms)
    places = [unit.hex for unit in state.units.values()]
    assert len(set(places)) == 8
    assert all(distance(place, places[0]) <= 2 for place in places[:4])
    assert all(distance(place, places[4]) <= 2 for place in places[4:])
    assert len({unit.facing for unit in state.units.values()}) == 2


def test_three_want_one_hex_and_the_lowest_roll_keeps_it() -> None:
    """SIM1: A rolls 7, B 4, C 9; B arrives, A and C stop before; tied lowest rolls are made again."""
    state = begun(
        A={"position": "0404", "facing": 1},
        B={"position": "0603", "facing": 4},
        C={"position": "0502", "facing": 3},
    )
    faces = (2, 2, 2, 2, 6, 6, 3, 4, 1, 3, 4, 5)
    moved, events = carry_out(state, faces, A=walk("F"), B=walk("F"), C=walk("F", "F"))
    rolled = next(event for event in events if isinstance(event, ev.InitiativeRolled))
    assert (rolled.hex, rolled.loser, rolled.winner, rolled.others) == ("0504", "B", "C", ("A",))
    assert len(rolled.rolls) == 6
    assert [str(moved.units[side].position) for side in "ABC"] == ["0404", "0504", "0503"]


def test_nobody_gets_a_hex_that_somebody_keeps() -> None:
    """C does not leave 0504: A and B go there in vain, and no initiative is rolled."""
    state = begun(
        A={"position": "0404", "facing": 1},
        B={"position": "0603", "facing": 4},
        C={"position": "0504", "facing": 3},
    )
    moved, events = carry_out(state, (), A=walk("F"), B=walk("F"), C=STAND)
    assert [str(moved.units[side].position) for side in "ABC"] == ["0404", "0603", "0504"]
    assert not [event for event in events if isinstance(event, ev.InitiativeRolled)]


def test_a_friend_lets_one_pass_and_an_enemy_does_not() -> None:
    """From 0501 south over 0502: B is a friend of A, C an enemy (movement.yaml stacking)."""
    for standing, end in (("B", "0503"), ("C", "0501")):
        other = "C" if standing == "B" else "B"
        state = begun(
            A={"position": "0501", "facing": 3},
            **{standing: {"position": "0502", "facing": 0}, other: {"position": "1212"}},
        )
        moved, _ = carry_out(state, (), A=walk("F", "F"), B=STAND, C=STAND)
        assert str(moved.units["A"].position) == end


def test_two_that_stop_before_one_hex_step_back_one_after_the_other() -> None:
    """A and B come the same way to 0504 that C keeps: the one resolved first has the hex before it."""
    state = begun(
        A={"position": "0501", "facing": 3},
        B={"position": "0502", "facing": 3},
        C={"position": "0504", "facing": 0},
    )
    moved, events = carry_out(state, (), A=walk("F", "F", "F"), B=walk("F", "F"), C=STAND)
    assert [str(moved.units[side].position) for side in "ABC"] == ["0503", "0502", "0504"]
    back = [event for event in events if isinstance(event, ev.UnitSteppedBack)]
    assert [(event.side, event.kept_by, event.hex, event.hexes) for event in back] == [("B", "A", "0502", 0)]


def fire(*shots: dict[str, Any], turn: int = 2, **more: Any) -> Orders:
    return order(turn, fire={"shots": list(shots), **more}, movement={"mode": "stand"})


def shot(weapon: str, target: str) -> dict[str, Any]:
    return {"weapon": weapon, "target": target}


def test_a_second_target_is_harder_to_hit() -> None:
    """BMR multiple targets: +1 in the front arc; without another target there is nothing to add."""
    state = begun(
        macro("PNT-9R", "JVN-10N,JVN-10N"),
        "fire_and_movement",
        A={"position": "0501", "facing": 3},
        B={"position": "0504", "facing": 0},
        C={"position": "0505", "facing": 0},
    )
    orders = fire(shot("ra-ppc-1", "B"), shot("ct-srm-4-1", "C"))
    assert ENGINE.check(state, "A", orders) == []
    alone = ENGINE.preview(state, "A", fire(shot("ct-srm-4-1", "C")))["fire"]["shots"][0]["number"]
    both = ENGINE.preview(state, "A", orders)["fire"]["shots"]
    assert [one["number"] - alone for one in both[1:]] == [1]
    _, events = carry_out(state, (1, 1, 1, 1), A=orders, B=fire(), C=fire())
    resolved = [event for event in events if isinstance(event, ev.ShotResolved)]
    assert [event.number for event in resolved] == [one["number"] for one in both]
    assert resolved[1].modifiers[-1].reason == "secondary target in the front arc"


def test_nobody_fires_at_his_own_team_or_at_who_is_out() -> None:
    state = begun(
        kind="fire_and_movement", A={"position": "0501"}, B={"position": "0504"}, C={"position": "0505"}
    )
    assert [v.code for v in ENGINE.check(state, "A", fire(shot("ra-ppc-1", "B")))] == ["unknown-target"]
    out = arrange(state, A={"destroyed": "head"})
    assert [v.code for v in ENGINE.check(out, "C", fire(shot("lt-srm-6-1", "A")))] == ["unknown-target"]
    targets = ENGINE.options(state, "C")["fire"]["twists"][0]["weapons"][0]["targets"]
    assert [one["target"] for one in targets] == ["A", "B"]


def test_the_fight_goes_on_until_one_team_is_left() -> None:
    """A unit out of action is asked nothing, holds no hex, and is no target; its team fights on."""
    state = begun(
        kind="fire_and_movement", A={"position": "0501", "destroyed": "engine"}, B={"position": "0504"}
    )
    assert ENGINE.waiting_for(state) == {"B", "C"}
    assert ENGINE.request(state, "A") is None
    state = arrange(state, C={"position": "0803", "facing": 0})
    moved, _ = carry_out(state, (), B=fire(), C=fire())
    assert outcome(moved) is None
    assert moved.wanted == ev.Asking(3, "fire_and_movement")
    state = begun(
        A={"position": "0501", "destroyed": "engine"},
        B={"position": "1010"},
        C={"position": "0502", "facing": 0},
    )
    moved, _ = carry_out(state, (), B=STAND, C=walk("F"))
    assert str(moved.units["C"].position) == "0501"


def test_the_last_team_wins_and_each_side_of_it_has_its_points() -> None:
    state = begun(
        kind="fire_and_movement", A={"destroyed": "engine"}, B={"position": "0504"}, C={"position": "0505"}
    )
    state = arrange(
        state, C={"armor": dict.fromkeys(Location, (0, 0)), "structure": dict.fromkeys(Location, 1)}
    )
    state = replace(state, struck_by={"C": "B"})
    c = replace(state.units["C"], moved=Moved("walk", 1, 1))
    state = replace(state, units={**state.units, "C": c})
    ended, _ = carry_out(state, (6, 5, 4, 3), B=fire(shot("ra-ppc-1", "C")), C=fire())
    end = outcome(ended)
    assert end is not None
    assert [(side.side, side.result) for side in end.sides] == [("A", "win"), ("B", "win"), ("C", "loss")]
    whole = sum(sum(pair) for pair in c.design.armor.values()) + sum(c.design.structure.values())
    assert [side.victory_points for side in end.sides][:2] == [whole, whole]
    assert [side.facts["kills"] for side in end.sides] == [0, 1, 0]


def test_points_of_a_drawn_fight() -> None:
    """At the last turn the team leading by the band of the heaviest wins, else those near it draw."""
    state = begun(macro("PNT-9R", "JVN-10N", "CN9-A"), "fire", turn=8)
    state = replace(state, turn=8)
    hurt = {**state.units["C"].armor, Location.CT: (0, 0)}
    drawn, _ = carry_out(state, (), **{side: order(8, fire={}) for side in "ABC"})
    assert {side.result for side in outcome(drawn).sides} == {"draw"}
    state = arrange(state, C={"armor": hurt})
    assert points_lost(state.units["C"]) >= 10
    ended, _ = carry_out(state, (), **{side: order(8, fire={}) for side in "ABC"})
    assert [side.result for side in outcome(ended).sides] == ["draw", "draw", "loss"]


FIGHTS = [
    macro("PNT-9R,JVN-10N", "CN9-A,VND-1R"),
    macro("PNT-9R", "JVN-10N", "PXH-1"),
    macro("PNT-9R,JVN-10N,PXH-1,CN9-A", "WVR-6R,PNT-9R,JVN-10N,VND-1R"),
    macro("AS7-D", "PNT-9R,JVN-10N,JR7-D"),
]


@pytest.mark.parametrize("number", range(4))
def test_whole_fights_end_lawfully(number: int) -> None:
    """Random and greedy pilots: fold = state, each face in one event, one 'Mech a hex, twice alike."""
    terms, seed = FIGHTS[number], bytes([number]) * 4
    fight = play(ENGINE, terms, seed, (0, 1))
    assert fight.state.ended is not None
    folded: Any = None
    for event in fight.events:
        folded = ENGINE.evolve(folded, event)
        if isinstance(event, ev.PhaseBegan | ev.Asking) and folded.turn > 0:
            places = [folded.units[side].position for side in folded.active]
            assert len(set(places)) == len(places)
    assert folded == fight.state
    told = [roll for event in fight.events for roll in getattr(event, "rolls", ())]
    assert told == fight.drawn
    if number < 2:
        assert play(ENGINE, terms, seed, (0, 1)).events == fight.events
    turns = [event.turn for event in fight.events if isinstance(event, ev.PhaseBegan)]
    assert all(one <= two for one, two in pairwise(turns))


def test_a_view_names_teams_and_holds_no_sealed_order() -> None:
    state = begun()
    shown = {viewer: ENGINE.view(state, viewer) for viewer in ("A", "B", "C", None)}
    assert {side: one["team"] for side, one in shown["A"]["sides"].items()} == {"A": "1", "B": "1", "C": "2"}
    common = {"you": None, "own": None}
    assert all(view | common == shown[None] for view in shown.values())


def test_hexes_describe_the_nearest_enemy() -> None:
    state = begun(
        macro("PNT-9R", "JVN-10N,JVN-10N"),
        A={"position": "0501"},
        B={"position": "0509"},
        C={"position": "0504"},
    )
    movement = ENGINE.options(state, "A")["movement"]
    assert movement["rival"] == "C"
    assert movement["hexes"]["0501"]["distance"] == distance(Hex(5, 1), Hex(5, 4))
