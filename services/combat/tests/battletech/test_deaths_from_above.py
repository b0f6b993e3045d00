"""Deaths from above, displacement in a line, falls onto others (R 4.6, D; physical.yaml, falling.yaml)."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange, macro
from test_macro_fights import begun
from test_physical_phase import against, close, fire, only, resolve

from solaris_combat.engines.battletech import displacement, harm
from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.battlefield import untouched
from solaris_combat.engines.battletech.board import board_from_texts
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.death_from_above import land_upon, miss
from solaris_combat.engines.battletech.fall_from_above import fall_upon
from solaris_combat.engines.battletech.hex import Hex, neighbour
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Moved, fresh_unit
from solaris_combat.engines.contract import Asked, Question
from solaris_combat.engines.dice import ScriptedDice

LEAP = {"attack": "death_from_above", "target": "B"}
LEAPT = Moved("jump", 3, 3)


def leaping(mp: int = 3, **sides: Any) -> State:
    """A Panther (35 t, jump 4) leapt 3 hexes to 0204; B, a Hunchback, keeps 0205 that both wanted."""
    state = close(
        a={"moved": Moved("jump", mp, mp)} | sides.get("a", {}),
        b={"moved": Moved("walk", 2, 2)} | sides.get("b", {}),
    )
    old = state.units["A"]
    panther = replace(
        fresh_unit("A", CATALOGUE["PNT-9R"]),
        **{name: getattr(old, name) for name in ("position", "facing", "moved", "prone", "shutdown")},
    )
    state = replace(state, units={**state.units, "A": panther})
    return ENGINE.evolve(state, ev.InitiativeRolled(3, "0205", "B", "A", ()))


def codes(state: State, side: str = "A") -> list[str]:
    return [v.detail for v in ENGINE.check(state, side, fire(LEAP if side == "A" else against(LEAP)))]


def test_the_winner_who_jumped_may_leap() -> None:
    """5 base, +3 jumped; ceil(3 x 35 / 10) = 11 points, 7 of its own."""
    state = leaping()
    assert codes(state) == []
    offered = ENGINE.options(state, "A")["fire"]["twists"][0]["physical"]
    told = next(one for one in offered if one["attack"] == "death_from_above")
    assert (told["number"], told["damage"], told["own_damage"]) == (8, 11, 7)
    assert not told["lapses"]


@pytest.mark.parametrize(
    ("state", "why"),
    [
        (leaping(mp=4), "too few MP for the leap"),
        (leaping(a={"prone": True}), "attacker prone"),
        (leaping(a={"position": "0203"}), "not before the contested hex"),
        (leaping(b={"position": "0206"}), "no hex both wanted"),
    ],
)
def test_who_may_not(state: State, why: str) -> None:
    """PHY4: by jumping only, and with MP left."""
    assert why in codes(state)[0]


def test_a_hit_drives_the_target_on_and_lands_the_attacker() -> None:
    """11 points in groups of 5 on the punch table, 7 on the legs; B rolls at +2, A at +4."""
    faces = (4, 4, 3, 3, 3, 1, 4, 5, 4, 5, 4)
    after, events = resolve(leaping(), fire(LEAP), fire(), *faces)
    hit = only(events, ev.PhysicalResolved)[0]
    assert (hit.hit, hit.damage, hit.own_damage, hit.table) == (True, 11, 7, "punch")
    assert [(one.side, one.armor, one.location) for one in only(events, harm.DamageStep)] == [
        ("B", 5, "CT"),
        ("B", 5, "CT"),
        ("B", 1, "CT"),
        ("A", 5, "RL"),
        ("A", 2, "LL"),
    ]
    assert [(one.side, one.by, one.hex) for one in only(events, ev.UnitDisplaced)] == [
        ("B", "A", "0206"),
        ("A", "A", "0205"),
    ]
    rolls = [(roll.side, roll.cause, roll.number) for roll in only(events, ev.PilotingRollMade)]
    assert (
        rolls == [("A", "made_death_from_above", 9), ("B", "hit_by_death_from_above", 7)] or rolls[0][2] == 9
    )
    assert after.wanted == ev.Asking(4, "movement")


def asked(state: State, a: Orders, b: Orders, *faces: int) -> Question:
    found = ENGINE.decide(state, {"A": a, "B": b}, ScriptedDice(faces))
    assert isinstance(found, Asked)
    assert set(found.questions) == {"B"}
    return found.questions["B"]


def test_the_target_of_one_that_misses_chooses_its_way_out() -> None:
    """Only its side is asked; the attacker falls two levels on its back: 12 points, no die for facing."""
    state = leaping()
    question = asked(state, fire(LEAP), fire(), 1, 2)
    ways = [way["hex"] for way in question.options["ways"]]
    assert (question.kind, ways[0], "0204" in ways, len(ways)) == ("way_out", "0206", True, 6)
    answer = ENGINE.parse_orders({"turn": 3, "answers": [{"hex": "0306"}]})
    assert ENGINE.check_answer(state, "B", question, answer) == []
    assert ENGINE.parse_orders(ENGINE.orders_json(answer)) == answer
    assert ENGINE.default_answer(state, "B", question).answers[0].hex == Hex(2, 6)
    for wrong in ({"hex": "0909"}, {"attempts": 1, "steps": []}):
        other = ENGINE.parse_orders({"turn": 3, "answers": [wrong]})
        assert len(ENGINE.check_answer(state, "B", question, other)) == 1
    faces = (1, 2, 4, 5, 4, 1, 4, 6, 6, 6)
    after, events = resolve(state, fire(LEAP), ENGINE.add_answer(fire(), answer), *faces)
    assert (after.units["B"].hex, after.units["A"].hex) == (Hex(3, 6), Hex(2, 5))
    fell = only(events, ev.UnitFell)[0]
    assert (fell.levels, fell.side_hit, fell.damage, fell.rolls, fell.facing) == (2, "rear", 12, (), 4)
    assert after.units["A"].prone
    causes = [(roll.side, roll.cause) for roll in only(events, ev.PilotingRollMade)]
    assert causes == [("A", "fall")]


def test_a_target_that_nobody_steers_goes_straight_away() -> None:
    state = leaping(b={"shutdown": True})
    after, _ = resolve(state, fire(LEAP), fire(), 1, 2, 4, 5, 4, 1, 4, 6, 6, 6)
    assert after.units["B"].hex == Hex(2, 6)


def test_without_a_way_out_somebody_is_lost() -> None:
    """In the corner 0101 with all neighbours walled off: the target of a hit, or the attacker that missed."""
    walled = board_from_texts(16, 17, {name: (5, "") for name in ("0102", "0201", "0202")})
    corner = leaping(a={"position": "0102"}, b={"position": "0101"})
    corner = replace(corner, ground=untouched(walled))
    orders = {"A": fire(LEAP), "B": fire()}
    play = Play(corner, ScriptedDice(()))
    land_upon(play, "A", "B", Hex(1, 1), orders)
    assert [(one.side, one.reason) for one in only(play.events, harm.Destroyed)] == [("B", "no room")]
    assert play.unit("A").hex == Hex(1, 1)
    play = Play(arrange(corner, A={"position": "0103"}), ScriptedDice(()))
    miss(play, "A", "B", Hex(1, 1), orders)
    assert [(one.side, one.reason) for one in only(play.events, harm.Destroyed)] == [("A", "no room")]


def crowded(*taken: str) -> Play:
    """B in 0203, and others in hexes around it: C, D, E, F, G and H."""
    models = ",".join(["HBK-4G"] * 7)
    sides = dict(zip("CDEFGH", taken, strict=False))
    rest = {side: {"position": f"1{n}16"} for n, side in enumerate("CDEFGH")}
    places = rest | {side: {"position": where} for side, where in sides.items()}
    state = begun(
        macro("HBK-4G", models), "movement", A={"position": "1010"}, B={"position": "0203"}, **places
    )
    flat = board_from_texts(16, 17, {})
    return Play(replace(state, ground=untouched(flat)), ScriptedDice(()))


def test_the_displaced_target_goes_to_the_first_free_hex_of_the_order() -> None:
    """Straight away (here north), then to either side of it and so on; into a hex that is taken only where
    none is free (PROPOSED): then who stands there goes on first."""
    order = [str(neighbour(Hex(2, 3), way)) for way in (0, 1, 5, 2, 4, 3)]
    for taken in range(6):
        play = crowded(*order[:taken])
        assert displacement.push_out(play, "B", 0, "A", "")
        (moved,) = only(play.events, ev.UnitDisplaced)
        assert (moved.side, moved.hex) == ("B", order[taken])
    play = crowded(*order)
    assert displacement.push_out(play, "B", 0, "A", "")
    moved = [(one.side, one.hex) for one in only(play.events, ev.UnitDisplaced)]
    assert moved == [("C", "0201"), ("B", "0202")]


def line(**sides: Any) -> State:
    """A in 0501 looks south; B in 0502 and C in 0503 stand in a row before it."""
    places = {"A": {"position": "0501", "facing": 3}, "B": {"position": "0502"}, "C": {"position": "0503"}}
    for side, facts in sides.items():
        places[side] |= facts
    return begun(macro("HBK-4G", "HBK-4G,HBK-4G"), "fire_and_movement", **places)


def push(state: State, *faces: int) -> tuple[State, list[Any]]:
    parts = {"shots": [], "physical": [{"attack": "push", "target": "B"}]}
    orders = {
        side: ENGINE.parse_orders({"turn": 2, "fire": {}, "movement": {"mode": "stand"}}) for side in "BC"
    }
    orders["A"] = ENGINE.parse_orders({"turn": 2, "fire": parts, "movement": {"mode": "stand"}})
    dice = ScriptedDice(faces)
    events = ENGINE.decide(state, orders, dice)
    assert not isinstance(events, Asked)
    assert dice.left == ()
    for event in events:
        state = ENGINE.evolve(state, event)
    return state, list(events)


def test_domino_effect() -> None:
    """B is pushed into C's hex, so C goes on first and rolls for it; A follows."""
    state, events = push(line(), 3, 3, 5, 5, 5, 5)
    moved = [(one.side, one.by, one.hex, one.cause) for one in only(events, ev.UnitDisplaced)]
    assert moved == [("C", "B", "0504", "domino_displaced"), ("B", "A", "0503", ""), ("A", "A", "0502", "")]
    rolls = {(one.side, one.cause) for one in only(events, ev.PilotingRollMade)}
    assert rolls == {("B", "was_pushed"), ("C", "domino_displaced")}
    assert [str(unit.hex) for unit in state.units.values()] == ["0502", "0503", "0504"]


