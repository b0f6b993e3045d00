"""Victory points, draw bands and outright wins: how a fight ends.

Every figure stands in tables/rulesets/*.toml with its mark. Source: R 4.3; solaris7-tables 1.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.unit import Unit, lost
from solaris_combat.engines.contract import Result

WEIGHT_CLASSES = ("light", "medium", "heavy", "assault")


@dataclass(frozen=True, slots=True)
class Scoring:
    """The figures of a ruleset that decide who has won."""

    per_point: int
    bands: Mapping[str, int]
    heaviest: Mapping[str, int]


def scoring(ruleset: Mapping[str, Any]) -> Scoring:
    """The scoring part of a ruleset table."""
    return Scoring(
        ruleset["victory_points"]["per_point_lost"],
        {name: ruleset["draw_band"][name] for name in WEIGHT_CLASSES},
        {name: ruleset["weight_classes"][name] for name in WEIGHT_CLASSES},
    )


def weight_class(rules: Scoring, tons: int) -> str:
    """The weight class of a 'Mech; ValueError above the heaviest."""
    for name in WEIGHT_CLASSES:
        if tons <= rules.heaviest[name]:
            return name
    raise ValueError(f"no weight class for {tons} tons")


def draw_band(rules: Scoring, name: str, difference: int) -> str:
    """Result for the one with more points: "win" if he leads by the class's threshold, else "draw"."""
    return "win" if difference >= rules.bands[name] else "draw"


def points_lost(unit: Unit) -> int:
    """Points of armour and structure gone, from any cause; a limb that is gone is gone with all it had."""
    return sum(_points_lost(unit, location) for location in unit.structure)


def _points_lost(unit: Unit, location: Location) -> int:
    design = unit.design
    had = sum(design.armor[location]) + design.structure[location]
    if lost(unit, location):
        return had
    return had - sum(unit.armor[location]) - unit.structure[location]


def damaged(unit: Unit) -> bool:
    """Whether the owner has anything to repair: a point or a part lost (solaris7-tables C-18)."""
    return points_lost(unit) > 0 or bool(unit.hits or unit.blown_off)


def results(rules: Scoring, units: Mapping[str, Unit], points: Mapping[str, int]) -> dict[str, Result]:
    """Win, draw or loss of each of two sides; `points` are those earned against the rival."""
    first, second = units
    out = [side for side in units if units[side].destroyed is not None]
    if len(out) == 1:
        return {side: "loss" if side in out else "win" for side in units}
    heavier = weight_class(rules, max(unit.design.tons for unit in units.values()))
    lead = points[first] - points[second]
    if draw_band(rules, heavier, abs(lead)) == "draw":
        return {first: "draw", second: "draw"}
    leader = first if lead > 0 else second
    return {side: "win" if side == leader else "loss" for side in units}
