"""Where a veteran moves: by what each of its moves promises against the likeliest moves of the rival.

Both move at once and blind. The veteran asks what the rival would like best if everybody else stood still,
keeps the likeliest of those places, and takes the move that fares best against them all. It reads the map of
the arena as drawn, and what everybody can work out of the rival's reach; it sees no orders.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.arcs import side_struck
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex, bearing, distance, internal_facing
from solaris_combat.engines.battletech.line_modifier import line_modifier
from solaris_combat.engines.battletech.pilot_move import REAR_FACTOR, costs, moved_modifier, name_of, too_far
from solaris_combat.engines.battletech.pilot_odds import odds, volley

Json = dict[str, Any]

GUESSES = 10
"""Places of the rival that are looked at."""
SHORTLIST = 50
"""Moves of one's own that are looked at closely."""
CAUTION = 10
"""Weight of points taken against points dealt, in tenths."""
FIRE_AFTER = {"stand": 0, "walk": 1, "run": 2, "jump": 3}
KICK_EASIER = 2
"""How much easier than its piloting skill a kick is."""
TONS_PER_KICK_POINT = 5


class Guess(NamedTuple):
    """A place where the rival may be, how it came there, and how likely it is against the other guesses."""

    hex: Hex
    mode: str
    hexes: int
    weight: int


class Foresight:
    """Both sides' prospects on the printed map; every line and volley is worked out once."""

    def __init__(self, board: Board, me: Json, other: Json, rival_reach: Sequence[Json]) -> None:
        self.board = board
        self.me = me
        self.other = other
        self.here = Hex.parse(me["hex"])
        self.reach = rival_reach
        self.lines: dict[tuple[Hex, Hex], int | None] = {}
        self.volleys: dict[tuple[bool, int, int], int] = {}

    @cached_property
    def guesses(self) -> list[Guess]:
        """The rival's likeliest moves, the likeliest first."""
        ranked = sorted(self._rated(), key=lambda one: (-one[0], one[1]["hex"], one[1]["mode"]))
        return [
            Guess(Hex.parse(place["hex"]), place["mode"], place["hexes"], (GUESSES - rank) ** 2)
            for rank, (_, place) in enumerate(ranked[:GUESSES])
        ]

    def _rated(self) -> Iterator[tuple[int, Json]]:
        """What each of the rival's moves promises it, if nobody else moves."""
        for place in self.reach:
            there = Hex.parse(place["hex"])
            if there == self.here:
                continue
            far = distance(there, self.here)
            dealt = self._fire(False, there, self.here, 1 + FIRE_AFTER[place["mode"]])
            taken = self._fire(True, self.here, there, 1 + moved_modifier(place))
            cost = 15 * costs(place) + 40 * too_far(self.other, far)
            yield 11 * dealt // 10 - taken - cost, place

    def balance(self, move: Json) -> int:
        """Points dealt minus points taken, in hundredths, over all guesses, less what the way costs."""
        at = Hex.parse(move["hex"])
        facing = internal_facing(move["facing"])
        total = weights = 0
        for guess in self.guesses:
            if guess.hex == at:
                continue
            weights += guess.weight
            total += guess.weight * self._exchange(move, at, facing, guess)
        return total // max(1, weights) - 15 * costs(move)

    def _exchange(self, move: Json, at: Hex, facing: int, guess: Guess) -> int:
        """Balance of one turn of fire between a move and a guess."""
        far = distance(at, guess.hex)
        ahead = side_struck(facing, bearing(at, guess.hex))
        mine = FIRE_AFTER[move["mode"]] + moved_modifier(guess._asdict())
        theirs = FIRE_AFTER[guess.mode] + moved_modifier(move)
        dealt = 0 if ahead == "rear" else self._fire(True, at, guess.hex, mine)
        taken = self._fire(False, guess.hex, at, theirs) * REAR_FACTOR[ahead] // 100
        if far == 1:
            dealt += 0 if ahead == "rear" else _kick(self.me, mine)
            taken += _kick(self.other, theirs)
        return (11 * dealt - CAUTION * taken) // 10 - 40 * too_far(self.me, far)

    def _fire(self, mine: bool, shooter: Hex, target: Hex, modifier: int) -> int:
        """Expected points of a volley along a line, in hundredths."""
        ends = (shooter, target)
        if ends not in self.lines:
            self.lines[ends] = line_modifier(self.board, shooter, target)
        line = self.lines[ends]
        if line is None:
            return 0
        key = (mine, distance(shooter, target), modifier + line)
        if key not in self.volleys:
            self.volleys[key] = volley(self.me if mine else self.other, key[1], key[2])
        return self.volleys[key]


def _kick(side: Json, modifier: int) -> int:
    """Expected points of a kick in hundredths."""
    number = int(side["pilot"]["piloting"]) - KICK_EASIER + modifier
    return odds(number, automatic=False) * int(side["tons"]) * 100 // (36 * TONS_PER_KICK_POINT)


def farsighted(foresight: Foresight, moves: Sequence[Json], shortlist: Sequence[Json]) -> Json:
    """The best of the moves on the shortlist, or of all when there are few."""
    looked_at = moves if len(moves) <= SHORTLIST else shortlist[:SHORTLIST]
    return max(looked_at, key=lambda move: (foresight.balance(move), -move["mp"], name_of(move)))
