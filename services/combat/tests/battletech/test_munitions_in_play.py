"""Special ammunition and level 3 rules in play: whole phases with given dice (R 4.5.2 to 4.6.6; D)."""

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, arrange
from volleys import armed, codes, offered, only, resolve, shot, standoff, volley

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import fire_events, ground_events, harm, heat_events
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import AmsOn
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import fresh_unit
from solaris_combat.engines.contract import OrdersInvalid

NOTHING = volley()
GUN, GUN_BINS = "ra-ac-10-1", ("lt-ac-10-ammo-1", "lt-ac-10-ammo-2")
TARGET = CATALOGUE["AS7-D"]
GUNNER = armed("AS7-D", RT=[], RA=["ac-10"], LT=["ammo ac-10", "ammo ac-10"])
PPC = armed("AS7-D", RT=[], RA=["ppc"])
LAUNCHER = armed("AS7-D", RT=[], RA=["lrm-15", "srm-6"], LT=["ammo lrm-15", "ammo srm-6"])
LRM, SRM = "ra-lrm-15-1", "ra-srm-6-1"
LRMS, SRMS = "lt-lrm-15-ammo-1", "lt-srm-6-ammo-1"


def class_5(state: State) -> State:
    """The same situation in Class 5."""
    return replace(state, terms=replace(state.terms, fight_class=5))


def gunner(span: int = 3, loads: tuple[str, str] = ("normal", "normal"), **facts: Any) -> State:
    """A gun with two bins of two rounds each."""
    belts = {name: (kind, kind) for name, kind in zip(GUN_BINS, loads, strict=True)}
    return class_5(standoff(span, a={"design": GUNNER, "belts": belts} | facts, b={"design": TARGET}))


def launcher(span: int, lrm: tuple[str, ...] = ("normal",), srm: tuple[str, ...] = ("normal",)) -> State:
    """Both launchers with these belts."""
    loaded = {"design": LAUNCHER, "belts": {LRMS: lrm, SRMS: srm}}
    return class_5(standoff(span, a=loaded, b={"design": TARGET}))


def fired(events: list[Any]) -> ev.ShotResolved:
    (found,) = only(events, ev.ShotResolved)
    return found


def test_rf2_a_natural_2_bursts_the_gun() -> None:
    """RF2: 10 inside at its location, gun destroyed, no wound, no other bin, automatic ejection fires."""
    state = gunner()
    state = replace(state, auto_eject={"A": True})
    twice = volley(shot(GUN, mode="double"))
    after, events = resolve(state, twice, NOTHING, 1, 1, 1, 1, 6, 6)
    (blast,) = only(events, harm.Explosion)
    assert (blast.item, blast.damage, blast.cause) == (GUN, 10, "double-rate")
    assert only(events, harm.WeaponLost)[0].item == GUN
    assert not only(events, harm.Wound)
    assert only(events, ev.PilotEjected)
    assert (fired(events).hit, fired(events).heat) == (False, 6)
    assert not only(events, fire_events.WeaponJammed)
    assert sum(map(len, after.units["A"].belts.values())) == 2


def test_rf2_a_miss_jams_and_a_hit_with_a_3_is_a_hit() -> None:
    """RF2, UAC2: jammed is another event than exploded; a natural 3 that reaches the number hits."""
    after, events = resolve(gunner(), volley(shot(GUN, mode="double")), NOTHING, 1, 2)
    assert [event.weapon for event in only(events, fire_events.WeaponJammed)] == [GUN]
    assert not only(events, harm.Explosion)
    assert codes(after, volley(shot(GUN)))[0][1] in ("fight-over", "shot-impossible")
    easy = gunner(gunnery=0)
    _, events = resolve(easy, volley(shot(GUN, mode="double")), NOTHING, 1, 2, 1, 1, 3, 4)
    assert fired(events).hit
    assert not only(events, fire_events.WeaponJammed)


def test_double_rate_is_fed_from_two_bins_and_the_higher_number_counts() -> None:
    """R 4.5.2, C-05, C18: rounds of two kinds in one volley, one roll."""
    state = gunner(loads=("normal", "heap"))
    mixed = shot(GUN, mode="double", bin=GUN_BINS[0], second_bin=GUN_BINS[1])
    told = ENGINE.preview(state, "A", volley(mixed))["fire"]["shots"][0]
    assert (told["number"], told["salvos"], told["heat"]) == (5, ["normal", "heap"], 6)
    after, events = resolve(state, volley(mixed), NOTHING, 6, 4, 4, 4, 3, 4, 3, 4, 1, 1, 6, 6)
    assert fired(events).salvos == ("normal", "heap")
    assert [len(belt) for belt in after.units["A"].belts.values()] == [1, 1]
    assert [check.modifier for check in only(events, harm.CriticalCheck)] == [-2]
    for wrong in ({"second_bin": GUN_BINS[1]}, {"mode": "double", "second_bin": "x"}):
        assert codes(state, volley(shot(GUN, **wrong)))
    assert codes(replace(state, terms=replace(state.terms, fight_class=3)), volley(mixed)) == [
        ("/fire/shots/0/mode", "mode-not-in-class")
    ]


