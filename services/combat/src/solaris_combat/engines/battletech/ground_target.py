"""Hexes as targets: what can be fired at them for what, and which part of them is seen (D; A, FAQ 22).

Source: D, fires, clearing woods and mines; A, FAQ 22 to 24; buildings.yaml attack_building; C-36, C-37.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from solaris_combat.engines.battletech.board import Board, laid_bare
from solaris_combat.engines.battletech.clearing import can_be_cleared
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.ignition import can_ignite
from solaris_combat.engines.battletech.line_of_sight import line_of_sight
from solaris_combat.engines.battletech.mines import can_clear
from solaris_combat.engines.battletech.munitions import Belt, munition
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.terrain import Terrain
from solaris_combat.engines.battletech.unit import Moved, Unit
from solaris_combat.engines.battletech.weapons import Weapon
from solaris_combat.engines.frozen import replace

INFERNO = "inferno"


def with_inferno(salvos: Belt) -> bool:
    """Whether a salvo is Inferno, which burns anywhere (D)."""
    return any(munition(salvo) == INFERNO for salvo in salvos)


def no_use(state: State, where: Hex, weapon: Weapon, intent: str, salvos: Belt) -> str:
    """Why a weapon fed with these salvoes can do nothing to a hex for an intent (orders.INTENTS), or "" """
    if where not in state.board:
        return "hex not on the board"
    index = state.board.index(where)
    terrain = state.board.ground_at(index).terrain
    inferno = with_inferno(salvos)
    if intent == "ignite" and not (inferno or (terrain.burns and can_ignite(weapon))):
        return "nothing there that it can set on fire"
    if intent == "clear" and not can_be_cleared(terrain):
        return "no woods to clear"
    if intent == "building" and not (terrain.raised or index in state.ground.turrets):
        return "no wall, building or turret there"
    if intent == "mines" and not can_clear(weapon.key):
        return "weapon cannot clear mines"
    return ""


def seen_ground(state: State, attacker: Unit, where: Hex) -> Board:
    """The board with the hex bare, on the level of the part that is fired at.

    Of a wall that is its top where it is seen, else its foot; of anything else the base of the hex (D).
    """
    ground = state.board.ground(where)
    top = laid_bare(state.board, where, ground.level + ground.height)
    if ground.height and not line_of_sight(top, attacker.hex, where, attacker.prone, True).possible:
        return laid_bare(state.board, where, ground.level)
    return top


def sees_top(state: State, attacker: Unit, where: Hex) -> bool:
    """Whether the attacker sees the top of a hex."""
    ground = state.board.ground(where)
    top = laid_bare(state.board, where, ground.level + ground.height)
    return line_of_sight(top, attacker.hex, where, attacker.prone, True).possible


def hex_target(attacker: Unit, where: Hex) -> Unit:
    """A hex as a target that does not move; it has no 'Mech, so nothing else of it is asked."""
    there = {"side": "", "position": where, "facing": 0, "twist": 0, "prone": False, "stuck": ""}
    return replace(attacker, **there, moved=Moved(), shutdown=True)


def hex_intents(state: State) -> Iterator[tuple[Hex, tuple[str, ...]]]:
    """What shots can do, by hex: woods and buildings burn, walls and turrets break, mines are swept."""
    yield from _standing(state.board.clear)
    for index in state.ground.turrets:
        yield state.board.hex_at(index), ("building",)
    for index in state.ground.known_mines:
        yield state.board.hex_at(index), ("mines",)


@lru_cache(maxsize=64)
def _standing(board: Board) -> tuple[tuple[Hex, tuple[str, ...]], ...]:
    """Hexes with woods, walls or buildings on a board: prepared once for it."""
    return tuple(
        (board.hex_at(index), _intents(ground.terrain))
        for index, ground in enumerate(board.grounds)
        if ground and (ground.terrain.burns or ground.terrain.raised)
    )


def _intents(terrain: Terrain) -> tuple[str, ...]:
    every = {"ignite": terrain.burns, "clear": can_be_cleared(terrain), "building": terrain.raised}
    return tuple(intent for intent, able in every.items() if able)
