"""A league is saved while it runs, destroyed, restored and started: it is the same league, view by view.

On the way, since a whole league is up: the api and the worker of each service log in as the app role, which
may add to the log and change nothing in it.
"""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest
from typer.testing import CliRunner

from solaris_combat.main import definition as combat
from solaris_economy.main import definition as economy
from solaris_league.main import definition as league
from solaris_local import services
from solaris_local.backup.cut import portrait
from solaris_local.backup.manifest import Manifest, Table, read
from solaris_local.cli import application
from solaris_local.databases import NAMES
from solaris_local.demo.stage import perform
from solaris_local.home import Home
from solaris_local.report import healthy, survey
from solaris_local.runtime import Runtime
from solaris_mail.main import definition as mail
from solaris_mail.settings import MailSettings
from solaris_shared.definition import ServiceDefinition
from solaris_shared.messaging.jetstream import Bus
from solaris_shared.processing.projector import Projector
from solaris_shared.settings import Settings
from solaris_shared.worker import open_runtime

CHECKPOINTS = ("projection", "reactor", "messaging", "timer", "worker_status")
"""They carry the time of their last touch, or of the last sign of life"""
SETTLE_SECONDS = 120
QUIET_SECONDS = 3
APPEND_ONLY = ("event", "log", "outbox")
SESSIONS = """
SELECT DISTINCT application_name AS program, usename AS role, datname AS base FROM pg_stat_activity
WHERE application_name ~ '-(api|worker)$'
"""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="solaris-backup-"))
    folder.chmod(0o711)
    made = Home(folder / "league")
    monkeypatch.setenv("SOLARIS_HOME", str(made.root))
    yield made
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def up(home: Home) -> Iterator[Runtime]:
    """The league, until the end of the block."""
    runtime = Runtime(home, lambda _text: None)
    try:
        runtime.up()
        yield runtime
    finally:
        runtime.down()


def solaris(*arguments: str | Path) -> str:
    """Run a command that must succeed; its output."""
    answer = CliRunner().invoke(application, [str(argument) for argument in arguments])
    assert answer.exit_code == 0, answer.output
    return answer.output


def settle(home: Home) -> None:
    """Wait until everybody has handled everything."""
    until = time.monotonic() + SETTLE_SECONDS
    while True:
        found = survey(home)
        if healthy(found) and found.lags and not any(lag.events for lag in found.lags):
            return
        assert time.monotonic() < until, found
        time.sleep(0.3)


async def views(home: Home, service: str) -> dict[str, Table]:
    """Every table but the checkpoints, read models first of all."""
    connection = await asyncpg.connect((home.root / "keys" / f"{service}-database.url").read_text().strip())
    try:
        return await portrait(connection, lambda name: name.split(".")[1] not in CHECKPOINTS)
    finally:
        await connection.close()


def all_views(home: Home) -> dict[str, dict[str, Table]]:
    return {service: asyncio.run(views(home, service)) for service in NAMES}


def at_rest(home: Home) -> dict[str, dict[str, Table]]:
    """All views once nothing moves any more: the sparring partner of the open fight has sealed his orders."""
    until = time.monotonic() + SETTLE_SECONDS
    seen: dict[str, dict[str, Table]] = {}
    while True:
        settle(home)
        if seen == (seen := all_views(home)):
            return seen
        assert time.monotonic() < until, "the league never comes to rest"
        time.sleep(QUIET_SECONDS)


def test_a_restored_league_equals_the_original_view_by_view(home: Home) -> None:
    folder = home.root.parent / "saved"
    with up(home) as runtime:
        perform(runtime, lambda _text: None)
        before = at_rest(home)
        said = solaris("backup", folder, "--with-keys")
        assert "KEYS" in said
        assert all_views(home) == before, "a back-up changes nothing"
        asyncio.run(the_app_role_is_used_and_cannot_rewrite_the_log(home, runtime))
    made = read(folder, digest=said.split("digest ")[1].split()[0])
    assert made.services["combat"].tables["fights_v1.fight"].rows > 4, "some are being played"

    shutil.rmtree(home.servers())
    shutil.rmtree(home.root)
    said = solaris("restore", folder)
    assert said.count("every table equals the original") == len(NAMES)

    with up(home) as runtime:
        settle(home)
        assert all_views(home) == before
        asyncio.run(the_broker_was_refilled_with_the_same_numbers(home, runtime, made))
        asyncio.run(rebuilt_read_models_are_equal(home, before))