def test_a_row_that_ends_at_the_edge_stays() -> None:
    """Facing north with C on the rim: nobody moves, B rolls for the push all the same."""
    state = line(A={"position": "0503", "facing": 0}, B={"position": "0502"}, C={"position": "0501"})
    after, events = push(state, 3, 3, 5, 5)
    assert not only(events, ev.UnitDisplaced)
    assert [str(unit.hex) for unit in after.units.values()] == ["0503", "0502", "0501"]


def test_a_fall_onto_somebody() -> None:
    """7 to hit; a 50-ton faller does 5 on the punch table and lies on its back."""
    state = line(B={"position": "0501"}, C={"position": "0502"}, A={"position": "1010"})
    play = Play(state, ScriptedDice([4, 3, 3, 4, 5, 4, 1, 4, 6, 6, 6]))
    fall_upon(play, "B", "C", 2, displacement.push_out)
    hit = only(play.events, ev.PhysicalResolved)[0]
    assert (hit.number, hit.hit, hit.damage, hit.attack) == (7, True, 5, "fall_from_above")
    moved = only(play.events, ev.UnitDisplaced)[0]
    assert (moved.side, moved.hex, moved.cause) == ("C", "0503", "fallen_on")
    fell = only(play.events, ev.UnitFell)[0]
    assert (fell.hex, fell.levels, fell.side_hit, fell.damage) == ("0502", 2, "rear", 15)


