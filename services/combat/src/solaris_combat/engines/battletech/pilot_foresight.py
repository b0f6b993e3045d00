"""Where a veteran moves: by what each of its moves promises against the likeliest moves of the rival.

Both move at once and blind. The veteran asks what the rival would like best if everybody else stood still,
keeps the likeliest of those places, and takes the move that fares best against them all. It reads the map of
the arena as drawn, and what everybody can work out of the rival's reach; it sees no orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from solaris_combat.engines.battletech import to_hit
from solaris_combat.engines.battletech.arcs import side_struck
from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.heat import movement_heat
from solaris_combat.engines.battletech.hex import Hex, bearing, distance, internal_facing
from solaris_combat.engines.battletech.line_of_sight import PARTIAL_COVER, line_of_sight
from solaris_combat.engines.battletech.pilot_arms import Arms
from solaris_combat.engines.battletech.pilot_move import A_LITTLE, REAR_FACTOR, costs, name_of, too_far
from solaris_combat.engines.battletech.pilot_odds import fired_after, fired_at, total_of
from solaris_combat.engines.battletech.pilot_stakes import Stakes, stakes
from solaris_combat.engines.battletech.unit import Moved

Json = dict[str, Any]
Line = tuple[int, int] | None

LIKELY = 10
"""One part of so many of the rival's moves is likely."""
FIRST_LOOK = 6
"""Guesses against which all of one's own places are looked at."""
SHORTLIST = 30
"""Ways to a place that are looked at closely, with every facing."""
WARM = 5
"""Heat at the end of a turn that a pilot gladly accepts."""
USUAL = 1
"""What the ground usually adds to a number."""
BESIDE = 2
"""One part of so many: how often who moves next to a rival finds it there a turn later."""
NEARER = 40
"""Price of each hex that a pilot is away from where it likes to be, in hundredths of a point."""
SLIPS = 2
"""Hexes by which a distance may change before the fire of a turn."""
FARTHEST = 25
STRUCK = tuple(tuple(str(side_struck(facing, seen)) for seen in range(24)) for facing in range(6))


class Outlook(NamedTuple):
    """How far a level of pilots looks ahead.

    `guesses`: how many places of the rival it looks at, least and most; `later`: the weight of the turns to
    come against the next one, in hundredths; `eager`: that of points dealt against points taken; `counts`:
    it plays for the lead in victory points.
    """

    guesses: tuple[int, int]
    later: int
    eager: int
    counts: bool


class Post(NamedTuple):
    """A place and how somebody came there: what that does to its fire, to fire at it, and its heat left."""

    hex: Hex
    mode: str
    hexes: int
    fires: int
    seen: int
    room: int


class Guess(NamedTuple):
    """Where the rival may be, and how likely that is against the other guesses."""

    at: Post
    weight: int


class Exchange(NamedTuple):
    """Points of a turn of fire in hundredths, both facing each other, and where the rival is seen."""

    dealt: int
    taken: int
    seen: int
    far: int


