"""The way a side means to go, laid without dice: where it leads if every roll succeeds."""

from __future__ import annotations

from dataclasses import dataclass

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.hex_way import letters
from solaris_combat.engines.battletech.jumping import chosen_route, follow_jump
from solaris_combat.engines.battletech.movement import (
    Allowance,
    Track,
    allowance,
    begin,
    follow,
    with_masc,
)
from solaris_combat.engines.battletech.myomer import masc_works
from solaris_combat.engines.battletech.orders import Movement
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.unit import Unit


@dataclass(frozen=True, slots=True)
class Way:
    """The hexes of a way, the first one included."""

    hexes: tuple[Hex, ...]

    @property
    def leaves(self) -> bool:
        """Whether it leads out of the first hex at all."""
        return len(set(self.hexes)) > 1


def lay_way(play: Play, side: str, move: Movement) -> Way:
    """The way of a side's movement as far as it is legal now."""
    unit = play.unit(side)
    assert unit.position is not None
    allowed = allowed_for(unit, move)
    if move.mode == "jump":
        return Way(_jump_hexes(play.board, unit, allowed, move))
    track = follow_steps(play.board, unit, allowed, move)
    return Way((unit.position, *(play.board.hex_at(step.index) for step in track.taken)))


def allowed_for(unit: Unit, move: Movement) -> Allowance:
    """The allowance of a unit for this movement, with its MASC where that is used and works."""
    allowed = allowance(unit)
    return with_masc(allowed) if move.masc and masc_works(unit) else allowed


def _jump_hexes(board: Board, unit: Unit, allowed: Allowance, move: Movement) -> tuple[Hex, ...]:
    assert unit.position is not None
    path = chosen_route(unit.position, move.path)
    flown = follow_jump(board, unit, allowed, path)
    return (unit.position, *path[: flown.mp])


def ground_mode(allowed: Allowance, mode: str) -> str:
    """The mode on the ground: a 'Mech that cannot run any more walks."""
    return "walk" if mode == "run" and allowed.run == 0 else mode


def follow_steps(board: Board, unit: Unit, allowed: Allowance, move: Movement) -> Track:
    """The steps if every roll succeeds: further attempts to stand up are not needed then."""
    start = begin(board, unit, ground_mode(allowed, move.mode))
    return follow(board, allowed, start, single_attempts(letters(unit, move)))


def single_attempts(steps: tuple[str, ...]) -> tuple[str, ...]:
    """The steps with each run of attempts to stand up taken as one."""
    return tuple(step for n, step in enumerate(steps) if step != "U" or n == 0 or steps[n - 1] != "U")
