"""Experience and what it does to the skills (R 6)."""

from solaris_league.domain.rules import LeagueRules, Level


def experience_halves(rules: LeagueRules, wins: int, draws: int) -> int:
    """R 6: fights won plus half a point for each draw; counted in halves, so that it stays a whole number."""
    return wins * rules.halves["win"] + draws * rules.halves["draw"]


def category(rules: LeagueRules, halves: int) -> Level:
    """R 6, tables 5.4: the highest level whose threshold is reached; its skills are the mechwarrior's."""
    return [level for level in rules.levels if level.begins * 2 <= halves][-1]
