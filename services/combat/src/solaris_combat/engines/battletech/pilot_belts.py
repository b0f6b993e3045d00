"""How a house pilot keeps to the order of its belts: what cannot be used in time is fired off.

A belt with special salvoes is planned for the turns of a fight. "If no opponent is in sight, it is better to
fire into the air or at the ground than to keep the ammunition in the racks and spoil the whole sequence" (D,
planning of a fight). Inferno is fired at woods ahead, for the smoke.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.inferno import KEY
from solaris_combat.engines.battletech.munitions import MUNITIONS, munition
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS

Json = dict[str, Any]
Left = dict[str, list[str]]

NEAREST_FIRE: int = WEIGHTS["belts"]["nearest_fire"]


def fired_off(view: Json, fire: Json, plan: Json, room: int, board: Board | None) -> Iterator[Json]:
    """Shots at nothing with the launchers that a plan leaves silent, for so much heat, to keep to the belts.

    A common salvo, or Inferno, with special ones behind it goes; special ones are kept for a target.
    """
    left = {store["id"]: list(store["belt"]) for store in fire["bins"]}
    for shot in plan["shots"]:
        if shot["bin"]:
            left[shot["bin"]] = left[shot["bin"]][shot["rounds"] :]
    twist = next(t for t in fire["twists"] if all(t[key] == plan[key] for key in ("twist", "flip_arms")))
    fires = {shot["weapon"] for shot in plan["shots"]}
    barred = {location for blow in plan["physical"] for location in blow["holds_fire"]}
    for weapon in twist["weapons"]:
        if weapon["weapon"] in fires or weapon["location"] in barred or weapon["heat"] > room:
            continue
        bins = [name for name in weapon["bins"] if _waiting(left[name])]
        if bins and weapon["air"] and not fire["one_arm_only"]:
            name = max(bins, key=lambda one: len(left[one]))
            salvo, *left[name] = left[name]
            room -= weapon["heat"]
            yield {**weapon, "bin": name, "rounds": 1, **_at(view, weapon, salvo, board)}


def _waiting(belt: Sequence[str]) -> int:
    """Special salvoes behind what is next on a belt; none where the next is itself one to be kept."""
    if not belt or (MUNITIONS[munition(belt[0])].special and munition(belt[0]) != KEY):
        return 0
    return sum(MUNITIONS[munition(salvo)].special for salvo in belt[1:])


def _at(view: Json, weapon: Json, salvo: str, board: Board | None) -> Json:
    """What is fired at: woods for Inferno, else the air."""
    where = _woods(view, weapon, board) if board and munition(salvo) == KEY else None
    air = {"target": None, "mode": None}
    return air if where is None else {**air, "hex": str(where), "intent": "ignite"}


def _woods(view: Json, weapon: Json, board: Board) -> Hex | None:
    """Woods that the weapon can set on fire, nearest to the rival by way of them; none that burn already."""
    here, fires = Hex.parse(view["sides"][view["you"]]["hex"]), view["ground"]["fires"]
    rivals = [Hex.parse(one["hex"]) for one in _rivals(view) if one["hex"]]
    seen = [Hex.parse(one["hex"]) for one in weapon["hexes"] if one["intent"] == "ignite"]
    woods = [one for one in seen if board.woods[board.index(one)] and str(one) not in fires]
    far = [one for one in woods if distance(here, one) >= NEAREST_FIRE]
    by_way = {one: distance(here, one) + min(distance(one, rival) for rival in rivals) for one in far}
    return min(far, key=lambda one: (by_way[one], one), default=None)


def _rivals(view: Json) -> Iterator[Json]:
    team = view["sides"][view["you"]]["team"]
    return (side for side in view["sides"].values() if side["team"] != team)
