"""What the lead in victory points is worth: a house pilot that is ahead keeps it, one behind takes risks.

The fight is won by a lead of the draw band at the end (R 4.3). What is still to be dealt on both sides is
taken to be spread about its mean like errors are; a turn of fire widens the spread.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.victory import WEIGHT_CLASSES

Json = dict[str, Any]

POINTS_OF_A_HIT = 8
"""How unevenly points come: in lots of so many."""
MET = 0.5
"""Part of the turns in which both sides fire."""


class Stakes(NamedTuple):
    """The lead in points, the band within which a fight is drawn, and the spread of the turns to come."""

    lead: int
    band: int
    spread: float

    def share(self, gain: float, fired: float) -> float:
        """Expected share of the fight (a win 1, a draw a half) after a gain out of so many points fired."""
        scale = sqrt(2 * (self.spread + POINTS_OF_A_HIT * fired) + 1)
        lead, least = self.lead + gain, self.band - 0.5
        return 0.5 + (erf((lead - least) / scale) + erf((lead + least) / scale)) / 4


LATE = 2
"""Turns from the end from which on the lead counts; before, a point is a point."""
EVEN = Stakes(0, 0, 1e6)
"""As if no lead decided anything."""


def stakes(view: Json, other: str, volleys: float, counts: bool = True) -> Stakes:
    """The stakes of the coming turn for who counts; `volleys` are the points both deal in a turn of fire."""
    left = max(0, view["turns"] - view["turn"] - 1)
    if not counts or left > LATE:
        return EVEN
    me, rival = view["sides"][view["you"]], view["sides"][other]
    heavier = max((me["weight_class"], rival["weight_class"]), key=WEIGHT_CLASSES.index)
    lead = me["victory_points"] - rival["victory_points"]
    return Stakes(lead, ruleset().scoring.bands[heavier], POINTS_OF_A_HIT * MET * left * volleys)
