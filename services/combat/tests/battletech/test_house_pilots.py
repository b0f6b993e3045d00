"""What house pilots do: legal loads, belts in their order, MASC, heat, the lead, figures of the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from duels import ENGINE, begin, setup

from solaris_combat.engines.battletech.board import arena
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.house_pilot import REGULAR, TEMPERS, VETERAN, choose
from solaris_combat.engines.battletech.orders import parse_orders
from solaris_combat.engines.battletech.pilot_arms import Arms
from solaris_combat.engines.battletech.pilot_belts import fired_off
from solaris_combat.engines.battletech.pilot_heat import HeatPrice
from solaris_combat.engines.battletech.pilot_move import masc_moves
from solaris_combat.engines.battletech.pilot_odds import fired_after, fired_at, missiles, odds, reach
from solaris_combat.engines.battletech.pilot_stakes import Stakes
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.dice import SeededDice

Json = dict[str, Any]
N, INF, DF = "normal", "inferno", "dead-fire"


def opened(left: str, right: str = "PNT-9R", fight_class: int = 5) -> Any:
    return begin(ENGINE, replace(setup(left, right), fight_class=fight_class), bytes(32)).state


def at_fire(left: str, right: str, here: str, there: str, **facts: Any) -> Any:
    """A state in which fire is asked of both, with the 'Mechs in two places."""
    state = opened(left, right)
    both = {"A": choose_load(state, "A"), "B": choose_load(state, "B")}
    for event in ENGINE.decide(state, both, SeededDice(bytes(32))):
        state = ENGINE.evolve(state, event)
    units = {
        "A": replace(state.units["A"], position=Hex.parse(here), **facts),
        "B": replace(state.units["B"], position=Hex.parse(there)),
    }
    wanted = replace(state.wanted, kind="fire_and_movement", turn=1)
    return replace(state, units={**state.units, **units}, wanted=wanted, turn=1)


def choose_load(state: Any, side: str) -> Any:
    orders = choose(
        ENGINE.view(state, side), ENGINE.options(state, side), REGULAR, SeededDice(side.encode() * 32)
    )
    return parse_orders(orders)


@pytest.mark.parametrize("fight_class", [3, 4, 5])
def test_a_veteran_loads_what_the_class_allows(fight_class: int) -> None:
    """Every model of the catalogue: legal, and in Class 5 with special munitions where its bins take them."""
    for model in CATALOGUE:
        state = opened(model, fight_class=fight_class)
        orders = choose(ENGINE.view(state, "A"), ENGINE.options(state, "A"), VETERAN, SeededDice(bytes(32)))
        assert ENGINE.check(state, "A", parse_orders(orders)) == [], model
    load = choose_initial("ARC-2R", fight_class)
    salvoes = {salvo for belt in load.values() if isinstance(belt, list) for salvo in belt}
    wanted = {3: set(), 4: {N, "normal hot"}, 5: {N, "normal hot", DF}}[fight_class]
    assert salvoes - {N} == wanted - {N}


def choose_initial(model: str, fight_class: int) -> Json:
    state = opened(model, fight_class=fight_class)
    orders = choose(ENGINE.view(state, "A"), ENGINE.options(state, "A"), VETERAN, SeededDice(bytes(32)))
    bins: Json = orders["initial"].get("bins", {})
    return bins


def test_a_veteran_leaves_bins_empty_that_it_does_not_need() -> None:
    load = choose_initial("ON1-V", 4)
    sizes = {name: one if isinstance(one, int) else len(one) for name, one in load.items()}
    assert sizes["lt-srm-4-ammo-1"] == 16
    assert sizes["lt-srm-4-ammo-2"] == 0


def test_hot_salvoes_have_a_bin_of_their_own_where_there_are_two() -> None:
    """The distance decides which is fired; with one bin the common ones come first (Class 4)."""
    load = choose_initial("CPLT-C1", 4)
    assert {name: sorted(set(belt)) for name, belt in load.items()} == {
        "rt-lrm-15-ammo-1": [N],
        "lt-lrm-15-ammo-1": ["normal hot"],
    }
    (belt,) = choose_initial("VLK-QA", 4).values()
    assert (belt[:4], set(belt[4:])) == ([N] * 4, {"normal hot"})


