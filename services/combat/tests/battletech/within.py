"""Whether every part of orders that were accepted lies within the options of the side; and orders made odd.

`outside` names the parts that the options do not hold. `odd` changes one thing of an order by lot, so that
most of what comes out is refused and the rest is legal in a way that nobody put together from the options.
"""

import random
from collections.abc import Iterator
from typing import Any

from offered import lies_within

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.munitions import HOT, munition
from solaris_combat.engines.battletech.orders import INTENTS

Json = dict[str, Any]


def outside(options: Json, orders: Json, end: Json | None, heat: int) -> list[Any]:
    """The parts of legal orders that the options do not offer; `end`: of the movement, by its preview."""
    found: list[Any] = []
    if orders.get("initial"):
        found += _outside_loads(options["initial"], orders["initial"])
    if orders.get("fire"):
        found += _outside_fire(options["fire"], orders["fire"])
    move = orders.get("movement")
    if move and not _moves_so(options["movement"], move, end, heat):
        found.append((move, end))
    return found


def _outside_loads(offer: Json, initial: Json) -> Iterator[Any]:
    stores = {store["id"]: store for store in offer["bins"]}
    rounds: dict[str, int] = {}
    for name, load in initial["bins"].items():
        store = stores[name]
        belt = [store["munition"]] * load if isinstance(load, int) else load
        kinds = {kind["munition"]: kind for kind in store["munitions"]}
        rounds[store["ammunition"]] = rounds.get(store["ammunition"], 0) + len(belt)
        plain = [munition(salvo) for salvo in belt]
        for salvo in set(belt):
            kind, hot = kinds.get(munition(salvo)), salvo.endswith(HOT)
            if kind is None or (hot and not kind["hot"]) or plain.count(kind["munition"]) > kind["at_most"]:
                yield name, salvo
        if len(set(plain)) > 1 and not store["mixed"]:
            yield name, "mixed"
    yield from (kind for kind, count in rounds.items() if count > offer["rounds_at_most"][kind])
    yield from _outside_systems(offer, initial.get("ams") or [])


def _outside_systems(offer: Json, setting: list[Json]) -> Iterator[Any]:
    known = {one["ams"] for one in offer.get("ams", {}).get("systems", ())}
    yield from (one for one in setting if one["ams"] not in known)


def _outside_fire(offer: Json, fire: Json) -> Iterator[Any]:
    poses = {(one["twist"], one["flip_arms"]): one for one in offer["twists"]}
    pose = poses.get((fire["twist"], fire["flip_arms"]))
    if pose is None:
        yield fire["twist"], fire["flip_arms"]
        return
    weapons = {one["weapon"]: one for one in pose["weapons"]}
    left = {store["id"]: list(store["belt"]) for store in offer["bins"]}
    for shot in fire["shots"]:
        if not _shot_offered(offer, weapons[shot["weapon"]], shot, left):
            yield shot
    arms = {weapons[shot["weapon"]]["location"] for shot in fire["shots"]} & {"LA", "RA"}
    if offer["one_arm_only"] and len(arms) > 1:
        yield arms
    fired = {weapons[shot["weapon"]]["location"] for shot in fire["shots"]}
    yield from (blow for blow in fire["physical"] if not _blow_offered(pose, blow, fired))
    if fire["pick_up"] and fire["pick_up"] not in [one["kind"] for one in offer["clubs"]]:
        yield fire["pick_up"]
    yield from _outside_systems(offer, fire["ams"])


def _shot_offered(offer: Json, weapon: Json, shot: Json, left: dict[str, list[str]]) -> bool:
    modes = {None: 1, **{mode["mode"]: mode["rounds"] for mode in weapon["modes"]}}
    if shot["mode"] not in modes:
        return False
    salvoes: list[str] = []
    if weapon["needs_ammunition"]:
        first = shot["bin"] or next((name for name in weapon["bins"] if left[name]), None)
        if first not in weapon["bins"] or not left[first]:
            return False
        salvoes.append(left[first].pop(0))
        second = shot["second_bin"] or next((name for name in (first, *weapon["bins"]) if left[name]), None)
        if modes[shot["mode"]] > 1 and second in weapon["bins"] and left[second]:
            salvoes.append(left[second].pop(0))
    if shot["hex"] is not None and shot["intent"] not in ("ground", "mines"):
        known = [(one["hex"], one["intent"]) for one in weapon["hexes"]]
        return (shot["hex"], shot["intent"]) in known or not _usual(offer, weapon, salvoes)
    if shot["intent"] == "mines":
        return True  # nobody knows where mines lie: any hex may be swept
    if shot["target"] is None:
        return bool(weapon["air"]) or "inferno" in salvoes
    return _target_offered(offer, weapon, shot, salvoes)


def _usual(offer: Json, weapon: Json, salvoes: list[str]) -> bool:
    """Whether what is fired is what the options took the numbers at hexes for: the next of the first bin."""
    nexts = {store["id"]: store["next"] for store in offer["bins"]}
    return not salvoes or set(salvoes) == {nexts[weapon["bins"][0]]}