async def the_app_role_is_used_and_cannot_rewrite_the_log(home: Home, runtime: Runtime) -> None:
    superuser = await asyncpg.connect(runtime.postgres.url)
    try:
        found = await superuser.fetch(SESSIONS)
    finally:
        await superuser.close()
    seen = {(row["program"], row["role"], row["base"]) for row in found}
    assert seen == {(f"{name}-{part}", f"{name}_app", name) for name in NAMES for part in ("api", "worker")}
    for service in NAMES:
        url = (home.root / "keys" / f"{service}-database.url").read_text().strip()
        await _refused(url, service)


async def _refused(url: str, service: str) -> None:
    connection = await asyncpg.connect(url)
    statements = [f"DELETE FROM {table}" for table in APPEND_ONLY]
    statements += [f"TRUNCATE {table}" for table in APPEND_ONLY]
    statements += [f"ALTER TABLE {table} DISABLE TRIGGER ALL" for table in APPEND_ONLY]
    statements += ["UPDATE event SET type = type", "UPDATE log SET ordinal = ordinal"]
    statements += [
        "UPDATE outbox SET subject = subject",
        "DROP TABLE head",
        "CREATE TABLE public.mine (a int)",
    ]
    statements += ["DELETE FROM command_result", "UPDATE operator_action SET reason = 'x'"]
    statements += [f"SET ROLE {service}_owner", "CREATE ROLE another", "DROP DATABASE mail"]
    try:
        for statement in statements:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(statement)
        owned = await connection.fetch(
            "SELECT tablename FROM pg_tables WHERE tableowner = current_user AND schemaname = 'public'"
        )
        assert not owned
        assert await connection.fetchval("SELECT count(*) FROM event") > 0, "reading is allowed"
    finally:
        await connection.close()
    for other in set(NAMES) - {service}:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await asyncpg.connect(url.rsplit("/", 1)[0] + f"/{other}")


async def the_broker_was_refilled_with_the_same_numbers(home: Home, runtime: Runtime, made: Manifest) -> None:
    bus = Bus(runtime.nats.url, "operator", services.nkey_file(home, "operator").read_text().strip())
    try:
        for service in NAMES:
            url = (home.root / "keys" / f"{service}-database.url").read_text().strip()
            connection = await asyncpg.connect(url)
            rows = await connection.fetch("SELECT publication, envelope FROM outbox ORDER BY publication")
            await connection.close()
            end = await bus.stream_end(service.upper())
            assert end and end.last == end.count == len(rows) == made.services[service].cut.publication
            for row in rows:
                assert await bus.message(service.upper(), row["publication"]) == row["envelope"]
    finally:
        await bus.close()


def definitions(home: Home) -> dict[str, ServiceDefinition]:
    """The four services, able to open what the league sealed."""
    keys = home.root / "keys"
    return {
        "league": league(),
        "combat": combat(Settings(data_key_file=keys / "combat-data")),
        "economy": economy(),
        "mail": mail(MailSettings(data_key_file=keys / "mail-data")),
    }


async def rebuilt_read_models_are_equal(home: Home, before: dict[str, dict[str, Table]]) -> None:
    for service, definition in definitions(home).items():
        settings = Settings(database_url_file=home.root / "keys" / f"{service}-database.url")
        generations = {}
        async with open_runtime(definition, settings) as runtime:
            for projection in definition.projections:
                projector = Projector(runtime.store, runtime.engine, projection)
                generations[projection.name] = await projector.rebuild()
        after = await views(home, service)
        for name, generation in generations.items():
            old = {t.split(".")[1]: v for t, v in before[service].items() if t.startswith(f"{name}_v1.")}
            new = {t.split(".")[1]: v for t, v in after.items() if t.startswith(f"{name}_v{generation}.")}
            assert generation > 1 and old == new, f"{service}: {name}"
            assert old