def test_figures_of_movement_are_those_of_the_table() -> None:
    figures = table("to_hit")
    for mode in ("stand", "walk", "run", "jump"):
        assert fired_after(mode) == figures["attacker_movement"][mode]
    for least, modifier in zip(
        figures["target_movement"]["hexes"], figures["target_movement"]["modifier"], strict=True
    ):
        assert fired_at("walk", least) == modifier
        assert fired_at("jump", least) == modifier + figures["target_movement"]["jumped"]


def test_chances_and_averages() -> None:
    assert [odds(number) for number in (0, 2, 3, 7, 12, 13)] == [35, 35, 35, 21, 1, 1]
    assert [odds(number, automatic=False) for number in (2, 7, 12, 13)] == [36, 21, 1, 0]
    assert [reach(6, 7, 14, 21, far) for far in (3, 6, 7, 8, 21, 22)] == [4, 1, 0, 2, 4, None]
    assert missiles(2, 2) == 141
    assert missiles(15, 3) < missiles(15, 2)


def test_heat_is_the_dearer_the_more_there_is() -> None:
    state = opened("RFL-3N")
    side = ENGINE.view(state, "A")["sides"]["A"]
    price = HeatPrice(side, last=False)
    prices = [price.of(heat) for heat in range(31)]
    assert prices == sorted(prices) and prices[14] > prices[7] + 1000
    assert HeatPrice(side, last=True).of(18) == 0 < HeatPrice(side, last=True).of(19)


def test_who_leads_late_prefers_a_sure_thing() -> None:
    """With a lead past the band at the end an even exchange is worth less than none; far behind, more."""
    ahead, behind = Stakes(12, 10, 0.0), Stakes(-12, 10, 0.0)
    assert ahead.share(0, 0) > ahead.share(0, 20)
    assert behind.share(0, 0) < behind.share(0, 20)
    assert Stakes(0, 10, 100.0).share(3, 10) > 0.5 > Stakes(0, 10, 100.0).share(-3, 10)


def test_an_empty_launcher_counts_for_nothing() -> None:
    state = opened("VLK-QA")
    side = ENGINE.view(state, "A")["sides"]["A"]
    loaded = Arms({**side, "bins": [{**one, "belt": [N]} for one in side["bins"]]})
    empty = Arms({**side, "bins": [{**one, "belt": []} for one in side["bins"]]})
    assert loaded.volley(12, 0) > empty.volley(12, 0) == 0


def spent(belt_1: tuple[str, ...], belt_2: tuple[str, ...]) -> list[Json]:
    """What an Orion without a target in sight fires off."""
    state = at_fire("ON1-V", "CPLT-C1", "0215", "2305", facing=1)
    unit = state.units["A"]
    belts = {**unit.belts, "lt-srm-4-ammo-1": belt_1, "lt-srm-4-ammo-2": belt_2}
    state = replace(state, units={**state.units, "A": replace(unit, belts=belts)}, arena=arena("jungle"))
    view = ENGINE.view(state, "A")
    fire = ENGINE.options(state, "A")["fire"]
    plan = {"twist": 0, "flip_arms": False, "shots": [], "physical": []}
    return list(fired_off(view, fire, plan, 20, None))


def test_common_salvoes_before_special_ones_are_fired_off() -> None:
    """D, planning of a fight: better into the air than kept; one from each belt, special ones are kept."""
    shots = spent((N, N, DF), (N, DF, DF))
    assert [(s["weapon"], s["bin"], s["target"]) for s in shots] == [
        ("ra-srm-4-1", "lt-srm-4-ammo-1", None),
        ("la-srm-4-1", "lt-srm-4-ammo-2", None),
    ]
    assert spent((DF, N, DF), (N, N, N)) == []
    assert {shot["bin"] for shot in spent((INF, INF, N, DF), (INF, INF, N, DF))} == {
        "lt-srm-4-ammo-1",
        "lt-srm-4-ammo-2",
    }


def test_masc_is_weighed_by_its_risk() -> None:
    offer = {"fails_at_or_below": 2, "reach": [{"hex": "0101", "mp": 9}, {"hex": "0102", "mp": 6}]}
    movement = {"masc": offer, "mp_by_heat": [{"heat": 0, "run": 8, "masc": 10}]}
    (move,) = masc_moves(movement, 0)
    assert (move["hex"], move["masc"], move["risk"]) == ("0101", True, 4000 // 36)
    assert masc_moves({"masc": None}, 0) == []


def test_trained_levels() -> None:
    assert sorted(TEMPERS) == [1, 2, 3]
