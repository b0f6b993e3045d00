"""Playing a fight without a server: the same opening, checks and resolution, sealed orders held in memory."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hmac import digest
from typing import Any

from solaris_combat.domain.commitment import commitment
from solaris_combat.domain.events import Box, FightRefused, Opened, Terms
from solaris_combat.domain.fight import Fight, evolve
from solaris_combat.domain.opening import open_fight
from solaris_combat.domain.resolution import Questions, resolve
from solaris_combat.domain.sealing import check_answer, check_orders
from solaris_combat.engines.contract import Question, SetupRefused
from solaris_combat.engines.registry import AnyEngine, Registry

NO_BOX = Box("", "", "")

Choose = Callable[[Fight, str], Any]
"""Orders of a side as JSON: sees the fight through `engine.view` and `engine.options` only."""
Answer = Callable[[Fight, str, Question], Any]


@dataclass(slots=True)
class Offline:
    """A fight played in one process from a known seed; nonces and salts derive from the seed."""

    registry: Registry
    terms: Terms
    seed: bytes
    choose: Choose
    answer: Answer
    events: list[object] = field(default_factory=list)

    def play(self) -> Fight:
        """The concluded fight; SetupRefused for terms nobody plays, Unprocessable for illegal orders."""
        fight = self._take(None, open_fight(self.registry, self.terms, self.seed, NO_BOX, None))
        while fight.request is not None:
            fight = self._take(fight, self._resolve(fight))
        return fight

    def _take(self, fight: Fight | None, events: tuple[object, ...]) -> Fight:
        for event in events:
            if isinstance(event, FightRefused):
                raise SetupRefused(*event.violations)
            fight = evolve(self.registry, fight, event)
            self.events.append(event)
        assert fight is not None
        return fight

    def _resolve(self, fight: Fight) -> tuple[object, ...]:
        assert fight.request is not None
        sealed = {side: self._seal(fight, side, self._orders(fight, side)) for side in fight.request.sides}
        answers: dict[tuple[str, str], Opened] = {}
        while isinstance(result := resolve(fight, sealed, answers, self.seed, None), Questions):
            answers |= self._answers(fight, result)
        return result.events

    def _orders(self, fight: Fight, side: str) -> Any:
        orders = self.choose(fight, side)
        if not fight.nonces:
            engine = fight.playing
            given = engine.with_nonce(engine.parse_orders(orders), derived(self.seed, f"nonce {side}"))
            orders = engine.orders_json(given)
        return check_orders(fight, side, orders, None)

    def _answers(self, fight: Fight, asked: Questions) -> Mapping[tuple[str, str], Opened]:
        given: dict[tuple[str, str], Opened] = {}
        for side, question in asked.questions.items():
            answer = check_answer(fight, side, question, self.answer(fight, side, question), None)
            given[side, asked.digests[side]] = self._seal(fight, side, answer, asked.digests[side])
        return given

    def _seal(self, fight: Fight, side: str, orders: Any, question: str = "") -> Opened:
        assert fight.request is not None
        salt = derived(self.seed, f"salt {side} {fight.request.turn} {fight.request.kind} {question}")
        return Opened(orders, salt.hex(), commitment(salt, orders))


def derived(seed: bytes, label: str) -> bytes:
    """32 bytes that follow from the seed and a label, independent of the dice stream."""
    return digest(seed, b"offline/" + label.encode(), "sha256")


def defaults(fight: Fight, side: str) -> Any:
    """A player who always sends the engine's default orders."""
    engine: AnyEngine = fight.playing
    return engine.orders_json(engine.default_orders(fight.game, side))


def default_answers(fight: Fight, side: str, question: Question) -> Any:
    """A player who always gives the default answer."""
    engine = fight.playing
    return engine.orders_json(engine.default_answer(fight.game, side, question))
