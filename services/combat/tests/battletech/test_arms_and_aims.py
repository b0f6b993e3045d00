"""Arms flipped to the rear, split weapons, shots aimed by a targeting computer, indirect fire."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange, begin, setup
from volleys import armed, codes, hit, offered, only, resolve, shot, standoff, volley

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import harm, log
from solaris_combat.engines.battletech.battlefield import untouched
from solaris_combat.engines.battletech.board import board_from_drawing
from solaris_combat.engines.battletech.catalogue import design_from
from solaris_combat.engines.battletech.mech import Location, MechDesign, can_flip_arms
from solaris_combat.engines.battletech.orders import Orders, orders_json, parse_orders
from solaris_combat.engines.battletech.playable import not_played
from solaris_combat.engines.battletech.record_sheet import sheet_from
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Moved, fresh_unit, mount_works
from solaris_combat.engines.contract import Asked, UnitSetup
from solaris_combat.engines.dice import ScriptedDice

NONE = volley()
ATLAS = {"design": armed("AS7-D")}


# Arms to the rear (BMR, arm flipping; to_hit.yaml arms_flipped).


def rifleman(**facts: Any) -> State:
    """A Rifleman, whose arms end above the elbow, with its back to an Atlas three hexes away."""
    return standoff(a={"design": armed("RFL-3N"), "facing": 0, **facts}, b=ATLAS)


REAR = shot("ra-large-laser-1")


def test_arms_without_lower_arms_and_hands_point_to_the_rear() -> None:
    assert codes(rifleman(), volley(REAR)) == [("/fire/shots/0", "shot-impossible")]
    assert codes(rifleman(), volley(REAR, flip_arms=True)) == []
    after, events = resolve(rifleman(), volley(REAR, flip_arms=True), NONE, 3, 3, 3, 4)
    assert only(events, ev.ShotResolved)[0].hit
    assert only(events, ev.FireDeclared)[0].flip_arms
    assert not after.units["A"].flipped
    assert "atrás" in log.describe(only(events, ev.FireDeclared)[0], "es")


def test_flipped_arms_do_not_fire_forward_and_the_torso_still_does() -> None:
    ahead = arrange(rifleman(), A={"facing": 3})
    orders = volley(REAR, shot("rt-medium-laser-1"), flip_arms=True)
    assert codes(ahead, orders) == [("/fire/shots/0", "shot-impossible")]


def test_the_options_offer_both_poses() -> None:
    poses = [(one["twist"], one["flip_arms"]) for one in ENGINE.options(rifleman(), "A")["fire"]["twists"]]
    assert sorted(poses) == sorted((twist, flipped) for twist in (-1, 0, 1) for flipped in (False, True))
    plain = ENGINE.options(standoff(), "A")["fire"]["twists"]
    assert [one["flip_arms"] for one in plain] == [False] * 3


@pytest.mark.parametrize(
    ("state", "able"), [(standoff(), False), (rifleman(prone=True), False), (rifleman(), True)]
)
def test_only_such_arms_of_a_standing_mech_flip(state: State, able: bool) -> None:
    found = codes(state, volley(flip_arms=True))
    assert found == ([] if able else [("/fire/flip_arms", "cannot-flip")])


def test_which_designs_can_flip_their_arms() -> None:
    assert can_flip_arms(armed("RFL-3N"))
    assert not can_flip_arms(armed("PNT-9R"))
    assert not can_flip_arms(replace(armed("RFL-3N"), quad=True))


def test_flipped_arms_strike_nobody() -> None:
    state = arrange(rifleman(), A={"position": "0204", "facing": 3}, B={"position": "0205"})
    blow = {"attack": "punch", "limb": "RA", "target": "B"}
    assert codes(state, volley(physical=[blow])) == []
    assert codes(state, volley(physical=[blow], flip_arms=True)) == [
        ("/fire/physical/0", "attack-impossible")
    ]


def test_flipped_arms_do_not_batter_walls_either() -> None:
    rows = [["."] * 8 for _ in range(8)]
    rows[2][3] = "#2"
    board = board_from_drawing("\n".join(map(" ".join, rows)))
    state = replace(arrange(rifleman(), A={"position": "0404"}), ground=untouched(board))
    blow = {"attack": "punch", "limb": "RA", "target": "0403"}
    assert codes(state, volley(physical=[blow])) == []
    assert codes(state, volley(physical=[blow], flip_arms=True)) == [
        ("/fire/physical/0", "attack-impossible")
    ]
    for twist in ENGINE.options(state, "A")["fire"]["twists"]:
        limbs = {one["limb"] for one in twist["ground_blows"] if one["attack"] == "punch"}
        assert limbs == (set() if twist["flip_arms"] else limbs)


def test_an_arm_that_tried_a_streak_does_not_punch() -> None:
    """To declare the launcher uses the arm, locked on or not."""
    design = armed("AS7-D", LA=["streak-srm-2"], LT=["ammo streak-srm-2"])
    state = arrange(standoff(a={"design": design}, b=ATLAS), A={"position": "0204"}, B={"position": "0205"})
    blow = {"attack": "punch", "limb": "LA", "target": "B"}
    assert codes(state, volley(physical=[blow])) == []
    streak = shot("la-streak-srm-2-1")
    assert codes(state, volley(streak, physical=[blow])) == [("/fire/physical/0", "attack-impossible")]


# Split weapons (gauss_and_special_weapons.yaml split_weapons).


def split() -> MechDesign:
    """An AC/20 of which six slots are in the right arm and four in the right torso."""
    sheet = table("mechs/as7-d")
    slots = {
        **sheet["slots"],
        "RA": ["shoulder", "upper-arm", *["ac-20 split"] * 6],
        "RT": ["ac-20 split"] * 4 + ["ammo ac-20"],
    }
    assert not [reason for reason in not_played(sheet_from({**sheet, "slots": slots})) if "split" in reason]
    return design_from({**sheet, "slots": slots})


def test_a_split_weapon_fires_in_the_arc_of_its_inner_part() -> None:
    """It is one weapon, in the more restricted arc: what only the arm would see it does not reach."""
    (gun,) = [mount for mount in split().mounts if mount.weapon == "ac-20"]
    assert (gun.id, gun.location, gun.also) == ("rt-ac-20-1", Location.RT, Location.RA)
    state = standoff(a={"design": split()}, b=ATLAS)
    assert codes(state, volley(shot(gun.id))) == []
    aside = arrange(state, A={"facing": 1})
    assert codes(aside, volley(shot(gun.id))) == [("/fire/shots/0", "shot-impossible")]


@pytest.mark.parametrize("place", ["RA", "RT"])
def test_a_split_weapon_is_lost_with_either_part(place: str) -> None:
    unit = standoff(a={"design": split()}).units["A"]
    gun = next(mount for mount in unit.design.mounts if mount.weapon == "ac-20")
    assert mount_works(unit, gun)
    gone = replace(unit, structure={**unit.structure, Location(place): 0})
    assert not mount_works(gone, gun)
    struck = replace(unit, hits=frozenset({hit(place, unit, gun.id)}))
    assert not mount_works(struck, gun)


def test_a_split_weapon_that_fires_holds_the_arm() -> None:
    state = arrange(standoff(a={"design": split()}, b=ATLAS), A={"position": "0204"}, B={"position": "0205"})
    blow = {"attack": "punch", "limb": "RA", "target": "B"}
    assert codes(state, volley(physical=[blow])) == []
    found = codes(state, volley(shot("rt-ac-20-1"), physical=[blow]))
    assert found == [("/fire/physical/0", "attack-impossible")]


# Targeting computers (BMR level 2; to_hit.yaml targeting_computer).


def computed(**facts: Any) -> State:
    design = armed(RT=["medium-laser", "targeting-computer"], LT=["machine-gun", "ammo machine-gun"])
    assert design.targeting_computer
    return standoff(2, a={"design": design, **facts}, b=ATLAS)


AIMED = shot("rt-medium-laser-1", aim="LL", computer=True)


def test_a_shot_aimed_by_the_computer_strikes_what_it_is_aimed_at() -> None:
    _, events = resolve(computed(), volley(AIMED), NONE, 4, 4)
    (fired,) = only(events, ev.ShotResolved)
    assert (fired.number, [item.value for item in fired.modifiers], fired.aim) == (7, [4, 3], "LL")
    assert [(step.location, step.armor, step.rolls) for step in only(events, harm.DamageStep)] == [
        ("LL", 5, ())
    ]
    assert fired.computer
    told = [line for line in log.account(events, "es") if "ordenador de tiro" in line]
    assert len(told) == 2


def test_unaimed_the_computer_takes_one_off() -> None:
    assert offered(computed(), "rt-medium-laser-1")["targets"][0]["number"] == 3
    assert offered(computed(), "rt-medium-laser-1")["aims_by_computer"]
    assert not offered(computed(), "lt-machine-gun-1")["aims_by_computer"]
    assert offered(computed(), "lt-machine-gun-1")["targets"][0]["number"] == 6


def test_a_computer_that_does_not_help_is_no_order() -> None:
    assert codes(computed(), volley(shot("lt-machine-gun-1", computer=True))) == [
        ("/fire/shots/0", "shot-impossible")
    ]
    assert codes(computed(), volley(shot("rt-medium-laser-1", computer=True))) == []


def test_without_a_working_computer_nothing_is_aimed_so() -> None:
    broken = arrange(
        computed(), A={"hits": frozenset({hit("RT", computed().units["A"], "targeting_computer")})}
    )
    assert codes(computed(), volley(AIMED)) == []
    for state, orders in (
        (broken, volley(AIMED)),
        (computed(), volley(shot("lt-machine-gun-1", aim="HD", computer=True))),
        (computed(), volley(shot("rt-medium-laser-1", aim="HD"))),
    ):
        assert ("/fire/shots/0", "shot-impossible") in codes(state, orders)


def test_new_parts_of_a_shot_stand_in_the_canonical_form() -> None:
    told = orders_json(volley(AIMED, flip_arms=True))["fire"]
    assert (told["flip_arms"], told["shots"][0]["computer"], told["shots"][0]["spotter"]) == (
        True,
        True,
        None,
    )
    assert parse_orders({"turn": 8, "fire": told}) == volley(AIMED, flip_arms=True)


# Indirect fire (BMR level 2; to_hit.yaml indirect_lrm).


def battery(**c: Any) -> State:
    """A and C against B: hills hide B from A's launcher, C stands beside B and sees it."""
    units = tuple(UnitSetup(side, side, "JVN-10N", 4, 5) for side in "ABC")
    terms = replace(setup(), units=units, teams={"A": "1", "C": "1", "B": "2"})
    state = begin(ENGINE, terms, bytes(32)).state
    state = ENGINE.evolve(ENGINE.evolve(state, ev.PhaseBegan(8, "movement")), ev.Asking(8, "fire"))
    launcher = fresh_unit("A", armed(RT=["lrm-15", "ammo lrm-15"]))
    state = replace(state, units={**state.units, "A": launcher, "B": fresh_unit("B", armed("AS7-D"))})
    return arrange(
        state,
        A={"position": HIDDEN[0], "facing": 3},
        B={"position": HIDDEN[1], "facing": 0},
        C={"position": HIDDEN[2], "facing": 0, **c},
    )


