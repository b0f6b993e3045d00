"""Looking for a club: a tree in woods, a limb on the ground, a girder in rubble (D, finding a club).

Whoever picks one up fires nothing and strikes nobody in that turn; girders take a roll in the weapon phase.
Source: D (finding a club); physical.yaml find_club; cases/solaris7.yaml combat.find_club.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.club import (
    GIRDER,
    LIMB,
    TREE,
    cannot_pick_up,
    girder_number,
)
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.orders import Fire, Orders
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.contract import Violation

RULE = "D, finding a club"
RUBBLE = "rubble"


def clubs_here(state: State, side: str) -> dict[str, int | None]:
    """What a side's 'Mech can look for in its hex, with the number a girder needs; empty if nothing."""
    unit = state.units[side]
    if unit.position is None:
        return {}
    found: dict[str, int | None] = {}
    if state.board.clear.woods[state.board.index(unit.position)] > 0:
        found[TREE] = None
    if state.limbs.get(str(unit.position), 0) > 0:
        found[LIMB] = None
    number = girder_number(_building(state, unit.hex)) if _is_rubble(state, unit.hex) else None
    if number is not None:
        found[GIRDER] = number
    return {} if found and cannot_pick_up(unit) else found


def _is_rubble(state: State, where: Hex) -> bool:
    return RUBBLE in (part.key for part in state.board.ground(where).terrain.parts)


def _building(state: State, where: Hex) -> str:
    """The kind of building whose rubble this is; "" where the arena was drawn with rubble."""
    parts = state.ground.base.ground(where).terrain.parts
    was = next((part.key for part in parts if part.raised or part.key == RUBBLE), parts[0].key)
    return "" if was == RUBBLE else was


def check_pick_up(state: State, side: str, fire: Fire) -> Iterator[Violation]:
    """What is illegal about looking for a club."""
    if not fire.pick_up:
        return
    at = "/fire/pick_up"
    if fire.shots or fire.physical:
        yield Violation("club-takes-the-turn", "who picks up a club neither fires nor strikes", at, RULE)
    elif refused := cannot_pick_up(state.units[side]):
        yield Violation("no-club", f"no club can be picked up: {refused}", at, RULE)
    elif fire.pick_up not in clubs_here(state, side):
        yield Violation("no-club", f"there is no {fire.pick_up} in this hex", at, RULE)


def seek_clubs(play: Play, orders: Mapping[str, Orders]) -> None:
    """Everybody who looks for a club finds it, or rolls for a girder; a limb goes to the first taker."""
    for side in play.state.active:
        kind = (orders[side].fire or Fire()).pick_up
        here = clubs_here(play.state, side)
        if kind and kind in here:
            number = here[kind]
            rolls: events.Rolls = ()
            if number is not None:
                rolls = (play.dice.roll(2, 6, "finding a girder"),)
            found = number is None or rolls[0].total >= number
            where = str(play.unit(side).hex)
            play.emit(events.ClubSought(play.turn, side, kind, where, found, number, rolls))
