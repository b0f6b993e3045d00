"""Clubs: what serves as one, how long it lasts, and limbs that fall to the ground (D, clubs).

Source: D (clubs: trees, girders, limbs); BMR, clubs; physical.yaml find_club.
"""

from __future__ import annotations

from collections.abc import Mapping

from solaris_combat.engines.battletech.harm import CriticalCheck, DamageStep
from solaris_combat.engines.battletech.mech import ARMS, LEGS
from solaris_combat.engines.battletech.physical import Blow, cannot_strike
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit

CLUB = Blow("club")
TREE, LIMB, GIRDER = "tree", "limb", "girder"
_FIGURES = table("physical")["find_club"]
GIRDERS: Mapping[str, int] = _FIGURES["girder"]
BREAKING: tuple[str, ...] = tuple(_FIGURES["breaks_after_a_hit"])
OF_UNKNOWN_RUBBLE: str = _FIGURES["rubble_on_boards"]["of"]


def girder_number(building: str) -> int | None:
    """2D6 needed to find a girder in the rubble of a kind of building; None where there is none (D)."""
    return GIRDERS.get(building or OF_UNKNOWN_RUBBLE)


def breaks(club: str) -> bool:
    """Whether a club is gone after one hit: a tree is (D)."""
    return club in BREAKING


def limbs_torn_off(fact: object) -> int:
    """How many arms and legs a fact leaves on the ground: blown off, or the arm of a lost side torso (D)."""
    if isinstance(fact, CriticalCheck):
        return int(fact.blown_off and fact.location in (*ARMS, *LEGS))
    if isinstance(fact, DamageStep):
        return sum(1 for place in fact.losses if place in ARMS and place != fact.location)
    return 0


def cannot_pick_up(unit: Unit) -> str:
    """Why a 'Mech can pick up no club now, or "": it needs both hands and shoulders, and to stand (D)."""
    return "holds a club already" if unit.club else cannot_strike(CLUB, unit)
