"""Permanence fights: who fights them, and what becomes of two who are still level at the end (R 3, R 4.3)."""

from collections.abc import Mapping, Sequence

from solaris_league.domain.rules import LeagueRules


def places(points: Mapping[str, int], count: int, lot: Sequence[str]) -> tuple[str, ...]:
    """The first `count` of the quarter by points; those level are taken in the order of the lot (R 3)."""
    drawn = {who: place for place, who in enumerate(lot)}
    ranked = sorted(points, key=lambda who: (-points[who], drawn.get(who, len(drawn)), who))
    return tuple(ranked[:count])


def goes_down_to(rules: LeagueRules, for_class: int) -> str:
    """Where both go who are still level: a class lower, from the entry class to the waiting list (R 4.3)."""
    return "waiting_list" if for_class == rules.entry_class else f"class_{for_class - 1}"
