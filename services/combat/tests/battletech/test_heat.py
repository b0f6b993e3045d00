"""Heat, worked out by hand from the heat scale."""

from dataclasses import replace

from sheets import dice, unit

from solaris_combat.engines.battletech.ammunition import explosive_bins, usable_bins, worst_bin
from solaris_combat.engines.battletech.heat import (
    ammunition_number,
    apply_heat,
    apply_reactor,
    check_ammunition,
    check_reactor,
    engine_heat,
    explode_by_heat,
    heat_capacity,
    heat_wounds,
    movement_heat,
    settle_heat,
    shutdown_number,
)
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.mobility import jump_mp, run_mp, walk_mp
from solaris_combat.engines.battletech.unit import Moved


def test_heat_of_movement() -> None:
    assert [sum(i.value for i in movement_heat(Moved(m, 0, 0))) for m in ("stand", "walk", "run")] == [
        0,
        1,
        2,
    ]
    assert [sum(i.value for i in movement_heat(Moved("jump", n, n))) for n in (1, 3, 4, 6)] == [3, 3, 4, 6]
    assert sum(i.value for i in movement_heat(Moved("walk", 0, 4, attempts=2))) == 3


def test_engine_hits_heat_unless_shut_down() -> None:
    made = unit(hits=(("CT", "engine"), ("CT", "engine")))
    assert [item.value for item in engine_heat(made)] == [10]
    assert engine_heat(replace(made, shutdown=True)) == ()
    assert [item.value for item in engine_heat(unit(hits=(("CT", "engine"),)))] == [5]


def test_sinks_hit_or_lost_with_their_location() -> None:
    """Panther: 13 sinks; those with slots stand in the torsos and legs."""
    assert heat_capacity(unit()) == 13
    place = next(loc for loc in Location if any(s.kind == "heat_sink" for s in unit().design.slots[loc]))
    assert heat_capacity(unit(hits=((str(place), "heat_sink"),))) == 12
    double = replace(unit(), design=replace(unit().design, double_heat_sinks=True))
    assert heat_capacity(double) == 26


def test_water_cools_by_the_sinks_in_it_up_to_six() -> None:
    assert heat_capacity(unit(), depth=2) == 13 + 6
    assert heat_capacity(replace(unit(), prone=True), depth=1) == 13 + 6
    in_legs = sum(
        slot.kind == "heat_sink" for leg in (Location.RL, Location.LL) for slot in unit().design.slots[leg]
    )
    assert heat_capacity(unit(), depth=1) == 13 + in_legs
    hunchback = unit("HBK-4G")
    legs = sum(
        s.kind == "heat_sink" for leg in (Location.RL, Location.LL) for s in hunchback.design.slots[leg]
    )
    assert legs > 0
    assert heat_capacity(hunchback, depth=1) == hunchback.design.heat_sinks + legs


def test_heat_comes_in_and_the_sinks_take_what_they_can() -> None:
    settled = settle_heat(replace(unit(), heat=4, heat_built=12), movement_heat(Moved("run", 6, 6)))
    assert (settled.before, settled.capacity, settled.after) == (4, 13, 5)
    assert apply_heat(unit(heat=4, heat_built=12), settled).heat_built == 0
    assert settle_heat(unit(heat=3), ()).after == 0


def test_shutdown_numbers() -> None:
    found = [shutdown_number(heat) for heat in (0, 13, 14, 17, 18, 21, 22, 25, 26, 29)]
    assert found == [None, None, 4, 4, 6, 6, 8, 8, 10, 10]


def test_shutdown_rolls() -> None:
    assert check_reactor(unit(heat=13), dice()) is None
    held = check_reactor(unit(heat=18), dice(3, 3))
    assert (held.number, held.running) == (6, True)
    failed = check_reactor(unit(heat=18), dice(2, 3))
    assert not failed.running
    down = apply_reactor(unit(heat=18), failed)
    assert (down.shutdown, down.causes) == (True, ("reactor_shutdown",))
    assert check_reactor(unit(heat=30), dice()).running is False
    assert check_reactor(unit(heat=29), dice(5, 5)).running


