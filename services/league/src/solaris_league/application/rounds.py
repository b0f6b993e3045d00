"""Rounds: opening, the draw, counting fights, closing with the ranking."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from solaris_league.application import mechwarriors, substitutions
from solaris_league.domain import fight as fights
from solaris_league.domain import round as rounds
from solaris_league.domain import undrawn
from solaris_league.domain.fight import Cause
from solaris_league.domain.mechwarrior import FightOutcome
from solaris_league.domain.pairing import LentMech
from solaris_league.domain.ranking import PERMANENCE
from solaris_league.domain.round import FightScheduled, LotDrawn, Round, RoundEvent, RoundTerms
from solaris_league.domain.rules import LeagueRules
from solaris_shared.errors import NotFound, Rejected
from solaris_shared.ids import new_id
from solaris_shared.log.unit_of_work import Loaded, Transaction

Json = dict[str, Any]
NUMBERS = "SELECT number, round_id FROM round_number WHERE class = $1 ORDER BY number"


def stream(round_id: str) -> str:
    return f"round-{round_id}"


def fight_stream(fight_id: str) -> str:
    return f"fight-{fight_id}"


async def load_round(tx: Transaction, round_id: str) -> Loaded[Round]:
    """Raises NotFound."""
    loaded = await tx.load(stream(round_id), rounds.evolve)
    if loaded.state is None:
        raise NotFound("not-found")
    return loaded


async def open_round(tx: Transaction, rules: LeagueRules, terms: RoundTerms) -> Json:
    """The next round of a class; one at a time. Raises Rejected `round-open` while the last one is not
    closed."""
    await tx.conn.execute("SELECT pg_advisory_xact_lock(hashtextextended('round', $1))", terms.class_)
    earlier = await tx.conn.fetch(NUMBERS, terms.class_)
    if earlier and not (await load_round(tx, earlier[-1]["round_id"])).state.closed:
        raise Rejected("round-open", "The last round of this class is not over.", "R 4.1")
    round_id, number, seed = str(new_id()), len(earlier) + 1, secrets.token_hex(32)
    events = rounds.open_round(rules, round_id, number, terms, seed)
    await tx.conn.execute("INSERT INTO round_number VALUES ($1, $2, $3)", terms.class_, number, round_id)
    await tx.append(stream(round_id), 0, *events)
    return {"round_id": round_id, "number": number, "seed_commitment": events[0].seed_commitment}


async def draw(tx: Transaction, rules: LeagueRules, round_id: str) -> Json:
    """The lot, and every fight scheduled, all or nothing."""
    loaded = await load_round(tx, round_id)
    everybody = await mechwarriors.load_class(tx, loaded.state.terms.class_)
    members = [one for one in everybody if one.fights_in(loaded.state.number)]
    fight_ids = [str(new_id()) for _ in range(len(members) // 2)]
    drawn = rounds.draw(loaded.state, members, await _past(tx, loaded.state), fight_ids)
    await tx.append(loaded.stream, loaded.version, drawn)
    fighters = {one.mechwarrior_id: one for one in members}
    for fight in rounds.schedule(rules, loaded.state.terms, drawn, fighters):
        await tx.append(fight_stream(fight.fight_id), 0, fight)
    return {"round_id": round_id, "seed": drawn.seed, "fight_ids": list(drawn.fight_ids)}


async def extend_pool(tx: Transaction, round_id: str, mechs: Sequence[LentMech], reason: str) -> Json:
    """Lend more 'Mechs in a round that has not been drawn."""
    loaded = await load_round(tx, round_id)
    extended = undrawn.extend_pool(loaded.state, mechs, reason)
    await tx.append(loaded.stream, loaded.version, extended)
    return {"round_id": round_id, "pool": len(loaded.state.terms.pool) + len(mechs), "reason": reason}


async def void_round(tx: Transaction, round_id: str, reason: str) -> Json:
    """Call off a round that has not been drawn; the next one may be opened."""
    loaded = await load_round(tx, round_id)
    members = await mechwarriors.load_class(tx, loaded.state.terms.class_)
    await tx.append(loaded.stream, loaded.version, undrawn.void(loaded.state, members, reason))
    return {"round_id": round_id, "state": "voided", "reason": reason}


async def _past(tx: Transaction, current: Round) -> list[LotDrawn]:
    earlier = await tx.conn.fetch(NUMBERS, current.terms.class_)
    loaded = [await load_round(tx, row["round_id"]) for row in earlier if row["number"] < current.number]
    return [one.state.drawn for one in loaded if one.state.drawn is not None]


async def load_fight(tx: Transaction, fight_id: str) -> FightScheduled | None:
    """The fight as it was scheduled; None if it is none of ours."""
    return (await tx.load(fight_stream(fight_id), lambda first, event: first or event)).state


async def count(
    tx: Transaction, rules: LeagueRules, fight: FightScheduled, outcomes: Mapping[str, FightOutcome]
) -> None:
    """A fight is over: record it for its mechwarriors and for its round. Nothing for one counted or called
    off before."""
    loaded = await load_round(tx, fight.round_id)
    counted = rounds.count_fight(loaded.state, fight.fight_id)
    if not counted:
        return
    for mechwarrior_id, outcome in outcomes.items():
        await mechwarriors.record(tx, rules, mechwarrior_id, outcome)
    await _go_on(tx, rules, loaded, counted)


async def void_fight(
    tx: Transaction,
    rules: LeagueRules,
    fight_id: str,
    cause: Cause,
    reason: str,
    codes: tuple[str, ...] = (),
    person_id: str = "",
) -> Json:
    """Call a fight off, by `person_id` of the Commission or by nobody; its round goes on without it. Raises
    NotFound, Forbidden `conflict-of-interest`, or Rejected `fight-over`, `fight-voided`."""
    fight = await load_fight(tx, fight_id)
    if fight is None:
        raise NotFound("not-found")
    seated = await substitutions.seated(tx, fight_id)
    fights.check_interest(fight, seated, person_id)
    loaded = await load_round(tx, fight.round_id)
    voided, struck = fights.void(fight, loaded.state, cause, reason, codes, seated)
    await tx.append(fight_stream(fight_id), 1, voided)
    if fight.kind == PERMANENCE:
        await mechwarriors.release(tx, fight)
    await _go_on(tx, rules, loaded, (struck,))
    return {"fight_id": fight_id, "state": "voided", "cause": cause, "reason": reason}


async def _go_on(
    tx: Transaction, rules: LeagueRules, loaded: Loaded[Round], events: Sequence[RoundEvent]
) -> None:
    """One fight less to wait for; after the last one the round closes and its ranking is published (R 3)."""
    version = await tx.append(loaded.stream, loaded.version, *events)
    state = loaded.state
    for event in events:
        state = rounds.evolve(state, event)
    if rounds.all_over(state):
        members = await mechwarriors.load_class(tx, state.terms.class_)
        await tx.append(loaded.stream, version, *rounds.close(rules, state, members))