HIDDEN = ("0301", "0310", "0311")


INDIRECT = shot("rt-lrm-15-1", spotter="C")


def fought(state: State, *faces: int, c: Orders = NONE) -> list[Any]:
    assert ENGINE.check(state, "A", volley(INDIRECT)) == []
    dice = ScriptedDice(faces)
    events = ENGINE.decide(state, {"A": volley(INDIRECT), "B": NONE, "C": c}, dice)
    assert not isinstance(events, Asked)
    assert dice.left == ()
    return list(events)


def test_a_friend_spots_for_long_range_missiles() -> None:
    """+1, and what the spotter's movement adds to an attacker; the line is the spotter's."""
    events = fought(battery(moved=Moved("walk", 2, 2)), 4, 4, 3, 4, *(3, 4) * 2)
    (fired,) = only(events, ev.ShotResolved)
    assert [(item.value, item.reason) for item in fired.modifiers] == [
        (4, "gunnery skill"),
        (2, "medium range"),
        (1, "indirect fire"),
        (1, "spotter moved"),
    ]
    assert (fired.number, fired.hit, fired.spotter) == (8, True, "C")
    assert "observa" in log.describe(fired, "es")


def test_without_a_spotter_there_is_no_line() -> None:
    direct = codes(battery(), volley(shot("rt-lrm-15-1")))
    assert direct == [("/fire/shots/0", "shot-impossible")]
    told = offered(battery(), "rt-lrm-15-1")["targets"][0]
    assert (told["possible"], [one["spotter"] for one in told["indirect"]]) == (False, ["C"])
    assert told["indirect"][0]["number"] == 7


