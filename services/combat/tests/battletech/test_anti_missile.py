"""Anti-missile systems: switched on the turn before, fired at one salvo, paid for by the die (D)."""

from typing import Any

import msgspec
import pytest
from duels import ENGINE, arrange, begin, setup
from volleys import armed, codes, hit, only, resolve, shot, standoff, volley

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import fire_events, heat_events, log
from solaris_combat.engines.battletech.anti_missile import (
    DICE,
    HEAT,
    ROUNDS_PER_TURN,
    SIDES,
    covers,
    shoot_down,
    systems,
)
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import AmsOn, Orders, orders_json, parse_orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import fresh_unit
from solaris_combat.engines.contract import Asked
from solaris_combat.engines.dice import ScriptedDice

NONE = volley()
LRM = shot("rt-lrm-15-1")
SRM = shot("lt-srm-6-1")
STREAK = shot("lt-streak-srm-2-1")
CENTRE = (3, 4)


def attacker(left: str = "srm-6") -> dict[str, Any]:
    return {"design": armed(RT=["lrm-15", "ammo lrm-15"], LT=[left, f"ammo {left}"])}


def carrier(*places: str, rounds: int = 12, **facts: Any) -> dict[str, Any]:
    """An Atlas with a system in each place, all its rounds in the right leg."""
    design = armed("AS7-D", **{place: ["ams"] for place in places}, RL=["ammo ams"])
    belts = dict(fresh_unit("B", design).belts) | {"rl-ams-ammo-1": ("normal",) * rounds}
    return {"design": design, "belts": belts, **facts}


def facing(*on: AmsOn, b: dict[str, Any], a: dict[str, Any] | None = None, span: int = 7) -> State:
    """A Panther with launchers fires at an Atlas whose systems are set so for this turn."""
    state = standoff(span, a=a or attacker(), b=b)
    return ENGINE.evolve(state, fire_events.AmsSet(8, "B", on))


HEAD = AmsOn("hd-ams-1")


def test_the_figures() -> None:
    """D, T-11, T-42, G5 to G7: one die is what is shot down and what is used."""
    assert (DICE, SIDES, HEAT, ROUNDS_PER_TURN) == (1, 6, 1, 6)
    assert shoot_down(2, [5], 12) == (down := shoot_down(2, (5,), 12))
    assert (down.fires, down.missiles_left, down.heat, down.rounds_spent, down.rounds_after) == (
        1,
        0,
        1,
        5,
        7,
    )
    last = shoot_down(12, [6, 4], 2)
    assert (last.fires, last.missiles_left, last.heat, last.rounds_spent, last.rounds_after) == (
        2,
        2,
        2,
        2,
        0,
    )
    assert shoot_down(9, [6], 0).missiles_left == 9
    assert shoot_down(0, [4], 12, fired_at=False).fires == 0


def test_missiles_shot_down_do_no_harm_and_cost_rounds_and_heat() -> None:
    """AMS1, G5: die 4 against 9 missiles: five arrive; four rounds, one heat."""
    state = facing(HEAD, b=carrier("HD"))
    after, events = resolve(state, volley(LRM), NONE, 3, 3, 3, 4, 4, *CENTRE)
    (fired,) = only(events, ev.ShotResolved)
    (ams,) = only(events, fire_events.AmsFired)
    assert (fired.missiles, fired.shot_down, fired.groups) == (9, 4, (5,))
    assert (ams.side, ams.ams, ams.launcher, ams.shot_down, ams.heat) == (
        "B",
        "hd-ams-1",
        "rt-lrm-15-1",
        4,
        1,
    )
    assert dict(ams.rounds) == {"rl-ams-ammo-1": 4}
    assert after.units["B"].shots["rl-ams-ammo-1"] == 8
    heated = next(event for event in only(events, heat_events.HeatApplied) if event.side == "B")
    assert [(item.value, item.reason) for item in heated.items] == [(1, "ams")]


def test_a_salvo_that_misses_is_shot_at_all_the_same() -> None:
    """D, C-26: it heats and uses its die, with nothing to shoot down."""
    after, events = resolve(facing(HEAD, b=carrier("HD")), volley(LRM), NONE, 1, 2, 5)
    (ams,) = only(events, fire_events.AmsFired)
    assert (ams.shot_down, ams.heat, after.units["B"].shots["rl-ams-ammo-1"]) == (0, 1, 7)


