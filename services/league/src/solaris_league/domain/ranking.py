"""Ranking points and the quarterly ranking (R 3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from solaris_league.domain.rules import Ranking

RANKING, PERMANENCE, EARLIER = "ranking", "permanence", "earlier-class"
"""Kinds of results: those that count for the ranking, of a permanence fight, of a class left since."""


def ranking_points(ranking: Ranking, result: str, round_number: int | None = None) -> int:
    """R 3: win 3, loss 0, draw 1, but 0 before round 16 of the league's history. Without a round: today's
    rule."""
    before = round_number is not None and ranking.rounds_before + round_number < ranking.draw_since
    return 0 if result == "draw" and before else ranking.points[result]


def counted_rounds(ranking: Ranking, latest: int) -> range:
    """R 3: the numbers of the (last three) rounds that the ranking sums after round `latest`."""
    return range(max(1, latest - ranking.rounds + 1), latest + 1)


@dataclass(frozen=True, slots=True)
class Result:
    """What one mechwarrior made of one fight."""

    round: int
    fight_id: str
    result: str
    points: int
    victory_points: int
    opponent_id: str
    kind: str = RANKING


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the ranking; level rows share the rank (who goes up or down among them is drawn by lot, R
    3)."""

    rank: int
    mechwarrior_id: str
    points: int
    fights: int
    wins: int
    draws: int
    losses: int


def quarterly(ranking: Ranking, latest: int, results: Mapping[str, Sequence[Result]]) -> tuple[Standing, ...]:
    """R 3: all mechwarriors of a class by the points of the counted rounds; `results` by mechwarrior id. What
    was fought in another class, or for permanence, is no part of it (C-33)."""
    rounds = counted_rounds(ranking, latest)
    counted = {
        who: [one for one in all_ if one.round in rounds and one.kind == RANKING]
        for who, all_ in results.items()
    }
    points = {who: sum(one.points for one in all_) for who, all_ in counted.items()}
    order = sorted(points, key=lambda who: (-points[who], who))
    return tuple(_standing(who, points, counted[who]) for who in order)


def _standing(who: str, points: Mapping[str, int], counted: Sequence[Result]) -> Standing:
    rank = 1 + sum(other > points[who] for other in points.values())
    wins, draws, losses = (count_of(counted, result) for result in ("win", "draw", "loss"))
    return Standing(rank, who, points[who], len(counted), wins, draws, losses)


def count_of(results: Iterable[Result], result: str) -> int:
    return sum(one.result == result for one in results)
