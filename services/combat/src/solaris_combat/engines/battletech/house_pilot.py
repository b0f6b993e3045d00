"""A simple opponent: chooses orders from the public view and its own options, and from nothing else.

Level 0 takes any legal orders with equal chance for each part; level 1 is greedy: it fires what is worth its
heat, moves where it expects to deal more than it takes, keeps its front to the enemy, likes cover and its
best range, and stands up when it has fallen. It is a pure function: the same arguments give the same orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from solaris_combat.engines.battletech.arcs import attack_side
from solaris_combat.engines.battletech.hex import Hex, internal_facing
from solaris_combat.engines.dice import Dice

Json = dict[str, Any]
T = TypeVar("T")

ODDS = (36, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1)
"""Ways out of 36 to roll this number or more on 2D6 (index is the number)."""
CLUSTER_SHARE = 63
"""Missiles of a volley that hit on average, in hundredths."""
COOL = 7
"""Heat the pilot is willing to end a turn with; the heat scale hampers fire from 8 on."""
HOPELESS = 11
"""Above this number the pilot saves heat and rounds, but for the last turn."""
RISK_OF_A_KICK = 3000
"""What a missed kick costs on average, in thousandths of a point."""
REAR_FACTOR = {"front": 100, "left": 115, "right": 115, "rear": 160}
"""What a point of damage from this side is worth to the one it hits, in hundredths."""


def choose(view: Json, options: Json, level: int, rng: Dice) -> Json:
    """Orders JSON for what is asked; ValueError for a level this house does not train."""
    if level not in (0, 1):
        raise ValueError(f"house pilots have the levels 0 and 1, not {level}")
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
        fire = _any_fire(options["fire"], rng) if level == 0 else _best_fire(view, options["fire"])
        systems = options["fire"].get("ams", {}).get("systems", ()) if options["fire"]["conscious"] else ()
        orders["fire"] = _fire_orders(fire | {"ams": [one["ams"] for one in systems]})
        heat = _heat_after(options["fire"], fire["shots"])
    if "movement" in options:
        moves = legal_moves(options["movement"], heat)
        move = _pick(moves, rng) if level == 0 else _best_move(view, options["movement"], moves, heat)
        orders["movement"] = _movement(move)
    return orders


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


def legal_moves(movement: Json, heat: int) -> list[Json]:
    """Every way to move that the options offer at this heat, as flat entries; standing still is one."""
    found: list[Json] = [{"mode": "stand", **movement["here"], "mp": 0, "hexes": 0}]
    for mode, offer in movement["modes"].items():
        most = mp_at(movement, mode, heat)
        for entry in offer["reach"]:
            if entry["mp"] <= most or (most and entry.get("always")):
                found += _facings({"mode": mode, **entry})
    return found


def _facings(move: Json) -> list[Json]:
    """A jump may land with any facing; on the ground the way decides it."""
    return [move] if "facing" in move else [{**move, "facing": facing} for facing in range(1, 7)]


def mp_at(movement: Json, mode: str, heat: int) -> int:
    """Movement points of a mode at a heat."""
    row = next(row for row in reversed(movement["mp_by_heat"]) if heat >= row["heat"])
    return int(row[mode])


def _any_fire(fire: Json, rng: Dice) -> Json:
    """Any twist, and of each weapon that can fire with it whether it does."""
    twist = _pick(fire["twists"], rng)
    left = {store["id"]: store["belt"] for store in fire["bins"]}
    shots: list[Json] = []
    for ways in _offers(twist):
        if rng.roll(1, 2, "fire or not").total == 1:
            shot = _pick(ways, rng)
            if _may_join(fire, shots, shot) and _feed(shot, left):
                shots.append(shot)
    blows = _pick(_attacks(twist, shots), rng)
    club = None if shots or blows or not fire["clubs"] else _pick(fire["clubs"], rng)["kind"]
    return {**_pose(twist), "shots": shots, "physical": blows, "pick_up": club}


def _attacks(twist: Json, shots: Iterable[Json]) -> list[list[Json]]:
    """Every physical attack that the shots leave possible, none among them; two punches count as one."""
    fired = {shot["location"] for shot in shots}
    blows = [
        b
        for b in twist["physical"]
        if b["possible"] and not b["lapses"] and not fired.intersection(b["holds_fire"])
    ]
    punches = list({blow["limb"]: blow for blow in blows if blow["attack"] == "punch"}.values())
    return [[], *([blow] for blow in blows), *([punches] if len(punches) > 1 else [])]


def _may_join(fire: Json, shots: Iterable[Json], shot: Json) -> bool:
    """A weapon fires at one target, and a prone 'Mech fires the weapons of one arm only."""
    if any(one["weapon"] == shot["weapon"] for one in shots):
        return False
    arms = {one["location"] for one in (*shots, shot)} & {"LA", "RA"}
    return not fire["one_arm_only"] or len(arms) < 2


