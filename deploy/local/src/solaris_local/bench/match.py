"""Whole fights of pilots of level 0 in one process, without a server: for benches and long tests."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from solaris_combat.engines.battletech.battlefield import Battlefield, untouched
from solaris_combat.engines.battletech.board import Arena
from solaris_combat.engines.battletech.engine import BattleTech, build
from solaris_combat.engines.battletech.lot import answer_by_lot, orders_by_lot
from solaris_combat.engines.battletech.opening import SKILLS
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.contract import Asked, Setup, UnitSetup
from solaris_combat.engines.dice import SeededDice, dice_key
from solaris_combat.engines.frozen import replace
from solaris_local.bench import boards

RULESET, FIGHT_CLASS, TURNS = "solaris7/1", 3, 8
SIDES = "ABCDEFGH"


def setup_of(models: tuple[str, ...], arena: str) -> Setup:
    """A duel of two models, or a fight of two teams, half of the models each."""
    units = tuple(UnitSetup(side, side, model, 4, 5) for side, model in zip(SIDES, models, strict=False))
    half = len(models) // 2
    teams = {unit.side: str(1 + (n >= half)) for n, unit in enumerate(units)} if len(models) > 2 else {}
    return Setup(RULESET, FIGHT_CLASS, arena, TURNS, units, teams)


@dataclass(slots=True)
class Match:
    """A fight as it goes on: its state, every event, and the orders (with answers) of every request."""

    engine: BattleTech
    seed: bytes
    state: State
    position: int = 0
    events: list[Any] = field(default_factory=list)
    orders: list[Mapping[str, Orders]] = field(default_factory=list)

    @classmethod
    def opened(
        cls, setup: Setup, seed: bytes, arena: Arena | None = None, ground: Battlefield | None = None
    ) -> "Match":
        """A fight that has just been set up; `arena` and its `ground` are put in the place of its own."""
        engine = build()
        state: Any = None
        for event in engine.open(setup):
            state = engine.evolve(state, event)
        if arena:
            state = replace(state, arena=arena, ground=ground or untouched(arena.board))
        return cls(engine, seed, state)

    def __iter__(self) -> Iterator[Mapping[str, Orders]]:
        """The orders of each request in turn, drawn by lot, until the fight is over."""
        while sides := sorted(self.engine.waiting_for(self.state)):
            yield {side: orders_by_lot(self.state, side, self.lot(side)) for side in sides}

    def lot(self, side: str, number: int = 0) -> SeededDice:
        """The pilot's own dice for this request, and for the answers in it."""
        label = f"{side} {len(self.orders)} {number}".encode()
        return SeededDice(sha256(self.seed + label).digest())

    def dice(self) -> SeededDice:
        """The fight's dice from where they stand."""
        return self.dice_at(self.position)

    def dice_at(self, position: int) -> SeededDice:
        """The fight's dice from any place."""
        return SeededDice(dice_key(self.seed, ()), position)

    def carry_out(self, orders: Mapping[str, Orders]) -> tuple[Any, ...]:
        """Resolve a request, with every answer that it asks for, and let the events happen."""
        given = dict(orders)
        for number in range(1, 99):
            dice = self.dice()
            decided = self.engine.decide(self.state, given, dice)
            if not isinstance(decided, Asked):
                break
            for side, question in decided.questions.items():
                answer = answer_by_lot(question, self.lot(side, number))
                given[side] = self.engine.add_answer(given[side], answer)
        assert not isinstance(decided, Asked)
        for event in decided:
            self.state = self.engine.evolve(self.state, event)
        self.position = dice.position
        self.events += decided
        self.orders.append(given)
        return decided


USUAL_ARENA = "la-cantera"


def drawn(number: int, seats: int = 2, wild: bool = False, arena_id: str = USUAL_ARENA) -> Match:
    """The fight with a number: models by lot, in an arena or, `wild`, anything by lot."""
    random, seed = Random(number), number.to_bytes(8, "big")
    if not wild:
        return Match.opened(setup_of(boards.models(random, seats), arena_id), seed)
    setup = _wild_setup(random, seats)
    arena = boards.arena(random, len({setup.teams.get(unit.side, unit.side) for unit in setup.units}))
    return Match.opened(setup, seed, arena, boards.ground(random, arena.board))


def _wild_setup(random: Random, seats: int) -> Setup:
    """Any class, length, skills and teams."""
    rules, setup = ruleset(), setup_of(boards.models(random, seats), USUAL_ARENA)
    skilled = [replace(u, gunnery=random.choice(SKILLS), piloting=random.choice(SKILLS)) for u in setup.units]
    fight_class = random.choice(rules.classes)
    longest = rules.longest if fight_class in rules.length_by_agreement else rules.turns
    return replace(
        setup,
        fight_class=fight_class,
        turns=random.randint(rules.turns, longest),
        units=tuple(skilled),
        teams=setup.teams if random.random() < 0.8 else _of_three_teams(setup),
        permanence=random.random() < 0.2,
    )


def _of_three_teams(setup: Setup) -> dict[str, str]:
    """Every third side of one team: in a duel each for himself."""
    return {unit.side: str(number % 3) for number, unit in enumerate(setup.units)}


def played(number: int, seats: int = 2, wild: bool = False) -> Match:
    """The same, fought to its end."""
    match = drawn(number, seats, wild)
    for orders in match:
        match.carry_out(orders)
    return match
