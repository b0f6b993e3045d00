"""What becomes of a mechwarrior who would have died in a fight: the Injuries table (Tabla de Lesiones, R 4.7;
tables 5.1, PROPOSED). Lesser wounds heal between the rounds.

The dice come from the fight's own seed, which was committed before the fight and is public after it, so that
anybody can repeat the roll: docs/reference/lot.md.
"""

from dataclasses import dataclass

from solaris_league.domain.lot import Lot
from solaris_league.domain.rules import Injury, LeagueRules


@dataclass(frozen=True, slots=True)
class InjuriesRolled:
    """2D6 and what they mean: out of the next `rounds_out` rounds, skills raised for good (higher is worse),
    wounds at the beginning of the next fight."""

    mechwarrior_id: str
    fight_id: str
    round: int
    faces: tuple[int, int]
    result: str
    rounds_out: int
    gunnery: int
    piloting: int
    wounds: int
    reputation: int
    person_id: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class MechwarriorDied:
    """The Injuries table says death: never drawn again."""

    mechwarrior_id: str
    fight_id: str
    round: int
    person_id: str = ""
    name: str = ""


def dice_of(seed: str, mechwarrior_id: str) -> tuple[int, int]:
    """The two dice of this mechwarrior after the fight with this seed (64 hexadecimal digits)."""
    lot = Lot(seed, f"injuries {mechwarrior_id}")
    return lot.below(6) + 1, lot.below(6) + 1


def injury_of(rules: LeagueRules, faces: tuple[int, int]) -> Injury:
    """The row of the table."""
    return next(row for row in rules.injuries if sum(faces) in row.totals)


def roll_injuries(
    rules: LeagueRules,
    mechwarrior_id: str,
    fight_id: str,
    round_: int,
    seed: str,
    person_id: str = "",
    name: str = "",
) -> tuple[InjuriesRolled] | tuple[InjuriesRolled, MechwarriorDied]:
    """R 4.7: roll instead of the death the fight reported."""
    faces = dice_of(seed, mechwarrior_id)
    return injuries(rules, mechwarrior_id, fight_id, round_, faces, person_id, name)


def injuries(
    rules: LeagueRules,
    mechwarrior_id: str,
    fight_id: str,
    round_: int,
    faces: tuple[int, int],
    person_id: str,
    name: str,
) -> tuple[InjuriesRolled] | tuple[InjuriesRolled, MechwarriorDied]:
    """R 4.7: what these dice mean."""
    row = injury_of(rules, faces)
    rolled = InjuriesRolled(
        mechwarrior_id,
        fight_id,
        round_,
        faces,
        row.name,
        row.rounds_out,
        row.gunnery,
        row.piloting,
        row.wounds,
        row.reputation,
        person_id,
        name,
    )
    died = MechwarriorDied(mechwarrior_id, fight_id, round_, person_id, name)
    return (rolled, died) if row.dies else (rolled,)
