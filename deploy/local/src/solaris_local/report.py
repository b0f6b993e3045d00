"""The state of a running league, gathered from its state file, its processes and their own health answers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from solaris_local import health
from solaris_local.embedded import process
from solaris_local.home import Home

METRIC = re.compile(r"^(?P<name>solaris_\w+)(?:\{(?P<labels>[^}]*)\})? (?P<value>\S+)$")
LABEL = re.compile(r'(\w+)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Process:
    """One process: `alive` by pid and start time, `ready` by its own answer (None = it has no probe)."""

    name: str
    pid: int
    port: int
    alive: bool
    ready: bool | None

    @property
    def healthy(self) -> bool:
        """Alive, and ready if it can say so."""
        return self.alive and self.ready is not False


@dataclass(frozen=True, slots=True)
class Lag:
    """How many events one consumer is behind, and whether it stands still for an error."""

    service: str
    kind: str
    name: str
    events: int
    halted: bool


@dataclass(frozen=True, slots=True)
class Survey:
    """Everything `solaris status` shows."""

    home: str
    processes: tuple[Process, ...]
    binaries: dict[str, dict[str, str]]
    lags: tuple[Lag, ...]


def survey(home: Home) -> Survey:
    """Look at everything once."""
    state = home.read_state()
    found = tuple(_processes(state))
    return Survey(str(home.root), found, state.get("binaries", {}), tuple(_lags(state)))


def healthy(found: Survey) -> bool:
    """True if all processes run and answer and no consumer is halted."""
    complete = len(found.processes) > 0
    return complete and all(p.healthy for p in found.processes) and not any(lag.halted for lag in found.lags)


def lines(found: Survey) -> Iterator[str]:
    """The report as text."""
    yield f"league on {found.home}: {'healthy' if healthy(found) else 'NOT healthy'}"
    if not found.processes:
        yield "  nothing runs here; `make run` or `solaris up` starts it"
    for one in found.processes:
        ready = {None: "", True: "ready", False: "NOT READY"}[one.ready]
        alive = "running" if one.alive else "DEAD"
        yield f"  {one.name:16} pid {one.pid:<8} port {one.port or '-':<6} {alive:8} {ready}"
    for name, binary in found.binaries.items():
        yield f"  {name:16} {binary['version']} · {binary['origin']} · {binary['path']}"
    for lag in found.lags:
        state = "HALTED" if lag.halted else "running"
        yield f"  {lag.service:8} {lag.kind:10} {lag.name:24} behind {lag.events:<6} {state}"


def _processes(state: dict[str, Any]) -> Iterator[Process]:
    ports = _named_ports(state.get("ports", {}))
    for name, known in state.get("processes", {}).items():
        alive = process.started_at(known["pid"]) == known["started_at"] and process.alive(known["pid"])
        port = ports.get(name, 0)
        yield Process(name, known["pid"], port, alive, _ready(name, port, state) if alive else None)


def _named_ports(ports: dict[str, Any]) -> dict[str, int]:
    named = {
        "postgres": ports.get("postgres", 0),
        "nats": ports.get("nats", 0),
        "smtp-sink": ports.get("smtp", 0),
        "console": ports.get("console", 0),
    }
    named |= {f"{service}-api": port for service, port in ports.get("apis", {}).items()}
    return named | {f"{service}-worker": port for service, port in ports.get("workers", {}).items()}


def _ready(name: str, port: int, state: dict[str, Any]) -> bool | None:
    """Servers and services are asked; the runtime and the mail sink have no probe but their port."""
    if name.endswith(("-api", "-worker")) or name == "console":
        return health.ready(port)
    if name == "nats":
        return health.get(state["nats_monitor"], "/healthz")[0] == 200
    return not process.is_free(port) if port else None


def _lags(state: dict[str, Any]) -> Iterator[Lag]:
    for service, port in state.get("ports", {}).get("workers", {}).items():
        yield from _lags_of(service, health.get(port, "/metrics")[1].decode("utf-8", "replace"))


def _lags_of(service: str, text: str) -> Iterator[Lag]:
    """Reads `solaris_lag_events{kind,name}` and `solaris_halted{kind,name}` of one worker's metrics."""
    values: dict[str, dict[tuple[str, str], float]] = {"solaris_lag_events": {}, "solaris_halted": {}}
    for line in text.splitlines():
        found = METRIC.match(line)
        if found and found["name"] in values:
            labels = dict(LABEL.findall(found["labels"] or ""))
            values[found["name"]][labels.get("kind", ""), labels.get("name", "")] = float(found["value"])
    for (kind, name), behind in values["solaris_lag_events"].items():
        yield Lag(service, kind, name, int(behind), values["solaris_halted"].get((kind, name), 0) > 0)