def _target_offered(offer: Json, weapon: Json, shot: Json, salvoes: list[str]) -> bool:
    target = next((one for one in weapon["targets"] if one["target"] == shot["target"]), None)
    if target is None:
        return False
    if shot["spotter"] is not None:
        spotters = [one["spotter"] for one in target.get("indirect", ()) if one["possible"]]
        return shot["spotter"] in spotters
    if shot["computer"] and not weapon["aims_by_computer"]:
        return False
    still = shot["target"] in offer["immobile"] and shot["aim"] in offer["aim_at"]
    if shot["aim"] and not (still or shot["computer"]):
        return False
    if not salvoes:
        return bool(target["possible"])
    return all(target["by_salvo"].get(salvo) is not None for salvo in salvoes)


def _blow_offered(pose: Json, blow: Json, fired: set[str]) -> bool:
    every = (*(one for one in pose["physical"] if one["possible"]), *pose["ground_blows"])
    named = ("attack", "limb", "target")
    return any(
        all(one[name] == blow[name] for name in named) and not fired.intersection(one["holds_fire"])
        for one in every
    )


def _moves_so(movement: Json, move: Json, end: Json | None, heat: int) -> bool:
    if move["mode"] == "eject":
        return movement["eject"] is not None
    assert move["mode"] == "stand" or end is not None
    return lies_within(movement, move, end or {}, heat)


def odd(orders: Json, options: Json, rng: random.Random) -> Json:
    """The orders with one thing or two other than they are, by lot."""
    made = {**orders, **{part: {**orders[part]} for part in ("fire", "movement") if orders.get(part)}}
    for _ in range(rng.randint(1, 2)):
        part = rng.choice([name for name in ("fire", "movement") if made.get(name)])
        if part == "fire":
            made["fire"] = _odd_fire(made["fire"], options["fire"], rng)
        else:
            made["movement"] = _odd_move(made["movement"], rng)
    return made


def _odd_fire(fire: Json, offer: Json, rng: random.Random) -> Json:
    change = rng.choice(("pose", "shot", "shot", "shot", "more", "all", "all", "blow", "blow", "club"))
    weapons = [one["weapon"] for one in offer["twists"][0]["weapons"]]
    if change == "pose":
        return fire | {"twist": rng.choice((-1, 0, 1)), "flip_arms": rng.random() < 0.5}
    if change == "shot" and fire["shots"]:
        shots = list(fire["shots"])
        at = rng.randrange(len(shots))
        shots[at] = _odd_shot(shots[at], offer, rng)
        return fire | {"shots": shots}
    if change == "more" and weapons:
        shot = {"weapon": rng.choice(weapons), "target": rng.choice("AB"), "hex": None, "intent": None}
        return fire | {"shots": [*fire["shots"], _odd_shot(shot, offer, rng)], "pick_up": None}
    if change == "all":
        every = [{"weapon": weapon, "target": rng.choice("AB")} for weapon in weapons]
        return fire | {"shots": rng.sample(every, rng.randint(0, len(every))), "pick_up": None}
    if change == "blow":
        return fire | {"physical": [_any_blow(rng)], "pick_up": None, "shots": fire["shots"][:1]}
    if change == "club":
        return fire | {"pick_up": rng.choice(("tree", "limb", "girder")), "shots": [], "physical": []}
    return fire


def _any_blow(rng: random.Random) -> Json:
    attacks = ("punch", "kick", "push", "club", "hatchet", "sword", "charge", "death_from_above")
    attack = rng.choice(attacks)
    limbs = {"punch": ("RA", "LA"), "kick": ("RL", "LL"), "hatchet": ("RA", "LA"), "sword": ("RA", "LA")}
    target = rng.choice(("A", "B", f"{rng.randint(1, 16):02d}{rng.randint(1, 17):02d}"))
    return {"attack": attack, "limb": rng.choice(limbs.get(attack, (None,))), "target": target}


def _odd_shot(shot: Json, offer: Json, rng: random.Random) -> Json:
    change = rng.choice(("enemy", "enemy", "hex", "hex", "bin", "mode", "aim", "second"))
    stores = [None, *(store["id"] for store in offer["bins"])]
    if change == "enemy":
        return shot | {"target": rng.choice("AB"), "hex": None, "intent": None}
    if change == "hex":
        seen = [one["hex"] for one in offer["ground"]] or ["0505"]
        return shot | {"target": None, "hex": rng.choice(seen), "intent": rng.choice(INTENTS), "aim": None}
    if change == "aim":
        return shot | {"aim": str(rng.choice(tuple(Location))), "computer": rng.random() < 0.5}
    if change == "mode":
        return shot | {"mode": rng.choice(("double", "inhibitor_off", None))}
    return shot | {"second_bin" if change == "second" else "bin": rng.choice(stores)}


def _odd_move(move: Json, rng: random.Random) -> Json:
    if move["mode"] == "jump":
        return move | {"path": [f"{rng.randint(1, 16):02d}{rng.randint(1, 17):02d}"]}
    if move["mode"] in ("stand", "eject"):
        return {"mode": rng.choice(("walk", "run", "eject")), "steps": ["F"]}
    steps = list(move["steps"])
    at = rng.randint(0, len(steps))
    far = f"{rng.randint(1, 16):02d}{rng.randint(1, 17):02d}"
    more = rng.choices([*"FFFBLRUDQEZC", far], k=rng.randint(1, 2))
    steps[at : at + rng.randint(0, 1)] = more
    return move | {"steps": steps, "mode": rng.choice((move["mode"], "walk", "run"))}
