"""Mirrored fights between house pilots: does each level beat the one below?

Each pair of fights has the same two 'Mechs, arena and dice with the pilots' seats swapped, under the rules
of Class 4. The 'Mechs are any two of those that are played, by lot; `near` takes the second one among those
nearest to the first in Battle Value. A win is a point and a draw half a point. CPU time is that of one order
of the better pilot, options not counted.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from solaris_combat.engines.battletech import house_pilot
from solaris_combat.engines.battletech.house_pilot import LEVELS
from solaris_combat.rulesets import rulesets
from solaris_local import offline

RULESET, FIGHT_CLASS, TURNS, ARENA = "solaris7/1", 4, 8, "la-cantera"
PERCENT = 100
NEAR = 5
"""So many models nearest in Battle Value may meet one, where they are to be near."""


@dataclass(slots=True)
class Score:
    """Results of the better pilot so far, and the CPU milliseconds of each of its orders."""

    results: dict[str, int] = field(default_factory=lambda: {"win": 0, "draw": 0, "loss": 0})
    orders_ms: list[float] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """What the bench prints: `share` is the percentage of the points."""
        fights = sum(self.results.values())
        spent = sorted(self.orders_ms)
        return {
            "fights": fights,
            **self.results,
            "share": round(PERCENT * (2 * self.results["win"] + self.results["draw"]) / (2 * fights), 1),
            "order_p99_cpu_ms": round(spent[len(spent) * 99 // PERCENT], 1),
        }


def run(fights: int, seed: int = 0, near: bool = False) -> dict[str, Any]:
    """So many mirrored fights (an even number) of each level against the one below."""
    levels = {str(level): match(level, fights, seed, near).row() for level in LEVELS[1:]}
    return {"levels": levels, "class": FIGHT_CLASS, "seed": seed, "near": near}


def match(level: int, fights: int, seed: int = 0, near: bool = False) -> Score:
    """A level against the one below."""
    score = Score()
    choose = _timed(level, score.orders_ms)
    for left, right, dice in _pairs(fights // 2, seed, near):
        for levels in ((level, level - 1), (level - 1, level)):
            wish = offline.Wish(left, right, RULESET, FIGHT_CLASS, ARENA, TURNS, dice, levels)
            fight, _ = offline.play(wish, choose)
            outcome = fight.playing.outcome(fight.game)
            assert outcome is not None
            score.results[outcome.sides[levels.index(level)].result] += 1
    return score


def _pairs(count: int, seed: int, near: bool) -> Iterator[tuple[str, str, bytes]]:
    """Two playable models and dice by lot, the same for everybody who runs this."""
    sheets: Mapping[str, Any] = rulesets().newest(RULESET).models
    worth = {model: sheet["battle_value"] for model, sheet in sheets.items() if sheet["playable"]}
    for number in range(count):
        label = f"{seed} {number}"
        lot = Random(label)
        left, right = lot.sample(sorted(worth), 2)
        if near:
            others = sorted(worth.keys() - {left}, key=lambda one: (abs(worth[one] - worth[left]), one))
            right = lot.choice(others[:NEAR])
        yield left, right, sha256(label.encode()).digest()


def _timed(level: int, spent: list[float]) -> Callable[..., Any]:
    """House pilots of which one level is timed."""

    def choose(view: Any, options: Any, of: int, dice: Any) -> Any:
        begun = time.process_time()
        orders = house_pilot.choose(view, options, of, dice)
        if of == level:
            spent.append(1000 * (time.process_time() - begun))
        return orders

    return choose
