"""Standings that explain themselves: every point of a rank with its fight, and how a tie would be drawn (R
3)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from solaris_league.domain.experience import category, experience_halves
from solaris_league.domain.ranking import RANKING, Result, Standing, count_of, counted_rounds
from solaris_league.domain.rules import LeagueRules

Json = dict[str, Any]


def experience_of(rules: LeagueRules, results: Sequence[Result]) -> Json:
    """R 6: experience in halves of a point, its category and what the next one needs."""
    halves = experience_halves(rules, count_of(results, "win"), count_of(results, "draw"))
    level = category(rules, halves)
    above = rules.levels[rules.levels.index(level) + 1 :]
    return {
        "halves": halves,
        "category": level.name,
        "next_at_halves": above[0].begins * 2 if above else None,
        "rule": "R 6",
    }


def explanation(
    rules: LeagueRules,
    latest: int,
    standings: Sequence[Standing],
    who: str,
    results: Sequence[Result],
    names: Mapping[str, str],
    voided: Sequence[Json] = (),
) -> Json:
    """Why `who` stands where he stands after round `latest`. `voided`: his fights that were called off."""
    row = next(standing for standing in standings if standing.mechwarrior_id == who)
    rounds = counted_rounds(rules.ranking, latest)
    fights = [
        {
            **asdict(one),
            "opponent": names.get(one.opponent_id, ""),
            "counted": one.round in rounds and one.kind == RANKING,
            "rule": "R 3",
        }
        for one in results
    ]
    level = [one.mechwarrior_id for one in standings if one.rank == row.rank and one.mechwarrior_id != who]
    return {
        **asdict(row),
        "name": names.get(who, ""),
        "counted_rounds": list(rounds),
        "fights": fights,
        "voided": [
            {**one, "opponent": names.get(one["opponent_id"], ""), "points": 0, "rule": "R 3"}
            for one in voided
        ],
        "level_with": [{"mechwarrior_id": one, "name": names.get(one, "")} for one in level],
        "experience": experience_of(rules, results),
        "text": _text(row, fights, len(level), rounds, [one["round"] for one in voided]),
        "rule": "R 3",
    }


RESULTS_ES = {"win": "victoria", "draw": "empate", "loss": "derrota"}


def _text(row: Standing, fights: Sequence[Json], level: int, rounds: range, voided: Sequence[int]) -> Json:
    counted = [fight for fight in fights if fight["counted"]]
    sum_es = (
        " + ".join(f"{f['points']} ({RESULTS_ES[f['result']]}, ronda {f['round']})" for f in counted) or "0"
    )
    sum_en = " + ".join(f"{f['points']} ({f['result']}, round {f['round']})" for f in counted) or "0"
    span = f"{rounds.start}-{rounds.stop - 1}" if rounds else "-"
    spanish = f"Puesto {row.rank}: {row.points} puntos en las rondas {span}: {sum_es}."
    english = f"Rank {row.rank}: {row.points} points in rounds {span}: {sum_en}."
    if level:
        spanish += f" Empatado con {level}; si hubiera ascensos o descensos decidiría un sorteo."
        english += f" Level with {level}; promotion or relegation among them would be drawn by lot."
    for number in voided:
        spanish += f" Su combate de la ronda {number} fue anulado: no da puntos."
        english += f" The fight of round {number} was voided: it gives no points."
    return {"es": spanish, "en": english}
