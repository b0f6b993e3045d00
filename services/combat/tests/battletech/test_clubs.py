"""Clubs: looking for one, what it does, when it breaks, limbs on the ground (D; physical.yaml club)."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange
from test_physical_phase import close, only, resolve

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import harm
from solaris_combat.engines.battletech.battlefield import untouched
from solaris_combat.engines.battletech.board import board_from_texts, smoked
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.terrain import TERRAINS

CLUB = {"attack": "club", "target": "B"}
WOODS, RUBBLE = (0, "woods:1"), (0, "rubble:1")


def standing_in(ground: tuple[int, str] = WOODS, **a: Any) -> State:
    """A Hunchback in 0204 on this ground, another one before it in 0205."""
    state = close(a=a)
    board = board_from_texts(16, 17, {"0204": ground})
    return replace(state, ground=untouched(board))


def fire(pick_up: str | None = None, **more: Any) -> Orders:
    data = {"shots": [], "physical": [], "pick_up": pick_up, **more}
    return ENGINE.parse_orders({"turn": 3, "fire": data, "movement": {"mode": "stand"}})


def codes(state: State, orders: Orders) -> list[str]:
    return [violation.code for violation in ENGINE.check(state, "A", orders)]


def test_where_a_club_is_found() -> None:
    assert ENGINE.options(standing_in(), "A")["fire"]["clubs"] == [{"kind": "tree", "number": None}]
    assert ENGINE.options(standing_in(RUBBLE), "A")["fire"]["clubs"] == [{"kind": "girder", "number": 7}]
    assert ENGINE.options(close(), "A")["fire"]["clubs"] == []
    limbs = replace(close(), limbs={"0204": 1})
    assert ENGINE.options(limbs, "A")["fire"]["clubs"] == [{"kind": "limb", "number": None}]
    assert ENGINE.view(limbs, None)["limbs"] == {"0204": 1}


def test_smoke_is_no_tree() -> None:
    """Smoke hides as woods do, and woods under it are woods still."""
    for ground, clubs in (((0, ""), []), (WOODS, ["tree"])):
        state = standing_in(ground)
        place = state.board.index(state.units["A"].hex)
        smoky = replace(state, ground=replace(state.ground, board=smoked(state.board, frozenset({place}))))
        assert [club["kind"] for club in ENGINE.options(smoky, "A")["fire"]["clubs"]] == clubs
        assert codes(smoky, fire("tree")) == ([] if clubs else ["no-club"])


LASER = {"weapon": "ra-medium-laser-1", "target": "B"}
KICK = {"attack": "kick", "limb": "RL", "target": "B"}


@pytest.mark.parametrize(
    ("facts", "orders", "code"),
    [
        ({}, fire("tree"), None),
        ({}, fire("tree", shots=[LASER]), "club-takes-the-turn"),
        ({}, fire("tree", physical=[KICK]), "club-takes-the-turn"),
        ({}, fire("girder"), "no-club"),
        ({}, fire("limb"), "no-club"),
        ({"prone": True}, fire("tree"), "no-club"),
        ({"club": "limb"}, fire("tree"), "no-club"),
        ({"hits": frozenset({(Location.LA, 4)})}, fire("tree"), "no-club"),
        ({"hits": frozenset({(Location.RA, 1)})}, fire("tree"), "no-club"),
    ],
)
def test_who_may_pick_one_up(facts: dict[str, Any], orders: Orders, code: str | None) -> None:
    """Both hands and shoulders, standing, nothing fired and nobody struck in that turn (D)."""
    assert codes(standing_in(**facts), orders) == ([code] if code else [])
    assert ENGINE.parse_orders(ENGINE.orders_json(orders)) == orders


def test_a_tree_hits_once_and_breaks() -> None:
    """A 50-ton 'Mech needs 4 and does 10 on the full table; the tree is gone after a hit, not a miss."""
    state, events = resolve(standing_in(), fire("tree"), fire())
    assert state.units["A"].club == "tree"
    assert [(one.kind, one.found, one.number) for one in only(events, ev.ClubSought)] == [
        ("tree", True, None)
    ]
    armed = standing_in(club="tree")
    offered = ENGINE.options(armed, "A")["fire"]["twists"][0]["physical"]
    told = next(one for one in offered if one["attack"] == "club")
    assert (told["number"], told["damage"], told["holds_fire"]) == (4, 10, ["RA", "LA"])
    after, events = resolve(armed, fire(physical=[CLUB]), fire(), 2, 2, 4, 3)
    hit = only(events, ev.PhysicalResolved)[0]
    assert (hit.hit, hit.damage, hit.table, hit.club_broken, after.units["A"].club) == (
        True,
        10,
        "normal",
        True,
        "",
    )
    after, _ = resolve(armed, fire(physical=[CLUB]), fire(), 1, 2)
    assert after.units["A"].club == "tree"
    after, _ = resolve(standing_in(club="limb"), fire(physical=[CLUB]), fire(), 2, 2, 4, 3)
    assert after.units["A"].club == "limb"


@pytest.mark.parametrize(("faces", "found"), [((3, 4), True), ((3, 3), False)])
def test_a_girder_takes_a_roll(faces: tuple[int, int], found: bool) -> None:
    after, events = resolve(standing_in(RUBBLE), fire("girder"), fire(), *faces)
    sought = only(events, ev.ClubSought)[0]
    assert (sought.number, sought.found) == (7, found)
    assert after.units["A"].club == ("girder" if found else "")


def test_the_rubble_of_a_building_has_girders_by_its_kind() -> None:
    """Of a heavy one 6+, of a light one and of a wall none (D)."""
    for was, number in (("heavy_building", 6), ("hardened_building", 5), ("light_building", None)):
        state = standing_in(RUBBLE)
        base = state.ground.base
        index = base.index(state.units["A"].hex)
        built = replace(base.grounds[index], terrain=TERRAINS[was])
        grounds = (*base.grounds[:index], built, *base.grounds[index + 1 :])
        state = replace(state, ground=replace(state.ground, base=replace(base, grounds=grounds)))
        clubs = ENGINE.options(state, "A")["fire"]["clubs"]
        assert clubs == ([{"kind": "girder", "number": number}] if number else [])


def test_torn_off_limbs_stay_where_they_fall() -> None:
    """Blown off, or an arm with its side torso; a leg that is shot away is no limb to pick up (D)."""
    state = close()
    state = ENGINE.evolve(state, harm.CriticalCheck("A", Location.RL, 0, True, ()))
    assert state.limbs == {"0204": 1}
    side = harm.DamageStep("A", Location.LT, False, 0, 12, (Location.LT, Location.LA))
    state = ENGINE.evolve(state, side)
    assert state.limbs == {"0204": 2}
    state = ENGINE.evolve(state, harm.DamageStep("A", Location.LL, False, 0, 12, (Location.LL,)))
    assert state.limbs == {"0204": 2}


def test_a_limb_goes_to_who_takes_it() -> None:
    state = arrange(close(), A={"position": "0204"})
    after, _ = resolve(replace(state, limbs={"0204": 1}), fire("limb"), fire())
    assert after.units["A"].club == "limb"
    assert after.limbs == {"0204": 0}
