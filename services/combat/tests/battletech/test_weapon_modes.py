"""Ways of firing other than the usual one: Ultra autocannon, flamers for heat, big racks of missiles."""

import pytest
from duels import ENGINE
from volleys import armed, codes, offered, only, resolve, shot, standoff, volley

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech import fire_events, heat_events
from solaris_combat.engines.battletech.cluster_hits import columns, hits
from solaris_combat.engines.battletech.orders import orders_json, parse_orders
from solaris_combat.engines.battletech.shooting import JAMS_ON, SHELLS, TARGET_HEAT, heat_of, rounds_of
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.weapons import WEAPONS

NONE = volley()
ULTRA = shot("rt-ultra-ac-5-1", mode="double")


def ultra(rounds: int = 8) -> State:
    """A Panther with an Ultra AC/5 and two bins, at 3 hexes: gunnery 4, nobody has moved, needs 4."""
    design = armed(RT=["ultra-ac-5"], LT=["ammo ultra-ac-5", "ammo ultra-ac-5"])
    belts = {"lt-ultra-ac-5-ammo-1": ("normal",), "lt-ultra-ac-5-ammo-2": ("normal",) * (rounds - 1)}
    return standoff(a={"design": design, "belts": belts})


def left(state: State) -> dict[str, int]:
    return dict(state.units["A"].shots)


def test_double_rate_takes_two_rounds_and_twice_the_heat_for_one_roll() -> None:
    """BMR, Ultra autocannon: column 2 says how many shells hit, each strikes on its own."""
    after, events = resolve(ultra(), volley(ULTRA), NONE, 3, 3, 4, 4, 3, 4, 1, 2)
    (fired,) = only(events, ev.ShotResolved)
    assert (fired.number, fired.hit, fired.missiles, fired.groups, fired.heat) == (4, True, 2, (5, 5), 2)
    assert fired.mode == "double"
    assert left(after) == {"lt-ultra-ac-5-ammo-1": 0, "lt-ultra-ac-5-ammo-2": 6}
    (declared, _) = only(events, ev.FireDeclared)
    assert (declared.shots[0].bin, declared.shots[0].second_bin) == (
        "lt-ultra-ac-5-ammo-1",
        "lt-ultra-ac-5-ammo-2",
    )
    assert not only(events, fire_events.WeaponJammed)


@pytest.mark.parametrize(
    ("bins", "blamed"),
    [
        ({"second_bin": "misspelt"}, "/fire/shots/0/second_bin"),
        ({"bin": "lt-ultra-ac-5-ammo-2", "second_bin": "misspelt"}, "/fire/shots/0/second_bin"),
        ({"bin": "lt-ultra-ac-5-ammo-1", "second_bin": "lt-ultra-ac-5-ammo-1"}, "/fire/shots/0/second_bin"),
        ({"bin": "misspelt", "second_bin": "lt-ultra-ac-5-ammo-2"}, "/fire/shots/0/bin"),
        ({"bin": "lt-ultra-ac-5-ammo-1", "second_bin": "lt-ultra-ac-5-ammo-2"}, None),
    ],
)
def test_the_bin_that_does_not_serve_is_named(bins: dict[str, str], blamed: str | None) -> None:
    """The first bin holds one round: the second of two must come from elsewhere."""
    found = codes(ultra(), volley(ULTRA | bins))
    assert found == ([(blamed, "no-ammunition")] if blamed else [])


def test_one_shell_of_two_hits_on_seven_and_below() -> None:
    _, events = resolve(ultra(), volley(ULTRA), NONE, 3, 3, 3, 4, 3, 4)
    (fired,) = only(events, ev.ShotResolved)
    assert (fired.missiles, fired.groups) == (1, (5,))


def test_single_rate_takes_one_round_and_no_cluster_roll() -> None:
    after, events = resolve(ultra(), volley(shot("rt-ultra-ac-5-1")), NONE, 3, 3, 3, 4)
    (fired,) = only(events, ev.ShotResolved)
    assert (fired.groups, fired.heat, fired.missiles, fired.mode) == ((5,), 1, None, "")
    assert sum(left(after).values()) == 7


def test_a_2_jams_an_ultra_autocannon_for_the_fight() -> None:
    """UAC2: a jam is an event of its own, no explosion; the gun fires no more, the rounds are spent."""
    after, events = resolve(ultra(), volley(ULTRA), NONE, 1, 1)
    assert [(event.side, event.weapon) for event in only(events, fire_events.WeaponJammed)] == [
        ("A", "rt-ultra-ac-5-1")
    ]
    assert ENGINE.event_types["weapon-jammed"] is not ENGINE.event_types["ammo-exploded"]
    assert sum(left(after).values()) == 6
    assert only(events, ev.ShotResolved)[0].heat == 2
    again = ENGINE.evolve(after, ev.Asking(8, "fire"))
    assert codes(again, volley(shot("rt-ultra-ac-5-1"))) == [("/fire/shots/0", "shot-impossible")]
    weapon = offered(again, "rt-ultra-ac-5-1")
    assert weapon["targets"][0]["reason"] == "weapon jammed"
    shown = ENGINE.view(after, None)["sides"]["A"]["weapons"]
    gun = next(one for one in shown if one["id"] == "rt-ultra-ac-5-1")
    assert (gun["works"], gun["jammed"]) == (False, True)


