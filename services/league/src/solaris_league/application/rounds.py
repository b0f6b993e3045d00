"""Rounds: opening, the draw, counting fights, closing with the ranking."""

import secrets
from dataclasses import asdict
from typing import Any

from solaris_league.application import mechwarriors
from solaris_league.domain import round as rounds
from solaris_league.domain.round import FightScheduled, LotDrawn, Round, RoundTerms
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
    members = await mechwarriors.load_class(tx, loaded.state.terms.class_)
    fight_ids = [str(new_id()) for _ in range(len(members) // 2)]
    drawn = rounds.draw(loaded.state, members, await _past(tx, loaded.state), fight_ids)
    await tx.append(loaded.stream, loaded.version, drawn)
    fighters = {one.mechwarrior_id: one for one in members}
    for fight in rounds.schedule(rules, loaded.state.terms, drawn, fighters):
        await tx.append(fight_stream(fight.fight_id), 0, fight)
    return {"round_id": round_id, "seed": drawn.seed, "fight_ids": list(drawn.fight_ids)}


async def _past(tx: Transaction, current: Round) -> list[LotDrawn]:
    earlier = await tx.conn.fetch(NUMBERS, current.terms.class_)
    loaded = [await load_round(tx, row["round_id"]) for row in earlier if row["number"] < current.number]
    return [one.state.drawn for one in loaded if one.state.drawn is not None]


async def load_fight(tx: Transaction, fight_id: str) -> FightScheduled | None:
    """The fight as it was scheduled; None if it is none of ours."""
    return (await tx.load(fight_stream(fight_id), lambda _, event: event)).state


async def count(tx: Transaction, rules: LeagueRules, fight: FightScheduled) -> None:
    """A fight is over; after the last one the round closes and its ranking is published (R 3)."""
    loaded = await load_round(tx, fight.round_id)
    counted = rounds.count_fight(loaded.state, fight.fight_id)
    version = await tx.append(loaded.stream, loaded.version, *counted)
    state = loaded.state
    for event in counted:
        state = rounds.evolve(state, event)
    if rounds.all_counted(state):
        members = await mechwarriors.load_class(tx, fight.class_)
        await tx.append(loaded.stream, version, *rounds.close(rules, state, members))


def terms_json(terms: RoundTerms) -> Json:
    return {name.rstrip("_"): value for name, value in asdict(terms).items()}