def _pose(twist: Json) -> Json:
    """Torso and arms."""
    return {"twist": twist["twist"], "flip_arms": twist["flip_arms"]}


def _offers(twist: Json) -> list[list[Json]]:
    """Shots a twist allows as flat entries, for each weapon and target all ways of firing."""
    return [
        [{**weapon, **target, "mode": None, "rounds": 1}]
        + [{**weapon, **target, **mode} for mode in weapon["modes"]]
        for weapon in twist["weapons"]
        for target in weapon["targets"]
        if target["possible"]
    ]


def _feed(shot: Json, left: dict[str, list[str]]) -> bool:
    """Take the rounds of a shot from a bin whose next salvoes reach its target; False if there is none."""
    shot["bin"] = None
    if not shot["needs_ammunition"]:
        return True
    for name in shot["bins"]:
        salvoes = left[name][: shot["rounds"]]
        reached = all(shot["by_salvo"].get(salvo) is not None for salvo in salvoes)
        if len(salvoes) == shot["rounds"] and reached:
            shot["bin"], left[name] = name, left[name][shot["rounds"] :]
            return True
    return False


def _heat_after(fire: Json, shots: Iterable[Json]) -> int:
    made = sum(shot["heat"] for shot in shots)
    return max(0, int(fire["heat"]["now"]) + int(fire["heat"]["built"]) + made - int(fire["heat"]["sinks"]))


