"""House pilots: opponents that choose orders from the public view and their own options alone.

Level 0 takes any legal orders with equal chance for each part. The house trains three levels above it. The
novice (1) goes about where it can fire and gives no thought to what it takes. The regular (2) moves where it
expects to deal more than it takes if the rival stays about where it is, likes cover and its best range, and
keeps its front to the enemy. The veteran (3) expects the rival to move, and spends all the heat there is in
the last turn. Each is a pure function: the same arguments give the same orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from solaris_combat.engines.battletech.board import arena, arena_ids
from solaris_combat.engines.battletech.pilot_fire import (
    Temper,
    attacks,
    best_fire,
    feed,
    heat_after,
    may_join,
    offers,
    pose,
)
from solaris_combat.engines.battletech.pilot_foresight import Foresight, farsighted
from solaris_combat.engines.battletech.pilot_move import get_up, legal_moves, ranked_moves
from solaris_combat.engines.dice import Dice

Json = dict[str, Any]
T = TypeVar("T")

LEVELS = (0, 1, 2, 3)
NOVICE, REGULAR, VETERAN = 1, 2, 3
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
    if level not in LEVELS:
        raise ValueError(f"house pilots have the levels {', '.join(map(str, LEVELS))}, not {level}")
    orders: Json = {"turn": options["turn"]}
    if "initial" in options:
        return orders | {"initial": {"nonce": _nonce(rng)}}
    if "recovery" in options:
        return orders | {"answers": [_recover(options["recovery"], level, rng)]}
    if "ways" in options:
        way = _pick(options["ways"], rng) if level == 0 else max(options["ways"], key=_level_of)
        return orders | {"answers": [{"hex": way["hex"]}]}
    heat = options["movement"]["heat"] if "movement" in options else 0
    if "fire" in options:
        fire = _fire(view, options["fire"], level, rng)
        orders["fire"] = _fire_orders(fire)
        heat = heat_after(options["fire"], fire["shots"])
    if "movement" in options:
        orders["movement"] = _movement(_move(view, options["movement"], heat, level, rng))
    return orders


def _fire(view: Json, fire: Json, level: int, rng: Dice) -> Json:
    """Twist, shots and blows, with every anti-missile system on."""
    chosen = _any_fire(fire, rng) if level == 0 else best_fire(view, fire, TEMPERS[level])
    systems = fire.get("ams", {}).get("systems", ()) if fire["conscious"] else ()
    return chosen | {"ams": [one["ams"] for one in systems]}


def _move(view: Json, movement: Json, heat: int, level: int, rng: Dice) -> Json:
    """One of the legal moves, by what the level knows."""
    moves = legal_moves(movement, heat)
    if level == 0:
        return _pick(moves, rng)
    me, other = view["sides"][view["you"]], view["sides"][movement["rival"]]
    if me["prone"]:
        return get_up(view, movement, moves, heat)
    ranked = ranked_moves(view, movement, moves, CAUTION[level])
    if level != VETERAN or view["arena"] not in arena_ids():
        return _pick(ranked[: 1 + len(ranked) // CONTENT_WITH.get(level, len(ranked) + 1)], rng)
    foresight = Foresight(arena(view["arena"]).board, me, other, movement["rival_reach"])
    return farsighted(foresight, moves, ranked)


def _level_of(way: Json) -> int:
    return int(way["level"])


def _nonce(rng: Dice) -> str:
    return bytes(face - 1 for face in rng.roll(32, 256, "nonce").faces).hex()


def _pick(things: Sequence[T], rng: Dice) -> T:
    """One of the things, each with the same chance."""
    count = len(things)
    if count == 1:
        return things[0]
    if count <= 256:
        return things[rng.roll(1, count, "choice").total - 1]
    limit = 65536 - 65536 % count
    while True:
        high, low = rng.roll(2, 256, "choice").faces
        number = (high - 1) * 256 + low - 1
        if number < limit:
            return things[number % count]


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
        "pick_up": fire.get("pick_up"),
    }


def _movement(move: Json) -> Json:
    mode = move["mode"]
    if mode == "stand":
        return {"mode": "stand"}
    if mode == "jump":
        return {"mode": "jump", "path": list(move["path"]), "facing": move["facing"]}
    return {"mode": mode, "steps": list(move["steps"])}


def _any_fire(fire: Json, rng: Dice) -> Json:
    """Any twist, and of each weapon that can fire with it whether it does."""
    twist = _pick(fire["twists"], rng)
    left = {store["id"]: store["belt"] for store in fire["bins"]}
    shots: list[Json] = []
    for ways in offers(twist):
        if rng.roll(1, 2, "fire or not").total == 1:
            shot = _pick(ways, rng)
            if may_join(fire, shots, shot) and feed(shot, left):
                shots.append(shot)
    blows = _pick(attacks(twist, shots), rng)
    club = None if shots or blows or not fire["clubs"] else _pick(fire["clubs"], rng)["kind"]
    return {**pose(twist), "shots": shots, "physical": blows, "pick_up": club}


def _recover(recovery: Json, level: int, rng: Dice) -> Json:
    """After a fall while moving: level 0 anything, level 1 stands up if it well may."""
    attempts = list(range(recovery["attempts_at_most"] + 1))
    if level == 0:
        return {"attempts": _pick(attempts, rng), "steps": []}
    good = recovery["number"] is not None and recovery["number"] <= 8
    return {"attempts": attempts[-1] if good else 0, "steps": []}
