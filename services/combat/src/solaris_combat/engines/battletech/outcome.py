"""How a fight ended, in the facts other services need.

Source: R 4.3, 4.7; solaris7-tables 1.7.
"""

from __future__ import annotations

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.state import GAVE_UP, State
from solaris_combat.engines.battletech.structure import ENGINE_DESTROYED_AT
from solaris_combat.engines.battletech.unit import Unit, engine_hits, lost, pilot_dead
from solaris_combat.engines.battletech.victory import damaged
from solaris_combat.engines.contract import Json, Outcome, SideOutcome


def outcome(state: State) -> Outcome | None:
    """The end of the fight, or None while it goes on."""
    ended = state.ended
    if ended is None:
        return None
    sides = tuple(
        SideOutcome(side, ended.results[side], ended.points[side], _facts(state, side))
        for side in state.units
    )
    return Outcome(ended.turn, ended.ended_by, sides)


def destroyed(unit: Unit) -> bool:
    """Whether the 'Mech itself is lost: not if only its mechwarrior left it or died (R 4.7)."""
    losses = {
        "centre-torso": lost(unit, Location.CT),
        "head": lost(unit, Location.HD),
        "engine": engine_hits(unit) >= ENGINE_DESTROYED_AT,
    }
    return any(losses[name] for name in ruleset().scoring.mech_lost)


def _facts(state: State, side: str) -> Json:
    unit = state.units[side]
    return {
        "mech": {
            "damaged": damaged(unit),
            "destroyed": destroyed(unit),
            "reason": unit.destroyed or "",
        },
        "pilot": {
            "wounds": unit.pilot_hits,
            "conscious": unit.conscious and not pilot_dead(unit),
            "dead": pilot_dead(unit),
            "ejected": side in state.ejected,
        },
        "yielded": next((how for how, word in GAVE_UP.items() if word == unit.destroyed), ""),
        "kills": sum(1 for enemy in state.enemies(side) if _killed(state, side, enemy)),
    }


def _killed(state: State, side: str, enemy: str) -> bool:
    """Whether a lost 'Mech counts for a side: its only enemy, or the last one who struck it (PROPOSED)."""
    several = len(state.enemies(enemy)) > 1 and ruleset().scoring.last_strike_kills
    by = state.struck_by.get(enemy) if several else side
    return by == side and destroyed(state.units[enemy])
