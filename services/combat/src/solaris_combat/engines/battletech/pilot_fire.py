"""What a house pilot fires: the twist, shots and blows that promise most for the heat they make."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from solaris_combat.engines.battletech import pilot_blows
from solaris_combat.engines.battletech.cluster_hits import hits
from solaris_combat.engines.battletech.double_rate import COLUMN
from solaris_combat.engines.battletech.double_rate import allowed as doubles
from solaris_combat.engines.battletech.double_rate import feed as fed_twice
from solaris_combat.engines.battletech.field_inhibitor import DAMAGE as FEEDBACK
from solaris_combat.engines.battletech.field_inhibitor import safe_on
from solaris_combat.engines.battletech.firing_modes import DOUBLE, INHIBITOR_OFF
from solaris_combat.engines.battletech.hex import Hex, distance
from solaris_combat.engines.battletech.inferno import HEAT, KEY, TURNS_PER_MISSILE
from solaris_combat.engines.battletech.munitions import munition
from solaris_combat.engines.battletech.pilot_arms import Arms
from solaris_combat.engines.battletech.pilot_blows import attacks
from solaris_combat.engines.battletech.pilot_heat import HeatPrice
from solaris_combat.engines.battletech.pilot_odds import HIGHEST, ODDS, ROLLS, missiles, odds, points
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS, Temper
from solaris_combat.engines.battletech.weapons import WEAPONS

Json = dict[str, Any]
Left = dict[str, list[str]]

TWICE = sum(hits(COLUMN, total) * (ODDS[total] - ODDS[total + 1]) for total in range(2, HIGHEST))
TWICE += hits(COLUMN, HIGHEST)
"""Shells of two that hit on average, in parts of 36."""
POINT_OF_HEAT: int = WEIGHTS["fire"]["point_of_heat"]


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


def indirect(view: Json, twist: Json) -> Iterator[Json]:
    """Shots at what only a friend sees who has nothing to fire at it himself, as flat entries."""
    for weapon in twist["weapons"]:
        for target in weapon["targets"]:
            for way in target.get("indirect", ()):
                if way["possible"] and _looks_on(view, way["spotter"], target["target"]):
                    told = {"by_salvo": dict.fromkeys(target["by_salvo"], way["number"])}
                    yield {**weapon, **target, **way, **told, "mode": None, "rounds": 1}


def _looks_on(view: Json, spotter: str, target: str) -> bool:
    """Whether a friend will only spot: who attacks directs nobody's fire."""
    seer, seen = view["sides"][spotter], view["sides"][target]
    far = distance(Hex.parse(seer["hex"]), Hex.parse(seen["hex"]))
    return far > 1 and not Arms(seer).volley(far, 0)


def feed(shot: Json, left: Left) -> bool:
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


def heat_balance(fire: Json, shots: Iterable[Json]) -> int:
    """Heat at the end of the turn with these shots; below 0 what the sinks could still take."""
    made = sum(shot["heat"] for shot in shots)
    return int(fire["heat"]["now"]) + int(fire["heat"]["built"]) + made - int(fire["heat"]["sinks"])


def heat_after(fire: Json, shots: Iterable[Json]) -> int:
    """Heat at the end of the turn with these shots."""
    return max(0, heat_balance(fire, shots))


