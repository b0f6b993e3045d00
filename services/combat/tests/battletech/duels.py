"""Fights between house pilots and ready-made situations, played by the engine as the aggregate plays it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from solaris_combat.engines.battletech.engine import BattleTech, build
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.lot import answer_by_lot, orders_by_lot
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.contract import Asked, Question, Setup, UnitSetup
from solaris_combat.engines.dice import Roll, SeededDice, dice_key

ENGINE = build()
Answerer = Callable[[str, Any], Orders]


def setup(left: str = "PNT-9R", right: str = "JVN-10N", arena: str = "la-cantera") -> Setup:
    """A duel in Class 3 between two models."""
    units = (UnitSetup("A", "Aramis", left, 4, 5), UnitSetup("B", "Borja", right, 4, 5))
    return Setup("solaris7/1", 3, arena, 8, units)


def macro(*teams: str, arena: str = "la-cantera") -> Setup:
    """A fight of several: models of each team joined by commas."""
    models = [(str(number), model) for number, team in enumerate(teams, 1) for model in team.split(",")]
    units = tuple(
        UnitSetup(side, side, model, 4, 5) for side, (_, model) in zip("ABCDEFGH", models, strict=False)
    )
    named = {unit.side: team for unit, (team, _) in zip(units, models, strict=True)}
    return Setup("solaris7/1", 3, arena, 8, units, named if len(teams) < len(models) else {})


@dataclass
class Fight:
    """A fight as it is played: engine, state, every event, and every face the dice showed."""

    engine: BattleTech
    state: State
    events: list[object]
    dice: SeededDice
    asked: int = 0
    drawn: list[Roll] = field(default_factory=list)

    def carry_out(self, orders: Mapping[str, Orders], answer: Answerer) -> tuple[object, ...]:
        """Decide, answering questions, always from the same place of the dice; check that faces are kept."""
        orders = dict(orders)
        while True:
            dice = Recorded(SeededDice(self.dice._key, self.dice.position))
            decided = self.engine.decide(self.state, orders, dice)
            if not isinstance(decided, Asked):
                break
            for side, question in decided.questions.items():
                self.asked += 1
                given = answer(side, question)
                assert self.engine.check_answer(self.state, side, question, given) == []
                orders[side] = self.engine.add_answer(orders[side], given)
        self.dice.position = dice.inner.position
        self.drawn += dice.rolls
        self.take(decided)
        return decided

    def take(self, events: tuple[object, ...]) -> None:
        """Let events happen."""
        for event in events:
            self.state = self.engine.evolve(self.state, event)
        self.events += events


class Recorded:
    """Dice that note what they showed."""

    def __init__(self, inner: SeededDice) -> None:
        self.inner = inner
        self.rolls: list[Roll] = []

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Next faces of the inner dice."""
        self.rolls.append(self.inner.roll(count, sides, purpose))
        return self.rolls[-1]


def begin(engine: BattleTech, terms: Setup, seed: bytes) -> Fight:
    """A fight that has just been opened."""
    events = engine.open(terms)
    state: Any = None
    for event in events:
        state = engine.evolve(state, event)
    return Fight(engine, state, list(events), SeededDice(dice_key(seed, (bytes(32), bytes(32)))))


def battered(state: State, rng: random.Random) -> State:
    """The state with both units in any bad shape: armour, slots, limbs, heat, wounds, reactor."""
    units = {side: _battered(unit, rng) for side, unit in state.units.items()}
    return replace(state, units=units)


def _battered(unit: Unit, rng: random.Random) -> Unit:
    armor = {at: (rng.randint(0, front), rng.randint(0, rear)) for at, (front, rear) in unit.armor.items()}
    structure = {at: rng.randint(1, points) for at, points in unit.structure.items()}
    hits = {
        (at, number)
        for at, slots in unit.design.slots.items()
        for number, slot in enumerate(slots, 1)
        if slot.kind not in ("empty", "unhittable", "cockpit") and rng.random() < 0.08
    }
    if rng.random() < 0.3:
        limb = rng.choice((Location.LA, Location.RA, Location.LL, Location.RL))
        armor[limb], structure[limb] = (0, 0), 0
    return replace(
        unit,
        armor=armor,
        structure=structure,
        hits=frozenset(hits),
        belts={name: belt[: rng.randint(0, len(belt))] for name, belt in unit.belts.items()},
        heat=rng.choice((0, 5, 12, 17, 25)),
        pilot_hits=rng.choice((0, 0, 1, 3)),
        prone=rng.random() < 0.3,
        shutdown=rng.random() < 0.15,
        conscious=rng.random() > 0.15,
    )


def play(
    engine: BattleTech,
    terms: Setup,
    seed: bytes,
    levels: tuple[int, ...] = (1, 1),
    meddle: Callable[[State], State] | None = None,
) -> Fight:
    """A whole fight between two house pilots; every order they give must be legal.

    `meddle` changes the state once, after the initial turn (then the events alone no longer give it).
    """
    fight = begin(engine, terms, seed)
    sides = [unit.side for unit in terms.units]
    rng = {side: SeededDice(sha256(seed + side.encode()).digest()) for side in sides}
    level = {side: levels[number % len(levels)] for number, side in enumerate(sides)}

    def choose(side: str, options: dict[str, Any]) -> Orders:
        chosen = engine.choose(engine.view(fight.state, side), options, level[side], rng[side])
        return engine.parse_orders(chosen)

    def order(side: str) -> Orders:
        if level[side]:
            return choose(side, engine.options(fight.state, side))
        return orders_by_lot(fight.state, side, rng[side])

    def answer(side: str, question: Question) -> Orders:
        return choose(side, question.options) if level[side] else answer_by_lot(question, rng[side])

    while engine.waiting_for(fight.state):
        orders = {}
        for side in sorted(engine.waiting_for(fight.state)):
            orders[side] = order(side)
            assert engine.check(fight.state, side, orders[side]) == [], (side, orders[side])
        fight.carry_out(orders, answer)
        if meddle and fight.state.turn == 0:
            fight.state = meddle(fight.state)
    return fight


def arrange(state: State, **sides: dict[str, Any]) -> State:
    """The state with facts of the units replaced; hexes may be printed numbers."""
    units = dict(state.units)
    for side, facts in sides.items():
        where = {"position": Hex.parse(facts["position"])} if "position" in facts else {}
        units[side] = replace(units[side], **(facts | where))
    return replace(state, units=units)