class Foresight:
    """Both sides' prospects on the printed map; every line and volley is worked out once."""

    def __init__(self, board: Board, view: Json, movement: Json, heat: int, outlook: Outlook) -> None:
        self.outlook = outlook
        self.board = board
        self.me = view["sides"][view["you"]]
        self.other = view["sides"][movement["rival"]]
        self.mine, self.theirs = Arms(self.me, heat), Arms(self.other)
        self.here, self.there = Hex.parse(self.me["hex"]), Hex.parse(self.other["hex"])
        self.reach = movement["rival_reach"]
        self.lines: dict[tuple[Hex, Hex], Line] = {}
        both = self.mine.volley(SLIPS + 4, 3) + self.theirs.volley(SLIPS + 4, 3)
        self.stakes: Stakes = stakes(view, movement["rival"], both / 100, outlook.counts)
        self.prospects: dict[int, int] = {}
        self.evens: dict[int, int] = {}
        self.paces = tuple(self._pace(self.mine, self.me, mode) for mode in ("walk", "run", "jump"))
        self.rival_pace = self._pace(self.theirs, self.other, "walk")

    @cached_property
    def guesses(self) -> list[Guess]:
        """The rival's likeliest moves, the likeliest first, one for each place."""
        count = sorted((len(self.reach) // LIKELY, *self.outlook.guesses))[1]
        likes = _best_of_each_place(self._rated(), count)
        return [Guess(post, 2 * count - rank) for rank, post in enumerate(likes)]

    def _rated(self) -> Iterator[tuple[int, Post]]:
        """What each of the rival's moves promises it, if nobody else moves."""
        for place in self.reach:
            post = self._post(self.theirs, place)
            if post.hex == self.here:
                continue
            far = distance(post.hex, self.here)
            dealt = taken = 0
            line = self._line(post.hex, self.here)
            if line is not None:
                dealt = self.theirs.volley(far, line[0] + A_LITTLE + post.fires)
                taken = self.mine.volley(far, line[1] + A_LITTLE + post.seen)
            yield 11 * dealt // 10 - taken - 15 * costs(place) - 40 * too_far(self.other, far), post

    def post(self, move: Json) -> Post:
        """The end of one of one's own moves."""
        return self._post(self.mine, move)

    def _post(self, arms: Arms, move: Json) -> Post:
        mode, hexes = move["mode"], move["hexes"]
        room = self._room(arms, mode, hexes)
        return Post(Hex.parse(move["hex"]), mode, hexes, fired_after(mode), fired_at(mode, hexes), room)

    def _line(self, one: Hex, other: Hex) -> Line:
        """What the ground adds from one place to the other, and back; None where neither sees the other."""
        ends = (one, other)
        if ends not in self.lines:
            los = line_of_sight(self.board, one, other)
            if los.possible:
                between = sum(value for _, value in los.modifiers) - PARTIAL_COVER * los.target_cover
                self.lines[ends] = (
                    between + PARTIAL_COVER * los.target_cover + self._woods(other),
                    between + PARTIAL_COVER * los.attacker_cover + self._woods(one),
                )
            else:
                self.lines[ends] = None
        return self.lines[ends]

    def _woods(self, place: Hex) -> int:
        return total_of(to_hit.TARGET_WOODS[self.board.woods[self.board.index(place)]])

    def _pace(self, arms: Arms, side: Json, mode: str) -> Post:
        """How a side moves if nothing is in its way: half of what it could, by one mode."""
        return self._post(arms, {"hex": side["hex"], "mode": mode, "hexes": 2 * side["movement"][mode] // 3})

    def _room(self, arms: Arms, mode: str, hexes: int) -> int:
        """Heat that may be made by fire after moving so; a jump makes as much as it has hexes."""
        moving = sum(item.value for item in movement_heat(Moved(mode, mp=hexes)))
        return max(0, arms.sinks + WARM - arms.heat - moving)

    def exchange(self, post: Post, rival: Post) -> Exchange | None:
        """A turn of fire and blows between two places; None where nobody can do anything."""
        line = self._line(post.hex, rival.hex)
        if line is None:
            return None
        far = distance(post.hex, rival.hex)
        mine, theirs = post.fires + rival.seen, rival.fires + post.seen
        dealt = self.mine.volley(far, mine + line[0], post.room)
        taken = self.theirs.volley(far, theirs + line[1], rival.room)
        if far == 1:
            up = self._floor(rival.hex) - self._floor(post.hex)
            dealt += self.mine.blow(mine, up, self.theirs)
            taken += self.theirs.blow(theirs, -up, self.mine)
        return Exchange(dealt, taken, bearing(post.hex, rival.hex), far)

    def _floor(self, place: Hex) -> int:
        return self.board.floors[self.board.index(place)]

    def promise(self, post: Post) -> int:
        """Points dealt minus points taken against the likeliest guesses, in hundredths."""
        total = weights = 0
        for rival, weight in self.guesses[:: len(self.guesses) // FIRST_LOOK or 1]:
            if rival.hex != post.hex:
                weights += weight
                met = self.exchange(post, rival)
                gain = self.outlook.eager * met.dealt // 100 - met.taken if met else 0
                total += weight * (gain + self.later(distance(post.hex, rival.hex)))
        return total // max(1, weights)

    def later(self, far: int) -> int:
        """What being so far from the rival promises for later turns, in hundredths of a point.

        Who has a range at which it deals more than it takes goes there; who has none stays away.
        """
        if far not in self.prospects:
            self.prospects[far] = self.outlook.later * self._around(far) // 100 - NEARER * self._gap(far)
        return self.prospects[far]

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
        return self.outlook.eager * dealt // 100 - taken

    def shares(self, post: Post, moves: Sequence[Json]) -> Iterator[tuple[float, Json]]:
        """Expected share of the fight after each of the moves that end in one place the same way."""
        met = [
            (weight, self.later(distance(post.hex, rival.hex)), self.exchange(post, rival))
            for rival, weight in self.guesses
            if rival.hex != post.hex
        ]
        weights = max(1, sum(weight for weight, _, _ in met))
        for move in moves:
            struck = STRUCK[internal_facing(move["facing"])]
            cost = 15 * costs(move) + move.get("risk", 0)
            total = sum(weight * self._share(later - cost, one, struck) for weight, later, one in met)
            yield total / weights, move

    def _share(self, gain: int, met: Exchange | None, struck: Sequence[str]) -> float:
        if met is None:
            return self.stakes.share(gain / 100, 0)
        ahead = struck[met.seen]
        dealt = 0 if ahead == "rear" else self.outlook.eager * met.dealt // 100
        taken = met.taken * REAR_FACTOR[ahead] // 100
        return self.stakes.share((gain + dealt - taken) / 100, (dealt + taken) / 100)


def _best_of_each_place(rated: Iterable[tuple[int, Post]], count: int) -> list[Post]:
    """The best ways to the best places."""
    best: dict[Hex, Post] = {}
    for _, post in sorted(rated, key=lambda one: (-one[0], one[1])):
        best.setdefault(post.hex, post)
        if len(best) == count:
            break
    return list(best.values())


def farsighted(foresight: Foresight, moves: Sequence[Json]) -> list[Json]:
    """The moves by how they fare against the guesses, of those that promise most at first sight."""
    ways: dict[tuple[str, str, int], list[Json]] = {}
    for move in moves:
        ways.setdefault((move["hex"], move["mode"], move["hexes"]), []).append(move)
    posts = [(foresight.post(group[0]), group) for group in ways.values()]
    posts.sort(key=lambda one: (-foresight.promise(one[0]), one[0]))
    rated = [one for post, group in posts[:SHORTLIST] for one in foresight.shares(post, group)]
    return [move for _, move in sorted(rated, key=lambda one: (-one[0], one[1]["mp"], name_of(one[1])))]
