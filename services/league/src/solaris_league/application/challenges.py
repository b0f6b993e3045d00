"""Challenges between mechwarriors of a class, before the draw of a round."""

from typing import Any

from solaris_league.application.rounds import load_round
from solaris_league.domain import challenge as challenges
from solaris_league.domain.challenge import Entrant
from solaris_shared.errors import NotFound, Rejected
from solaris_shared.ids import new_id
from solaris_shared.log.unit_of_work import Transaction

Json = dict[str, Any]


async def _entrant(tx: Transaction, column: str, value: str) -> Entrant | None:
    query = f"SELECT mechwarrior_id, person_id, class FROM roster WHERE {column} = $1"
    row = await tx.conn.fetchrow(query, value)
    return Entrant(row["mechwarrior_id"], row["person_id"], row["class"]) if row else None


async def _mine(tx: Transaction, person_id: str) -> Entrant:
    mine = await _entrant(tx, "person_id", person_id)
    if mine is None:
        raise Rejected("no-mechwarrior", "You have no mechwarrior.", "R 1")
    return mine


async def issue(tx: Transaction, round_id: str, person_id: str, against: str) -> Json:
    """Challenge another mechwarrior."""
    loaded, mine = await load_round(tx, round_id), await _mine(tx, person_id)
    other = await _entrant(tx, "mechwarrior_id", against)
    if other is None:
        raise NotFound("not-found")
    event = challenges.issue(loaded.state, str(new_id()), mine, other)
    await tx.append(loaded.stream, loaded.version, event)
    return {"challenge_id": event.challenge_id, "by": event.by, "against": event.against}


async def answer(tx: Transaction, round_id: str, challenge_id: str, person_id: str, accepted: bool) -> Json:
    """Accept or decline a challenge."""
    loaded, mine = await load_round(tx, round_id), await _mine(tx, person_id)
    event = challenges.answer(loaded.state, challenge_id, mine.mechwarrior_id, accepted)
    await tx.append(loaded.stream, loaded.version, event)
    return {"challenge_id": challenge_id, "accepted": accepted}
