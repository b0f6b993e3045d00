"""Where a house pilot aims at a target that cannot move (BMR, immobile targets: aimed shots).

The number stays the same, and some of the hits strike the location named. An aim at the head would lose all
that an immobile target is easier to hit, and legs may be hidden by cover: a pilot aims at the torso.
"""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.pilot_frailty import PERIL, TORSO, armor_on

Json = dict[str, Any]


def aimed(view: Json, fire: Json, shot: Json) -> Json:
    """The shot, aimed where that is allowed: at what is lost soonest for what its loss is worth."""
    if shot["target"] not in fire["immobile"] or shot.get("spotter"):
        return shot
    target = view["sides"][shot["target"]]
    left = {name: target["locations"][name]["structure"] for name in TORSO}

    def gain(name: str) -> float:
        return PERIL[name] / (armor_on(target, name, shot["struck_side"]) + left[name])

    there = [name for name in TORSO if left[name] > 0]
    return {**shot, "aim": max(there, key=gain)}