def test_a_spotter_that_attacks_spots_for_nobody() -> None:
    events = fought(battery(), 1, 2, c=volley(shot("rt-srm-6-1")))
    fired = {event.side: event for event in only(events, ev.ShotResolved)}
    assert fired["A"].impossible == "spotter attacks"
    assert (fired["A"].heat, fired["C"].impossible) == (0, "")


@pytest.mark.parametrize(
    ("facts", "order", "reason"),
    [
        ({}, {"spotter": "B"}, "spotter of another team"),
        ({}, {"spotter": "A"}, "nobody to spot"),
        ({}, {"spotter": "X"}, "nobody to spot"),
        ({"conscious": False}, {"spotter": "C"}, "spotter out of action"),
        ({"position": "0302"}, {"spotter": "C"}, "line of sight blocked by terrain"),
        ({}, {"spotter": "C", "weapon": "ct-srm-4-1"}, "only long-range missiles fire indirectly"),
        ({}, {"spotter": "C", "aim": "HD", "computer": True}, "no targeting computer for this weapon"),
    ],
)
def test_what_is_no_indirect_fire(facts: dict[str, Any], order: dict[str, Any], reason: str) -> None:
    found = ENGINE.check(battery(**facts), "A", volley({**INDIRECT, **order}))
    assert reason in " ".join(one.detail for one in found)