def test_a_streak_without_a_lock_is_not_shot_at_and_no_other_salvo_either() -> None:
    """G6, T-42."""
    on = AmsOn("hd-ams-1", "lt-streak-srm-2-1")
    state = facing(on, b=carrier("HD"), a=attacker("streak-srm-2"))
    after, events = resolve(state, volley(STREAK, LRM), NONE, 1, 2, 3, 3, 3, 4, *CENTRE, *CENTRE)
    assert not only(events, fire_events.AmsFired)
    assert only(events, fire_events.AmsAimed)[0].named
    assert after.units["B"].shots["rl-ams-ammo-1"] == 12
    assert not next(event for event in only(events, heat_events.HeatApplied) if event.side == "B").items


def test_a_streak_with_a_lock_is_thinned() -> None:
    state = facing(HEAD, b=carrier("HD"), a=attacker("streak-srm-2"))
    _, events = resolve(state, volley(STREAK), NONE, 6, 6, 1, *CENTRE)
    (fired,) = only(events, ev.ShotResolved)
    assert (fired.missiles, fired.shot_down, fired.groups) == (2, 1, (2,))


def test_the_launcher_named_is_the_one_shot_at() -> None:
    """AMS4: as ordered, whatever else is fired."""
    state = facing(AmsOn("hd-ams-1", "lt-srm-6-1", "A"), b=carrier("HD"))
    _, events = resolve(state, volley(LRM, SRM), NONE, 1, 2, 1, 2, 3)
    assert [(event.launcher, event.named) for event in only(events, fire_events.AmsAimed)] == [
        ("lt-srm-6-1", True)
    ]
    assert only(events, fire_events.AmsFired)[0].launcher == "lt-srm-6-1"


def test_a_side_named_alone_leaves_the_launcher_to_the_lot() -> None:
    """AMS4: of its salvoes only; another side's come through where the named one fires any."""
    both = volley(LRM, SRM)
    state = facing(AmsOn("hd-ams-1", None, "A"), b=carrier("HD"))
    _, events = resolve(state, both, NONE, 2, 1, 2, 1, 2, 3)
    (aimed,) = only(events, fire_events.AmsAimed)
    assert (aimed.by, aimed.launcher, aimed.named, len(aimed.rolls)) == ("A", "lt-srm-6-1", True, 1)


def test_without_a_name_or_when_the_named_one_is_silent_the_lot_decides() -> None:
    """AMS4: fired only others: by lot and logged; a single other needs no lot."""
    both = volley(LRM, SRM)
    _, events = resolve(facing(HEAD, b=carrier("HD")), both, NONE, 2, 1, 2, 1, 2, 3)
    (aimed,) = only(events, fire_events.AmsAimed)
    assert (aimed.launcher, aimed.named, [roll.sides for roll in aimed.rolls]) == ("lt-srm-6-1", False, [2])
    silent = facing(AmsOn("hd-ams-1", "lt-srm-6-1"), b=carrier("HD"))
    _, events = resolve(silent, volley(LRM), NONE, 1, 2, 6)
    (aimed,) = only(events, fire_events.AmsAimed)
    assert (aimed.launcher, aimed.named, aimed.rolls) == ("rt-lrm-15-1", False, ())
    assert "única" in log.describe(aimed, "es")


def test_no_missiles_no_fire() -> None:
    """AMS4: nothing is used when the rival fires no launcher."""
    state = facing(HEAD, b=carrier("HD"), a={"design": armed()})
    after, events = resolve(state, volley(shot("ra-ppc-1")), NONE, 1, 2)
    assert not only(events, fire_events.AmsAimed)
    assert after.units["B"].shots["rl-ams-ammo-1"] == 12


def test_a_salvo_out_of_range_is_not_shot_at() -> None:
    state = facing(HEAD, b=carrier("HD"), span=12)
    assert ("/fire/shots/0", "shot-impossible") in codes(state, volley(SRM))


def test_several_systems_may_shoot_at_one_salvo_and_the_second_wastes_its_die() -> None:
    """G5.2: all missiles are down after the first; the second heats and uses rounds as usual."""
    state = facing(HEAD, AmsOn("lt-ams-1"), b=carrier("HD", "LT"))
    after, events = resolve(state, volley(LRM), NONE, 3, 3, 1, 1, 5, 3)
    first, second = only(events, fire_events.AmsFired)
    assert (first.shot_down, second.shot_down) == (5, 0)
    assert only(events, ev.ShotResolved)[0].groups == ()
    assert after.units["B"].shots["rl-ams-ammo-1"] == 4


