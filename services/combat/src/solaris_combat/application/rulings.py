"""What the sides, the referee and the Commission do beside the orders, each in the caller's transaction.

Nobody rules on a fight in which he fights himself (`conflict-of-interest`). Every act has a reason.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from solaris_combat.application.extension import limits, on_grid
from solaris_combat.application.fights import DEADLINE, SEED, Referee, load, seat, stream_of
from solaris_combat.application.publish import instant
from solaris_combat.domain.acts import take
from solaris_combat.domain.events import (
    ActTaken,
    DeadlineExtended,
    LengthWished,
    RequestRenewed,
    SideSubstituted,
)
from solaris_combat.domain.fight import Fight
from solaris_combat.engines.contract import Json
from solaris_shared import clock
from solaris_shared.errors import Conflict, Forbidden, NotFound, Rejected, Unprocessable
from solaris_shared.log.unit_of_work import Loaded, Transaction

THE_REFEREE = "referee"
Role = Literal["referee", "commission"]


@dataclass(frozen=True, slots=True)
class Judge:
    """Who rules, and by what right."""

    person: str
    role: Role


async def _open(tx: Transaction, referee: Referee, fight_id: str) -> tuple[Loaded[Fight], Fight]:
    """A fight that is going on; NotFound, or Rejected once it is over."""
    loaded = await load(tx, referee, stream_of(fight_id))
    fight = loaded.state
    if fight is None or fight.engine is None:
        raise NotFound("fight-unknown", "there is no such fight")
    if fight.request is None:
        raise Rejected("fight-over", "this fight is over", state=fight.ended)
    return loaded, fight


def check_interest(fight: Fight, person: str) -> None:
    """Forbidden for one who fights here himself, now or by the schedule."""
    own = {seat.person_id for seat in fight.terms.seats} | set(fight.persons.values())
    if person in own:
        raise Forbidden("conflict-of-interest", "nobody rules on a fight of his own")


async def wish_length(tx: Transaction, referee: Referee, fight_id: str, person: str, turns: int) -> Json:
    """A side, or the fight's referee, says how long the fight shall be; it is fixed once all have.

    Until the deadline of the initial turn it is the mean of the wishes, rounded down (the referee's counts by
    the switch `length_votes` of the ruleset). Then those wishes lapse: once the fight goes on it is only
    prolonged, and only where all sides and the referee wish the same (R 4.2).
    """
    loaded, fight = await _open(tx, referee, fight_id)
    by = THE_REFEREE if person == fight.terms.referee else seat(fight, person)
    now = await clock.now(tx.conn)
    check_begun(fight, now)
    check_wish(fight, turns)
    wishes = {**fight.wishes, by: turns}
    version = await tx.append(loaded.stream, loaded.version, LengthWished(by, turns, now))
    agreed = agreed_turns(fight, wishes) if set(wishes) >= voters(fight) else None
    if agreed is not None and agreed > fight_length(fight):
        act = ActTaken("lengthen", {"turns": agreed}, "", "", now)
        await _take(tx, referee, Loaded(loaded.stream, version, fight), act)
    return {"wishes": wishes, "turns": agreed or fight_length(fight)}


def fight_length(fight: Fight) -> int:
    """Turns the fight lasts now."""
    return int(fight.playing.view(fight.game, None)["turns"])


def at_beginning(fight: Fight) -> bool:
    """Whether the initial turn is still asked for: what is agreed now is announced before the first move."""
    return fight.request is not None and fight.request.turn == 0


def check_begun(fight: Fight, now: datetime) -> None:
    """Rejected between the deadline of the initial turn and its resolution: the beginning is over."""
    late = fight.expired or (fight.deadline is not None and now >= fight.deadline)
    if at_beginning(fight) and late:
        raise Rejected("phase-closed", "the deadline of this phase has passed")


def voters(fight: Fight) -> set[str]:
    """Whose wishes a length takes: all sides; the referee where his counts in the mean, and later in any
    case, for nothing is prolonged then without everybody who is involved (R 4.2)."""
    asked = bool(fight.terms.referee) and (referee_counts(fight) or not at_beginning(fight))
    return {*fight.terms.sides, *([THE_REFEREE] if asked else [])}


def check_wish(fight: Fight, turns: int) -> None:
    """Rejected where this class has no choice, Unprocessable where no fight may be so long (R 4.2)."""
    if turns == fight_length(fight):
        return
    take(fight, ActTaken("lengthen", {"turns": turns}, "", "", None), b"", None)


def referee_counts(fight: Fight) -> bool:
    """Whether the referee's wish counts in the mean: a switch of the ruleset (R 4.2)."""
    return bool(fight.playing.rules.get("length_votes", {}).get("referee_counts", True))


