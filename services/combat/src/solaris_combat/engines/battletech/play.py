"""One run of `decide`: the dice, the state as it develops, and the events that made it so.

Every change of the state goes through an event, so folding the events gives the state by construction.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.state import State, evolve
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.contract import Question
from solaris_combat.engines.dice import Dice


class AnswerNeeded(Exception):
    """The run cannot go on before `side` has answered; nothing of it counts."""

    def __init__(self, side: str, question: Question) -> None:
        super().__init__(f"side {side} must answer")
        self.side = side
        self.question = question


class Play:
    """Events of a run and the state after them."""

    __slots__ = ("answered", "dice", "events", "state")

    def __init__(self, state: State, dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[object] = []
        self.answered: dict[str, int] = {}
        """How many ways out each side has named and gone in this run."""

    def emit(self, event: object) -> None:
        """Something happened: note it and let the state follow."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def unit(self, side: str) -> Unit:
        """A side's unit as it is now."""
        return self.state.units[side]

    @property
    def turn(self) -> int:
        """The turn being played."""
        return self.state.turn

    @property
    def board(self) -> Board:
        """The arena's board."""
        return self.state.board