def test_precision_rounds_and_heap_change_the_number() -> None:
    state = gunner(loads=("precision", "heap"))
    moved = replace(state.units["B"].moved, mode="run", hexes=5)
    state = replace(state, units={**state.units, "B": replace(state.units["B"], moved=moved)})
    told = offered(state, GUN)["targets"][0]
    assert told["by_bin"] == {GUN_BINS[0]: 4, GUN_BINS[1]: 7}
    assert {"value": -2, "reason": "Precision rounds", "rule": "R 4.6.6.9"} in told["modifiers"]


def test_df1_dead_fire_in_play() -> None:
    """DF1: three dice, the lowest two; hits times two in groups of five, the last one smaller."""
    state = launcher(5, lrm=("dead-fire",))
    locations = (3, 4) * 4
    _, events = resolve(state, volley(shot(LRM)), NOTHING, 6, 4, 6, 4, 2, *locations)
    assert (fired(events).missiles, fired(events).groups) == (9, (5, 5, 5, 3))
    assert [roll.faces for roll in fired(events).rolls] == [(6, 4), (6, 4, 2)]
    assert "6+4=10 / 6+4+2 (los dos más bajos: 6)" in ENGINE.describe(fired(events), "es")
    hot = launcher(3, lrm=("dead-fire hot",))
    told = offered(hot, LRM)["targets"][0]["modifiers"]
    assert [one["reason"] for one in told] == ["gunnery skill", "hot-loaded Dead-Fire"]
    far = arrange(launcher(5, lrm=("dead-fire",)), A={"position": "0401"}, B={"position": "0417"})
    assert ("/fire/shots/0", "shot-impossible") in codes(far, volley(shot(LRM)))


def test_a_hot_salvo_has_no_minimum_range_in_play() -> None:
    """RNG1, R 4.5.3: LRM at 1 hex +6, hot-loaded none; the next salvo of the belt is what counts."""
    cold = offered(launcher(2), LRM)["targets"][0]
    hot = offered(launcher(2, lrm=("normal hot", "normal")), LRM)["targets"][0]
    assert cold["number"] - hot["number"] == 5
    _, events = resolve(launcher(2, lrm=("normal hot",)), volley(shot(LRM)), NOTHING, 3, 3, 1, 1, 6, 3, 4)
    assert fired(events).missiles == 5


def test_rng2_a_ppc_without_its_inhibitor() -> None:
    """RNG2: no penalty, a second roll hit or miss; an explosion does 10 inside, all its slots are gone."""
    state = class_5(standoff(2, a={"design": PPC}, b={"design": TARGET}))
    ppc = "ra-ppc-1"
    mode = next(one for one in offered(state, ppc)["modes"] if one["mode"] == "inhibitor_off")
    assert offered(state, ppc)["targets"][0]["number"] - mode["numbers"][0]["number"] == 2
    off = volley(shot(ppc, mode="inhibitor_off"))
    _, events = resolve(state, off, NOTHING, 1, 2, 3, 3)
    (rolled,) = only(events, fire_events.FeedbackRolled)
    assert (rolled.number, rolled.safe) == (6, True)
    after, events = resolve(state, off, NOTHING, 1, 2, 2, 3, 1, 1)
    (blast,) = only(events, harm.Explosion)
    assert (blast.damage, blast.cause) == (10, "feedback")
    assert not only(events, harm.Wound)
    assert {number for place, number in after.units["A"].hits if place is Location.RA} >= {5, 6, 7}
    _, events = resolve(state, volley(shot(ppc)), NOTHING, 1, 2)
    assert not only(events, fire_events.FeedbackRolled)


def test_inf3_inferno_at_a_mech_burns_its_hex_hit_or_miss() -> None:
    """INF3: a miss on a 'Mech in the clear sets its hex on fire for this turn and three more."""
    after, events = resolve(launcher(3, srm=("inferno",)), volley(shot(SRM)), NOTHING, 1, 2)
    (lit,) = only(events, ground_events.FireLit)
    assert (lit.hex, lit.until, lit.cause) == ("0407", 11, "inferno")
    assert not only(events, fire_events.InfernoStuck)
    assert after.units["B"].inferno_until == 0


def test_inferno_that_hits_sticks_and_heats_from_this_turn_on() -> None:
    """D: +6 in this turn and the two next for one missile; no damage; hits add up in time."""
    state = launcher(3, srm=("inferno", "inferno"))
    after, events = resolve(state, volley(shot(SRM)), NOTHING, 6, 5, 1, 1)
    (stuck,) = only(events, fire_events.InfernoStuck)
    assert (stuck.side, stuck.missiles, stuck.until) == ("B", 2, 13)
    assert (fired(events).groups, after.units["B"].inferno_until) == ((), 13)
    heated = next(one for one in only(events, heat_events.HeatApplied) if one.side == "B")
    assert [(item.value, item.reason) for item in heated.items] == [(6, "inferno")]


