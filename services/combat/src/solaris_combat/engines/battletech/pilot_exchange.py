"""A turn of fire and blows between two places, as a house pilot expects it on average.

Both sides' arms are read from their record sheets and the ground from the board; every line and every volley
is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from solaris_combat.engines.battletech import to_hit
from solaris_combat.engines.battletech.arcs import Arc, bearing_in_arc, side_struck
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.heat import movement_heat
from solaris_combat.engines.battletech.hex import Hex, bearing, distance
from solaris_combat.engines.battletech.line_of_sight import PARTIAL_COVER, line_of_sight
from solaris_combat.engines.battletech.pilot_arms import AHEAD, LEFT_ARM, NOTHING, RIGHT_ARM, Arms
from solaris_combat.engines.battletech.pilot_move import REAR_FACTOR
from solaris_combat.engines.battletech.pilot_odds import fired_after, fired_at, total_of
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS
from solaris_combat.engines.battletech.unit import Moved

Json = dict[str, Any]
Line = tuple[int, int] | None
"""What the ground adds to a number along a line, and back; None where neither end sees the other."""
Worth = Mapping[str, int]

SURE: int = WEIGHTS["foresight"]["sure"]
ROUND = 24
"""Bearings there are (hex.bearing)."""
STRUCK = tuple(tuple(str(side_struck(facing, seen)) for seen in range(ROUND)) for facing in range(6))


def _zone(facing: int, seen: int) -> str:
    """The guns that bear: the torso twists by one side, and an arm reaches one side further."""
    arcs = {Arc.FORWARD: AHEAD, Arc.RIGHT_ARM: RIGHT_ARM, Arc.LEFT_ARM: LEFT_ARM}
    turns = [(facing + twist) % len(STRUCK) for twist in (0, -1, 1)]
    bear = (zone for arc, zone in arcs.items() if any(bearing_in_arc(arc, turn, seen) for turn in turns))
    return next(bear, NOTHING)


ARCS = tuple(tuple(_zone(facing, seen) for seen in range(ROUND)) for facing in range(6))
ALL_ROUND = tuple(tuple(NOTHING if side == "rear" else AHEAD for side in row) for row in STRUCK)
"""As if all guns bore on everything but what is behind."""


class Post(NamedTuple):
    """A place and how somebody came there: what that does to its fire, to fire at it, and its heat left."""

    hex: Hex
    mode: str
    hexes: int
    fires: int
    seen: int
    room: int


class Between(NamedTuple):
    """What lies between two places: hexes, the bearings from the one and back, and the line."""

    far: int
    seen: int
    back: int
    line: Line

    def turned(self) -> Between:
        """The same from the other end."""
        return Between(self.far, self.back, self.seen, self.line and self.line[::-1])


class Guess(NamedTuple):
    """Where the rival may be, how likely that is against the other guesses, and how it may face there."""

    at: Post
    weight: int
    facing: int | None = None


class Exchange(NamedTuple):
    """A turn of fire in hundredths of a point: one's own by the guns that bear, what is taken from ahead.

    `seen` is where the rival is seen, `blow` what a blow adds to one's own fire and `factor` what a point is
    worth to it there, in hundredths.
    """

    far: int
    modifier: int
    room: int
    blow: int
    taken: int
    seen: int
    factor: int


class Prospect:
    """What both sides can do to each other."""

    def __init__(
        self,
        board: Board,
        arms: tuple[Arms, Arms],
        warm: int,
        worth: tuple[Worth, Worth] = (REAR_FACTOR,) * 2,
    ) -> None:
        self.board = board
        self.mine, self.theirs = arms
        self.warm = warm
        self.my_worth, self.their_worth = worth
        self.awake = 100
        self.known: dict[tuple[Hex, Hex], Between] = {}

    def swapped(self) -> Prospect:
        """The same as the other side sees it."""
        other = Prospect(self.board, (self.theirs, self.mine), self.warm, (self.their_worth, self.my_worth))
        other.known = self.known
        return other

    def promise(self, post: Post, guesses: Sequence[Guess], eager: int, later: Callable[[int], int]) -> int:
        """Points dealt minus points taken against some guesses, now and later, in hundredths."""
        total = weights = 0
        for guess in guesses:
            if guess.at.hex != post.hex:
                weights += guess.weight
                met = self.exchange(post, guess)
                gain = eager * self.dealt(met) // 100 - met.taken if met else 0
                total += guess.weight * (gain + later(self.between(post.hex, guess.at.hex).far))
        return total // max(1, weights)

    def post(self, arms: Arms, move: Json) -> Post:
        """The end of a move of either side."""
        mode, hexes = move["mode"], move["hexes"]
        room = self._room(arms, mode, hexes)
        return Post(Hex.parse(move["hex"]), mode, hexes, fired_after(mode), fired_at(mode, hexes), room)

    def _room(self, arms: Arms, mode: str, hexes: int) -> int:
        """Heat that may be made by fire after moving so; a jump makes as much as it has hexes."""
        moving = sum(item.value for item in movement_heat(Moved(mode, mp=hexes)))
        return max(0, arms.sinks + self.warm - arms.heat - moving)

    def between(self, one: Hex, other: Hex) -> Between:
        """What lies between two places."""
        found = self.known.get((one, other))
        if found is None:
            back = self.known.get((other, one))
            found = back.turned() if back else self._measured(one, other)
            self.known[one, other] = found
        return found

    def _measured(self, one: Hex, other: Hex) -> Between:
        los = line_of_sight(self.board, one, other)
        line = None
        if los.possible:
            woods = sum(value for _, value in los.modifiers) - PARTIAL_COVER * los.target_cover
            line = (
                woods + PARTIAL_COVER * los.target_cover + self._woods(other),
                woods + PARTIAL_COVER * los.attacker_cover + self._woods(one),
            )
        return Between(distance(one, other), bearing(one, other), bearing(other, one), line)

    def _woods(self, place: Hex) -> int:
        return total_of(to_hit.TARGET_WOODS[self.board.woods[self.board.index(place)]])

    def exchange(self, post: Post, guess: Guess) -> Exchange | None:
        """A turn of fire and blows between two places; None where nobody can do anything."""
        rival = guess.at
        far, seen, back, line = self.between(post.hex, rival.hex)
        if line is None:
            return None
        mine, theirs = post.fires + rival.seen, rival.fires + post.seen
        blow = struck = 0
        if far == 1:
            up = self._floor(rival.hex) - self._floor(post.hex)
            blow = self.mine.blow(mine, up, self.theirs)
            struck = self.theirs.blow(theirs, -up, self.mine)
        taken = self.theirs.volley(far, theirs + line[1], rival.room) + struck
        factor = 100
        if guess.facing is not None:
            zone = ARCS[guess.facing][back]
            if zone != AHEAD:
                bears = self.theirs.volley(far, theirs + line[1], rival.room, zone)
                taken += SURE * (bears - taken) // 100
            factor = self._factor(STRUCK[guess.facing][back])
        taken = self.awake * taken // 100
        return Exchange(far, mine + line[0], post.room, blow, taken, seen, factor)

    def _factor(self, struck: str) -> int:
        """What a point is worth to the rival, if it probably faces so, in hundredths."""
        return (SURE * self.their_worth[struck] + (100 - SURE) * self.their_worth["front"]) // 100

    def dealt(self, met: Exchange, zone: str = AHEAD) -> int:
        """What one's own guns that bear deal, in hundredths."""
        if zone == NOTHING:
            return 0
        volley = self.mine.volley(met.far, met.modifier, met.room, zone)
        return (volley + met.blow * (zone == AHEAD)) * met.factor // 100

    def _floor(self, place: Hex) -> int:
        return self.board.floors[self.board.index(place)]