def test_with_one_round_left_every_system_fires_in_full() -> None:
    """G7: six missiles down, the bins are empty from the end of the turn."""
    state = facing(HEAD, AmsOn("lt-ams-1"), b=carrier("HD", "LT", rounds=2))
    after, events = resolve(state, volley(LRM), NONE, 3, 3, 6, 5, 6, 4, *CENTRE)
    first, second = only(events, fire_events.AmsFired)
    assert (first.shot_down, second.shot_down) == (6, 4)
    assert (dict(first.rounds), dict(second.rounds)) == ({"rl-ams-ammo-1": 2}, {})
    assert after.units["B"].shots["rl-ams-ammo-1"] == 0
    empty = facing(HEAD, b=carrier("HD", rounds=0))
    _, events = resolve(empty, volley(LRM), NONE, 1, 2)
    assert not only(events, fire_events.AmsAimed)


@pytest.mark.parametrize("facts", [{"shutdown": True}, {"hits": "HD"}], ids=["no power", "hit"])
def test_a_system_without_power_or_hit_does_not_fire(facts: dict[str, Any]) -> None:
    state = facing(HEAD, b=carrier("HD"))
    if "hits" in facts:
        facts = {"hits": frozenset({hit("HD", state.units["B"], "hd-ams-1")})}
    state = arrange(state, B={**facts, "heat": 0})
    _, events = resolve(state, volley(LRM), NONE, 1, 1)
    assert not only(events, fire_events.AmsAimed)


def test_a_beacon_is_shot_down_whole() -> None:
    a = {"design": armed(RT=["narc", "ammo narc"])}
    state = facing(HEAD, b=carrier("HD"), a=a, span=3)
    after, events = resolve(state, volley(shot("rt-narc-1")), NONE, 6, 6, 1)
    assert only(events, fire_events.AmsFired)[0].shot_down == 1
    assert not only(events, fire_events.BeaconAttached)
    assert after.units["B"].beacons == {}


@pytest.mark.parametrize(
    ("place", "twist", "reaches"),
    [
        ("CT", 0, False),
        ("CT", 1, False),
        ("RA", 0, False),
        ("RA", 1, True),
        ("RA", -1, False),
        ("LA", -1, True),
    ],
)
def test_arcs_are_those_of_any_weapon(place: str, twist: int, reaches: bool) -> None:
    """ARC2, AMS2, T-46f: a torso system never reaches the rear, an arm twisted to that side does."""
    gear = systems(standoff(b=carrier("HD")).units["B"])[0]
    unit = arrange(standoff(1), B={"facing": 3, "twist": twist}).units["B"]
    moved = type(gear)("ams", "ams", Location(place))
    assert covers(unit, moved, standoff(1).units["A"].hex) is reaches


def test_an_arm_system_shoots_at_a_salvo_from_behind_which_still_strikes_the_rear() -> None:
    """ARC2: hit arcs do not follow the torso."""
    state = facing(AmsOn("ra-ams-1"), b=carrier("RA", facing=3))
    _, events = resolve(state, volley(LRM), volley(twist=1), 3, 3, 3, 4, 4, *CENTRE)
    assert only(events, fire_events.AmsFired)[0].shot_down == 4
    assert only(events, ev.ShotResolved)[0].struck_side == "rear"


def test_a_limb_whose_system_fired_does_not_strike() -> None:
    """D, C-39: a system in an arm that fired bars that arm's punch; the other arm's stands."""
    state = facing(AmsOn("ra-ams-1"), b=carrier("RA"), span=1)
    state = arrange(state, A={"position": "0204"}, B={"position": "0205"})
    blows = [{"attack": "punch", "limb": limb, "target": "A"} for limb in ("RA", "LA")]
    _, events = resolve(state, volley(SRM), volley(physical=blows), 1, 2, 3, 1, 1)
    struck = {event.limb: event for event in only(events, ev.PhysicalResolved)}
    assert struck["RA"].impossible
    assert not struck["LA"].impossible


# Switching on and off.


def initial(**fields: Any) -> Orders:
    return ENGINE.parse_orders({"turn": 0, "initial": fields})


def opened(**fields: Any) -> State:
    state = begin(ENGINE, setup("LCT-3M", "JVN-10N"), bytes(32)).state
    orders = {"A": initial(**fields), "B": initial()}
    assert ENGINE.check(state, "A", orders["A"]) == []
    events = ENGINE.decide(state, orders, ScriptedDice([1, 2, *(1,) * 8]))
    assert not isinstance(events, Asked)
    for event in events:
        state = ENGINE.evolve(state, event)
    return state


def test_every_system_is_on_in_turn_1_unless_declared_off() -> None:
    (name,) = [gear.id for gear in systems(opened().units["A"])]
    assert opened().ams["A"] == (AmsOn(name),)
    assert opened(ams=[]).ams["A"] == ()
    named = opened(ams=[{"ams": name, "launcher": "rt-srm-6-1", "side": "B"}])
    assert named.ams["A"] == (AmsOn(name, "rt-srm-6-1", "B"),)
    assert "B" not in opened().ams
    assert opened().units["A"].shots[next(iter(opened().units["A"].shots))] == 12