def test_a_fall_beside_somebody() -> None:
    state = line(B={"position": "0501"}, C={"position": "0502"}, A={"position": "1010"})
    play = Play(state, ScriptedDice([2, 2, 1, 4, 4, 4, 4, 4, 4, 4, 4]))
    fall_upon(play, "B", "C", 2, displacement.push_out)
    assert not only(play.events, ev.PhysicalResolved)[0].hit
    fell = only(play.events, ev.UnitFell)[0]
    assert fell.hex not in ("0501", "0502")
    assert play.unit("C").hex == Hex(5, 2)


def crowd() -> State:
    """A in 0204 and C in 0104 both stopped before 0205, which B of the other team keeps (initiative)."""
    state = begun(
        macro("HBK-4G,HBK-4G", "HBK-4G"),
        "fire_and_movement",
        A={"position": "0204", "facing": 3, "moved": Moved("run", 3, 3)},
        B={"position": "0303", "facing": 3, "moved": Moved("run", 3, 3)},
        C={"position": "0205", "facing": 0},
    )
    return ENGINE.evolve(state, ev.InitiativeRolled(2, "0205", "C", "A", (), ("B",)))


def test_every_one_who_stopped_before_the_hex_may_charge_who_keeps_it() -> None:
    """The others of the contest may charge as the winner may (D: he may make the attack that results)."""
    state = crowd()
    charge = {"attack": "charge", "target": "C"}
    order = ENGINE.parse_orders({"turn": 2, "fire": {"physical": [charge]}, "movement": {"mode": "stand"}})
    assert ENGINE.check(state, "A", order) == []
    lapsing = {"attack": "charge", "target": "A"}
    order = ENGINE.parse_orders({"turn": 2, "fire": {"physical": [lapsing]}, "movement": {"mode": "stand"}})
    assert [v.detail for v in ENGINE.check(state, "B", order)] != []


def test_a_push_is_lost_on_who_was_driven_out_before() -> None:
    """A charges C out of 0205; B's push finds nobody where it struck, so nobody else moves."""
    state = arrange(crowd(), B={"position": "0105", "facing": 2})
    parts = {
        "A": [{"attack": "charge", "target": "C"}],
        "B": [{"attack": "push", "target": "C"}],
        "C": [],
    }
    orders = {
        side: ENGINE.parse_orders({"turn": 2, "fire": {"physical": blows}, "movement": {"mode": "stand"}})
        for side, blows in parts.items()
    }
    events = ENGINE.decide(state, orders, ScriptedDice([3, 4] * 60))
    assert not isinstance(events, Asked)
    assert [one.hit for one in only(list(events), ev.PhysicalResolved)] == [True, True]
    moved = [(one.side, one.by) for one in only(list(events), ev.UnitDisplaced)]
    assert moved == [("C", "A"), ("A", "A")]
