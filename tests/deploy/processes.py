"""A manifest's processes as local ones: its command, environment and probes, against the embedded servers.

What is translated, and nothing else: the folder of secrets, the names of other hosts, and ports (all on
one machine here). The code runs from a copy of the tree that the Dockerfile copies into the image.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rendering import ROOT, SERVICES, containers, settings

from solaris_local import health
from solaris_local.embedded import process

STOPPING = ((signal.SIGTERM, 20.0), (signal.SIGKILL, 5.0))
READY_SECONDS = 120
JOB_SECONDS = 60
ENTRYPOINT = ["python", "-m"]


@dataclass(slots=True)
class Wanted:
    """One process as its manifest has it: `probes` are paths, asked at `port`."""

    name: str
    arguments: list[str]
    environment: dict[str, str]
    port: int = 0
    probes: tuple[str, ...] = ()


@dataclass(slots=True)
class Place:
    """Where the processes run: secrets, code, addresses of the servers, a port for each process."""

    secrets: Path
    tree: Path
    logs: Path
    nats: str
    ports: dict[str, int] = field(default_factory=dict)

    def port(self, name: str) -> int:
        """Where the process `name` listens."""
        return self.ports.setdefault(name, process.free_port())

    def translate(self, name: str, value: str) -> str:
        """A value of a manifest, as it must be on this machine."""
        value = value.replace("/run/secrets/", f"{self.secrets}/")
        value = re.sub(r"^nats://nats:4222$", self.nats, value)
        found = re.match(r"^http://([a-z]+-api):8000$", value)
        if found:
            return f"http://127.0.0.1:{self.port(found[1])}"
        return str(self.port(name)) if value == "8000" else value


def of_compose(document: dict[str, Any]) -> dict[str, Wanted]:
    """Our processes in docker-compose.yml."""
    return {
        name: _of_container(name, one)
        for name, one in document["services"].items()
        if one.get("command", [""])[0].startswith("solaris_")
    }


def _of_container(name: str, one: dict[str, Any]) -> Wanted:
    environment = {key: str(value) for key, value in one["environment"].items()}
    text = " ".join(one.get("healthcheck", {}).get("test", []))
    probes = tuple(re.findall(r"http://127\.0\.0\.1:8000(/[a-z/]+)", text))
    return Wanted(name, one["command"], environment, 8000 if probes else 0, probes)


def of_kubernetes(objects: list[dict[str, Any]]) -> dict[str, Wanted]:
    """Our processes in rendered manifests."""
    found = {}
    for one in objects:
        for container in containers(one):
            if container.get("args", [""])[0].startswith("solaris_"):
                name = one["metadata"]["name"]
                kinds = ("startupProbe", "livenessProbe", "readinessProbe")
                probes = tuple(container[kind]["httpGet"]["path"] for kind in kinds if kind in container)
                port = container["ports"][0]["containerPort"] if "ports" in container else 0
                found[name] = Wanted(name, container["args"], settings(one, objects), port, probes)
    return found


def image_tree(folder: Path) -> Path:
    """/app of each image, made by the Dockerfile's own copy: the kernel and one service."""
    sources = {service: ROOT / "services" / service / "src" for service in SERVICES}
    if (ROOT / "console").is_dir():
        sources["console"] = ROOT / "console" / "src"
    for name, source in sources.items():
        for part in (ROOT / "shared" / "src", source):
            ignore = shutil.ignore_patterns("__pycache__")
            shutil.copytree(part, folder / name, dirs_exist_ok=True, ignore=ignore)
    return folder


def start(wanted: Wanted, place: Place) -> subprocess.Popen[bytes]:
    """Start it with its own environment and nothing of ours."""
    app = place.tree / wanted.arguments[0].removeprefix("solaris_")
    image = {"PATH": os.defpath, "PYTHONPATH": str(app), "PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"}
    image |= {"PYTHONDONTWRITEBYTECODE": "1"}
    own = {key: place.translate(wanted.name, value) for key, value in wanted.environment.items()}
    command = [sys.executable, *ENTRYPOINT[1:], *wanted.arguments]
    return process.spawn(command, place.logs / f"{wanted.name}.log", env=image | own, cwd=app)


def run_jobs(wanted: Sequence[Wanted], place: Place) -> None:
    """Run each to its end, which must be success."""
    for one in wanted:
        child = start(one, place)
        assert child.wait(JOB_SECONDS) == 0, process.tail(place.logs / f"{one.name}.log")


@contextmanager
def running(wanted: Mapping[str, Wanted], place: Place) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """Start all; when the block ends each must end by SIGTERM with status 0."""
    children = {name: start(one, place) for name, one in wanted.items()}
    try:
        yield children
        for child in children.values():
            child.send_signal(signal.SIGTERM)
        codes = {name: child.wait(40) for name, child in children.items()}
        assert set(codes.values()) == {0}, codes
    finally:
        for child in children.values():
            process.stop(child.pid, STOPPING, child)


def wait_ready(wanted: Mapping[str, Wanted], place: Place, children: Mapping[str, Any]) -> None:
    """Wait until every probe of every process answers 200."""
    waiting = {(name, path) for name, one in wanted.items() for path in one.probes}
    assert {name for name, _ in waiting} == set(wanted), "each has a probe"
    until = time.monotonic() + READY_SECONDS
    while waiting:
        for name, path in sorted(waiting):
            assert children[name].poll() is None, process.tail(place.logs / f"{name}.log")
            if health.get(place.port(name), path)[0] == 200:
                waiting.discard((name, path))
        assert time.monotonic() < until, f"not ready: {waiting}"
        time.sleep(0.2)
