"""At which range a pilot likes to be for the turns to come."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from solaris_combat.engines.battletech.pilot_arms import Arms
from solaris_combat.engines.battletech.pilot_exchange import Post, Prospect
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS, Outlook

Json = dict[str, Any]

USUAL, BESIDE, NEARER, SLIPS, FARTHEST = (
    int(WEIGHTS["foresight"][name]) for name in ("usual", "beside", "nearer", "slips", "farthest")
)


class Ranges:
    """What each distance promises for later turns; worked out once."""

    def __init__(self, prospect: Prospect, me: Json, other: Json, outlook: Outlook, left: int) -> None:
        self.mine, self.theirs = prospect.mine, prospect.theirs
        self.outlook = outlook
        self.worth = prospect.their_worth["front"], prospect.my_worth["front"]
        self.turns = sum((outlook.lasting / 100) ** turn for turn in range(left)) if outlook.lasting else 1
        self.known: dict[int, int] = {}
        self.evens: dict[int, int] = {}

        def pace(arms: Arms, side: Json, mode: str) -> Post:
            """How a side moves if nothing is in its way: most of what it could, by one mode."""
            hexes = 2 * side["movement"][mode] // 3
            return prospect.post(arms, {"hex": side["hex"], "mode": mode, "hexes": hexes})

        self.paces = tuple(pace(self.mine, me, mode) for mode in ("walk", "run", "jump"))
        self.rival_pace = pace(self.theirs, other, "walk")

    def later(self, far: int) -> int:
        """What being so far from the rival promises for later turns, in hundredths of a point.

        Who has a range at which it deals more than it takes goes there; who has none stays away.
        """
        if far not in self.known:
            promised = self.outlook.later * self._around(far) // 100 - NEARER * self._gap(far)
            self.known[far] = int(self.turns * promised)
        return self.known[far]

    def _around(self, far: int) -> int:
        """Balance of a turn of fire from about this distance."""
        spans = [abs(far + n) or 1 for n in range(-SLIPS, SLIPS + 1)]
        return sum(self._even(span) for span in spans) // len(spans)

    def _gap(self, far: int) -> int:
        """Hexes to where the balance is at least half as good as anywhere."""
        return min((abs(far - one) for one in self._liked), default=0)

    @cached_property
    def _liked(self) -> tuple[int, ...]:
        balance = {far: self._around(far) for far in range(1, FARTHEST)}
        best = max(balance.values())
        return tuple(far for far, one in balance.items() if best > 0 and 2 * one >= best)

    def _even(self, far: int) -> int:
        """Balance of a turn of fire at a distance, both moving as they like to."""
        if far not in self.evens:
            self.evens[far] = max(self._usual(far, pace) for pace in self.paces)
        return self.evens[far]

    def _usual(self, far: int, pace: Post) -> int:
        rival = self.rival_pace
        mine, theirs = pace.fires + rival.seen + USUAL, rival.fires + pace.seen + USUAL
        dealt = self.mine.volley(far, mine, pace.room)
        taken = self.theirs.volley(far, theirs, rival.room)
        if far == 1:
            dealt += self.mine.blow(mine, 0, self.theirs) // BESIDE
            taken += self.theirs.blow(theirs, 0, self.mine) // BESIDE
        worth, own = self.worth
        return self.outlook.eager * dealt * worth // 10_000 - taken * own // 100