def test_inferno_is_washed_off_in_water() -> None:
    """D, C-38: prone in depth 1 the +6 ends and the surface burns."""
    state = launcher(3)
    burning = {**state.units, "B": replace(state.units["B"], inferno_until=20, prone=True)}
    wet = next((h for h in state.board.hexes() if state.board.depths[state.board.index(h)] == 1), None)
    if wet is None:
        pytest.skip("no water of depth 1 in this arena")
    burning["B"] = replace(burning["B"], position=wet)
    after, events = resolve(replace(state, units=burning), NOTHING, NOTHING)
    assert [event.side for event in only(events, fire_events.InfernoWashedOff)] == ["B"]
    assert after.units["B"].inferno_until == 0
    heated = next(one for one in only(events, heat_events.HeatApplied) if one.side == "B")
    assert heated.items == ()


def test_heat_seeking_missiles_ask_for_the_targets_heat() -> None:
    """R 4.6.6.7, tables 2.5."""
    numbers = {}
    for heat in (0, 3, 12, 30):
        state = launcher(3, srm=("heat-seeking",))
        hot = replace(state.units["B"], heat=heat)
        numbers[heat] = offered(replace(state, units={**state.units, "B": hot}), SRM)["targets"][0]["number"]
    assert [numbers[heat] - numbers[3] for heat in (0, 3, 12, 30)] == [1, 0, -2, -5]


def test_rf4_tandem_charges_in_play() -> None:
    """RF4: each missile that hits takes one of armour and one of structure."""
    state = launcher(3, srm=("tandem-charge",))
    before = state.units["B"]
    after, events = resolve(state, volley(shot(SRM)), NOTHING, 6, 5, 1, 1, 3, 4, 3, 4)
    steps = only(events, harm.DamageStep)
    assert [(step.location, step.armor, step.structure) for step in steps] == [(Location.CT, 1, 1)] * 2
    assert after.units["B"].structure[Location.CT] == before.structure[Location.CT] - 2
    assert not only(events, harm.CriticalCheck)


def test_hot3_a_loadout_is_locked_after_the_start() -> None:
    """HOT3: nothing can be loaded any more once the fight has begun."""
    state = launcher(3)
    late = ENGINE.parse_orders({"turn": 8, "initial": {"bins": {LRMS: ["normal hot"]}}, "fire": {}})
    assert codes(state, late) == [("/initial", "loadout-locked")]
    again = ENGINE.parse_orders({"turn": 0, "initial": {}})
    assert codes(state, again) == [("/initial", "loadout-locked")]


def test_the_text_of_two_bins_is_read_back() -> None:
    data = {"turn": 8, "fire": {"shots": [shot(GUN, mode="double", bin=GUN_BINS[0], second_bin=GUN_BINS[1])]}}
    canonical = ENGINE.orders_json(ENGINE.parse_orders(data))
    assert canonical["fire"]["shots"][0]["second_bin"] == GUN_BINS[1]
    with pytest.raises(OrdersInvalid):
        ENGINE.parse_orders({"turn": 8, "fire": {"shots": [shot(GUN, second_bin=3)]}})


def test_inf5_missiles_that_are_shot_down_burn_nothing() -> None:
    """INF5: all shot down, no heat and no fire; of those left each counts."""
    system = AmsOn("hd-ams-1")
    design = armed("AS7-D", HD=["ams"], RL=["ammo ams"])
    for down, burning in ((6, False), (1, True)):
        state = launcher(3, srm=("inferno",))
        target = fresh_unit("B", design)
        belts = {name: belt[:12] for name, belt in target.belts.items()}
        placed = replace(target, position=state.units["B"].position, facing=0, belts=belts)
        state = ENGINE.evolve(
            replace(state, units={**state.units, "B": placed}), fire_events.AmsSet(8, "B", (system,))
        )
        _, events = resolve(state, volley(shot(SRM)), NOTHING, 6, 5, 1, 1, down)
        assert bool(only(events, ground_events.FireLit)) == burning
        assert [one.missiles for one in only(events, fire_events.InfernoStuck)] == ([1] if burning else [])


def test_inf3_at_a_hex_only_a_hit_burns_it() -> None:
    """INF3: a miss on a hex lights nothing; a hit burns it for three turns after this one."""
    state = launcher(3, srm=("inferno",))
    at_hex = {"weapon": SRM, "hex": "0405", "intent": "ignite"}
    _, events = resolve(state, volley(at_hex), NOTHING, 1, 1)
    assert not only(events, ground_events.FireLit)
    _, events = resolve(state, volley(at_hex), NOTHING, 6, 5, 1, 1)
    assert [(one.hex, one.until) for one in only(events, ground_events.FireLit)] == [("0405", 11)]
