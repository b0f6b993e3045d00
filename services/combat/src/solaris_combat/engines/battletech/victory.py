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
OUT_BY = {"mechwarrior": "pilot-dead", "ejected": "ejected", "surrendered": "surrendered", "fled": "fled"}
"""How a unit went out of the fight, in the words of the ruleset; anything else destroyed it."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """The figures of a ruleset that decide who has won."""

    per_point: int
    bands: Mapping[str, int]
    heaviest: Mapping[str, int]
    out_counts_whole: bool = True
    outright: frozenset[str] = frozenset()
    both_out_compare: bool = True
    mixed_counts: str = "heaviest"
    last_strike_kills: bool = True
    mech_lost: frozenset[str] = frozenset()


def scoring(ruleset: Mapping[str, Any]) -> Scoring:
    """The scoring part of a ruleset table."""
    return Scoring(
        ruleset["victory_points"]["per_point_lost"],
        {name: ruleset["draw_band"][name] for name in WEIGHT_CLASSES},
        {name: ruleset["weight_classes"][name] for name in WEIGHT_CLASSES},
        ruleset["macro_fights"]["out_counts_whole"],
        frozenset(ruleset["outright_win"]["on"]),
        ruleset["both_out"]["compare_points"],
        ruleset["mixed_classes"]["counts"],
        ruleset["macro_fights"]["last_strike_kills"],
        frozenset(ruleset["mech_lost"]["on"]),
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


def points_against(rules: Scoring, unit: Unit, *, macro: bool) -> int:
    """Points the enemies of a unit get for it: what it lost; all it had where it is out of a macro fight."""
    if macro and rules.out_counts_whole and unit.destroyed is not None:
        return sum(sum(unit.design.armor[at]) + unit.design.structure[at] for at in unit.structure)
    return points_lost(unit)


def damaged(unit: Unit) -> bool:
    """Whether the owner has anything to repair: a point or a part lost (solaris7-tables C-18)."""
    return points_lost(unit) > 0 or bool(unit.hits or unit.blown_off)


def results(
    rules: Scoring,
    units: Mapping[str, Unit],
    points: Mapping[str, int],
    teams: Mapping[str, str] | None = None,
) -> dict[str, Result]:
    """Win, draw or loss of each side; `points` are those its team earned, a side without a team is its own.

    The last team that is not beaten outright wins; else the team with most points, if it leads by the draw
    band of the heaviest 'Mech; teams closer to it than that draw with it.
    """
    team = {side: (teams or {}).get(side, side) for side in units}
    left = _unbeaten(rules, units, team)
    if len(left) == 1:
        return {side: "win" if team[side] in left else "loss" for side in units}
    if not left and not rules.both_out_compare:
        return dict.fromkeys(units, "draw")
    tons = [unit.design.tons for unit in units.values()]
    band = weight_class(rules, max(tons) if rules.mixed_counts == "heaviest" else min(tons))
    earned = {team[side]: points[side] for side in units if not left or team[side] in left}
    best = max(earned.values())
    near = {t for t, n in earned.items() if draw_band(rules, band, best - n) == "draw"}
    return {side: _result(team[side], near) for side in units}


def _unbeaten(rules: Scoring, units: Mapping[str, Unit], team: Mapping[str, str]) -> set[str]:
    """The teams with a unit in the fight, or out of it without an outright loss; none if all are out."""
    if all(unit.destroyed is not None for unit in units.values()):
        return set()
    return {
        team[side]
        for side, unit in units.items()
        if unit.destroyed is None or OUT_BY.get(unit.destroyed, "destroyed") not in rules.outright
    }


def _result(team: str, near: set[str]) -> Result:
    if team not in near:
        return "loss"
    return "win" if len(near) == 1 else "draw"