def agreed_turns(fight: Fight, wishes: dict[str, int]) -> int | None:
    """R 4.2: the mean rounded down at the beginning; afterwards what all wish alike, or nothing."""
    if at_beginning(fight):
        counted = [turns for by, turns in wishes.items() if by != THE_REFEREE or referee_counts(fight)]
        return sum(counted) // len(counted)
    return next(iter(wishes.values())) if len(set(wishes.values())) == 1 else None


async def give_up(tx: Transaction, referee: Referee, fight_id: str, person: str, how: str) -> Json:
    """A side surrenders or flees, at once."""
    loaded, fight = await _open(tx, referee, fight_id)
    side = seat(fight, person)
    act = ActTaken("yield", {"side": side, "how": how}, f"side {side}", person, await clock.now(tx.conn))
    await _take(tx, referee, loaded, act)
    return {"side": side, "how": how}


async def correct(
    tx: Transaction, referee: Referee, fight_id: str, judge: Judge, side: str, changes: Json, reason: str
) -> Json:
    """Put right what stands wrong, before the next resolution; everybody is asked anew."""
    loaded, fight = await _open(tx, referee, fight_id)
    check_interest(fight, judge.person)
    data = {"side": side, "changes": changes, "reason": reason}
    act = ActTaken("correct", data, judge.role, judge.person, await clock.now(tx.conn))
    await _take(tx, referee, loaded, act)
    return {**data, "by": judge.role}


async def _take(tx: Transaction, referee: Referee, loaded: Loaded[Fight], act: ActTaken) -> None:
    fight = loaded.state
    assert fight is not None and fight.seed is not None
    seed = bytes.fromhex(referee.vault.open(f"{loaded.stream}/{SEED}", fight.seed))
    events = take(fight, act, seed, act.at)
    await tx.append(loaded.stream, loaded.version, *events)
    for event in events:
        if isinstance(event, RequestRenewed):
            await _renew_timer(tx, loaded.stream, event.deadline)


async def _renew_timer(tx: Transaction, stream: str, deadline: datetime | None) -> None:
    if deadline is None:
        await tx.cancel_timer(DEADLINE, stream)
    else:
        await tx.set_timer(DEADLINE, stream, deadline)


async def extend(
    tx: Transaction, referee: Referee, fight_id: str, judge: Judge, deadline: str, seconds: int, reason: str
) -> Json:
    """Give more time for the request whose deadline is named: whoever means the same one extends it once."""
    loaded, fight = await _open(tx, referee, fight_id)
    check_interest(fight, judge.person)
    assert fight.request is not None
    if fight.deadline is None or instant(fight.deadline) != deadline:
        raise Conflict(
            "deadline-changed", "that is not the deadline of this fight", deadline=instant(fight.deadline)
        )
    if fight.expired or await clock.now(tx.conn) >= fight.deadline:
        raise Rejected("phase-closed", "the deadline of this phase has passed")
    new = _extended(fight.deadline, seconds, fight.extended)
    used = int((new - fight.deadline).total_seconds())
    event = DeadlineExtended(
        fight.request.turn, fight.request.kind, fight.deadline, new, used, judge.role, judge.person, reason
    )
    await tx.append(loaded.stream, loaded.version, event)
    await tx.set_timer(DEADLINE, loaded.stream, new)
    left = limits().budget_seconds - fight.extended - used
    return {"deadline": instant(new), "seconds": used, "left_seconds": left, "reason": reason}


def _extended(deadline: datetime, seconds: int, used: int) -> datetime:
    """The new deadline on the grid; Unprocessable or Rejected beyond the limits."""
    rules = limits()
    if not 0 < seconds <= rules.longest_seconds:
        raise Unprocessable("extension-too-long", f"1 to {rules.longest_seconds} seconds at once")
    new = on_grid(deadline + timedelta(seconds=seconds), rules.zone, rules.grid_minutes)
    if used + (new - deadline).total_seconds() > rules.budget_seconds:
        left = rules.budget_seconds - used
        raise Rejected("extension-budget-spent", f"{left} seconds are left for this fight", left_seconds=left)
    return new


async def substitute(
    tx: Transaction, referee: Referee, fight_id: str, judge: Judge, side: str, person: str, reason: str
) -> Json:
    """Somebody else plays a side from here on."""
    loaded, fight = await _open(tx, referee, fight_id)
    check_interest(fight, judge.person)
    if side not in fight.persons:
        raise NotFound("side-unknown", "there is no such side")
    if person in fight.persons.values() or person in (fight.terms.referee, judge.person):
        raise Rejected("substitute-involved", "a substitute has no part in this fight yet")
    event = SideSubstituted(side, person, fight.persons[side], reason, judge.role)
    await tx.append(loaded.stream, loaded.version, event)
    return {"side": side, "person_id": person, "reason": reason}
