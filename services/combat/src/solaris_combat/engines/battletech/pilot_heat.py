"""What heat at the end of a turn costs a house pilot that thinks of the turns to come."""

from __future__ import annotations

from typing import Any

from solaris_combat.engines.battletech import to_hit
from solaris_combat.engines.battletech.heat import (
    AUTOMATIC_SHUTDOWN,
    ammunition_numbers,
    shutdown_number,
)
from solaris_combat.engines.battletech.mobility import heat_penalty
from solaris_combat.engines.battletech.pilot_arms import Arms
from solaris_combat.engines.battletech.pilot_odds import ODDS, ROLLS, odds, total_of
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS

Json = dict[str, Any]

USUAL_RANGE, USUAL_NUMBER, MET, PRICE_OF_SHUTDOWN, PRICE_OF_EXPLOSION, PRICE_OF_SLOWNESS = (
    int(WEIGHTS["heat"][name])
    for name in ("usual_range", "usual_number", "met", "shutdown", "explosion", "slowness")
)


class HeatPrice:
    """What each heat at the end of this turn costs, in thousandths of a point."""

    def __init__(self, side: Json, last: bool) -> None:
        arms = Arms(side, heat=0)
        self.last = last
        full = sum(gun.heat for gun in arms.guns)
        self.slack = max(0, arms.sinks - full - 1)
        self.volley = 10 * arms.volley(USUAL_RANGE, USUAL_NUMBER) * MET // 100
        self.per_point = self.volley // max(1, full)
        self.aboard = [salvo for store in side["bins"] if store["usable"] for salvo in store["belt"]]
        self.known: dict[int, int] = {}

    def of(self, heat: int) -> int:
        """The price of ending the turn with this heat."""
        if heat not in self.known:
            self.known[heat] = self._explosions(heat) + (0 if self.last else self._later(heat))
        return self.known[heat]

    def _explosions(self, heat: int) -> int:
        burning = any(salvo.startswith("inferno") for salvo in self.aboard)
        asked = ammunition_numbers(heat, burning, bool(self.aboard))
        return sum(PRICE_OF_EXPLOSION * _fails(number) // ROLLS for _, number in asked)

    def _later(self, heat: int) -> int:
        """Less fire in the next turn, worse and slower, and the reactor at risk."""
        carried = max(0, heat - self.slack) * self.per_point
        worse = self.volley * total_of(to_hit.HEAT[min(heat, to_hit.HOTTEST)]) // WORTH_OF_ONE
        slower = PRICE_OF_SLOWNESS * heat_penalty(heat)
        number = shutdown_number(heat)
        down = 0 if number is None else PRICE_OF_SHUTDOWN * _fails(number) // ROLLS
        if heat >= AUTOMATIC_SHUTDOWN:
            down = PRICE_OF_SHUTDOWN
        return carried + worse + slower + down


WORTH_OF_ONE = ODDS[7] // (ODDS[7] - ODDS[8])
"""One more on a usual number takes one part of so many of a volley."""


def _fails(number: int) -> int:
    return ROLLS - odds(number, automatic=False)
