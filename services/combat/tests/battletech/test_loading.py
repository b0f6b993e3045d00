"""Loading: which munitions a bin takes in which class, how many, in which order, at what price (R 4.6.6)."""

from importlib.resources import files
from typing import Any

from duels import ENGINE

from solaris_combat.engines.battletech import events as ev
from solaris_combat.engines.battletech.loading import holds, special_loads
from solaris_combat.engines.battletech.mech import ammo_bin
from solaris_combat.engines.battletech.munitions import FAMILIES, MUNITIONS
from solaris_combat.engines.battletech.orders import Initial
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.state import State

N, DF, TG, CT, INF = "normal", "dead-fire", "heat-seeking", "tandem-charge", "inferno"
CATAPULT = {
    "lt-lrm-15-ammo-1": (N, N, DF, DF, TG, TG, N, N),
    "rt-lrm-15-ammo-1": (DF, DF, N, N, N, N, N, N),
}
ORION = {
    "lt-srm-4-ammo-1": (INF, INF, N, N, N, N, TG, TG, N, N),
    "lt-srm-4-ammo-2": (INF, INF, N, N, DF, CT, DF, CT, N, N),
}
SRM_KINDS = (N, "narc", "artemis", INF, DF, CT, TG)
FAMILY = {
    "ac": (("ac-2", "ac-5", "ac-10", "ac-20"), (N, "heap", "precision"), False),
    "ultra-ac": (("ultra-ac-2", "ultra-ac-5", "ultra-ac-10", "ultra-ac-20"), (N,), False),
    "lb-x-ac": (("lb-2-x-ac", "lb-5-x-ac", "lb-10-x-ac", "lb-20-x-ac"), ("slug", "cluster"), False),
    "srm": (("srm-2", "srm-4", "srm-6"), SRM_KINDS, True),
    "lrm": (("lrm-5", "lrm-10", "lrm-15", "lrm-20"), (N, "narc", "artemis", DF, TG), True),
}
SPECIAL = {INF, DF, CT, TG, "heap", "precision"}
HALVED = {"heap", "precision"}
HOT_LOADABLE = {N, "narc", "artemis", DF, TG}


def at_start(left: str, fight_class: int = 5, turns: int = 10, right: str = "PNT-9R") -> State:
    """A fight in a class before its initial turn, whether this release opens such fights or not."""
    sides = tuple(ev.Entered(side, side, model, 4, 5) for side, model in (("A", left), ("B", right)))
    return ENGINE.evolve(None, ev.DuelOpened("solaris7/1", fight_class, "la-cantera", turns, sides))


def codes(state: State, bins: dict[str, Any]) -> list[str]:
    """Codes of what is wrong with the load-out of side A."""
    orders = ENGINE.parse_orders({"turn": 0, "initial": {"bins": plain(bins)}})
    return [violation.code for violation in ENGINE.check(state, "A", orders)]


def plain(bins: dict[str, Any]) -> dict[str, Any]:
    """Bins as JSON."""
    return {name: load if isinstance(load, int) else list(load) for name, load in bins.items()}


def test_the_six_lists_of_munitions() -> None:
    """R 4.6.6, tables 2.3: what each weapon may be loaded with, and what each munition is."""
    found: dict[str, Any] = {}
    for ammunition, family in FAMILIES.items():
        fed, _, _ = found.get(family.key, ((), (), False))
        found[family.key] = ((*fed, ammunition), family.munitions, family.mixed)
    assert found == FAMILY
    assert {key for key, kind in MUNITIONS.items() if kind.special} == SPECIAL
    assert {key for key, kind in MUNITIONS.items() if kind.rounds_divisor == 2} == HALVED
    assert {key for key, kind in MUNITIONS.items() if kind.rounds_divisor == 1} == set(MUNITIONS) - HALVED
    assert {key for key, kind in MUNITIONS.items() if kind.tons_only} == HALVED
    assert {key: kind.hot for key, kind in MUNITIONS.items() if kind.hot} == dict.fromkeys(
        HOT_LOADABLE, ("lrm",)
    )


