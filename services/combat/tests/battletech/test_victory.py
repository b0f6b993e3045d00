"""Draw bands and outright wins (R 4.3; solaris7-tables 1.7)."""

from dataclasses import replace

import pytest

from solaris_combat.engines.battletech import victory
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.unit import Unit, fresh_unit

SCORING = ruleset().scoring


@pytest.mark.parametrize(
    ("name", "difference", "result"),
    [
        (name, band + less, "draw" if less else "win")
        for name, band in (("light", 5), ("medium", 10), ("heavy", 15), ("assault", 20))
        for less in (-1, 0)
    ],
)
def test_t16_the_draw_band_of_each_class(name: str, difference: int, result: str) -> None:
    assert victory.draw_band(SCORING, name, difference) == result


@pytest.mark.parametrize(
    ("tons", "name"),
    [(20, "light"), (35, "light"), (40, "medium"), (55, "medium"), (75, "heavy"), (80, "assault")],
)
def test_weight_classes(tons: int, name: str) -> None:
    assert victory.weight_class(SCORING, tons) == name


def _pair() -> dict[str, Unit]:
    return {"A": fresh_unit("A", CATALOGUE["JVN-10N"]), "B": fresh_unit("B", CATALOGUE["WVR-6R"])}


def test_the_heavier_mech_decides_the_band() -> None:
    units = _pair()
    assert victory.results(SCORING, units, {"A": 9, "B": 0}) == {"A": "draw", "B": "draw"}
    assert victory.results(SCORING, units, {"A": 10, "B": 0}) == {"A": "win", "B": "loss"}
    assert victory.results(SCORING, units, {"A": 3, "B": 13}) == {"A": "loss", "B": "win"}


def test_out_of_action_loses_whatever_the_points() -> None:
    units = _pair()
    units["A"] = replace(units["A"], destroyed="engine")
    assert victory.results(SCORING, units, {"A": 90, "B": 0}) == {"A": "loss", "B": "win"}


def test_both_out_compare_points() -> None:
    units = {side: replace(unit, destroyed="engine") for side, unit in _pair().items()}
    assert victory.results(SCORING, units, {"A": 90, "B": 0}) == {"A": "win", "B": "loss"}
    assert victory.results(SCORING, units, {"A": 5, "B": 0}) == {"A": "draw", "B": "draw"}


def test_points_are_everything_the_mech_has_lost() -> None:
    unit = _pair()["A"]
    assert victory.points_lost(unit) == 0
    assert not victory.damaged(unit)
    front, rear = unit.armor[Location.CT]
    hurt = replace(unit, armor={**unit.armor, Location.CT: (front - 3, rear - 1)})
    assert victory.points_lost(hurt) == 4
    assert victory.damaged(hurt)
    gone = replace(unit, structure={**unit.structure, Location.LA: 0})
    expected = sum(unit.design.armor[Location.LA]) + unit.design.structure[Location.LA]
    assert victory.points_lost(gone) == expected
