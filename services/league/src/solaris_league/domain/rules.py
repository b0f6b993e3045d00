"""The figures of the league's rules, as read from tables/league.toml (source and mark of each stand
there)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Level:
    """An experience category (R 6). `begins` is in whole points of experience."""

    name: str
    begins: int
    gunnery: int
    piloting: int


@dataclass(frozen=True, slots=True)
class Purse:
    """Prize money of one fight in C-bills (tables 5.2)."""

    win: int
    draw: int
    loss: int


@dataclass(frozen=True, slots=True)
class Injury:
    """A row of the Injuries table (tables 5.1) for some totals of 2D6."""

    totals: tuple[int, ...]
    name: str
    dies: bool = False
    rounds_out: int = 0
    gunnery: int = 0
    piloting: int = 0
    wounds: int = 0
    reputation: int = 0


@dataclass(frozen=True, slots=True)
class Ranking:
    """Ranking points (R 3). `draw_since` counts in rounds of the league's whole history."""

    points: Mapping[str, int]
    rounds: int
    draw_since: int
    rounds_before: int


@dataclass(frozen=True, slots=True)
class LeagueRules:
    """All figures the league's domain takes."""

    affiliations: tuple[str, ...]
    entry_class: int
    classes_played: tuple[int, ...]
    turns: int
    longest: int
    agreement_classes: tuple[int, ...]
    ranking: Ranking
    halves: Mapping[str, int]
    levels: tuple[Level, ...]
    purses: Mapping[int, Purse]
    injuries: tuple[Injury, ...]
    turn_seconds: int
    turn_seconds_range: tuple[int, int]
    lookalikes: Mapping[str, str]
    """Letter -> the letters it looks like."""


def parse(data: Mapping[str, Any]) -> LeagueRules:
    """The rules in the decoded table file. Raises KeyError or TypeError where a figure is missing."""
    experience, turn = data["experience"], data["turn"]
    levels = (
        Level(row["name"], row["from"], row["gunnery"], row["piloting"]) for row in experience["levels"]
    )
    purses = {int(name): Purse(**row) for name, row in data["purses"].items() if name.isdecimal()}
    return LeagueRules(
        affiliations=tuple(data["affiliations"]["names"]),
        entry_class=data["entry"]["class"],
        classes_played=tuple(data["classes"]["played"]),
        turns=data["fight_length"]["turns"],
        longest=data["fight_length"]["longest"],
        agreement_classes=tuple(data["fight_length"]["by_agreement"]),
        ranking=_ranking(data["ranking"], data["history"]),
        halves={"win": experience["halves_per_win"], "draw": experience["halves_per_draw"], "loss": 0},
        levels=tuple(levels),
        purses=purses,
        injuries=tuple(
            Injury(**{**row, "totals": tuple(row["totals"])}) for row in data["injuries"]["results"]
        ),
        turn_seconds=turn["seconds"],
        turn_seconds_range=(turn["shortest"], turn["longest"]),
        lookalikes=_lookalikes(data["lookalikes"]),
    )


def _lookalikes(table: Mapping[str, Any]) -> dict[str, str]:
    both = (*table["letters"].items(), *table["marked"].items())
    return {letter: plain for plain, letters in both for letter in letters}


def _ranking(table: Mapping[str, Any], history: Mapping[str, Any]) -> Ranking:
    points = {result: table[result] for result in ("win", "draw", "loss")}
    return Ranking(points, table["rounds"], table["draw_since_round"], history["rounds_before"])
