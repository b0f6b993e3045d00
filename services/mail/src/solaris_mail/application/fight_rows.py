"""What mail remembers of a fight: who plays it, and what it asks for now."""

from dataclasses import replace
from uuid import UUID

import msgspec

from solaris_mail.foreign_events import FightOpened, Request, RequestRenewed, Side, SideSubstituted
from solaris_shared.errors import Unavailable
from solaris_shared.log.unit_of_work import Transaction

KEEP_FIGHT = """
INSERT INTO fight (fight_id, arena, turns, sides) VALUES ($1, $2, $3, $4::text::jsonb)
ON CONFLICT (fight_id) DO NOTHING
"""
KEEP_REQUEST = """
UPDATE fight SET request = $2::text::jsonb, deadline = $3, change = NULL WHERE fight_id = $1
"""
KEEP_CHANGE = "UPDATE fight SET change = $2::text::jsonb WHERE fight_id = $1"
KEEP_SIDES = "UPDATE fight SET sides = $2::text::jsonb WHERE fight_id = $1"
KEEP_TURNS = "UPDATE fight SET turns = $2 WHERE fight_id = $1"
FIND_CHANGE = "SELECT change::text FROM fight WHERE fight_id = $1"
FIND_FIGHT = """
SELECT arena, turns, sides::text, coalesce(request, 'null')::text AS request, deadline FROM fight
WHERE fight_id = $1
"""
IS_VOIDED = "SELECT EXISTS (SELECT FROM letter WHERE fight_id = $1 AND kind = 'voided')"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


async def is_voided(tx: Transaction, fight_id: UUID) -> bool:
    """Whether the fighters have been told that the fight is off."""
    return bool(await tx.conn.fetchval(IS_VOIDED, fight_id))


async def keep_fight(tx: Transaction, fight: FightOpened) -> None:
    """Remember who fights where, for the letters to come."""
    await tx.conn.execute(KEEP_FIGHT, fight.fight_id, fight.arena, fight.turns, _json(fight.sides))


async def keep_request(tx: Transaction, asked: RequestRenewed) -> None:
    """Remember what is asked now; a change that led to it has been told."""
    await tx.conn.execute(KEEP_REQUEST, asked.fight_id, _json(asked.next), asked.deadline)


async def keep_change(tx: Transaction, fight_id: UUID, change: dict[str, str]) -> None:
    """Remember why everybody will be asked anew."""
    await tx.conn.execute(KEEP_CHANGE, fight_id, _json(change))


async def keep_turns(tx: Transaction, fight_id: UUID, turns: int) -> None:
    """The fight lasts so many turns from here on."""
    await tx.conn.execute(KEEP_TURNS, fight_id, turns)


async def find_change(tx: Transaction, fight_id: UUID) -> dict[str, str]:
    """Why everybody is asked anew."""
    found = await tx.conn.fetchval(FIND_CHANGE, fight_id)
    return msgspec.json.decode(found) if found else {}


async def change_seat(tx: Transaction, fight: FightOpened, event: SideSubstituted) -> FightOpened:
    """Letters of the side go to somebody else from here on."""
    sides = tuple(
        replace(one, person_id=event.person_id) if one.side == event.side else one for one in fight.sides
    )
    await tx.conn.execute(KEEP_SIDES, fight.fight_id, _json(sides))
    return replace(fight, sides=sides)


async def find_fight(tx: Transaction, fight_id: UUID) -> FightOpened:
    """The fight as it is. Unavailable: FightOpened has not come in yet; the reactor waits, visibly."""
    row = await tx.conn.fetchrow(FIND_FIGHT, fight_id)
    if row is None:
        raise Unavailable("fight-unknown", f"FightOpened of {fight_id} has not been imported")
    return FightOpened(
        fight_id=fight_id,
        arena=row["arena"],
        turns=row["turns"],
        sides=msgspec.json.decode(row["sides"], type=tuple[Side, ...]),
        next=msgspec.json.decode(row["request"], type=Request | None),
        deadline=row["deadline"],
    )
