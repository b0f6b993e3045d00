"""Everything on one machine: PostgreSQL, NATS, a mail sink, an api and a worker of each service, the console.

`Runtime.up` starts them (what can be parallel is), `watch` starts again what dies, `down` ends all in
order. After a kill -9 of everything the next `up` finds what was left, ends it in order and goes on with the
data kept.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil

from solaris_local import health, services
from solaris_local.children import Child, Nursery, restart
from solaris_local.databases import ensure_databases
from solaris_local.embedded import process
from solaris_local.embedded.external import ExternalPostgres
from solaris_local.embedded.nats import NatsServer
from solaris_local.embedded.postgres import PostgresServer
from solaris_local.home import UNFINISHED, Home

READY_SECONDS: Final = 45.0
LEFTOVER_SIGNALS: Final = ((signal.SIGTERM, 3.0), (signal.SIGKILL, 5.0))
WATCH_SECONDS: Final = 0.5
RESTART_PAUSE_SECONDS: Final = 1.0

SINK: Final = "smtp-sink"

Say = Callable[[str], None]


@dataclass(slots=True)
class Runtime:
    """One running league; used by one thread."""

    home: Home
    say: Say = print
    ports: services.Ports = field(default_factory=services.Ports.preferred)
    postgres: PostgresServer | ExternalPostgres = field(init=False)
    nats: NatsServer = field(init=False)
    nursery: Nursery = field(init=False)
    children: dict[str, Child] = field(default_factory=dict)
    stopping: bool = False
    _lock: int = -1
    _prepared: bool = False

    def up(self) -> None:
        """Bring everything up; raises with the end of the log of what did not start."""
        self.home.create()
        self._lock = self.home.lock()
        if (self.home.root / UNFINISHED).exists():
            raise process.StartFailed("a restore was cut short: run `solaris restore FOLDER --force` again")
        self._end_leftovers()
        self._prepare()
        self._start_servers()
        self._migrate()
        self._start_children()
        self._write_state()
        self._wait_ready()
        self._write_state()

    def watch(self) -> None:
        """Start again whatever ends, until `stopping` is set (by a signal handler)."""
        while not self.stopping:
            time.sleep(WATCH_SECONDS)
            self.restart_ended()

    def restart_ended(self) -> None:
        """One look: a server or process that ended is started again on the same port."""
        ended = [
            server for server in (self.postgres, self.nats) if not server.running() and not self.stopping
        ]
        for server in ended:
            self.say(f"! {type(server).__name__} ha terminado, vuelve a arrancar / ended, starting it again")
            self.nats.accounts = services.nats_accounts(self.home)  # a partner may have been let in
            server.start()
        children = [child for child in self.children.values() if child.ended() and not self.stopping]
        for child in children:
            self.say(f"! {child.name} ha terminado, vuelve a arrancar / ended, starting it again")
            restart(child, self.nursery, RESTART_PAUSE_SECONDS)
        if ended or children:
            self._write_state()

    def down(self) -> None:
        """End everything: services finish what is in flight, then the mail sink, NATS and PostgreSQL."""
        self.stopping = True
        served = [child for name, child in self.children.items() if name != SINK]
        with ThreadPoolExecutor(len(served) or 1) as pool:
            list(pool.map(Child.stop, served))
        if SINK in self.children:
            self.children[SINK].stop()
        if self._prepared:
            self.nursery.close()
            self.nats.stop()
            self.postgres.stop()
            self.home.write_state({"ports": self._port_state()})
        if self._lock >= 0:
            os.close(self._lock)
        self._lock, self._prepared = -1, False

    def api(self, service: str) -> str:
        """Public base address of a service."""
        return services.Addresses(self.nats.url, self.ports).api(service)

    @property
    def console(self) -> str:
        """Address of the console, as a browser wants it."""
        return f"http://127.0.0.1:{self.ports.console}"

    def _prepare(self) -> None:
        """Keys, ports and the two servers as objects; nothing runs yet."""
        services.make_signing_keys(self.home)
        known = self.home.read_state().get("ports", {})
        folder = self.home.servers()
        self.postgres = _postgres(folder / "postgres", known.get("postgres", 0))
        self.nats = NatsServer(folder / "nats", services.nats_accounts(self.home), port=known.get("nats", 0))
        self.ports = _free_ports(known)
        self.nursery = Nursery(inherited() | {services.MARK: str(self.home.root)}, self.home.log("nursery"))
        self.nursery.open()
        self._prepared = True

    def _start_servers(self) -> None:
        begun = time.monotonic()
        with ThreadPoolExecutor(2) as pool:
            for started in [pool.submit(self.postgres.start), pool.submit(self.nats.start)]:
                started.result()
        for server in (self.postgres, self.nats):
            self.say(f"  {server.version()} ({server.binaries.origin}) en el puerto / on port {server.port}")
        self.say(f"  los dos listos en / both ready after {time.monotonic() - begun:.1f} s")

    def _migrate(self) -> None:
        """Databases, roles and tables; a repeat costs little and changes nothing."""
        begun = time.monotonic()
        ensure_databases(self.postgres.url, [services.access(self.home, name) for name in services.NAMES])
        services.write_database_files(self.home, self.postgres)
        addresses = services.Addresses(self.nats.url, self.ports)
        self.children = dict(self._make_children(addresses))
        self._run_migrations()
        taken = f"{time.monotonic() - begun:.1f} s"
        self.say(f"  cuatro bases de datos al día en / four databases migrated after {taken}")

    def _start_children(self) -> None:
        """The mail sink first: a letter that finds nobody waits a minute for its next attempt."""
        self.children[SINK].start(self.nursery)
        until = time.monotonic() + READY_SECONDS
        while process.is_free(self.ports.smtp) and time.monotonic() < until:
            time.sleep(process.POLL_SECONDS)
        for child in self.children.values():
            if not child.pid:
                child.start(self.nursery)

    def _run_migrations(self) -> None:
        log, module = self.home.log("migrations"), "solaris_local.migrations"
        pid = self.nursery.start("migrations", module, [str(self.home.root)], dict(os.environ), log)
        if self.nursery.wait(pid) != 0:
            raise process.StartFailed(f"a migration failed:\n{process.tail(log)}")

    def _make_children(self, addresses: services.Addresses) -> Iterator[tuple[str, Child]]:
        sink = ["--port", str(self.ports.smtp), "--folder", str(self.home.letters)]
        plain = inherited() | {services.MARK: str(self.home.root)}
        yield (
            "smtp-sink",
            Child("smtp-sink", "solaris_local.smtp_sink", sink, plain, self.home.log("smtp-sink")),
        )
        for service in services.NAMES:
            own = plain | services.environment(self.home, service, addresses)
            for role in services.ROLES:
                name = f"{service}-{role}"
                yield name, Child(name, f"solaris_{service}", [role], own, self.home.log(name))
        own = plain | services.console_environment(self.home, addresses)
        log = self.home.log(services.CONSOLE)
        yield services.CONSOLE, Child(services.CONSOLE, "solaris_console", [], own, log)

    def _wait_ready(self) -> None:
        """Every api and worker answers its readiness probe."""
        begun = time.monotonic()
        waiting = {f"{s}-api": p for s, p in self.ports.apis.items()}
        waiting |= {f"{s}-worker": p for s, p in self.ports.workers.items()}
        waiting |= {services.CONSOLE: self.ports.console}
        while waiting:
            for name in [name for name, port in waiting.items() if health.ready(port)]:
                del waiting[name]
            self._check_start(begun, waiting)
            time.sleep(process.POLL_SECONDS)
        self.say(
            f"  {len(services.NAMES)} servicios y la consola listos en / services and the console ready after"
            f" {time.monotonic() - begun:.1f} s"
        )

    def _check_start(self, begun: float, waiting: dict[str, int]) -> None:
        failed = [name for name in waiting if self.children[name].ended()]
        if not failed and time.monotonic() - begun > READY_SECONDS:
            failed = list(waiting)
        if failed:
            logs = "\n".join(f"--- {name}\n{process.tail(self.children[name].log)}" for name in failed)
            raise process.StartFailed(f"not ready: {', '.join(failed)}\n{logs}")

    def _end_leftovers(self) -> None:
        """Processes of this league that outlived a killed runtime, found by their mark."""
        left = list(marked(self.home))
        if not left:
            return
        self.say(f"  termino {len(left)} procesos de otra ejecución / ending what a killed run left over")
        with ThreadPoolExecutor(len(left)) as pool:
            list(pool.map(lambda pid: process.stop(pid, LEFTOVER_SIGNALS), left))

    def _port_state(self) -> dict[str, Any]:
        shared = {"postgres": self.postgres.port, "nats": self.nats.port, "smtp": self.ports.smtp}
        shared["console"] = self.ports.console
        return shared | {"apis": self.ports.apis, "workers": self.ports.workers}

    def _write_state(self) -> None:
        pids = {"runtime": os.getpid(), "postgres": self.postgres.pid, "nats": self.nats.pid}
        if not self.postgres.pid:
            del pids["postgres"]
        pids |= {"nursery": self.nursery.pid} | {name: child.pid for name, child in self.children.items()}
        servers = {"postgres": self.postgres, "nats": self.nats}
        state = {
            "processes": {n: {"pid": pid, "started_at": process.started_at(pid)} for n, pid in pids.items()},
            "binaries": {name: _binary(server) for name, server in servers.items()},
            "addresses": {name: self.api(name) for name in services.NAMES} | {services.CONSOLE: self.console},
            "nats_monitor": self.nats.monitor_port,
            "ports": self._port_state(),
        }
        self.home.write_state(state)


def _postgres(folder: Path, port: int) -> PostgresServer | ExternalPostgres:
    """The server that SOLARIS_DATABASE_URL names, else our own."""
    address = os.environ.get("SOLARIS_DATABASE_URL")
    return ExternalPostgres(address) if address else PostgresServer(folder, port=port)


def _binary(server: PostgresServer | ExternalPostgres | NatsServer) -> dict[str, str]:
    program = {PostgresServer: "postgres", NatsServer: "nats-server"}.get(type(server), "")
    path = server.binaries.program(program)
    return {"path": str(path), "origin": server.binaries.origin, "version": server.version()}


def inherited() -> dict[str, str]:
    """The environment of this process without settings of the league."""
    return {key: value for key, value in os.environ.items() if not key.startswith("SOLARIS_")}


def _free_ports(known: dict[str, Any]) -> services.Ports:
    """Last run's ports, else the documented ones, else any: each only if it is free now."""
    preferred = services.Ports.preferred()
    apis = {name: _free(known.get("apis", {}).get(name), port) for name, port in preferred.apis.items()}
    workers = {
        name: _free(known.get("workers", {}).get(name), port) for name, port in preferred.workers.items()
    }
    smtp, console = _free(known.get("smtp"), preferred.smtp), _free(known.get("console"), preferred.console)
    return services.Ports(apis, workers, smtp, console)


def _free(*candidates: int | None) -> int:
    return next((port for port in candidates if port and process.is_free(port)), 0) or process.free_port()


def marked(home: Home) -> Iterator[int]:
    """Pids of living processes that carry this home's mark in their environment."""
    for candidate in psutil.process_iter():
        try:
            if candidate.environ().get(services.MARK) == str(home.root) and process.alive(candidate.pid):
                yield candidate.pid
        except (psutil.Error, OSError):
            continue