class Gunner:
    """One turn of fire of a pilot: what each shot is worth to it, and which it fires."""

    def __init__(self, view: Json, fire: Json, temper: Temper) -> None:
        self.view = view
        self.fire = fire
        self.temper = temper
        self.left_turns = max(0, view["turns"] - view["turn"])
        self.last = self.left_turns == 0
        self.price = HeatPrice(view["sides"][view["you"]], self.last)
        self.here = Hex.parse(view["sides"][view["you"]]["hex"])

    def best(self) -> Json:
        """The twist, shots and blows that promise most."""
        best: Json = {"twist": 0, "flip_arms": False, "shots": [], "physical": [], "worth": -1}
        for twist in sorted(self.fire["twists"], key=lambda t: abs(t["twist"])):
            for blows in attacks(twist, ()):
                plan = self._with(twist, blows)
                if plan["worth"] > best["worth"]:
                    best = plan
        return best

    def _with(self, twist: Json, blows: list[Json]) -> Json:
        """Shots with one twist that leave some blows possible."""
        barred = {location for blow in blows for location in blow["holds_fire"]}
        open_to = [shot for ways in offers(twist) for shot in ways if shot["location"] not in barred]
        if not any(blows):
            open_to += indirect(self.view, twist)
        shots, worth = self._shots(open_to)
        return {
            **pose(twist),
            "shots": shots,
            "physical": blows,
            "worth": worth + pilot_blows.worth(self.view, blows),
        }

    def _shots(self, open_to: Sequence[Json]) -> tuple[list[Json], int]:
        """The best shot for its heat first, and so on as long as one more is worth its heat."""
        left = {store["id"]: list(store["belt"]) for store in self.fire["bins"]}
        shots: list[Json] = []
        worth = 0
        while True:
            ways = [
                way for shot in open_to if may_join(self.fire, shots, shot) for way in self._fed(shot, left)
            ]
            rated = [(self._gain(shots, way), way) for way in ways]
            rated = [(gain, way) for gain, way in rated if gain > 0]
            if not rated:
                return shots, worth
            gain, shot = max(rated, key=lambda one: (one[0] // (one[1]["heat"] + 2), one[1]["weapon"]))
            shots.append(shot)
            worth += gain
            if shot["bin"]:
                left[shot["bin"]] = left[shot["bin"]][shot["rounds"] :]

    def _fed(self, shot: Json, left: Left) -> Iterator[Json]:
        """The shot from each bin that could feed it, with what it is worth in thousandths of a point."""
        if not shot["needs_ammunition"]:
            yield {**shot, "bin": None, "worth": self._worth(shot, shot["number"], "")}
            return
        for name in shot["bins"]:
            salvoes = left[name][: shot["rounds"]]
            numbers = [shot["by_salvo"].get(salvo) for salvo in salvoes]
            if len(salvoes) == shot["rounds"] and None not in numbers:
                worth = self._worth(shot, max(numbers), salvoes[0])
                yield {**shot, "bin": name, "number": max(numbers), "worth": worth}

    def _gain(self, shots: Sequence[Json], shot: Json) -> int:
        """What a shot adds to others: its worth less the price of its heat."""
        before, after = heat_after(self.fire, shots), heat_after(self.fire, [*shots, shot])
        worth = int(shot["worth"])
        if self.temper.weighs_heat:
            return worth - self.price.of(after) + self.price.of(before)
        limit = self.temper.cool_at_last if self.last else self.temper.cool
        hopeless = shot["number"] > self.temper.hopeless and not self.last
        return 0 if hopeless or (after > limit and shot["heat"]) else worth

    def _worth(self, shot: Json, number: int, salvo: str) -> int:
        """Expected points of a shot in thousandths, less what its way of firing puts at risk."""
        weapon = WEAPONS[shot["name"]]
        if shot["mode"] == INHIBITOR_OFF:
            return self._uninhibited(shot)
        if shot["mode"] not in (None, DOUBLE):
            return 0
        if munition(salvo) == KEY:
            burning = min(self.left_turns + 1, TURNS_PER_MISSILE * missiles(weapon.rack, 2) // 100)
            return odds(number) * POINT_OF_HEAT * HEAT * burning // ROLLS
        worth = 10 * odds(number) * points(weapon, salvo) // ROLLS
        if shot["mode"] == DOUBLE:
            worth = worth * TWICE // ROLLS
            if self.temper.weighs_heat and doubles(weapon):
                worth -= self._risk_of_two(shot, number, worth)
        return worth

    def _risk_of_two(self, shot: Json, number: int, worth: int) -> int:
        """What bursting or jamming costs: the gun for the turns that are left, and the shell inside."""
        weapon = WEAPONS[shot["name"]]
        lost = 0
        for total in range(2, HIGHEST + 1):
            ways = ODDS[total] - (ODDS[total + 1] if total < HIGHEST else 0)
            after = fed_twice(weapon, total, total >= number)
            gone = after.explodes or after.jammed
            lost += ways * (after.damage * 1000 + gone * self.left_turns * worth // 2)
        return lost // ROLLS

    def _uninhibited(self, shot: Json) -> int:
        """A PPC without its inhibitor: no minimum range, and the risk of the feedback."""
        told = next((n for n in shot["numbers"] if n["target"] == shot["target"] and n["possible"]), None)
        if told is None or not self.temper.weighs_heat:
            return 0
        target = Hex.parse(self.view["sides"][shot["target"]]["hex"])
        worth = 10 * points(WEAPONS[shot["name"]]) * odds(told["number"]) // ROLLS
        fails = ROLLS - odds(safe_on(distance(self.here, target)), automatic=False)
        return worth - fails * (FEEDBACK * 1000 + self.left_turns * worth) // ROLLS
