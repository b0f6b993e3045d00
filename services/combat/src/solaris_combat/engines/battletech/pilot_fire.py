"""What a house pilot fires: the twist, shots and blows that promise most within the heat it accepts."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.pilot_odds import odds, points

Json = dict[str, Any]

RISK_OF_A_KICK = 3000
"""What a missed kick costs on average, in thousandths of a point."""


class Temper(NamedTuple):
    """How a level of pilots fires.

    `cool` is the heat it is willing to end a turn with and `cool_at_last` that of the last turn; above the
    number `hopeless` it saves heat and rounds, but for the last turn.
    """

    cool: int
    cool_at_last: int
    hopeless: int


def attacks(twist: Json, shots: Iterable[Json]) -> list[list[Json]]:
    """Every physical attack that the shots leave possible, none among them; two punches count as one."""
    fired = {shot["location"] for shot in shots}
    blows = [
        b
        for b in twist["physical"]
        if b["possible"] and not b["lapses"] and not fired.intersection(b["holds_fire"])
    ]
    punches = list({blow["limb"]: blow for blow in blows if blow["attack"] == "punch"}.values())
    return [[], *([blow] for blow in blows), *([punches] if len(punches) > 1 else [])]


def may_join(fire: Json, shots: Iterable[Json], shot: Json) -> bool:
    """A weapon fires at one target, and a prone 'Mech fires the weapons of one arm only."""
    if any(one["weapon"] == shot["weapon"] for one in shots):
        return False
    arms = {one["location"] for one in (*shots, shot)} & {"LA", "RA"}
    return not fire["one_arm_only"] or len(arms) < 2


def pose(twist: Json) -> Json:
    """Torso and arms."""
    return {"twist": twist["twist"], "flip_arms": twist["flip_arms"]}


def offers(twist: Json) -> list[list[Json]]:
    """Shots a twist allows as flat entries, for each weapon and target all ways of firing."""
    return [
        [{**weapon, **target, "mode": None, "rounds": 1}]
        + [{**weapon, **target, **mode} for mode in weapon["modes"]]
        for weapon in twist["weapons"]
        for target in weapon["targets"]
        if target["possible"]
    ]


def feed(shot: Json, left: dict[str, list[str]]) -> bool:
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


def heat_after(fire: Json, shots: Iterable[Json]) -> int:
    """Heat at the end of the turn with these shots."""
    made = sum(shot["heat"] for shot in shots)
    return max(0, int(fire["heat"]["now"]) + int(fire["heat"]["built"]) + made - int(fire["heat"]["sinks"]))


def _worth(shot: Json) -> int:
    """Expected points of a shot in thousandths; of two shells half as many more hit as of one."""
    worth = odds(shot["number"]) * points(shot) * 10 // 36
    return {None: worth, "double": worth * 3 // 2}.get(shot["mode"], 0)


def best_fire(view: Json, fire: Json, temper: Temper) -> Json:
    """The twist and shots that promise most points within the heat the pilot accepts."""
    best: Json = {"twist": 0, "flip_arms": False, "shots": [], "physical": [], "worth": -1}
    for twist in sorted(fire["twists"], key=lambda t: abs(t["twist"])):
        plan = _greedy(view, fire, twist, temper)
        if plan["worth"] > best["worth"]:
            best = plan
    return best


def _greedy(view: Json, fire: Json, twist: Json, temper: Temper) -> Json:
    """Shots with one twist, the best for their heat first, and then the best blows."""
    left = {store["id"]: store["belt"] for store in fire["bins"]}
    last = view["turn"] >= view["turns"]
    limit = temper.cool_at_last if last else temper.cool
    shots: list[Json] = []
    worth = 0
    worthy = [shot for ways in offers(twist) for shot in ways if _worth(shot)]
    worthy.sort(key=lambda s: (-_worth(s) // (s["heat"] + 2), s["weapon"]))
    for shot in worthy:
        if any(shot["weapon"] == other["weapon"] for other in shots):
            continue
        hot = heat_after(fire, [*shots, shot]) > limit and shot["heat"] > 0
        hopeless = shot["number"] > temper.hopeless and not last
        if not (hot or hopeless) and may_join(fire, shots, shot) and feed(shot, left):
            shots.append(shot)
            worth += _worth(shot)
    blows = max(attacks(twist, shots), key=_blows_worth)
    return {**pose(twist), "shots": shots, "physical": blows, "worth": worth + _blows_worth(blows)}


def _blows_worth(blows: Iterable[Json]) -> int:
    """Expected points of physical attacks in thousandths; a kick that misses may end in a fall."""
    worth = 0
    for blow in blows:
        ways = odds(blow["number"], automatic=False)
        lost = RISK_OF_A_KICK * (36 - ways) if blow["attack"] == "kick" else 0
        worth += (ways * (blow["damage"] - blow["own_damage"]) * 1000 - lost) // 36
    return worth
