"""Appeals to the Commission and its public answers."""

from typing import Any

from solaris_league.application import rounds, substitutions
from solaris_league.domain import appeal as appeals
from solaris_league.domain.appeal import Appeals
from solaris_league.domain.round import FightScheduled
from solaris_shared.errors import NotFound
from solaris_shared.ids import new_id
from solaris_shared.log.unit_of_work import Loaded, Transaction

Json = dict[str, Any]


def stream(fight_id: str) -> str:
    return f"appeals-{fight_id}"


async def _load(tx: Transaction, fight_id: str) -> tuple[FightScheduled, Loaded[Appeals]]:
    fight = await rounds.load_fight(tx, fight_id)
    if fight is None:
        raise NotFound("not-found")
    return fight, await tx.load(stream(fight_id), appeals.evolve)


async def lodge(tx: Transaction, fight_id: str, person_id: str, turn: int, text: str) -> Json:
    """Ask the Commission; `late` once the fight counts or was called off."""
    fight, loaded = await _load(tx, fight_id)
    round_ = (await rounds.load_round(tx, fight.round_id)).state
    late = fight_id in round_.counted | round_.struck
    state = loaded.state or Appeals()
    seated = await substitutions.seated(tx, fight_id)
    event = appeals.lodge(state, fight, seated, str(new_id()), person_id, turn, text, late)
    await tx.append(loaded.stream, loaded.version, event)
    return {"appeal_id": event.appeal_id, "side": event.side, "turn": turn, "late": late}


async def rule(
    tx: Transaction, fight_id: str, appeal_id: str, person_id: str, granted: bool, answer: str
) -> Json:
    """The Commission's answer."""
    fight, loaded = await _load(tx, fight_id)
    seated, state = await substitutions.seated(tx, fight_id), loaded.state or Appeals()
    event = appeals.rule(state, fight, seated, appeal_id, person_id, granted, answer)
    await tx.append(loaded.stream, loaded.version, event)
    return {"ruling_id": event.ruling_id, "granted": granted, "answer": answer}
