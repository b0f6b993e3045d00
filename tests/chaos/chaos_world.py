"""Servers, service processes, load and faults of one chaos run."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID

import asyncpg
from chaos_services import LOSS, SERVICES, WIN, Said, concluded, entered

from solaris_economy.main import definition as economy
from solaris_shared.database import open_pool
from solaris_shared.definition import ServiceDefinition
from solaris_shared.errors import SolarisError
from solaris_shared.log.unit_of_work import Command, Store, Transaction
from solaris_shared.migrate import migrate
from solaris_shared.testing.failpoints import Failpoint
from solaris_shared.testing.servers import Server

HERE = Path(__file__).parent
STEPS = [point.value for point in Failpoint if not point.startswith("cmd.")]
WARRIORS = 8
POISON_SECONDS = 4
"""How long a worker with failpoints is left alone to reach one of them."""


def definitions() -> dict[str, ServiceDefinition]:
    """All services of the run, by name."""
    return {**SERVICES, "economy": economy()}


@dataclass
class Worker:
    """One service's worker process; always started again."""

    name: str
    environment: dict[str, str]
    folder: Path
    process: subprocess.Popen[bytes] | None = None
    ends: Counter[int] = field(default_factory=Counter)

    def start(self, failpoints: str = "") -> None:
        """Start the process, with steps at which it is to end itself."""
        chosen = (
            ["-m", "solaris_economy"] if self.name == "economy" else [HERE / "chaos_services.py", self.name]
        )
        log = (self.folder / f"{self.name}.log").open("ab")
        self.process = subprocess.Popen(
            [sys.executable, *chosen, "worker"], stdout=log, stderr=log,
            env=self.environment | {"SOLARIS_FAILPOINTS": failpoints},
        )  # fmt: skip
        log.close()

    def send(self, number: signal.Signals) -> None:
        """Signal the process, if it lives."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def kill(self) -> None:
        """SIGKILL and reap."""
        self.send(signal.SIGKILL)
        self.reap()

    def reap(self) -> int | None:
        """Wait for a process that has ended or was killed; how it ended."""
        if self.process is None:
            return None
        code = self.process.wait()
        self.ends[code] += 1
        self.process = None
        return code

    def ended(self) -> bool:
        """Whether it ended by itself (a failpoint)."""
        return self.process is not None and self.process.poll() is not None


class World:
    """Everything of one run. The load is the only writer of `league` and `combat`, and knows what must
    come out.
    """

    def __init__(self, seed: int, postgres: Server, nats: Server, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.postgres, self.nats = postgres, nats
        self.folder = folder
        self.urls = {name: self._database(name) for name in definitions()}
        self.workers = {name: Worker(name, self._environment(name), folder) for name in definitions()}
        self.pools: dict[str, asyncpg.Pool] = {}
        self.stores: dict[str, Store] = {}
        self.warriors = [str(UUID(int=self.rng.getrandbits(128), version=4)) for _ in range(WARRIORS)]
        self.acked: dict[UUID, Said] = {}
        self.faults: Counter[str] = Counter()
        self.stop_load = asyncio.Event()

    def _database(self, name: str) -> str:
        return urlunsplit(urlsplit(self.postgres.url)._replace(path=f"/{name}"))

    def _environment(self, name: str) -> dict[str, str]:
        return {
            **os.environ,
            "SOLARIS_DATABASE_URL": self.urls[name],
            "SOLARIS_NATS_URL": self.nats.url,
            "SOLARIS_WORKER_HTTP_PORT": "0",
            "SOLARIS_LOG_LEVEL": "WARNING",
        }

    async def open(self) -> None:
        """Make the databases and start every worker."""
        conn = await asyncpg.connect(self.postgres.url)
        for name in self.urls:
            await conn.execute(f"CREATE DATABASE {name}")
        await conn.close()
        for name, definition in definitions().items():
            await migrate(self.urls[name], definition.migrations)
            self.pools[name] = await open_pool(self.urls[name], 6, "chaos-load")
            self.stores[name] = Store(self.pools[name], definition.log)
            self.workers[name].start()

    def close(self) -> None:
        """End what runs."""
        for worker in self.workers.values():
            worker.send(signal.SIGCONT)
            worker.kill()
        for pool in self.pools.values():
            pool.terminate()

    # load

    async def load(self, clients: int = 2) -> None:
        """Enter the warriors, then let clients conclude fights until told to stop."""
        for warrior in self.warriors:
            await self.say("league", f"mechwarrior-{warrior}", entered(warrior))
        await asyncio.gather(*(self._client() for _ in range(clients)))

    async def _client(self) -> None:
        while not self.stop_load.is_set():
            winner, loser = self.rng.sample(self.warriors, 2)
            fight = str(UUID(int=self.rng.getrandbits(128), version=4))
            await self.say("combat", f"fight-{fight}", concluded(fight, winner, loser))
            await asyncio.sleep(self.rng.uniform(0.05, 0.6))

    async def say(self, service: str, stream: str, fact: Said) -> None:
        """One command, repeated with the same id until it is answered; some askers are cancelled on the
        way.
        """
        id_ = UUID(int=self.rng.getrandbits(128), version=4)
        command = Command(id_, b"digest", "chaos", "chaos")

        async def work(tx: Transaction) -> dict[str, str]:
            await tx.append(stream, 0, fact)
            return {"said": stream}

        while True:
            task = asyncio.create_task(self.stores[service].run(command, work))
            try:
                patience = self.rng.uniform(0, 0.02) if self.rng.random() < 0.1 else 20
                result = await asyncio.wait_for(task, patience)
            except (TimeoutError, SolarisError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(0.2)
                continue
            assert result.body == {"said": stream}
            self.acked[id_] = fact
            return

    def owed(self) -> Counter[str]:
        """What each warrior must have got in purses: reckoned from the load, not from any log."""
        owed: Counter[str] = Counter()
        for fact in self.acked.values():
            for side in fact.data.get("sides", ()):
                owed[side["mechwarrior_id"]] += WIN if side["result"] == "win" else LOSS
        return owed

    # faults

    async def disturb(self, seconds: float) -> None:
        """Faults at random moments, chosen by the seed; processes that ended are started again."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            await asyncio.sleep(self.rng.uniform(0.2, 1.6))
            self._revive()
            fault = self.rng.choices(
                [
                    self._kill,
                    self._poison,
                    self._pause,
                    self._break_bus,
                    self._cut_backends,
                    self._crash_database,
                ],
                weights=[5, 5, 2, 3, 4, 1],
            )[0]
            self.faults[fault.__name__.strip("_")] += 1
            await fault()
        self._revive()

    def _any(self) -> Worker:
        return self.workers[self.rng.choice(sorted(self.workers))]

    def _revive(self) -> None:
        for worker in self.workers.values():
            if worker.ended():
                worker.reap()
            if worker.process is None:
                worker.start()

    async def _kill(self) -> None:
        worker = self._any()
        worker.kill()
        await asyncio.sleep(self.rng.uniform(0, 0.5))
        worker.start()

    async def _poison(self) -> None:
        """A worker that will end itself at a named step."""
        worker = self._any()
        worker.kill()
        steps = self.rng.sample(STEPS, 4)
        worker.start(";".join(f"{step}:exit@{self.rng.randrange(1, 6)}" for step in steps))
        for _ in range(POISON_SECONDS * 10):
            await asyncio.sleep(0.1)
            if worker.ended():
                return

    async def _pause(self) -> None:
        worker = self._any()
        worker.send(signal.SIGSTOP)
        await asyncio.sleep(self.rng.uniform(0.3, 2))
        worker.send(signal.SIGCONT)

    async def _break_bus(self) -> None:
        self.nats.kill()
        if self.rng.random() < 0.4:
            self.nats.wipe()
            self.faults["wipe_bus"] += 1
        await asyncio.sleep(self.rng.uniform(0, 1))
        await asyncio.to_thread(self.nats.start)

    async def _cut_backends(self) -> None:
        """End a random half of the server processes behind all connections."""
        conn = await asyncpg.connect(self.postgres.url)
        await conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND random() < 0.5"
        )
        await conn.close()

    async def _crash_database(self) -> None:
        self.postgres.kill()
        await asyncio.sleep(self.rng.uniform(0, 0.5))
        await asyncio.to_thread(self.postgres.start)

    async def calm(self) -> None:
        """No more faults: every worker anew, without failpoints."""
        for worker in self.workers.values():
            worker.send(signal.SIGCONT)
            worker.kill()
            worker.start()
