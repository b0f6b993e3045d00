"""Facts of the letters, taken from what happened; the same for both sides but for who is "you".

Nothing here knows who has sealed: turn letters are written for both sides at once, when the turn opens.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar
from uuid import UUID

from solaris_mail.domain.address import clean_name, clean_text
from solaris_mail.foreign_events import (
    ChallengeAnswered,
    ChallengeIssued,
    ClassChanged,
    DeadlineExtended,
    FightConcluded,
    Fighter,
    FightOpened,
    FightParked,
    FightScheduled,
    FightVoided,
    FoughtSide,
    InjuriesRolled,
    LotDrawn,
    Request,
    RoundVoided,
    RulingPublished,
    Side,
    SideSubstituted,
    Substitute,
    UnitCorrected,
)

Facts = dict[str, Any]
LONGEST_ANSWER = 2_000
AnySide = TypeVar("AnySide", Side, FoughtSide)
LENT_BY = "organisers"


def pairs(sides: Sequence[AnySide]) -> Iterator[tuple[AnySide, tuple[AnySide, ...]]]:
    """(you, your rivals) for each side: the other one of a duel, all who are not of your team else."""
    for you in sides:
        yield you, tuple(one for one in sides if one is not you and not _mates(one, you))


def concerned(
    sides: Sequence[Side], substitutes: Sequence[Substitute]
) -> Iterator[tuple[UUID, Side, tuple[Side, ...]]]:
    """(person, his side, its rivals) once for all who were scheduled or stand in for one of them."""
    told: set[UUID] = set()
    stands_in = [(one.side, one.person_id) for one in substitutes]
    for you, rivals in pairs(sides):
        for person in (you.person_id, *(person for side, person in stands_in if side == you.side)):
            if person not in told:
                told.add(person)
                yield person, you, rivals


def _mates(one: Side | FoughtSide, other: Side | FoughtSide) -> bool:
    return one.team is not None and one.team == other.team


def scheduled(fight: FightScheduled, you: Side, rivals: Sequence[Side]) -> Facts:
    """The draw has made a fight."""
    return {
        "round": fight.round,
        "class": fight.class_,
        "arena": fight.arena,
        "kind": fight.kind,
        "turns": fight.turns,
        "turn_seconds": fight.turn_seconds,
        "purse": {"win": fight.purse.win, "draw": fight.purse.draw, "loss": fight.purse.loss},
        "you": combatant(you) | {"lent": you.mech.owner == LENT_BY},
        "rival": opponents(rivals),
    }


def turn(
    request: Request, fight: FightOpened, you: Side, rivals: Sequence[Side], why: Facts | None = None
) -> Facts:
    """Orders are asked for. `why`, if they were asked for before: "again" (nothing sent counts any more),
    "extended" (more time), "resumed" (after it stood still) or "instead" (by somebody else)."""
    asked = {"kind": request.kind, "turn": request.turn, "arena": fight.arena, "turns": fight.turns}
    told = {
        name: {**one, "name": _name_of(fight, one["side"])} if "side" in one else one
        for name, one in (why or {}).items()
    }
    return asked | {"you": combatant(you), "rival": opponents(rivals)} | told


def _name_of(fight: FightOpened, side: str) -> str:
    return next((clean_name(one.name) for one in fight.sides if one.side == side), side)


def correction(event: UnitCorrected) -> dict[str, str]:
    """Something that stood wrong was put right."""
    return {"what": "correction", "side": event.side, "reason": clean_text(event.reason)}


def extension(event: DeadlineExtended) -> dict[str, str]:
    """There is more time."""
    return {"reason": clean_text(event.reason)}


def substitution(
    event: SideSubstituted, fight: FightOpened, you: Side, rivals: Sequence[Side], role: str
) -> Facts:
    """Somebody else plays a side: told to him ("substitute"), to who played it ("replaced"), to others."""
    told = {"role": role, "reason": clean_text(event.reason), "left": _name_of(fight, event.side)}
    return told | {"arena": fight.arena, "you": combatant(you), "rival": opponents(rivals)}


def length(
    fight: FightOpened, you: Side, rivals: Sequence[Side], turns: int, before: int, *, agreed: bool
) -> Facts:
    """The fight lasts `turns` now, by agreement or because it is level."""
    told = {"turns": turns, "before": before, "agreed": agreed, "arena": fight.arena}
    return told | {"you": combatant(you), "rival": opponents(rivals)}


def parked(event: FightParked, fight: FightOpened, you: Side, rivals: Sequence[Side]) -> Facts:
    """The fight stands still."""
    told = {"code": event.code, "arena": fight.arena}
    return told | {"you": combatant(you), "rival": opponents(rivals)}


def ruling(event: RulingPublished, you: Side, rivals: Sequence[Side]) -> Facts:
    """The Commission has answered an appeal."""
    asked = next((clean_name(one.name) for one in event.sides if one.side == event.side), event.side)
    told = {"turn": event.turn, "granted": event.granted, "asked": asked, "mine": you.side == event.side}
    answer = {"answer": clean_text(event.answer, LONGEST_ANSWER)}
    return told | answer | {"you": combatant(you), "rival": opponents(rivals)}


def challenge(event: ChallengeIssued) -> Facts:
    """One challenges the other."""
    return _names(event.challenged, event.challenger) | {"round": event.round, "class": event.class_}


def challenge_answer(event: ChallengeAnswered) -> Facts:
    """The challenger has his answer."""
    told = {"round": event.round, "class": event.class_, "accepted": event.accepted}
    return _names(event.challenger, event.challenged) | told


def _names(you: Fighter, other: Fighter) -> Facts:
    return {"you": {"name": clean_name(you.name)}, "rival": {"name": clean_name(other.name)}}


def injuries(event: InjuriesRolled) -> Facts:
    """What the Injuries table says."""
    return {
        "you": {"name": clean_name(event.name)},
        "round": event.round,
        "result": event.result,
        "until": event.round + event.rounds_out,
        "rounds_out": event.rounds_out,
        "gunnery": event.gunnery,
        "piloting": event.piloting,
        "faces": list(event.faces),
    }


def class_changed(event: ClassChanged) -> Facts:
    """A class up or down."""
    told = {"up": event.to_class > event.from_class, "class": event.to_class}
    return told | {"you": {"name": clean_name(event.name)}}


def resting(event: LotDrawn | RoundVoided, you: Fighter) -> Facts:
    """A round in which this one has no fight."""
    return {"you": {"name": clean_name(you.name)}, "round": event.number, "class": event.class_}


def round_off(event: RoundVoided, you: Fighter) -> Facts:
    """A round without fights, and why."""
    return resting(event, you) | {"reason": clean_text(event.reason)}


def result(
    fight: FightConcluded, you: FoughtSide, rivals: Sequence[FoughtSide], names: dict[str, str]
) -> Facts:
    """The fight is over. `names`: side -> callsign."""
    return {
        "result": you.result,
        "turns": fight.turns,
        "ended_by": fight.ended_by,
        "purse": {"win": fight.purse.win, "draw": fight.purse.draw, "loss": fight.purse.loss}[you.result],
        "you": fought(you, names) | {"lent": you.mech.owner == LENT_BY},
        "rival": all_fought(rivals, names),
    }


def voided(fight: FightVoided, you: Side, rivals: Sequence[Side]) -> Facts:
    """The fight is off. The reason is somebody's words: kept on one line. A combat that refuses says codes
    too, for which the templates have words."""
    why = {"cause": fight.cause, "reason": clean_text(fight.reason), "codes": list(fight.codes)}
    where = {"round": fight.round, "arena": fight.arena}
    return why | where | {"you": combatant(you), "rival": opponents(rivals)}


def combatant(side: Side) -> Facts:
    return {"name": clean_name(side.name), "model": clean_name(side.mech.model)}


def opponents(rivals: Sequence[Side]) -> Facts:
    """The rivals' names and 'Mechs, in one line each."""
    every = [combatant(rival) for rival in rivals]
    return {key: ", ".join(one[key] for one in every) for key in ("name", "model")}


def all_fought(rivals: Sequence[FoughtSide], names: dict[str, str]) -> Facts:
    """How the rivals left the fight, several as one: all wounds, damage to any, destroyed if all are."""
    every = [fought(rival, names) for rival in rivals]
    told = {key: ", ".join(one[key] for one in every) for key in ("name", "model")}
    return told | {
        "points": max(one["points"] for one in every),
        "damaged": any(one["damaged"] for one in every),
        "destroyed": all(one["destroyed"] for one in every),
        "wounds": sum(one["wounds"] for one in every),
        "conscious": any(one["conscious"] for one in every),
        "dead": all(one["dead"] for one in every),
    }


def fought(side: FoughtSide, names: dict[str, str]) -> Facts:
    """How one side left the fight."""
    return {
        "name": clean_name(names[side.side]),
        "model": clean_name(side.mech.model),
        "points": side.victory_points,
        "damaged": side.mech.damaged,
        "destroyed": side.mech.destroyed,
        "wounds": side.pilot.wounds,
        "conscious": side.pilot.conscious,
        "dead": side.pilot.dead,
    }
