"""Worked examples of the league's rules through the functions used in play."""

from collections.abc import Callable, Mapping
from typing import Any

from solaris_combat.engines.battletech import rulings
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_league.adapters.tables import load_rules
from solaris_league.domain import experience as skills
from solaris_league.domain import fight_length as lengths
from solaris_league.domain import permanence, ranking
from solaris_shared.errors import Rejected

RULES = load_rules()


def ranking_points(given: Mapping[str, Any]) -> dict[str, Any]:
    """R 3: points of a result under the rule in force."""
    return {"points": ranking.ranking_points(RULES.ranking, given["result"])}


def experience(given: Mapping[str, Any]) -> dict[str, Any]:
    """R 6: experience, its category and the skills that come with it."""
    halves = skills.experience_halves(RULES, given["wins"], given["draws"])
    level = skills.category(RULES, halves)
    whole = halves // 2 if halves % 2 == 0 else halves / 2
    return {
        "experience": whole,
        "category": level.name,
        "gunnery": level.gunnery,
        "piloting": level.piloting,
    }


def fight_length(given: Mapping[str, Any]) -> dict[str, Any]:
    """R 4.2: how many turns a fight lasts."""
    try:
        return {"turns": lengths.fight_length(RULES, given["class"], tuple(given["wanted_turns"]))}
    except Rejected:
        return {"refused": True}


def overtime(given: Mapping[str, Any]) -> dict[str, Any]:
    """R 4.3: what follows the last turn of a permanence fight."""
    further = rulings.overtime(ruleset(), given["turn"], level=given["level"])
    down = given["level"] and further is None
    return {
        "continue_to_turn": further,
        "both_go_down": down,
        "go_to": permanence.goes_down_to(RULES, given["for_class"]) if down else None,
    }


def permanence_places(given: Mapping[str, Any]) -> dict[str, Any]:
    """R 3: who meets in permanence fights."""
    return {"selected": list(permanence.places(given["points"], given["places"], given["lot"]))}


OPS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "league.ranking_points": ranking_points,
    "league.experience": experience,
    "league.fight_length": fight_length,
    "league.overtime": overtime,
    "league.permanence_places": permanence_places,
}