def test_a_2_at_single_rate_jams_nothing() -> None:
    _, events = resolve(ultra(), volley(shot("rt-ultra-ac-5-1")), NONE, 1, 1)
    assert not only(events, fire_events.WeaponJammed)


def test_double_rate_needs_two_rounds() -> None:
    assert codes(ultra(1), volley(ULTRA)) == [("/fire/shots/0/bin", "no-ammunition")]
    assert codes(ultra(1), volley(shot("rt-ultra-ac-5-1"))) == []


@pytest.mark.parametrize(("weapon", "mode"), [("ct-srm-4-1", "double"), ("rt-ultra-ac-5-1", "heat")])
def test_a_weapon_fires_only_in_its_own_ways(weapon: str, mode: str) -> None:
    assert ("/fire/shots/0/mode", "mode-unknown") in codes(ultra(), volley(shot(weapon, mode=mode)))


def test_the_preview_counts_the_heat_of_both_rounds() -> None:
    told = ENGINE.preview(ultra(), "A", volley(ULTRA))
    assert (told["fire"]["shots"][0]["heat"], told["fire"]["heat"]["fired"]) == (2, 2)
    assert offered(ultra(), "rt-ultra-ac-5-1")["modes"] == [{"mode": "double", "rounds": 2, "heat": 2}]


def test_rounds_and_heat_of_the_ways_of_firing() -> None:
    assert (SHELLS, JAMS_ON, TARGET_HEAT) == (2, 2, 2)
    assert (rounds_of(""), rounds_of("double"), rounds_of("heat")) == (1, 2, 1)
    assert [heat_of(WEAPONS[key], "double") for key in ("ultra-ac-2", "ultra-ac-10", "ultra-ac-20")] == [
        2,
        8,
        16,
    ]
    assert heat_of(WEAPONS["flamer"], "heat") == 3
    ways = {key: weapon.modes for key, weapon in WEAPONS.items() if weapon.modes}
    assert ways == {key: ("double",) for key in WEAPONS if "ultra" in key} | {
        key: ("heat",) for key in WEAPONS if "flamer" in key
    }


def test_a_flamer_fired_for_heat_warms_the_target_and_does_no_damage() -> None:
    """BMR level 2: two points a flamer, with the heat of the turn; the flamer itself makes its own."""
    after, events = resolve(
        standoff(1, a={"design": armed(RT=["flamer", "flamer"])}, b={"heat": 12}),
        volley(shot("rt-flamer-1", mode="heat"), shot("rt-flamer-2", mode="heat")),
        NONE,
        *(4, 4, 4, 4),
    )
    first, second = only(events, ev.ShotResolved)
    assert [(one.hit, one.groups, one.heat, one.target_heat) for one in (first, second)] == [
        (True, (), 3, 2)
    ] * 2
    heated = {event.side: event for event in only(events, heat_events.HeatApplied)}
    assert [(item.value, item.reason) for item in heated["B"].items] == [(4, "hit by flamers")]
    assert [(item.value, item.reason) for item in heated["A"].items] == [(3, "flamer"), (3, "flamer")]
    assert heated["B"].after == 12 + 4 - heated["B"].capacity
    assert after.units["B"].armor == standoff(1).units["B"].armor


def test_a_flamer_that_misses_warms_nobody_and_one_fired_as_usual_does_damage() -> None:
    near = standoff(1, a={"design": armed(RT=["flamer"])})
    _, events = resolve(near, volley(shot("rt-flamer-1", mode="heat")), NONE, 1, 2)
    assert only(events, ev.ShotResolved)[0].target_heat == 0
    _, events = resolve(near, volley(shot("rt-flamer-1")), NONE, 4, 4, 3, 4)
    assert (only(events, ev.ShotResolved)[0].groups, only(events, ev.ShotResolved)[0].target_heat) == (
        (2,),
        0,
    )


@pytest.mark.parametrize(("rack", "column"), [(30, 15), (40, 20)])
def test_big_racks_roll_twice_on_the_column_of_half_their_size(rack: int, column: int) -> None:
    """BMR, MRM launchers: both rolls add up, groups of five, +1 to hit."""
    design = armed(RT=[f"mrm-{rack}"], LT=[f"ammo mrm-{rack}"])
    salvo = volley(shot(f"rt-mrm-{rack}-1"))
    missiles = hits(column, 3) + hits(column, 6)
    places = [3, 4] * -(-missiles // 5)
    _, events = resolve(
        standoff(a={"design": design}, b={"design": armed("AS7-D")}), salvo, NONE, 3, 3, 1, 2, 2, 4, *places
    )
    (fired,) = only(events, ev.ShotResolved)
    assert (fired.number, fired.missiles, sum(fired.groups)) == (5, missiles, missiles)
    assert max(fired.groups) == 5
    assert columns(rack) == (column, column)
    assert columns(20) == (20,)


def test_the_way_of_firing_stands_in_the_canonical_form_of_orders() -> None:
    told = orders_json(volley(ULTRA, shot("rt-flamer-1")))["fire"]["shots"]
    assert [one["mode"] for one in told] == ["double", None]
    assert parse_orders(orders_json(volley(ULTRA))) == volley(ULTRA)
