"""What house pilots make of what everybody sees: spotters, clubs, immobile targets, fire and smoke."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange
from test_arms_and_aims import battery
from test_clubs import standing_in
from test_physical_phase import close

from solaris_combat.engines.battletech.battlefield import Fire, untouched
from solaris_combat.engines.battletech.board import arena, board_from_texts, overlaid
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.house_pilot import (
    LEVELS,
    NOVICE,
    OUTLOOKS,
    REGULAR,
    VETERAN,
    choose,
)
from solaris_combat.engines.battletech.orders import parse_orders
from solaris_combat.engines.battletech.pilot_arms import AHEAD, LEFT_ARM, NOTHING, RIGHT_ARM, Arms
from solaris_combat.engines.battletech.pilot_exchange import ARCS, Post, Prospect
from solaris_combat.engines.battletech.pilot_foresight import Foresight, farsighted
from solaris_combat.engines.battletech.pilot_frailty import frailty
from solaris_combat.engines.battletech.pilot_ground import ground_ahead
from solaris_combat.engines.battletech.pilot_move import legal_moves
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.terrain import ground_from_text
from solaris_combat.engines.dice import SeededDice

Json = dict[str, Any]
TRAINED = LEVELS[1:]
ABOVE_NOVICE = LEVELS[2:]


def ordered(state: State, level: int, side: str = "A") -> Json:
    """The fire a pilot orders, which is legal."""
    dice = SeededDice(bytes(32))
    orders = choose(ENGINE.view(state, side), ENGINE.options(state, side), level, dice)
    assert ENGINE.check(state, side, parse_orders(orders)) == []
    fire: Json = orders["fire"]
    return fire


def unarmed(state: State, side: str) -> State:
    """The state with a side that has nothing left to fire."""
    belts = dict.fromkeys(state.units[side].belts, ())
    jammed = frozenset(mount.id for mount in state.units[side].design.mounts)
    unit = replace(state.units[side], belts=belts, jammed=jammed)
    return replace(state, units={**state.units, side: unit})


@pytest.mark.parametrize("level", TRAINED)
def test_missiles_fly_where_a_friend_sees_who_has_nothing_to_fire(level: int) -> None:
    """Indirect fire (BMR level 2): a friend that would fire itself directs nobody's missiles."""
    idle = unarmed(arrange(battery(), C={"position": "0313"}), "C")
    shots = ordered(idle, level)["shots"]
    assert [(one["weapon"], one["target"], one["spotter"]) for one in shots] == [("rt-lrm-15-1", "B", "C")]
    assert ordered(arrange(battery(), C={"position": "0313"}), level)["shots"] == []


@pytest.mark.parametrize(("level", "kind"), [(NOVICE, None), (REGULAR, "tree"), (VETERAN, "tree")])
def test_a_pilot_with_nothing_else_to_do_picks_up_a_club(level: int, kind: str | None) -> None:
    idle = unarmed(arrange(standing_in(), B={"position": "1517"}), "A")
    assert ordered(idle, level)["pick_up"] == kind
    assert ordered(unarmed(arrange(close(), B={"position": "1517"}), "A"), level)["pick_up"] is None


@pytest.mark.parametrize("level", ABOVE_NOVICE)
def test_shots_at_an_immobile_target_are_aimed(level: int) -> None:
    """BMR, immobile targets: at the centre torso, or at a side torso where that is nearly through."""
    down = arrange(close(), B={"shutdown": True})
    shots = ordered(down, level)["shots"]
    assert shots and {one.get("aim") for one in shots} == {"CT"}
    target = down.units["B"]
    armor = {
        at: (0, rear) if str(at) == "LT" else (front, rear) for at, (front, rear) in target.armor.items()
    }
    structure = {at: 1 if str(at) == "LT" else left for at, left in target.structure.items()}
    worn = replace(down, units={**down.units, "B": replace(target, armor=armor, structure=structure)})
    assert {one.get("aim") for one in ordered(worn, level)["shots"]} == {"LT"}
    assert {one.get("aim") for one in ordered(close(), level)["shots"]} == {None}


# The ground as it is, not as it is drawn.

WOODS = {"0505": (0, "woods:2"), "0506": (0, "woods:2"), "0507": (0, "woods:2")}
HERE, THERE = Hex.parse("0503"), Hex.parse("0508")


def seen_ground(**ground: Any) -> Any:
    """The board that a pilot reckons with in the quarry, with facts of its ground."""
    view = ENGINE.view(close(), "A")
    return ground_ahead({**view, "ground": {**view["ground"], **ground}})


def line(board: Any) -> Any:
    state = close()
    view = ENGINE.view(state, "A")["sides"]
    prospect = Prospect(board, (Arms(view["A"]), Arms(view["B"])), 5)
    return prospect.between(HERE, THERE).line


