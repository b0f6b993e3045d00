"""What the lead in victory points is worth: a house pilot that is ahead keeps it, one behind takes risks.

The fight is won by a lead of the draw band at the end (R 4.3). What is still to be dealt on both sides is
taken to be spread about its mean like errors are; a turn of fire widens the spread.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.pilot_weights import WEIGHTS
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.victory import WEIGHT_CLASSES

Json = dict[str, Any]

POINTS_OF_A_HIT: int = WEIGHTS["stakes"]["hit"]
MET: float = WEIGHTS["stakes"]["met"] / 100


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


EVEN = Stakes(0, 0, 1e6)
"""As if no lead decided anything."""


def turns_left(view: Json) -> int:
    """Turns that follow the one a movement is asked for."""
    return max(0, int(view["turns"]) - int(view["turn"]) - 1)


def stakes(view: Json, other: str, volleys: float, late: int) -> Stakes:
    """The stakes of the coming turn; `volleys` are the points both deal in a turn of fire.

    Earlier than `late` turns from the end a point is a point.
    """
    left = turns_left(view)
    if left > late:
        return EVEN
    me, rival = view["sides"][view["you"]], view["sides"][other]
    heavier = max((me["weight_class"], rival["weight_class"]), key=WEIGHT_CLASSES.index)
    lead = me["victory_points"] - rival["victory_points"]
    return Stakes(lead, ruleset().scoring.bands[heavier], POINTS_OF_A_HIT * MET * left * volleys)
