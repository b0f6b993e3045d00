"""The manifests' own commands, settings and probes, started here: all become ready, and facts flow.

Compose runs against one broker from nats.conf, Kubernetes against three nodes from cluster.conf; both on the
roles and databases that init.sh makes from the secret files.
"""

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import nats.errors
import pytest
from processes import Place, Wanted, image_tree, of_compose, of_kubernetes, run_jobs, running, wait_ready
from rendering import OVERLAY, ROOT, SERVICES, compose, render

from solaris_local import health
from solaris_local.embedded import process
from solaris_local.embedded.nats import NatsServer
from solaris_local.embedded.postgres import SUPERUSER, PostgresServer
from solaris_local.embedded.testing import scratch_folder
from solaris_local.partners import NotAdded, add_elsewhere
from solaris_local.secret_files import SecretFiles
from solaris_shared.messaging.jetstream import Bus, BusAway

STREAM_SECONDS = 60
CLUSTER_SECONDS = 60
NODES = 3


@dataclass(frozen=True, slots=True)
class World:
    """Servers and files that both manifests use."""

    postgres: PostgresServer
    secrets: Path
    tree: Path
    folder: Path

    def place(self, name: str, nats: str) -> Place:
        """A place with logs of its own."""
        logs = self.folder / f"logs-{name}"
        logs.mkdir()
        return Place(self.secrets, self.tree, logs, nats)

    def init(self) -> None:
        """What the container of PostgreSQL runs at its first start, and the job `databases`."""
        place = urlsplit(self.postgres.url)
        environment = {
            "PATH": f"{self.postgres.binaries.folder}:{os.defpath}",
            "PGHOST": place.hostname or "", "PGPORT": str(place.port), "PGPASSWORD": place.password or "",
            "SOLARIS_SQL": str(ROOT / "deploy" / "postgres"), "SOLARIS_SECRETS": str(self.secrets),
        }  # fmt: skip
        command = ["/bin/sh", ROOT / "deploy" / "postgres" / "init.sh"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr + done.stdout


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """PostgreSQL with roles, databases and the secrets of a deployment."""
    folder = Path(tempfile.mkdtemp(prefix="solaris-parity-"))
    with scratch_folder("parity") as data:
        server = PostgresServer(data, leashed=True, sync_initdb=False)
        try:
            server.start()
            SecretFiles(folder / "secrets", f"127.0.0.1:{server.port}", ("ana",)).make()
            made = World(server, folder / "secrets", image_tree(folder / "app"), folder)
            made.init()
            made.init()
            yield made
        finally:
            server.stop()
    shutil.rmtree(folder)


def split(wanted: dict[str, Wanted]) -> tuple[list[Wanted], dict[str, Wanted]]:
    """Jobs, and what lasts; the console only where it is built already."""
    built = (ROOT / "console").is_dir()
    jobs = [one for one in wanted.values() if one.arguments[-1] == "migrate"]
    lasting = {name: one for name, one in wanted.items() if one.arguments[-1] != "migrate"}
    assert len(jobs) == len(SERVICES) and len(lasting) == 2 * len(SERVICES) + 1
    return jobs, {name: one for name, one in lasting.items() if built or name != "console"}


def test_the_owner_and_the_app_role_are_what_they_should_be(world: World) -> None:
    asyncio.run(_roles_are_bounded(world))


async def _roles_are_bounded(world: World) -> None:
    connection = await asyncpg.connect(world.postgres.url)
    rows = await connection.fetch("SELECT * FROM pg_roles WHERE rolname ~ '^[a-z]+_(owner|app)$'")
    owners = await connection.fetch(
        "SELECT datname, pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = ANY($1::text[])",
        list(SERVICES),
    )
    await connection.close()
    assert {row["rolname"] for row in rows} == {f"{s}_{k}" for s in SERVICES for k in ("owner", "app")}
    for row in rows:
        assert row["rolcanlogin"]
        assert not any(row[f"rol{right}"] for right in ("super", "createdb", "createrole", "bypassrls"))
        assert ("statement_timeout=30s" in (row["rolconfig"] or [])) == row["rolname"].endswith("_app")
    assert {(row["datname"], row["owner"]) for row in owners} == {(s, f"{s}_owner") for s in SERVICES}


def test_compose_runs_as_it_stands(world: World) -> None:
    jobs, lasting = split(of_compose(compose()))
    with scratch_folder("parity-nats") as data:
        nats = NatsServer(data, (world.secrets / "nats-accounts.conf").read_text(), leashed=True)
        try:
            nats.start()
            place = world.place("compose", nats.url)
            run_jobs(jobs, place)
            with running(lasting, place) as children:
                wait_ready(lasting, place, children)
                assert asyncio.run(streams(world, nats.url)) == dict.fromkeys(SERVICES, 1)
                assert add_elsewhere(world.secrets, nats.url, "ana").durable == "partner-ana"
                with pytest.raises(NotAdded):
                    add_elsewhere(world.secrets, nats.url, "ben")
                api_outlives_the_broker(nats, place)
        finally:
            nats.stop()


def api_outlives_the_broker(nats: NatsServer, place: Place) -> None:
    """Readiness and liveness need the database only."""
    nats.kill()
    time.sleep(2)
    for service in SERVICES:
        for name in (f"{service}-api", f"{service}-worker"):
            assert health.get(place.port(name), "/health/live")[0] == 200
        assert health.ready(place.port(f"{service}-api"))


async def streams(world: World, url: str) -> dict[str, int]:
    """Replicas of each service's stream, once the relays have made them."""
    bus = Bus(url, "operator", (world.secrets / "nats-operator.nk").read_text())
    found: dict[str, int] = {}
    until = time.monotonic() + STREAM_SECONDS
    try:
        while len(found) < len(SERVICES):
            assert time.monotonic() < until, found
            await asyncio.sleep(0.3)
            for service in set(SERVICES) - set(found):
                if (replicas := await _replicas(bus, service.upper())) is not None:
                    found[service] = replicas
    finally:
        await bus.close()
    return found


async def _replicas(bus: Bus, stream: str) -> int | None:
    try:
        client = await bus.client()
        information = await client.jetstream().stream_info(stream)
    except (BusAway, nats.errors.Error, TimeoutError):
        return None  # not there yet, or no leader yet: asked again until the deadline
    return int(information.config.num_replicas or 1)


@contextmanager
def cluster(world: World) -> Iterator[list[str]]:
    """Three nodes from cluster.conf; the routes' host names become ports of this machine."""
    routes = [process.free_port() for _ in range(NODES)]
    words = (world.secrets / "nats-routes.conf").read_text()
    for node, port in enumerate(routes):
        words = words.replace(f"nats-{node}.nats:6222", f"127.0.0.1:{port}")
    with ExitStack() as stack:
        monitors, urls = [], []
        for node, port in enumerate(routes):
            folder = stack.enter_context(scratch_folder(f"node-{node}"))
            client, monitor = process.free_port(), process.free_port()
            stack.callback(process.stop, *_node(world, folder, node, words, (client, monitor, port)))
            monitors.append(monitor)
            urls.append(f"nats://127.0.0.1:{client}")
        until = time.monotonic() + CLUSTER_SECONDS
        while any(health.get(monitor, "/healthz")[0] != 200 for monitor in monitors):
            assert time.monotonic() < until, "no quorum"
            time.sleep(0.2)
        yield urls


def _node(world: World, folder: Path, node: int, routes: str, ports: tuple[int, int, int]):  # type: ignore[no-untyped-def]
    """Start one node; what stops it."""
    server = NatsServer(folder)
    texts = {"accounts.conf": (world.secrets / "nats-accounts.conf").read_text(), "routes.conf": routes}
    texts |= {name: (ROOT / "deploy" / "nats" / name).read_text() for name in ("nats.conf", "cluster.conf")}
    process.own(folder / "store", server.account)
    for name, text in texts.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o644)
    client, monitor, route = ports
    environment = {
        "PATH": os.defpath, "SOLARIS_NATS_NAME": f"nats-{node}", "SOLARIS_NATS_HOST": "127.0.0.1",
        "SOLARIS_NATS_PORT": str(client), "SOLARIS_NATS_MONITOR": f"127.0.0.1:{monitor}",
        "SOLARIS_NATS_CLUSTER": f"127.0.0.1:{route}", "SOLARIS_NATS_STORE": str(folder / "store"),
    }  # fmt: skip
    command = [server.binaries.program("nats-server"), "--config", folder / "cluster.conf"]
    child = process.spawn(command, folder / "nats.log", server.account, environment, folder)
    return child.pid, ((15, 10.0), (9, 5.0)), child


def test_kubernetes_runs_as_it_stands(world: World) -> None:
    jobs, lasting = split(of_kubernetes(render(OVERLAY, world.secrets)))
    with cluster(world) as urls:
        place = world.place("kubernetes", urls[0])
        run_jobs(jobs, place)
        with running(lasting, place) as children:
            wait_ready(lasting, place, children)
            assert asyncio.run(streams(world, urls[1])) == dict.fromkeys(SERVICES, NODES)


def test_the_database_was_given_the_superuser_of_its_secret(world: World) -> None:
    """The secret files hold one password each, and the addresses of services hold the same ones."""
    for service in SERVICES:
        address = urlsplit((world.secrets / f"{service}-database.url").read_text())
        assert address.password == (world.secrets / f"{service}-database-app").read_text()
        assert address.username == f"{service}_app" != SUPERUSER
