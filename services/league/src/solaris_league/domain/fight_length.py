"""How many turns a fight lasts (R 4.2)."""

from solaris_league.domain.rules import LeagueRules
from solaris_shared.errors import Rejected


def fight_length(rules: LeagueRules, class_: int, wanted: tuple[int, int]) -> int:
    """R 4.2: 8 turns; in Class 5 the mean of both wishes, rounded down. Raises Rejected for any other
    length."""
    if class_ not in rules.agreement_classes and any(turns != rules.turns for turns in wanted):
        raise Rejected("fight-length-fixed", f"Fights of Class {class_} last {rules.turns} turns.", "R 4.2")
    if any(turns < rules.turns for turns in wanted):
        raise Rejected("fight-too-short", f"No fight is shorter than {rules.turns} turns.", "R 4.2")
    if any(turns > rules.longest for turns in wanted):
        raise Rejected("fight-too-long", f"No fight is longer than {rules.longest} turns.", "R 4.2, C-10")
    return sum(wanted) // 2