def test_a_target_in_sight_takes_no_indirect_fire() -> None:
    near = arrange(battery(), A={"position": "0305"})
    found = ENGINE.check(near, "A", volley(INDIRECT))
    assert "target in sight" in found[0].detail


def test_in_a_duel_there_is_nobody_to_spot() -> None:
    found = ENGINE.check(standoff(), "A", volley(shot("ra-ppc-1", spotter="B")))
    assert [(one.pointer, one.code) for one in found] == [("/fire/shots/0", "shot-impossible")]


def test_artemis_does_not_help_indirect_fire() -> None:
    """ART1: no sight to the target, no +2."""
    design = armed(RT=["lrm-15", "artemis-iv"], LT=["ammo lrm-15-artemis"])
    state = battery()
    state = replace(state, units={**state.units, "A": fresh_unit("A", design)})
    state = arrange(state, A={"position": HIDDEN[0], "facing": 3})
    (fired,) = only(fought(state, 4, 4, 3, 4, *(3, 4) * 2), ev.ShotResolved)
    assert (fired.missiles, fired.guide) == (9, "")


def test_legs_behind_cover_are_not_aimed_at() -> None:
    """A target in water of depth 1 is hit by the punch table, which has no legs."""
    state = arrange(computed(), A={"position": "0706", "facing": 3}, B={"position": "0708"})
    told = offered(state, "rt-medium-laser-1")["targets"][0]
    assert (told["possible"], told["table"]) == (True, "punch")
    found = ENGINE.check(state, "A", volley(AIMED))
    assert "aimed at legs behind cover" in found[0].detail
    assert codes(state, volley({**AIMED, "aim": "LT"})) == []
