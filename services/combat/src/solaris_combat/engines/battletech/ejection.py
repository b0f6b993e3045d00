"""Automatic ejection: ammunition goes up, and the mechwarrior is thrown out (R 4.6; pilot.yaml ejection).

It is set for the whole fight in the initial turn. The wounds of the explosion come first. Ejecting by order
is not played by this release.
Source: R 4.6; pilot.yaml ejection.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solaris_combat.engines.battletech import events, harm, pilot
from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, pilot_dead

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


def eject(play: Play, side: str) -> None:
    """The roll, his wound if it fails, and the end of the fight for his 'Mech."""
    unit = play.unit(side)
    modifiers = ejection_modifiers(unit, _terrain(play, unit))
    number = sum(modifier.value for modifier in modifiers)
    roll = play.dice.roll(2, 6, "ejection")
    safe = roll.total >= number
    said = tuple(events.Item(m.value, m.reason, m.rule) for m in modifiers)
    play.emit(events.PilotEjected(play.turn, side, number, said, safe, (roll,)))
    chain = harm.Chain(play.unit(side))
    if not safe:
        pilot.wound(chain, WOUNDS, "ejection")
    if chain.unit.destroyed is None:
        chain.add(harm.Destroyed(side, EJECTED))
    for fact in chain.facts:
        play.emit(fact)


def ejection_modifiers(unit: Unit, terrain: str) -> tuple[Modifier, ...]:
    """The summands of the ejection roll: piloting skill and what stands in the ejection table."""
    source = _FIGURES["source"]
    skill = Modifier(unit.piloting, "piloting skill", source)
    head_lost = unit.design.structure[Location.HD] - unit.structure[Location.HD]
    found = (
        Modifier(_FIGURES["automatic"], "automatic ejection", source),
        Modifier(_FIGURES["prone"] * unit.prone, "prone", source),
        Modifier(_FIGURES["unconscious"] * (not unit.conscious), "mechwarrior unconscious", source),
        Modifier(min(head_lost, _FIGURES["head_structure_at_most"]), "head damaged", source),
        Modifier(_TERRAIN.get(terrain, 0), f"lands in {terrain.replace('_', ' ')}", source),
    )
    return (skill, *(one for one in found if one.value))


def _terrain(play: Play, unit: Unit) -> str:
    """The kind of terrain around the 'Mech, as the ejection table names it."""
    assert unit.position is not None
    terrain = play.board.ground(unit.position).terrain
    return "water" if terrain.depth >= 0 else terrain.key.replace("-", "_")