def _worth(shot: Json) -> int:
    """Expected points of a shot in thousandths; of two shells half as many more hit as of one."""
    number = shot["number"]
    odds = ODDS[max(2, min(number, 12))] if number <= 12 else 1
    worth = odds * _points(shot) * 10 // 36
    return {None: worth, "double": worth * 3 // 2}.get(shot["mode"], 0)


def _points(weapon: Json) -> int:
    """Points of one hit in hundredths."""
    if weapon["rack"]:
        return int(weapon["damage"]) * int(weapon["rack"]) * CLUSTER_SHARE
    return int(weapon["damage"]) * 100


def _best_fire(view: Json, fire: Json) -> Json:
    """The twist and shots that promise most points within the heat the pilot accepts."""
    best: Json = {"twist": 0, "flip_arms": False, "shots": [], "physical": [], "worth": -1}
    for twist in sorted(fire["twists"], key=lambda t: abs(t["twist"])):
        plan = _greedy(view, fire, twist)
        if plan["worth"] > best["worth"]:
            best = plan
    return best


def _greedy(view: Json, fire: Json, twist: Json) -> Json:
    left = {store["id"]: store["belt"] for store in fire["bins"]}
    last = view["turn"] >= view["turns"]
    limit = COOL + (6 if last else 0)
    shots: list[Json] = []
    worth = 0
    offers = [shot for ways in _offers(twist) for shot in ways if _worth(shot)]
    offers.sort(key=lambda s: (-_worth(s) // (s["heat"] + 2), s["weapon"]))
    for shot in offers:
        if any(shot["weapon"] == other["weapon"] for other in shots):
            continue
        hot = _heat_after(fire, [*shots, shot]) > limit and shot["heat"] > 0
        hopeless = shot["number"] > HOPELESS and not last
        if not (hot or hopeless) and _may_join(fire, shots, shot) and _feed(shot, left):
            shots.append(shot)
            worth += _worth(shot)
    blows = max(_attacks(twist, shots), key=_blows_worth)
    return {**_pose(twist), "shots": shots, "physical": blows, "worth": worth + _blows_worth(blows)}


def _blows_worth(blows: Iterable[Json]) -> int:
    """Expected points of physical attacks in thousandths; a kick that misses may end in a fall."""
    worth = 0
    for blow in blows:
        number = blow["number"]
        odds = ODDS[max(2, number)] if number <= 12 else 0
        lost = RISK_OF_A_KICK * (36 - odds) if blow["attack"] == "kick" else 0
        worth += (odds * (blow["damage"] - blow["own_damage"]) * 1000 - lost) // 36
    return worth


def _recover(recovery: Json, level: int, rng: Dice) -> Json:
    """After a fall while moving: level 0 anything, level 1 stands up if it well may."""
    attempts = list(range(recovery["attempts_at_most"] + 1))
    if level == 0:
        return {"attempts": _pick(attempts, rng), "steps": []}
    good = recovery["number"] is not None and recovery["number"] <= 8
    return {"attempts": attempts[-1] if good else 0, "steps": []}


def _best_move(view: Json, movement: Json, moves: Sequence[Json], heat: int) -> Json:
    """The move with the best balance of points dealt and taken; ties go to the shorter one."""
    me, other = view["sides"][view["you"]], view["sides"][movement["rival"]]
    prospects = _Prospects(movement["hexes"], me, other)
    if me["prone"]:
        moves = [move for move in moves if _only_stands_up(move)] or moves[:1]
    best = max(moves, key=lambda move: (prospects.balance(move), -move["mp"], _name(move)))
    return _try_often(movement, best, heat) if me["prone"] else best


def _name(move: Json) -> str:
    return f"{move['hex']} {move['facing']} {move['mode']}"


def _only_stands_up(move: Json) -> bool:
    """Whether a move is an attempt to stand up, at a walk, and a turn on the spot."""
    steps = move.get("steps", "")
    return move["mode"] == "walk" and steps.startswith("U") and "F" not in steps and "B" not in steps


def _try_often(movement: Json, move: Json, heat: int) -> Json:
    """The same move with as many attempts to stand up as the MP pay for."""
    if move["mode"] == "stand":
        return move
    attempts = mp_at(movement, "walk", heat) // movement["stand_up_mp"]
    return {**move, "steps": "U" * attempts + move["steps"][1:]}


class _Prospects:
    """What a move promises if the rival stays about where it is; counts each kind of volley once."""

    def __init__(self, places: Json, me: Json, other: Json) -> None:
        self.places = places
        self.me = me
        self.other = other
        self.there = Hex.parse(other["hex"])
        self.sides: dict[tuple[str, int], str] = {}
        self.volleys: dict[tuple[bool, int, int], int] = {}

    def balance(self, move: Json) -> int:
        """Points dealt minus points taken, in hundredths, less what the way costs."""
        place = self.places[move["hex"]]
        far = place["distance"]
        if far is None:
            return -100_000
        ahead = self._struck(move["hex"], move["facing"])
        dealt = taken = 0
        if place["fire"] is not None and ahead != "rear":
            dealt = self._volley(True, far, _own_modifier(move, place))
        if place["under_fire"] is not None:
            taken = self._volley(False, far, _target_modifier(move, place)) * REAR_FACTOR[ahead] // 100
        return 10 * (11 * dealt - 10 * taken) // 100 - 40 * _too_far(self.me, far) - 15 * _costs(move)

    def _struck(self, where: str, facing: int) -> str:
        """Side that the rival would strike."""
        key = (where, facing)
        if key not in self.sides:
            self.sides[key] = str(attack_side(Hex.parse(where), internal_facing(facing), self.there))
        return self.sides[key]

    def _volley(self, mine: bool, far: int, modifier: int) -> int:
        key = (mine, far, modifier)
        if key not in self.volleys:
            self.volleys[key] = _volley(self.me if mine else self.other, far, modifier)
        return self.volleys[key]


def _own_modifier(move: Json, place: Json) -> int:
    """What the move and the ground do to the pilot's own fire; the rival is taken to move a little."""
    return int(place["fire"]) + {"stand": 0, "walk": 1, "run": 2, "jump": 3}[move["mode"]] + 1


def _target_modifier(move: Json, place: Json) -> int:
    """What the move and the ground do to fire at the pilot; the rival is taken to walk."""
    moved = sum(1 for least in (3, 5, 7, 10) if move["hexes"] >= least)
    return int(place["under_fire"]) + moved + (1 if move["mode"] == "jump" else 0) + 1


def _volley(side: Json, far: int, modifier: int) -> int:
    """Expected points, in hundredths, of everything a side can fire this far."""
    gunnery = side["pilot"]["gunnery"]
    total = 0
    for weapon in side["weapons"]:
        number = _reach(weapon["ranges"], far)
        if weapon["works"] and not weapon["rear"] and number is not None:
            needed = max(2, gunnery + modifier + number)
            odds = ODDS[needed] if needed <= 12 else 1
            total += odds * _points(weapon) // 36
    return total


def _reach(ranges: Sequence[int], far: int) -> int | None:
    """Range modifier with minimum range; None beyond long range."""
    minimum, *limits = ranges
    for modifier, limit in zip((0, 2, 4), limits, strict=True):
        if far <= limit:
            return modifier + (minimum - far + 1 if far <= minimum else 0)
    return None


def _too_far(side: Json, far: int) -> int:
    """Hexes beyond the range at which most of the side's weapons are at medium range."""
    useful = sorted(weapon["ranges"][2] for weapon in side["weapons"] if weapon["works"])
    return max(0, far - useful[len(useful) // 2]) if useful else 0


def _costs(move: Json) -> int:
    """Heat and risk of a way to move."""
    risk = 6 * len(move.get("checks", ()))
    return {"stand": 0, "walk": 1, "run": 2}.get(move["mode"], max(3, move["hexes"])) + risk