def test_the_planning_examples_cost_what_the_text_says() -> None:
    """D, tables 2.9, C-06, C-07: each special kind in each bin 50,000."""
    prices = {name: special_loads(belts, ruleset()) for name, belts in (("C", CATAPULT), ("O", ORION))}
    assert [(one.munition, one.bin[:2]) for one in prices["C"]] == [(DF, "lt"), (TG, "lt"), (DF, "rt")]
    assert sum(one.price for one in prices["C"]) == 150_000
    assert sum(one.price for one in prices["O"]) == 250_000


def test_conventional_loads_of_every_class() -> None:
    for fight_class in (3, 4, 5):
        state = at_start("CPLT-C1", fight_class, 8)
        assert codes(state, {"lt-lrm-15-ammo-1": [N] * 8, "rt-lrm-15-ammo-1": 0}) == []


def test_bin2_two_salvoes_of_a_special_kind_in_a_bin_and_only_in_class_5() -> None:
    """BIN2: three of a kind are refused, special ammunition below Class 5 is refused."""
    three = {"lt-lrm-15-ammo-1": (DF, DF, DF, N)}
    assert "too-many-special" in codes(at_start("CPLT-C1"), three)
    for fight_class in (3, 4):
        found = codes(at_start("CPLT-C1", fight_class), {"lt-lrm-15-ammo-1": (DF, DF)})
        assert "munition-not-in-class" in found


def test_several_kinds_in_one_bin_are_for_missiles_in_class_5() -> None:
    mixed = {"lt-lrm-15-ammo-1": (N, N, TG)}
    assert "bin-mixed" not in codes(at_start("CPLT-C1"), mixed)
    assert "bin-mixed" in codes(at_start("CPLT-C1", 4), mixed)
    guns = {"rt-ac-10-ammo-1": ("heap", N)}
    assert "bin-mixed" in codes(at_start("ON1-V"), guns)


def test_a_munition_of_another_weapon_is_refused() -> None:
    state = at_start("CPLT-C1")
    assert codes(state, {"lt-lrm-15-ammo-1": (INF,)}) == ["munition-not-for-weapon"]
    assert codes(state, {"lt-lrm-15-ammo-1": ("powder",)}) == ["munition-not-for-weapon"]


def test_heap_and_precision_take_half_the_rounds_and_whole_tons() -> None:
    """R 4.6.6.8, 4.6.6.9: rounds of a ton halved and rounded down."""
    design = at_start("ON1-V").units["A"].design
    gun = next(ammo for ammo in design.bins if ammo.ammunition == "ac-10")
    assert (holds(gun, MUNITIONS["heap"]), holds(gun, MUNITIONS["normal"])) == (5, 10)
    assert "bin-overfull" in codes(at_start("ON1-V"), {gun.id: ("heap",) * 6})
    assert "too-many-special" not in codes(at_start("ON1-V"), {gun.id: ("heap",) * 5})


def test_caps_count_twice_for_autocannon_where_double_rate_is_played() -> None:
    """R 4.6.5, C-11: one round a turn for each weapon, two for autocannon in Classes 4 and 5."""
    for fight_class, most in ((3, 8), (4, 16), (5, 16)):
        state = at_start("AS7-D", fight_class, 8)
        caps = ENGINE.options(state, "A")["initial"]["rounds_at_most"]
        assert (caps["ac-20"], caps["lrm-20"]) == (most, 8)


def test_hot_salvoes_are_loaded_one_by_one_from_class_4_on() -> None:
    """R 4.5.3, C-31: salvo by salvo; short-range missiles have no minimum range to lose."""
    hot = {"lt-lrm-15-ammo-1": (N, f"{N} hot", N)}
    assert codes(at_start("CPLT-C1", 4), hot) == []
    assert codes(at_start("CPLT-C1", 3), hot) == ["hot-not-in-class"]
    assert codes(at_start("ON1-V"), {"lt-srm-4-ammo-1": (f"{N} hot",)}) == ["hot-not-for-munition"]


