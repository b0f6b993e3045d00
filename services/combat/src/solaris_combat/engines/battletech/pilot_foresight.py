"""Where a pilot moves that looks ahead: by what its moves promise against the likeliest moves of the rival.

Both move at once and blind. The regular asks what the rival would like best if everybody else stood still,
keeps the likeliest of those places, and takes a move that fares well against them all. The veteran asks what
the rival would like best against where it may itself be gone, how the rival would then face, and which guns
of either bear. It reads the ground, and what everybody can work out of the rival's reach; it sees no orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import internal_facing
from solaris_combat.engines.battletech.pilot_arms import NOTHING, Arms
from solaris_combat.engines.battletech.pilot_exchange import (
    ALL_ROUND,
    ARCS,
    STRUCK,
    Exchange,
    Guess,
    Post,
    Prospect,
)
from solaris_combat.engines.battletech.pilot_frailty import frailty
from solaris_combat.engines.battletech.pilot_ground import still_burning
from solaris_combat.engines.battletech.pilot_move import REAR_FACTOR, name_of, price, useful_range
from solaris_combat.engines.battletech.pilot_range import Ranges
from solaris_combat.engines.battletech.pilot_rival import Mover, guesses
from solaris_combat.engines.battletech.pilot_stakes import Stakes, stakes, turns_left
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS, Outlook

Json = dict[str, Any]

_WEIGHTS = WEIGHTS["foresight"]
FIRST_LOOK, SHORTLIST, WARM, WARM_AT_LAST, USUAL_FAR, USUAL_NUMBER, ASLEEP, MEEKEST, BOLDEST = (
    int(_WEIGHTS[name])
    for name in (
        *("first_look", "shortlist", "warm", "warm_at_last", "usual_far", "usual_number", "asleep"),
        *("meekest", "boldest"),
    )
)


class Foresight:
    """What one's own moves promise."""

    def __init__(
        self, board: Board, view: Json, movement: Json, heat: int, outlook: Outlook, moves: Sequence[Json]
    ) -> None:
        me, other = view["sides"][view["you"]], view["sides"][movement["rival"]]
        left = turns_left(view)
        mine, theirs = Arms(me, heat), Arms(other)
        outlook = outlook._replace(eager=_eager(outlook, (mine, me), (theirs, other)))
        warm = WARM_AT_LAST if not left and outlook.late >= 0 else WARM
        self.outlook = outlook
        self.fires = still_burning(view)
        self.arcs = ARCS if outlook.answers else ALL_ROUND
        worth = (_worth(me), _worth(other)) if outlook.frail else (REAR_FACTOR, REAR_FACTOR)
        self.prospect = Prospect(board, (mine, theirs), warm, worth)
        if outlook.answers and (other["shutdown"] or not other["pilot"]["conscious"]):
            self.prospect.awake = ASLEEP
        self.ranges = Ranges(self.prospect, me, other, outlook, left)
        self.rival_ranges = Ranges(self.prospect.swapped(), other, me, outlook, left)
        self.ways = _ways(moves)
        own = [group[0] for group in self.ways]
        self.movers = (
            Mover(theirs, other, movement["rival_reach"], useful_range(other)),
            Mover(mine, me, own, useful_range(me)),
        )
        both = mine.volley(USUAL_FAR, USUAL_NUMBER) + theirs.volley(USUAL_FAR, USUAL_NUMBER)
        self.stakes: Stakes = stakes(view, movement["rival"], both / 100, outlook.late)

    @cached_property
    def guesses(self) -> list[Guess]:
        """The rival's likeliest moves."""
        return guesses(self.prospect, *self.movers, self.outlook, self.rival_ranges)

    @cached_property
    def first_guesses(self) -> list[Guess]:
        """Those that all of one's own places are held against: the likeliest, or some of all kinds."""
        if self.outlook.answers:
            return self.guesses[:FIRST_LOOK]
        return self.guesses[:: len(self.guesses) // FIRST_LOOK or 1]

    def post(self, move: Json) -> Post:
        """The end of one of one's own moves."""
        return self.prospect.post(self.prospect.mine, move)

    def promise(self, post: Post, move: Json) -> int:
        """Points dealt minus points taken against the likeliest guesses, in hundredths, less a fire."""
        fire = price(move, self.fires) - price(move)
        return self.prospect.promise(post, self.first_guesses, self.outlook.eager, self.ranges.later) - fire

    def shares(self, post: Post, moves: Sequence[Json]) -> Iterator[tuple[float, Json]]:
        """Expected share of the fight after each of the moves that end in one place the same way."""
        met = [
            (
                guess.weight,
                self.ranges.later(self.prospect.between(post.hex, guess.at.hex).far),
                self.prospect.exchange(post, guess),
            )
            for guess in self.guesses
            if guess.at.hex != post.hex
        ]
        weights = max(1, sum(weight for weight, _, _ in met))
        for move in moves:
            facing = internal_facing(move["facing"])
            cost = price(move, self.fires)
            total = sum(weight * self._share(later - cost, one, facing) for weight, later, one in met)
            yield total / weights, move

    def _share(self, gain: int, met: Exchange | None, facing: int) -> float:
        if met is None:
            return self.stakes.share(gain / 100, 0)
        zone = self.arcs[facing][met.seen]
        dealt = 0 if zone == NOTHING else self.outlook.eager * self.prospect.dealt(met, zone) // 100
        taken = met.taken * self.prospect.my_worth[STRUCK[facing][met.seen]] // 100
        return self.stakes.share((gain + dealt - taken) / 100, (dealt + taken) / 100)


def _eager(outlook: Outlook, mine: tuple[Arms, Json], theirs: tuple[Arms, Json]) -> int:
    """Weight of points dealt for who is so much the stronger: the stronger one needs a fight, not a draw."""

    def might(arms: Arms, side: Json) -> int:
        stands = sum(at["armor"] + at["rear"] + at["structure"] for at in side["locations"].values())
        return 1 + stands * arms.volley(USUAL_FAR, USUAL_NUMBER, arms.sinks + WARM)

    ratio = (might(*mine) / might(*theirs)) ** (outlook.press / 100)
    return int(outlook.eager * min(max(ratio, MEEKEST / 100), BOLDEST / 100))


def _worth(side: Json) -> dict[str, int]:
    """What a point that strikes each side of a 'Mech is worth, in hundredths."""
    return {struck: REAR_FACTOR[struck] * frail // 100 for struck, frail in frailty(side).items()}


def _ways(moves: Sequence[Json]) -> list[list[Json]]:
    """The moves to the same place, by the same mode and over as many hexes: they differ in their facing."""
    ways: dict[tuple[str, str, int], list[Json]] = {}
    for move in moves:
        ways.setdefault((move["hex"], move["mode"], move["hexes"]), []).append(move)
    return list(ways.values())


def farsighted(foresight: Foresight) -> list[Json]:
    """The moves by how they fare against the guesses, of those that promise most at first sight."""
    posts = [(foresight.post(group[0]), group) for group in foresight.ways]
    posts.sort(key=lambda one: (-foresight.promise(one[0], one[1][0]), one[0]))
    rated = [one for post, group in posts[:SHORTLIST] for one in foresight.shares(post, group)]
    return [move for _, move in sorted(rated, key=lambda one: (-one[0], one[1]["mp"], name_of(one[1])))]
