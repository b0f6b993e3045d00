"""House pilots: opponents that choose orders from the public view and their own options alone.

Level 0 takes any legal orders with equal chance for each part; it stands in `lot` and needs no view. The
house trains three levels above it. The novice (1) goes about where it can fire and gives no thought to
what it takes. The regular (2) moves where it expects to deal more than it takes if the rival stays about
where it is, likes cover and its best range, and keeps its front to the enemy. The veteran (3) expects the
rival to move, and spends all the heat there is in the last turn. Each is a pure function: the same
arguments give the same orders.
"""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.board import arena, arena_ids
from solaris_combat.engines.battletech.chance import nonce, one_of
from solaris_combat.engines.battletech.pilot_fire import (
    Temper,
    best_fire,
    heat_after,
)
from solaris_combat.engines.battletech.pilot_foresight import Foresight, farsighted
from solaris_combat.engines.battletech.pilot_move import get_up, legal_moves, ranked_moves
from solaris_combat.engines.dice import Dice

Json = dict[str, Any]

LOT, NOVICE, REGULAR, VETERAN = LEVELS = (0, 1, 2, 3)
TEMPERS = {
    NOVICE: Temper(cool=4, cool_at_last=6, hopeless=12),
    REGULAR: Temper(cool=7, cool_at_last=13, hopeless=11),
    VETERAN: Temper(cool=9, cool_at_last=18, hopeless=11),
}
CAUTION = {NOVICE: 0, REGULAR: 10, VETERAN: 10}
"""Weight of points taken against points dealt, in tenths."""
CONTENT_WITH = {NOVICE: 2, REGULAR: 12}
"""One part of so many of its moves: the pilot takes any of the best of them."""


def choose(view: Json, options: Json, level: int, rng: Dice) -> Json:
    """Orders JSON for what is asked; ValueError for a level this house does not train."""
    if level not in TEMPERS:
        raise ValueError(f"trained pilots have the levels {', '.join(map(str, TEMPERS))}, not {level}")
    orders: Json = {"turn": options["turn"]}
    if "initial" in options:
        return orders | {"initial": {"nonce": nonce(rng).hex()}}
    if "recovery" in options:
        return orders | {"answers": [_recover(options["recovery"])]}
    if "ways" in options:
        way = max(options["ways"], key=_level_of)
        return orders | {"answers": [{"hex": way["hex"]}]}
    heat = options["movement"]["heat"] if "movement" in options else 0
    if "fire" in options:
        fire = _fire(view, options["fire"], level)
        orders["fire"] = _fire_orders(fire)
        heat = heat_after(options["fire"], fire["shots"])
    if "movement" in options:
        orders["movement"] = _movement(_move(view, options["movement"], heat, level, rng))
    return orders


def _fire(view: Json, fire: Json, level: int) -> Json:
    """Twist, shots and blows, with every anti-missile system on."""
    chosen = best_fire(view, fire, TEMPERS[level])
    systems = fire.get("ams", {}).get("systems", ()) if fire["conscious"] else ()
    return chosen | {"ams": [one["ams"] for one in systems]}


def _move(view: Json, movement: Json, heat: int, level: int, rng: Dice) -> Json:
    """One of the legal moves, by what the level knows."""
    moves = legal_moves(movement, heat)
    me, other = view["sides"][view["you"]], view["sides"][movement["rival"]]
    if me["prone"]:
        return get_up(view, movement, moves, heat)
    ranked = ranked_moves(view, movement, moves, CAUTION[level])
    if level != VETERAN or view["arena"] not in arena_ids():
        return one_of(ranked[: 1 + len(ranked) // CONTENT_WITH.get(level, len(ranked) + 1)], rng)
    foresight = Foresight(arena(view["arena"]).board, me, other, movement["rival_reach"])
    return farsighted(foresight, moves, ranked)


def _level_of(way: Json) -> int:
    return int(way["level"])


def _fire_orders(fire: Json) -> Json:
    return {
        "twist": fire["twist"],
        "flip_arms": fire["flip_arms"],
        "shots": [
            {name: shot[name] for name in ("weapon", "target", "bin", "mode")} for shot in fire["shots"]
        ],
        "ams": [{"ams": name} for name in fire.get("ams", ())],
        "physical": [
            {name: blow[name] for name in ("attack", "limb", "target")} for blow in fire["physical"]
        ],
    }


def _movement(move: Json) -> Json:
    mode = move["mode"]
    if mode == "stand":
        return {"mode": "stand"}
    if mode == "jump":
        return {"mode": "jump", "path": list(move["path"]), "facing": move["facing"]}
    return {"mode": mode, "steps": list(move["steps"])}


def _recover(recovery: Json) -> Json:
    """After a fall while moving it stands up if it well may."""
    good = recovery["number"] is not None and recovery["number"] <= 8
    return {"attempts": recovery["attempts_at_most"] if good else 0, "steps": []}
