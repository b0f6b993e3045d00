"""Ejection: thrown out when ammunition goes up, or by order in a movement phase (R 4.6; pilot.yaml ejection).

Whether it is automatic is set for the whole fight in the initial turn; wounds of the explosion come first.
By order the mechwarrior leaves at the start of a movement phase, if he is conscious by then.
Source: R 4.6; pilot.yaml ejection.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from solaris_combat.engines.battletech import events, harm, pilot
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, pilot_dead
from solaris_combat.engines.contract import Violation
from solaris_combat.engines.frozen import replace

EJECTED = "ejected"
_TABLE = table("ejection")
_FIGURES: Mapping[str, Any] = _TABLE["number"]
_TERRAIN: Mapping[str, int] = _TABLE["terrain"]
WOUNDS: int = _TABLE["failure"]["wounds"]


def may_eject(play: Play, side: str) -> bool:
    """Whether the mechwarrior is thrown out now: it is set so, he lives and is still aboard."""
    return play.state.auto_eject.get(side, False) and not (
        pilot_dead(play.unit(side)) or side in play.state.ejected
    )


def can_eject(unit: Unit) -> bool:
    """Whether a mechwarrior can pull the lever himself."""
    return unit.conscious and not pilot_dead(unit) and unit.destroyed is None


def check_ejection(state: State, side: str) -> Iterator[Violation]:
    """What is illegal about ejecting by order; ordered along with fire, he may have woken up by then."""
    unit = state.units[side]
    woken = replace(unit, conscious=True) if state.wanted and "fire" in state.wanted.kind else unit
    if not can_eject(woken):
        yield Violation("cannot-eject", "the mechwarrior cannot eject", "/movement/mode", "R 4.6")


def eject_by_order(play: Play, side: str) -> bool:
    """He leaves his 'Mech, if he still can."""
    able = can_eject(play.unit(side)) and side not in play.state.ejected
    if able:
        eject(play, side, automatic=False)
    return able


def ordered_number(board: Board, unit: Unit) -> tuple[Modifier, ...]:
    """The summands of the number for ejecting by order where the 'Mech stands."""
    return ejection_modifiers(unit, _terrain(board, unit), automatic=False)


def eject(play: Play, side: str, *, automatic: bool = True) -> None:
    """The roll, his wound if it fails, and the end of the fight for his 'Mech."""
    unit = play.unit(side)
    modifiers = ejection_modifiers(unit, _terrain(play.board, unit), automatic=automatic)
    number = sum(modifier.value for modifier in modifiers)
    roll = play.dice.roll(2, 6, "ejection")
    safe = roll.total >= number
    said = tuple(events.Item(m.value, m.reason, m.rule) for m in modifiers)
    play.emit(events.PilotEjected(play.turn, side, number, said, safe, (roll,), automatic))
    chain = harm.Chain(play.unit(side))
    if not safe:
        pilot.wound(chain, WOUNDS, "ejection")
    if chain.unit.destroyed is None:
        chain.add(harm.Destroyed(side, EJECTED))
    for fact in chain.facts:
        play.emit(fact)


def ejection_modifiers(unit: Unit, terrain: str, *, automatic: bool = True) -> tuple[Modifier, ...]:
    """The summands of the ejection roll: piloting skill and what stands in the ejection table."""
    source = _FIGURES["source"]
    skill = Modifier(unit.piloting, "piloting skill", source)
    head_lost = unit.design.structure[Location.HD] - unit.structure[Location.HD]
    found = (
        Modifier(_FIGURES["automatic"] * automatic, "automatic ejection", source),
        Modifier(_FIGURES["prone"] * unit.prone, "prone", source),
        Modifier(_FIGURES["unconscious"] * (not unit.conscious), "mechwarrior unconscious", source),
        Modifier(min(head_lost, _FIGURES["head_structure_at_most"]), "head damaged", source),
        Modifier(_TERRAIN.get(terrain, 0), f"lands in {terrain.replace('_', ' ')}", source),
    )
    return (skill, *(one for one in found if one.value))


def _terrain(board: Board, unit: Unit) -> str:
    """The kind of terrain around the 'Mech, as the ejection table names it; of several the hardest one."""
    terrain = board.ground(unit.hex).terrain
    if terrain.depth >= 0:
        return "water"
    return max((part.key for part in terrain.parts), key=lambda key: _TERRAIN.get(key, 0))
