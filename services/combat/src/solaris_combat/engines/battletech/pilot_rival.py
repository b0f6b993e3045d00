"""Where a pilot expects its rival: both move at once and blind, so it can but guess.

At first sight each side likes the places best that would be good if the other stood still. The rival thinks
of that, too: with `answers`, its places are rated against those of the pilot's own that it may expect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import exp
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.hex import Hex, bearing, internal_facing
from solaris_combat.engines.battletech.pilot_arms import AHEAD, NOTHING, Arms
from solaris_combat.engines.battletech.pilot_exchange import ARCS, STRUCK, Guess, Post, Prospect
from solaris_combat.engines.battletech.pilot_move import A_LITTLE, EAGER, EFFORT, TOO_FAR, costs
from solaris_combat.engines.battletech.pilot_range import Ranges
from solaris_combat.engines.battletech.pilot_weights import WEIGHTS, Outlook

Json = dict[str, Any]
Rated = tuple[int, Post]

_WEIGHTS = WEIGHTS["foresight"]
LIKELY: int = _WEIGHTS["likely"]
DOUBT: int = _WEIGHTS["doubt"]
WORK: int = _WEIGHTS["work"]
CERTAIN = 1000
"""Weight of the likeliest guess."""
UNLIKELY: int = _WEIGHTS["unlikely"]


class Mover(NamedTuple):
    """One of two sides about to move: its arms, record sheet, and what it may choose from."""

    arms: Arms
    side: Json
    moves: Sequence[Json]
    useful: int

    @property
    def hex(self) -> Hex:
        """Where it stands."""
        return Hex.parse(self.side["hex"])


def guesses(prospect: Prospect, rival: Mover, me: Mover, outlook: Outlook, ranges: Ranges) -> list[Guess]:
    """The rival's likeliest moves, the likeliest first, one for each place."""
    count = sorted((len(rival.moves) // LIKELY, *outlook.guesses))[1]
    if not outlook.answers:
        likes = _best_of_each_place(_at_first_sight(prospect, rival, me), count)
        return [Guess(post, 2 * count - rank) for rank, (_, post) in enumerate(likes)]
    fewest, most = 1, outlook.answers
    expected = sorted((WORK // max(1, len(rival.moves)), fewest, most))[1]
    mine = [post for _, post in _best_of_each_place(_at_first_sight(prospect, me, rival), expected)]
    likes = _best_of_each_place(_in_answer(prospect, rival, mine, ranges), count)
    best = likes[0][0] if likes else 0
    weighed = [(1 + int(CERTAIN * exp((value - best) / DOUBT)), post) for value, post in likes]
    fewest = outlook.guesses[0]
    return [
        Guess(post, weight, _facing(rival, post, mine))
        for rank, (weight, post) in enumerate(weighed)
        if rank < fewest or weight > UNLIKELY
    ]


def _at_first_sight(prospect: Prospect, mover: Mover, other: Mover) -> Iterator[Rated]:
    """What each of a side's moves promises it, if the other one moves a little and stays where it is."""
    there = other.hex
    for move in mover.moves:
        post = prospect.post(mover.arms, move)
        if post.hex == there:
            continue
        gain = _gain(prospect, (mover, other), (post, there), (A_LITTLE, A_LITTLE))
        yield gain - EFFORT * costs(move), post


def _in_answer(prospect: Prospect, rival: Mover, expected: Sequence[Post], ranges: Ranges) -> Iterator[Rated]:
    """What each of the rival's moves promises it against the places where it may expect the pilot."""
    theirs = prospect.swapped()
    known = [Guess(post, 2 * len(expected) - rank) for rank, post in enumerate(expected)]
    for move in rival.moves:
        post = theirs.post(rival.arms, move)
        yield theirs.promise(post, known, 10 * EAGER, ranges.later) - EFFORT * costs(move), post


def _gain(prospect: Prospect, who: tuple[Mover, Mover], at: tuple[Post, Hex], moved: tuple[int, int]) -> int:
    """Points dealt minus points taken by who comes to a post; `moved` is what the other's movement adds."""
    post, there = at
    mover, other = who
    far, _, _, line = prospect.between(post.hex, there)
    away = TOO_FAR * max(0, far - mover.useful)
    if line is None:
        return -away
    dealt = mover.arms.volley(far, line[0] + moved[0] + post.fires)
    taken = other.arms.volley(far, line[1] + moved[1] + post.seen)
    return EAGER * dealt // 10 - taken - away


def _facing(rival: Mover, post: Post, mine: Sequence[Post]) -> int:
    """How the rival would face there: towards where it may expect the other."""
    if post.mode == "stand":
        return internal_facing(rival.side["facing"])
    seen = [bearing(post.hex, one.hex) for one in mine if one.hex != post.hex]

    def bears(facing: int) -> tuple[int, int]:
        zones = [ARCS[facing][one] for one in seen]
        fronts = sum(STRUCK[facing][one] == "front" for one in seen)
        return zones.count(AHEAD) - zones.count(NOTHING), fronts

    return max(range(len(ARCS)), key=bears)


def _best_of_each_place(rated: Iterable[Rated], count: int) -> list[Rated]:
    """The best ways to the best places."""
    best: dict[Hex, Rated] = {}
    for one in sorted(rated, key=lambda one: (-one[0], one[1])):
        best.setdefault(one[1].hex, one)
        if len(best) == count:
            break
    return list(best.values())
