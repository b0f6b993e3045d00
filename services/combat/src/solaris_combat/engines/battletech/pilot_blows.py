"""Which physical attacks a house pilot takes into account, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solaris_combat.engines.battletech.pilot_arms import Arms
from solaris_combat.engines.battletech.pilot_odds import ROLLS, odds

Json = dict[str, Any]


def attacks(twist: Json, shots: Iterable[Json]) -> list[list[Json]]:
    """Every physical attack that the shots leave possible, none among them; two punches count as one."""
    fired = {shot["location"] for shot in shots}
    blows = [
        b
        for b in twist["physical"]
        if b["possible"] and not b["lapses"] and not fired.intersection(b["holds_fire"])
    ]
    pairs: dict[str, dict[str, Json]] = {}
    for blow in blows:
        if blow["attack"] == "punch":
            pairs.setdefault(blow["target"], {})[blow["limb"]] = blow
    both = [list(punches.values()) for punches in pairs.values() if len(punches) > 1]
    return [[], *([blow] for blow in blows), *both]


def worth(view: Json, blows: Iterable[Json]) -> int:
    """Expected points of physical attacks in thousandths; a kick may end in a fall of either."""
    total = 0
    for blow in blows:
        hit = odds(blow["number"], automatic=False)
        gain = hit * (blow["damage"] - blow["own_damage"]) * 1000
        if blow["attack"] == "kick":
            target, own = Arms(view["sides"][blow["target"]]), Arms(view["sides"][view["you"]])
            down = view["sides"][blow["target"]]["prone"]
            gain += 10 * ((0 if down else hit * target.fall()) - (ROLLS - hit) * own.fall())
        total += gain // ROLLS
    return total
