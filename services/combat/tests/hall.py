"""Drives combat step by step: schedules fights as the league would, runs its loops until they rest."""

import hashlib
import json
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncEngine

from solaris_combat.application.fights import Referee, seal, stream_of
from solaris_combat.application.memory import FightMemory
from solaris_combat.application.vault import Vault
from solaris_combat.domain.fight import evolve
from solaris_combat.engines.registry import Registry
from solaris_shared import clock
from solaris_shared.definition import ServiceDefinition
from solaris_shared.ids import command_id
from solaris_shared.log.event_log import Row, append_rows
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.log.unit_of_work import Command, Store
from solaris_shared.processing.projector import Projector
from solaris_shared.processing.reactor import ReactorRunner
from solaris_shared.processing.timers import TimerRunner

SCHEDULED = "solaris.league.fight-scheduled.v1"
VOIDED = "solaris.league.fight-voided.v1"


def scheduled(fight_id: str, **changes):
    """FightScheduled as the league publishes it."""

    def side(name, person, model):
        return {
            "side": name,
            "mechwarrior_id": f"mw-{name}",
            "person_id": person,
            "name": f"Callsign {name}",
            "gunnery": 4,
            "piloting": 5,
            "mech": {"instance_id": f"instance-{name}", "model": model, "owner": "organisers"},
        }

    data = {
        "fight_id": fight_id,
        "round": 1,
        "ruleset": "ropes/1",
        "class": 3,
        "arena": "quay",
        "turns": 3,
        "kind": "ranking",
        "turn_seconds": 3600,
        "referee": None,
        "purse": {"win": 30, "draw": 20, "loss": 10},
        "sides": [side("A", "ana", "hemp"), side("B", "ben", "silk")],
        "something_new": True,
    }
    return {**data, **changes}


@dataclass
class Hall:
    """One combat service whose loops run when told to."""

    store: Store
    engine: AsyncEngine
    service: ServiceDefinition
    registry: Registry
    fight_id: str
    referee: Referee = field(init=False)
    imported: int = 0

    def __post_init__(self):
        vault = Vault("0123456789abcdef" * 4, entropy("hall"))
        self.referee = Referee(self.registry, vault, FightMemory(self.registry))
        self.reactors = [ReactorRunner(self.store, one) for one in self.service.reactors]
        self.projectors = [Projector(self.store, self.engine, one) for one in self.service.projections]
        self.timers = TimerRunner(self.store, self.service.timers)

    async def prepare(self):
        for runner in (*self.reactors, *self.projectors):
            await runner.prepare()

    async def import_fact(self, type_: str, data):
        """Store a public fact of the league as the importer does."""
        self.imported += 1
        subject = f"fight/{data.get('fight_id', 'x')}"
        meta = {"id": str(uuid4()), "subject": subject, "time": "2026-11-30T00:00:00Z"}
        row = Row(uuid4(), type_, 1, json.dumps(data), json.dumps(meta))
        async with self.store.atomic() as conn:
            now = await conn.fetchval("SELECT clock_timestamp()")
            await append_rows(conn, "import-league", self.imported - 1, [row], now)

    async def schedule(self, **changes):
        await self.import_fact(SCHEDULED, scheduled(self.fight_id, **changes))
        await self.settle()

    async def settle(self):
        """Run every loop until nothing moves."""
        busy = True
        while busy:
            await sequence_all(self.store)
            steps = [await runner.step() for runner in (*self.reactors, *self.projectors, self.timers)]
            busy = any(steps)

    async def put(self, person, data, key=None, if_match=None):
        """One PUT of orders, without HTTP."""
        key = key or str(uuid4())
        digest = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).digest()
        command = Command(
            command_id(f"person:{person}", "PUT orders", key), digest, f"person:{person}", "c-1"
        )
        work = partial(self._work, person=person, data=data, if_match=if_match)
        return await self.store.run(command, work)

    async def _work(self, tx, person, data, if_match):
        return await seal(tx, self.referee, self.fight_id, person, data, if_match)

    async def fight(self):
        async with self.store.connection() as conn:
            stored = await self.store.log.load(conn, stream_of(self.fight_id))
        fight = None
        for one in stored:
            fight = evolve(self.registry, fight, one.event)
        return fight

    async def types(self):
        """Stored type names of the fight's stream, in order."""
        async with self.store.connection() as conn:
            rows = await conn.fetch(
                "SELECT type FROM event WHERE stream = $1 ORDER BY version", stream_of(self.fight_id)
            )
        return [row["type"] for row in rows]

    async def outbox(self):
        """Everything the relay would publish: subject and decoded envelope."""
        rows = await self.store.pool.fetch("SELECT subject, envelope FROM outbox ORDER BY publication")
        return [(row["subject"], json.loads(row["envelope"])) for row in rows]

    async def move_clock(self, seconds: int):
        """Put the clock this far ahead of the database's, as simulations do."""
        async with self.store.connection() as conn:
            await clock.shift(conn, seconds)


def entropy(label="service"):
    """Bytes as good as random, the same in every run."""
    numbers = count()

    def draw(length):
        return hashlib.shake_256(f"{label} {next(numbers)}".encode()).digest(length)

    return draw


def initial(nonce="0" * 64):
    return {"turn": 0, "initial": {"nonce": nonce}}


def throw(turn, dice=1, cry=""):
    return {"turn": turn, "throw": {"dice": dice, "cry": cry}}


def answer(turn, pull=True):
    return {"turn": turn, "answers": [pull]}