def test_later_a_system_is_off_unless_ticked_the_turn_before() -> None:
    """AMS5: the order of a turn sets the next one, and the preview warns of what it leaves off."""
    state = standoff(kind="fire_and_movement", turn=2, b=carrier("HD"))
    state = ENGINE.evolve(state, fire_events.AmsSet(2, "B", (HEAD,)))
    still = {"movement": {"mode": "stand"}}
    on = ENGINE.parse_orders({"turn": 2, "fire": {"ams": [{"ams": "hd-ams-1"}]}, **still})
    off = ENGINE.parse_orders({"turn": 2, "fire": {}, **still})
    assert ENGINE.preview(state, "B", off)["fire"]["ams_off_next_turn"] == ["hd-ams-1"]
    assert ENGINE.preview(state, "B", on)["fire"]["ams_off_next_turn"] == []
    after, events = resolve(state, off, on)
    assert after.ams["B"] == (HEAD,)
    assert [event.turn for event in only(events, fire_events.AmsSet)] == [3]
    after, _ = resolve(state, off, off)
    assert after.ams["B"] == ()


def test_what_a_side_has_on_shows_to_itself_alone() -> None:
    state = facing(AmsOn("hd-ams-1", "lt-srm-6-1"), b=carrier("HD"))
    assert ENGINE.view(state, "B")["own"]["ams"] == [{"ams": "hd-ams-1", "launcher": "lt-srm-6-1"}]
    for viewer in ("A", None):
        assert b"hd-ams-1" not in msgspec.json.encode(ENGINE.view(state, viewer) | {"sides": None})
    assert "ams-set" not in ENGINE.publish_names
    assert {"ams-aimed", "ams-fired"} <= set(ENGINE.publish_names)
    assert log.describe(fire_events.AmsSet(3, "B", (HEAD,)), "es") == ""
    offered = ENGINE.options(state, "B")["fire"]["ams"]
    assert offered["rounds"] == 12
    assert [(one["ams"], one["on"], one["works"]) for one in offered["systems"]] == [("hd-ams-1", True, True)]
    assert offered["launchers"] == {"A": ["ct-srm-4-1", "rt-lrm-15-1", "lt-srm-6-1"]}
    assert "ams" not in ENGINE.options(state, "A")["fire"]
    gear = ENGINE.view(state, None)["sides"]["B"]["gear"]
    assert gear == [{"id": "hd-ams-1", "equipment": "ams", "location": "HD", "works": True}]
    assert [one["equipment"] for one in ENGINE.models["LCT-3M"]["gear"] if one["equipment"] != "case"] == [
        "ams"
    ]


@pytest.mark.parametrize(
    ("ams", "place", "code"),
    [
        ({"ams": "x"}, "/fire/ams/0/ams", "unknown-ams"),
        ({"ams": "hd-ams-1", "launcher": "x"}, "/fire/ams/0/launcher", "unknown-launcher"),
        ({"ams": "hd-ams-1", "launcher": "ra-ppc-1"}, "/fire/ams/0/launcher", "unknown-launcher"),
        ({"ams": "hd-ams-1", "side": "B"}, "/fire/ams/0/side", "unknown-target"),
        ({"ams": "hd-ams-1", "launcher": "rt-lrm-15-1", "side": "A"}, None, None),
    ],
)
def test_what_may_be_switched_on(ams: dict[str, Any], place: str | None, code: str | None) -> None:
    state = facing(HEAD, b=carrier("HD"))
    found = codes(state, volley(ams=[ams]), "B")
    assert (place, code) in found if place else found == []


def test_a_system_is_named_once_and_by_somebody_awake() -> None:
    state = facing(HEAD, b=carrier("HD"))
    twice = volley(ams=[{"ams": "hd-ams-1"}, {"ams": "hd-ams-1"}])
    assert codes(state, twice, "B") == [("/fire/ams/1/ams", "ams-twice")]
    asleep = arrange(state, B={"conscious": False})
    assert ("/fire/ams", "out-of-action") in codes(asleep, volley(ams=[{"ams": "hd-ams-1"}]), "B")


def test_the_setting_stands_in_the_canonical_form_of_orders() -> None:
    orders = volley(ams=[{"ams": "hd-ams-1"}])
    assert orders_json(orders)["fire"]["ams"] == [{"ams": "hd-ams-1", "launcher": None, "side": None}]
    assert parse_orders(orders_json(orders)) == orders
    assert orders_json(initial())["initial"]["ams"] is None
    assert orders_json(initial(ams=[]))["initial"]["ams"] == []