def test_restart() -> None:
    assert check_reactor(unit(heat=13, shutdown=True), dice()).running
    again = check_reactor(unit(heat=14, shutdown=True), dice(2, 2))
    assert (again.kind, again.number, again.running) == ("restart", 4, True)
    cold = check_reactor(unit(heat=31, shutdown=True), dice())
    assert (cold.number, cold.running) == (None, False)
    assert apply_reactor(unit(heat=31, shutdown=True), cold).causes == ()


def test_ammunition_numbers_and_rolls() -> None:
    assert [ammunition_number(heat) for heat in (18, 19, 22, 23, 27, 28, 40)] == [None, 4, 4, 6, 6, 8, 8]
    assert check_ammunition(unit(heat=18), dice()) is None
    assert check_ammunition(unit("WLF-1", heat=28), dice()) is None
    assert check_ammunition(unit(heat=19), dice(2, 2)).success
    assert not check_ammunition(unit(heat=19), dice(1, 2)).success


def test_heat_sets_off_the_worst_bin() -> None:
    """Centurion: the AC/10's and the LRM 10's rounds do 10 each; more rounds in the LRM bin."""
    assert worst_bin(unit("CN9-A")).id == "lt-lrm-10-ammo-1"
    assert (
        worst_bin(unit("CN9-A", belts={**unit("CN9-A").belts, "lt-lrm-10-ammo-1": ("normal",)})).id
        == "lt-lrm-10-ammo-2"
    )
    assert worst_bin(unit("WLF-1")) is None
    harm = explode_by_heat(unit(heat=30, belts={"lt-srm-4-ammo-1": ("normal",) * 1}), dice())
    assert harm.facts[0].cause == "heat"


def test_bins_that_can_feed_a_weapon() -> None:
    made = unit("CN9-A")
    assert [ammo.id for ammo in usable_bins(made, "ac-10")] == ["rt-ac-10-ammo-1", "rt-ac-10-ammo-2"]
    spent = replace(made, belts={**made.belts, "rt-ac-10-ammo-1": ()})
    assert [ammo.id for ammo in usable_bins(spent, "ac-10")] == ["rt-ac-10-ammo-2"]
    hit = unit("CN9-A", hits=(("RT", "ammo"),))
    assert [ammo.id for ammo in usable_bins(hit, "ac-10")] == ["rt-ac-10-ammo-2"]
    assert len(explosive_bins(hit)) == 3


def test_life_support_and_heat() -> None:
    hurt = unit(hits=(("HD", "life_support"),))
    wounds = {heat: heat_wounds(replace(hurt, heat=heat)).unit.pilot_hits for heat in (14, 15, 24, 25, 40)}
    assert wounds == {14: 0, 15: 1, 24: 1, 25: 2, 40: 2}
    assert heat_wounds(unit(heat=30)).facts == ()


def test_heat_and_legs_slow_down() -> None:
    """Javelin: walks 6, jumps 6."""
    javelin = unit("JVN-10N")
    assert [walk_mp(replace(javelin, heat=heat)) for heat in (0, 4, 5, 10, 15, 20, 25, 30)] == [
        6,
        6,
        5,
        4,
        3,
        2,
        1,
        0,
    ]
    assert run_mp(javelin) == 9
    assert run_mp(replace(javelin, heat=5)) == 8
    assert jump_mp(replace(javelin, heat=25)) == 6
    assert walk_mp(unit("JVN-10N", hits=(("RL", "foot"), ("LL", "upper_leg")))) == 4
    assert walk_mp(unit("JVN-10N", hits=(("RL", "hip"), ("RL", "foot")))) == 3
    assert walk_mp(unit("JVN-10N", hits=(("RL", "hip"), ("LL", "hip")))) == 0
    assert walk_mp(replace(javelin, structure={**javelin.structure, Location.RL: 0})) == 1
    jet = next(loc for loc in Location if any(s.kind == "jump_jet" for s in javelin.design.slots[loc]))
    assert jump_mp(unit("JVN-10N", hits=((str(jet), "jump_jet"),))) == 5
