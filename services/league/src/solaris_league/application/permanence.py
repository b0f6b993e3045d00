"""Permanence fights: the Commission calls two to one, and its end moves them between the classes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from solaris_league.application import mechwarriors, rounds
from solaris_league.domain import permanence
from solaris_league.domain.mechwarrior import FightOutcome, evolve
from solaris_league.domain.round import FightScheduled, Round, RoundTerms
from solaris_league.domain.rules import LeagueRules
from solaris_shared.errors import NotFound, Rejected
from solaris_shared.ids import new_id
from solaris_shared.log.unit_of_work import Transaction

Json = dict[str, Any]
ROUNDS = "SELECT round_id FROM round_number WHERE class = $1 ORDER BY number DESC"
MOVE = "UPDATE roster SET class = $2 WHERE mechwarrior_id = $1"


async def call(
    tx: Transaction, rules: LeagueRules, terms: RoundTerms, defender: str, challenger: str, person_id: str
) -> Json:
    """Schedule the fight, by `person_id` of the Commission. Raises NotFound, Rejected, Forbidden."""
    permanence.check_class(rules, terms.class_)
    loaded = await mechwarriors.load_all(tx, (defender, challenger))
    if any(one.state is None for one in loaded):
        raise NotFound("not-found")
    states = [one.state for one in loaded]
    permanence.check_interest(states, person_id)
    round_ = await _last_drawn(tx, terms.class_ - 1)
    if round_ is None:
        raise Rejected("round-not-drawn", "No round of the class below has been drawn.", "R 3")
    fight, *called = permanence.call(rules, round_, terms, str(new_id()), *states)
    await tx.append(rounds.fight_stream(fight.fight_id), 0, fight)
    for one, event in zip(loaded, called, strict=True):
        await tx.append(one.stream, one.version, event)
    return {"fight_id": fight.fight_id, "class": fight.class_, "arena": fight.arena}


async def _last_drawn(tx: Transaction, class_: int) -> Round | None:
    for row in await tx.conn.fetch(ROUNDS, class_):
        found = (await rounds.load_round(tx, row["round_id"])).state
        if found is not None and found.drawn is not None:
            return found
    return None


async def _last_number(tx: Transaction, class_: int) -> int:
    last = await _last_drawn(tx, class_)
    return last.number if last else 0


async def conclude(
    tx: Transaction, rules: LeagueRules, fight: FightScheduled, outcomes: Mapping[str, FightOutcome]
) -> None:
    """Record it for both, without ranking points (C-33) and each in the rounds of his class, and move them;
    once."""
    drawn = {class_: await _last_number(tx, class_) for class_ in (fight.class_, fight.class_ - 1)}
    for loaded in await mechwarriors.load_all(tx, outcomes):
        state = loaded.state
        if state.called != fight.fight_id:
            continue
        outcome = replace(outcomes[state.mechwarrior_id], round=drawn.get(state.class_, 0))
        await mechwarriors.record(tx, rules, state.mechwarrior_id, outcome)
        now = await tx.load(loaded.stream, evolve)
        moved = permanence.decided(rules, fight, now.state, outcome.result, drawn)
        ended = permanence.ended(now.state, fight.fight_id)
        await tx.append(now.stream, now.version, *ended, *([moved] if moved else []))
        if moved:
            await tx.conn.execute(MOVE, moved.mechwarrior_id, moved.to_class)
