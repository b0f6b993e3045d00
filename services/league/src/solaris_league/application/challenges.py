"""Challenges between mechwarriors of a class, before the draw of a round."""

from typing import Any

from solaris_league.application import mechwarriors
from solaris_league.application.rounds import load_round
from solaris_league.domain import challenge as challenges
from solaris_league.domain.mechwarrior import Mechwarrior
from solaris_shared.errors import NotFound, Rejected
from solaris_shared.ids import new_id
from solaris_shared.log.unit_of_work import Transaction

Json = dict[str, Any]


async def _mine(tx: Transaction, person_id: str) -> Mechwarrior:
    mine = await tx.conn.fetchval("SELECT mechwarrior_id FROM roster WHERE person_id = $1", person_id)
    if mine is None:
        raise Rejected("no-mechwarrior", "You have no mechwarrior.", "R 1")
    return await _mechwarrior(tx, mine)


async def _mechwarrior(tx: Transaction, mechwarrior_id: str) -> Mechwarrior:
    (loaded,) = await mechwarriors.load_all(tx, [mechwarrior_id])
    if loaded.state is None:
        raise NotFound("not-found")
    return loaded.state


async def issue(tx: Transaction, round_id: str, person_id: str, against: str) -> Json:
    """Challenge another mechwarrior."""
    loaded, mine = await load_round(tx, round_id), await _mine(tx, person_id)
    event = challenges.issue(loaded.state, str(new_id()), mine, await _mechwarrior(tx, against))
    await tx.append(loaded.stream, loaded.version, event)
    return {"challenge_id": event.challenge_id, "by": event.by, "against": event.against}


async def answer(tx: Transaction, round_id: str, challenge_id: str, person_id: str, accepted: bool) -> Json:
    """Accept or decline a challenge."""
    loaded, mine = await load_round(tx, round_id), await _mine(tx, person_id)
    found = challenges.challenged(loaded.state, challenge_id, mine.mechwarrior_id)
    challenger = await _mechwarrior(tx, found.by)
    event = challenges.answer(loaded.state, challenge_id, challenger, mine, accepted)
    await tx.append(loaded.stream, loaded.version, event)
    return {"challenge_id": challenge_id, "accepted": accepted}