def test_belts_are_told_in_events_state_view_options_and_preview() -> None:
    state = at_start("CPLT-C1", 4)
    belt = (f"{N} hot", N, N)
    orders = ENGINE.parse_orders({"turn": 0, "initial": {"bins": {"lt-lrm-15-ammo-1": list(belt)}}})
    assert ENGINE.orders_json(orders)["initial"]["bins"] == {"lt-lrm-15-ammo-1": list(belt)}
    told = ENGINE.preview(state, "A", orders)["initial"]
    assert told["belts"]["lt-lrm-15-ammo-1"] == list(belt)
    assert (told["special"], told["charge"]) == ([], 0)
    counts = {"rt-lrm-15-ammo-1": 0, "lt-lrm-15-ammo-1": 3}
    fixed = ev.LoadoutFixed("A", counts, True, {"lt-lrm-15-ammo-1": belt})
    state = ENGINE.evolve(state, fixed)
    assert state.units["A"].belts["lt-lrm-15-ammo-1"] == belt
    assert ENGINE.view(state, None)["sides"]["A"]["bins"][1]["belt"] == list(belt)
    assert "1 normal (hot-loaded) + 2 normal" in ENGINE.describe(fixed, "en")


def test_options_of_the_initial_turn_name_munitions_limits_and_prices() -> None:
    kinds = {N: 8, "narc": 8}
    for fight_class in (3, 4):
        store = ENGINE.options(at_start("CPLT-C1", fight_class), "A")["initial"]["bins"][0]
        assert {one["munition"]: one["at_most"] for one in store["munitions"]} == kinds
        assert [one["hot"] for one in store["munitions"]] == [fight_class == 4] * 2
        assert not store["mixed"]


def test_an_empty_bin_and_a_bin_left_to_the_cap() -> None:
    state = at_start("CPLT-C1", 4, 8)
    orders = ENGINE.parse_orders({"turn": 0, "initial": {"bins": {"lt-lrm-15-ammo-1": 0}}})
    told = ENGINE.preview(state, "A", orders)["initial"]["belts"]
    assert told == {"lt-lrm-15-ammo-1": [], "rt-lrm-15-ammo-1": [N] * 8}


def test_the_third_shot_fires_the_third_position() -> None:
    """BIN2: a belt is fired in its fixed order."""
    state = at_start("CPLT-C1")
    belt = {"lt-lrm-15-ammo-1": (N, N, DF, DF)}
    state = ENGINE.evolve(state, ev.LoadoutFixed("A", {"lt-lrm-15-ammo-1": 4}, True, belt))
    for expected in (N, N, DF):
        assert state.units["A"].belts["lt-lrm-15-ammo-1"][0] == expected
        shot = ev.DeclaredShot("la-lrm-15-1", "B", "lt-lrm-15-ammo-1", salvos=(expected,))
        state = ENGINE.evolve(state, ev.FireDeclared(1, "A", 0, (shot,)))
    assert state.units["A"].belts["lt-lrm-15-ammo-1"] == (DF,)


def test_a_number_means_rounds_as_the_sheet_names_them() -> None:
    state = at_start("PNT-9R")
    state = ENGINE.evolve(state, ev.LoadoutFixed("A", {"lt-srm-4-ammo-1": 2}, True))
    assert state.units["A"].belts == {"lt-srm-4-ammo-1": (N, N)}
    assert ammo_bin(state.units["A"].design, "lt-srm-4-ammo-1").munition == N
    assert Initial().bins == {}


def test_the_ruleset_shows_every_switch_with_its_mark() -> None:
    """Issue 5: what is PROPOSED stands in the ruleset with its mark, along with the league's own tables."""
    shown = ENGINE.rules
    assert shown["classes"]["played"] == [3, 4, 5]
    assert shown["inferno_is_special"]["on"] is True
    assert shown["special_ammunition"] | {"source": ""} == {
        "classes": [5],
        "price": 50_000,
        "salvoes_per_bin": 2,
        "mark": "TEXT",
        "source": "",
    }
    assert shown["tables"]["level3"]["double_rate"]["jams"]["mark"] == "PROPOSED"
    assert shown["tables"]["munition_effects"]["heat_seeking"]["burning_hex"]["mark"] == "PROPOSED"
    tables = files("solaris_combat.engines.battletech").joinpath("tables").iterdir()
    toml = {file.name.removesuffix(".toml"): file.read_text() for file in tables if file.name[-5:] == ".toml"}
    proposed = {name for name, text in toml.items() if 'mark = "PROPOSED"' in text}
    assert proposed and proposed <= set(shown["tables"])
