"""How a fight ended, in the facts other services need."""

from __future__ import annotations

from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import pilot_dead
from solaris_combat.engines.battletech.victory import damaged
from solaris_combat.engines.contract import Json, Outcome, SideOutcome

WHOLE = ("ejected", "mechwarrior")
"""Reasons for being out of action that leave a 'Mech that can be repaired."""


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


def destroyed(state: State, side: str) -> bool:
    """Whether the 'Mech itself is lost: not if only its mechwarrior left it or died."""
    reason = state.units[side].destroyed
    return reason is not None and reason not in WHOLE


def _facts(state: State, side: str) -> Json:
    unit = state.units[side]
    return {
        "mech": {
            "damaged": damaged(unit),
            "destroyed": destroyed(state, side),
            "reason": unit.destroyed or "",
        },
        "pilot": {
            "wounds": unit.pilot_hits,
            "conscious": unit.conscious and not pilot_dead(unit),
            "dead": pilot_dead(unit),
            "ejected": side in state.ejected,
        },
        "kills": int(destroyed(state, state.rival(side))),
    }