def test_cleared_woods_and_walls_that_fell_are_seen_through() -> None:
    bare = {"terrain": "clear", "level": 0, "height": 0, "construction_factor": 0}
    quarry = arena("la-cantera").board
    assert seen_ground() is quarry
    place = next(one for one in quarry.hexes() if quarry.woods[quarry.index(one)])
    changed = seen_ground(changed={str(place): bare})
    assert (quarry.woods[quarry.index(place)] > 0, changed.woods[changed.index(place)]) == (True, 0)
    assert ground_ahead({**ENGINE.view(close(), "A"), "arena": "nowhere"}) is None


def test_the_smoke_of_the_coming_turn_hides() -> None:
    """D, smoke: downwind of every fire that still burns, one turn later; three thick hexes hide all."""
    fires = {"0507": {"until": None}, "0107": {"until": 3}}
    smoky = seen_ground(fires=fires, wind=1)
    marks = {str(one) for one in smoky.hexes() if smoky.woods[smoky.index(one)] == 3}
    assert "0506" in marks and "0106" not in marks
    bare = board_from_texts(16, 17, {})
    state = replace(close(), ground=replace(untouched(bare), fires={bare.index(THERE): Fire(1)}))
    assert ENGINE.view(state, "A")["ground"]["fires"] == {str(THERE): {"until": None}}
    thick = frozenset(bare.index(Hex.parse(name)) for name in WOODS)
    assert (line(bare), line(overlaid(bare, {}, thick, frozenset()))) == ((0, 0), None)
    cleared = {bare.index(Hex.parse(name)): ground_from_text(*WOODS[name]) for name in ("0505",)}
    assert line(overlaid(bare, cleared, frozenset(), frozenset())) == (2, 2)


# Guns that bear, and armour that is gone.


def test_the_guns_that_bear_with_the_torso_twisted() -> None:
    """Facing north: everything up to 120 degrees, beyond that the guns of one arm."""
    zones = {seen * 15: ARCS[0][seen] for seen in range(0, 24, 2)}
    assert [degrees for degrees, zone in zones.items() if zone != AHEAD] == [150, 180, 210]
    assert (zones[150], zones[210]) == (RIGHT_ARM, LEFT_ARM)
    assert {zone for row in ARCS for zone in row} <= {AHEAD, RIGHT_ARM, LEFT_ARM, NOTHING}
    side = ENGINE.view(close(), "A")["sides"]["A"]
    arms = Arms(side)
    assert arms.volley(3, 0) > arms.volley(3, 0, zone=RIGHT_ARM) > arms.volley(3, 0, zone=NOTHING) == 0


def test_a_point_is_worth_more_where_little_is_left() -> None:
    fresh = ENGINE.view(close(), "A")["sides"]["A"]
    worn = {name: {**at} for name, at in fresh["locations"].items()}
    worn["LT"] |= {"armor": 0, "structure": 3}
    sides = frailty({**fresh, "locations": worn})
    assert sides["left"] > sides["front"] > sides["right"] >= frailty(fresh)["right"]


def test_heat_left_for_fire_after_a_move() -> None:
    side = ENGINE.view(close(), "A")["sides"]["A"]
    prospect = Prospect(board_from_texts(16, 17, {}), (Arms(side), Arms(side)), 5)
    here = {"hex": "0503", "hexes": 4}
    stand, jump = (prospect.post(prospect.mine, {**here, "mode": mode}) for mode in ("stand", "jump"))
    assert isinstance(stand, Post) and stand.room - jump.room == 4
    assert (stand.fires, jump.fires) == (0, 3)


def test_every_weight_is_marked_as_ours() -> None:
    assert WEIGHTS["mark"] == "TUNED" and sorted(WEIGHTS["levels"]) == ["1", "2", "3"]


@pytest.mark.parametrize("level", TRAINED)
def test_who_lies_gets_up(level: int) -> None:
    """The veteran may go on from there; the others try as often as they can where they lie."""
    state = arrange(close(), A={"prone": True}, B={"position": "0212"})
    dice = SeededDice(bytes(32))
    orders = choose(ENGINE.view(state, "A"), ENGINE.options(state, "A"), level, dice)
    assert ENGINE.check(state, "A", parse_orders(orders)) == []
    assert "".join(orders["movement"]["steps"]).startswith("U" if level == VETERAN else "UU")


@pytest.mark.parametrize("level", ABOVE_NOVICE)
def test_nobody_ends_a_move_in_a_fire_that_he_can_help(level: int) -> None:
    """D, fire: who stands in a burning hex gets its heat. A fire where the best move ends changes it."""
    state = close()
    view, movement = ENGINE.view(state, "A"), ENGINE.options(state, "A")["movement"]

    def best(fires: Json) -> str:
        seen = {**view, "ground": {**view["ground"], "fires": fires}}
        board = ground_ahead(view)
        assert board is not None
        moves = legal_moves(movement, 0)
        return str(farsighted(Foresight(board, seen, movement, 0, OUTLOOKS[level], moves))[0]["hex"])

    liked = best({})
    assert best({liked: {"until": None}}) != liked
    assert best({liked: {"until": view["turn"]}}) == liked
