"""Mechwarriors: entering the league, and what a concluded fight makes of them."""

from collections.abc import Iterable
from typing import Any

from solaris_league.domain import mechwarrior as mechwarriors
from solaris_league.domain import permanence
from solaris_league.domain.lookalikes import check_alphabets, shape
from solaris_league.domain.mechwarrior import FightOutcome, Mechwarrior
from solaris_league.domain.names import check_name, fold
from solaris_league.domain.round import FightScheduled
from solaris_league.domain.rules import LeagueRules
from solaris_shared.errors import Conflict, Rejected
from solaris_shared.ids import new_id
from solaris_shared.log.unit_of_work import Loaded, Transaction

Json = dict[str, Any]
OLDER = """
SELECT coalesce(callsign_shape, callsign_key) AS known FROM roster
WHERE mechwarrior_id <> $1
  AND (callsign_shape IS NULL OR octet_length(callsign_shape) > char_length(callsign_shape))
"""
"""All whose shape is not known or not all basic Latin: a newer table may take their letters for others."""


def stream(mechwarrior_id: str) -> str:
    return f"mechwarrior-{mechwarrior_id}"


async def enter(tx: Transaction, rules: LeagueRules, person_id: str, name: str, affiliation: str) -> Json:
    """One character for each person (R 1). Raises Rejected `has-mechwarrior`, Unprocessable for a name that
    is not allowed, Conflict `callsign-taken` or `callsign-confusable`."""
    callsign, mechwarrior_id = check_name(name, "/name"), str(new_id())
    check_alphabets(callsign, "/name")
    looks = shape(callsign, rules.lookalikes)
    entered = mechwarriors.enter(rules, mechwarrior_id, person_id, callsign, affiliation)
    added = await tx.conn.fetchval(
        "INSERT INTO roster (mechwarrior_id, person_id, callsign_key, class, callsign_shape)"
        " VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT DO NOTHING RETURNING 1",
        mechwarrior_id,
        person_id,
        fold(callsign),
        entered.class_,
        looks,
    )
    if not added or await _looks_like_an_older_one(tx, rules, looks, mechwarrior_id):
        await _refuse(tx, person_id, fold(callsign), mechwarrior_id)
    await tx.append(stream(mechwarrior_id), 0, entered)
    return {"mechwarrior_id": mechwarrior_id, "name": callsign, "class": entered.class_}


async def _looks_like_an_older_one(
    tx: Transaction, rules: LeagueRules, looks: str, mechwarrior_id: str
) -> bool:
    """Whether it has the shape of a name from before shapes were kept, or from before the table told a letter
    of it."""
    older = await tx.conn.fetch(OLDER, mechwarrior_id)
    return any(shape(row["known"], rules.lookalikes) == looks for row in older)


async def _refuse(tx: Transaction, person_id: str, key: str, mechwarrior_id: str) -> None:
    others = "SELECT 1 FROM roster WHERE mechwarrior_id <> $2 AND"
    if await tx.conn.fetchval(f"{others} person_id = $1", person_id, mechwarrior_id):
        raise Rejected("has-mechwarrior", "One character for each person.", "R 1")
    if await tx.conn.fetchval(f"{others} callsign_key = $1", key, mechwarrior_id):
        raise Conflict("callsign-taken", "That callsign is in use.")
    detail = "Se confunde con el nombre de otro mechwarrior / it looks like another mechwarrior's callsign."
    raise Conflict("callsign-confusable", detail)


async def load_class(tx: Transaction, class_: int) -> list[Mechwarrior]:
    """All mechwarriors of a class."""
    rows = await tx.conn.fetch("SELECT mechwarrior_id FROM roster WHERE class = $1 ORDER BY 1", class_)
    return [one.state for one in await load_all(tx, (row["mechwarrior_id"] for row in rows))]


async def load_all(tx: Transaction, ids: Iterable[str]) -> list[Loaded[Mechwarrior]]:
    return [await tx.load(stream(one), mechwarriors.evolve) for one in ids]


async def release(tx: Transaction, fight: FightScheduled) -> None:
    """A permanence fight was called off: both may be drawn again, nobody moves. Raises Rejected once it has
    been fought."""
    waiting = await load_all(tx, (side.mechwarrior_id for side in fight.sides))
    if all(one.state.called != fight.fight_id for one in waiting):
        raise Rejected("fight-over", "The fight has been fought and counts.", "R 3")
    for loaded in waiting:
        await tx.append(loaded.stream, loaded.version, *permanence.ended(loaded.state, fight.fight_id))


async def record(tx: Transaction, rules: LeagueRules, mechwarrior_id: str, outcome: FightOutcome) -> None:
    """Count a concluded fight; does nothing for a fight counted before."""
    loaded = await tx.load(stream(mechwarrior_id), mechwarriors.evolve)
    await tx.append(loaded.stream, loaded.version, *mechwarriors.record_fight(rules, loaded.state, outcome))
