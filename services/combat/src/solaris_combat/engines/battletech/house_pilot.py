"""House pilots: opponents that choose orders from the public view and their own options alone.

Level 0 takes any legal orders with equal chance for each part; it stands in `lot` and needs no view. The
house trains three levels above it. The novice (1) goes about where it can fire and gives no thought to
what it takes. The regular (2) thinks of the few places that the rival would like best, moves where it
expects to deal more than it takes, and keeps to the order of its belts. The veteran (3) thinks of many
more, of the turns to come and of the lead in victory points, weighs the heat of each shot, and chooses its
load. Each is a pure function: the same arguments give the same orders.
"""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech.board import arena, arena_ids
from solaris_combat.engines.battletech.chance import nonce, one_of
from solaris_combat.engines.battletech.pilot_aim import aimed
from solaris_combat.engines.battletech.pilot_belts import fired_off
from solaris_combat.engines.battletech.pilot_fire import Gunner, heat_after, heat_balance
from solaris_combat.engines.battletech.pilot_foresight import Foresight, farsighted
from solaris_combat.engines.battletech.pilot_ground import ground_ahead
from solaris_combat.engines.battletech.pilot_loadout import belts
from solaris_combat.engines.battletech.pilot_move import (
    get_up,
    legal_moves,
    masc_moves,
    ranked_moves,
    rises,
    try_often,
)
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS, by_level, outlooks, tempers
from solaris_combat.engines.dice import Dice

Json = dict[str, Any]

LOT, NOVICE, REGULAR, VETERAN = LEVELS = (0, 1, 2, 3)
TEMPERS, OUTLOOKS = tempers(), outlooks()
CAUTION, CONTENT_WITH = by_level("caution"), by_level("content_with")
GETS_UP_ON: int = WEIGHTS["move"]["gets_up_on"]
SHOT = ("weapon", "target", "bin", "aim", "mode", "hex", "intent", "spotter")


def choose(view: Json, options: Json, level: int, rng: Dice) -> Json:
    """Orders JSON for what is asked; ValueError for a level this house does not train."""
    if level not in TEMPERS:
        raise ValueError(f"trained pilots have the levels {', '.join(map(str, TEMPERS))}, not {level}")
    orders: Json = {"turn": options["turn"]}
    if "initial" in options:
        return orders | {"initial": {"nonce": nonce(rng).hex(), **_load(options["initial"], level)}}
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


def _load(initial: Json, level: int) -> Json:
    """What goes into the bins; the lower levels take what they are given."""
    return {"bins": belts(initial)} if level == VETERAN and initial["bins"] else {}


def _fire(view: Json, fire: Json, level: int) -> Json:
    """Twist, shots and blows, with every anti-missile system on; a club where there is nothing else to do."""
    chosen = Gunner(view, fire, TEMPERS[level]).best()
    if level > NOVICE:
        chosen["shots"] = [aimed(view, fire, shot) for shot in chosen["shots"]]
        chosen["shots"] += _spent(view, fire, chosen, level)
        idle = not (chosen["shots"] or chosen["physical"]) and view["turn"] < view["turns"]
        if fire["clubs"] and idle:
            chosen["pick_up"] = fire["clubs"][0]["kind"]
    systems = fire.get("ams", {}).get("systems", ()) if fire["conscious"] else ()
    return chosen | {"ams": [one["ams"] for one in systems]}


def _spent(view: Json, fire: Json, plan: Json, level: int) -> list[Json]:
    """What is fired off to keep to the order of the belts."""
    room = TEMPERS[level].cool - heat_balance(fire, plan["shots"])
    board = arena(view["arena"]).board if view["arena"] in arena_ids() else None
    return list(fired_off(view, fire, plan, room, board))


def _move(view: Json, movement: Json, heat: int, level: int, rng: Dice) -> Json:
    """One of the legal moves, by what the level knows."""
    moves, board = legal_moves(movement, heat), ground_ahead(view)
    if view["sides"][view["you"]]["prone"]:
        rising = rises(moves)
        if level < VETERAN or board is None or not rising:
            return get_up(view, movement, moves, heat)
        best = farsighted(Foresight(board, view, movement, heat, OUTLOOKS[level], rising))[0]
        return try_often(movement, best, heat)
    if level in OUTLOOKS and board is not None:
        every = moves + masc_moves(movement, heat)
        ranked = farsighted(Foresight(board, view, movement, heat, OUTLOOKS[level], every))
    else:
        ranked = ranked_moves(view, movement, moves, CAUTION[level])
    return one_of(ranked[: 1 + len(ranked) * CONTENT_WITH[level] // 100], rng)


def _level_of(way: Json) -> int:
    return int(way["level"])


def _fire_orders(fire: Json) -> Json:
    return {
        "twist": fire["twist"],
        "flip_arms": fire["flip_arms"],
        "shots": [{name: shot[name] for name in SHOT if name in shot} for shot in fire["shots"]],
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
    return {"mode": mode, "steps": list(move["steps"])} | ({"masc": True} if "masc" in move else {})


def _recover(recovery: Json) -> Json:
    """After a fall while moving it stands up if it well may."""
    good = recovery["number"] is not None and recovery["number"] <= GETS_UP_ON
    return {"attempts": recovery["attempts_at_most"] if good else 0, "steps": []}
