"""Three small services beside the real economy: two that publish what economy lives on, and one that watches
it.

Run as `python chaos_services.py league|combat|watcher worker`.
"""

import sys
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_shared.definition import ServiceDefinition
from solaris_shared.log.codec import EventTypes
from solaris_shared.log.event_log import EventLog, Stored
from solaris_shared.log.foreign import ForeignTypes
from solaris_shared.log.unit_of_work import Transaction
from solaris_shared.messaging.envelope import PublicEvent
from solaris_shared.processing.projection import Projection
from solaris_shared.processing.reactor import Reactor
from solaris_shared.processing.timers import Timer

ENTERED = "solaris.league.mechwarrior-entered.v1"
CONCLUDED = "solaris.combat.fight-concluded.v1"
PAID = "solaris.economy.purse-paid.v1"
WIN, LOSS = 300_000, 100_000


@dataclass(frozen=True, slots=True)
class Said:
    """A public fact, data and all."""

    type: str
    subject: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """The watcher saw a purse, or its timer rang for one."""

    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class Purse:
    """What the watcher reads of a purse."""

    mechwarrior_id: str
    amount: int


def publish(event: object, _stream: str) -> PublicEvent | None:
    """What was said is public."""
    return PublicEvent(event.type, event.subject, event.data) if isinstance(event, Said) else None


metadata = sa.MetaData()
sums = sa.Table(
    "sums",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("amount", sa.BigInteger, nullable=False),
    sa.Column("times", sa.Integer, nullable=False),
)


async def add_up(conn: AsyncConnection, stored: Stored) -> None:
    """Purses by mechwarrior; anything else by its type."""
    purse = isinstance(stored.event, Purse)
    key, amount = (stored.event.mechwarrior_id, stored.event.amount) if purse else (stored.type, 1)
    new = insert(sums).values(key=key, amount=amount, times=1)
    change = {"amount": sums.c.amount + new.excluded.amount, "times": sums.c.times + 1}
    await conn.execute(new.on_conflict_do_update(index_elements=["key"], set_=change))


SUMS = Projection("sums", 1, metadata, frozenset({"said", "seen", PAID, CONCLUDED}), add_up)


async def see(tx: Transaction, stored: Stored) -> None:
    """Note a purse, and set a timer that notes it once more."""
    key = stored.meta["id"]
    await tx.append(f"seen-{key}", 0, Seen("purse", stored.event.amount))
    await tx.set_timer("ring", key, tx.now + timedelta(seconds=1), {"amount": stored.event.amount})


async def ring(tx: Transaction, timer: Timer) -> str:
    """The second note."""
    await tx.append(f"seen-{timer.key}", 1, Seen("ring", timer.data["amount"]))
    return "done"


TYPES = EventTypes({"said": Said, "seen": Seen})


def service(name: str, **parts: Any) -> ServiceDefinition:
    """A service of the same few parts."""
    return ServiceDefinition(name, EventLog(name, TYPES, publish), projections=(SUMS,), **parts)


WATCHER = service(
    "watcher",
    imports={"economy": ForeignTypes({PAID: Purse}), "combat": ForeignTypes({})},
    reactors=(Reactor("see", {PAID: see}),),
    timers={"ring": ring},
)
SERVICES = {"league": service("league"), "combat": service("combat"), "watcher": WATCHER}


def entered(warrior: str) -> Said:
    """A mechwarrior stands in the lists."""
    data = {"mechwarrior_id": warrior, "person_id": warrior, "name": "N. N."}
    return Said(ENTERED, f"mechwarrior/{warrior}", data)


def concluded(fight: str, winner: str, loser: str) -> Said:
    """A fight is over; nobody's mech was damaged."""
    sides = [
        {
            "side": side, "mechwarrior_id": warrior, "person_id": warrior, "result": result,
            "mech": {"instance_id": fight, "model": "PNT-9R", "damaged": False, "destroyed": False},
        }
        for side, warrior, result in (("A", winner, "win"), ("B", loser, "loss"))
    ]  # fmt: skip
    purse = {"win": WIN, "draw": 0, "loss": LOSS}
    data = {"fight_id": fight, "round": 1, "class": 3, "sides": sides, "purse": purse}
    return Said(CONCLUDED, f"fight/{fight}", data)


if __name__ == "__main__":
    from solaris_shared.service_main import main

    main(replace(SERVICES[sys.argv[1]]), arguments=sys.argv[2:])
