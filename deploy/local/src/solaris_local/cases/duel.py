"""Cases of the duel's ruleset, run through the functions used in play."""

from typing import Any

from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.victory import draw_band


def band(given: dict[str, Any]) -> dict[str, Any]:
    """R 4.3: the result for the one with more points."""
    return {"result": draw_band(ruleset().scoring, given["weight_class"], given["difference"])}


OPS = {"league.draw_band": band}
