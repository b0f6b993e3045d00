"""What may not be restored is refused untouched; what fails half-way leaves the old league whole."""

import asyncio
import dataclasses
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from typer.testing import CliRunner, Result

from solaris_local import migrations, services
from solaris_local.backup import manifest
from solaris_local.backup.cut import consistent, disagreements
from solaris_local.backup.manifest import BackupRefused, Cut
from solaris_local.cli import application
from solaris_local.databases import NAMES, create_databases
from solaris_local.embedded.postgres import SUPERUSER, PostgresServer
from solaris_local.home import UNFINISHED, Home
from solaris_local.runtime import Runtime

MEMORY = Path("/dev/shm")
MARK = "INSERT INTO command_result VALUES (gen_random_uuid(), 'a', '{}', $1, now())"


def run(home: Home, *arguments: str | Path) -> Result:
    """One `solaris` command on a home."""
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(application, words, env={"SOLARIS_HOME": str(home.root)})


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder the servers' account can walk through."""
    folder = Path(tempfile.mkdtemp(prefix="solaris-backup-", dir=MEMORY if MEMORY.is_dir() else None))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def database(home: Home) -> Iterator[PostgresServer]:
    """The league's PostgreSQL alone."""
    server = PostgresServer(home.servers() / "postgres", leashed=True, sync_initdb=False)
    try:
        server.start()
        yield server
    finally:
        server.stop()


async def _mark(server: PostgresServer, text: str) -> None:
    connection = await asyncpg.connect(server.address(SUPERUSER, server.password, "mail"))
    await connection.execute(MARK, text)
    await connection.close()


async def _marks(server: PostgresServer) -> list[str]:
    connection = await asyncpg.connect(server.address(SUPERUSER, server.password, "mail"))
    rows = await connection.fetch("SELECT token FROM command_result ORDER BY 1")
    await connection.close()
    return [row["token"] for row in rows]


def marks(home: Home) -> list[str]:
    """What tells one state of a league from another."""
    with database(home) as server:
        return asyncio.run(_marks(server))


@pytest.fixture(scope="module")
def original() -> Iterator[Home]:
    """A league with its databases and keys, at rest."""
    with scratch() as folder:
        home = Home(folder / "league")
        home.create()
        services.make_signing_keys(home)
        for service in NAMES:
            home.key(f"{service}-data")
        with database(home) as server:
            asyncio.run(create_databases(server.url, [services.access(home, name) for name in NAMES]))
            services.write_database_files(home, server)
            asyncio.run(migrations.migrate_all(home))
            asyncio.run(_mark(server, "original"))
        yield home


@pytest.fixture(scope="module")
def whole(original: Home) -> Path:
    """A back-up with keys."""
    target = original.root.parent / "whole"
    assert run(original, "backup", target, "--with-keys").exit_code == 0
    return target


@pytest.fixture(scope="module")
def keyless(original: Home) -> Path:
    """A back-up without keys."""
    target = original.root.parent / "keyless"
    assert run(original, "backup", target, "--without-keys").exit_code == 0
    return target


@pytest.fixture
def copy(whole: Path) -> Iterator[Path]:
    """A back-up that a test may spoil."""
    with scratch() as folder:
        yield Path(shutil.copytree(whole, folder / "copy"))


@pytest.fixture
def empty() -> Iterator[Home]:
    """A home that is not there yet."""
    with scratch() as folder:
        yield Home(folder / "new")


def refused(home: Home, folder: Path, *options: str) -> str:
    """Restoring fails and changes nothing at all; the reason."""
    before = tree(home.root)
    answer = run(home, "restore", folder, *options)
    assert answer.exit_code == 1, answer.output
    assert "nothing restored, nothing changed" in answer.output
    assert tree(home.root) == before
    return answer.output


def tree(root: Path) -> dict[str, str]:
    """Every file with its digest."""
    files = [path for path in root.rglob("*") if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_somebody_must_say_what_becomes_of_the_keys(original: Home, tmp_path: Path) -> None:
    answer = run(original, "backup", tmp_path / "x")
    assert answer.exit_code == 2
    assert "--with-keys" in answer.output
    assert not (tmp_path / "x").exists()


def test_a_backup_is_private_and_says_what_it_holds(whole: Path, keyless: Path) -> None:
    assert whole.stat().st_mode & 0o077 == 0
    assert (whole / "keys" / "combat-data").exists()
    assert not (keyless / "keys").exists()
    assert manifest.read(keyless).fingerprints == manifest.read(whole).fingerprints
    assert not [name for name in manifest.read(whole).files if name.endswith(".url")]


def test_no_backup_over_another_nor_of_nothing(original: Home, whole: Path, empty: Home) -> None:
    assert run(original, "backup", whole, "--with-keys").exit_code == 1
    assert run(empty, "backup", empty.root.parent / "b", "--with-keys").exit_code == 1
    assert not empty.root.exists()


@pytest.mark.parametrize("name", ["mail.dump", "combat.dump", "keys/combat-data", "manifest.json"])
def test_one_changed_byte_is_refused(copy: Path, empty: Home, name: str) -> None:
    data = bytearray((copy / name).read_bytes())
    data[len(data) // 2] ^= 1
    (copy / name).write_bytes(data)
    assert "changed" in refused(empty, copy)
    assert not empty.root.exists()


def test_a_backup_cut_short_is_refused(copy: Path, empty: Home) -> None:
    with (copy / "league.dump").open("r+b") as file:
        file.truncate(1000)
    assert "league.dump" in refused(empty, copy)
    (copy / "league.dump").unlink()
    assert "missing" in refused(empty, copy)


def test_a_strange_file_a_missing_seal_and_no_backup_at_all_are_refused(copy: Path, empty: Home) -> None:
    (copy / "extra").write_text("x")
    assert "not part" in refused(empty, copy)
    (copy / "extra").unlink()
    (copy / "manifest.sha256").unlink()
    assert "no whole back-up" in refused(empty, copy)
    assert "no whole back-up" in refused(empty, copy / "nowhere")


def test_the_digest_that_was_printed_refuses_another_backup(copy: Path, empty: Home) -> None:
    reseal(copy, lambda data: data.update(made_at="2020-01-01T00:00:00+00:00"))
    assert "changed" in refused(empty, copy, "--digest", "00" * 32)


def reseal(folder: Path, change: Any) -> None:
    """Change a manifest and seal it again, as somebody would who knows how."""
    data = json.loads((folder / manifest.MANIFEST).read_text())
    change(data)
    manifest.write(folder, manifest.parse(json.dumps(data)))


def test_another_schema_another_set_of_services_another_format_are_refused(copy: Path, empty: Home) -> None:
    reseal(copy, lambda data: data["services"]["mail"]["cut"].update(revision="9999"))
    assert "schema of mail: 9999" in refused(empty, copy)
    reseal(copy, lambda data: data["services"].pop("mail"))
    assert "not of league" in refused(empty, copy)
    text = (copy / manifest.MANIFEST).read_text().replace('"format": 1', '"format": 2')
    (copy / manifest.MANIFEST).write_text(text)
    seal = hashlib.sha256(text.encode()).hexdigest()
    (copy / manifest.SEAL).write_text(f"{seal}  manifest.json\n")
    assert "another format" in refused(empty, copy)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": 1}', '{"format": 1, "files": 7, "services": {}}']
)
def test_nonsense_is_no_manifest(text: str) -> None:
    with pytest.raises(BackupRefused):
        manifest.parse(text)


def test_a_league_that_is_there_is_not_replaced_unasked(original: Home, whole: Path, keyless: Path) -> None:
    assert "--force" in refused(original, whole)
    assert "--force" in refused(original, keyless)


def test_a_backup_without_keys_needs_the_same_keys(original: Home, keyless: Path, empty: Home) -> None:
    assert "made without keys" in refused(empty, keyless)
    empty.create()
    shutil.copytree(original.root / "keys", empty.root / "keys", dirs_exist_ok=True)
    (empty.root / "keys" / "combat-data").write_text("00" * 32)
    assert "combat-data" in refused(empty, keyless)
    shutil.copy(original.root / "keys" / "combat-data", empty.root / "keys" / "combat-data")
    answer = run(empty, "restore", keyless)
    assert answer.exit_code == 0, answer.output
    assert marks(empty) == ["original"]


def test_a_restore_that_fails_halfway_leaves_the_old_league_whole(original: Home, copy: Path) -> None:
    """Dumps that cannot be read, and rows that differ from the manifest, are found in the copy beside."""
    (copy / "economy.dump").write_bytes(b"PGDMP nonsense")
    reseal(copy, lambda data: data["files"].update({"economy.dump": entry(copy / "economy.dump")}))
    answer = run(original, "restore", copy, "--force")
    assert answer.exit_code == 1
    assert "pg_restore failed" in answer.output
    assert not (original.root / UNFINISHED).exists()
    assert marks(original) == ["original"]


def entry(path: Path) -> dict[str, Any]:
    """A manifest's line of a file."""
    return dataclasses.asdict(manifest.content(path))


def test_rows_that_differ_from_the_manifest_are_refused(original: Home, copy: Path) -> None:
    tables = "tables"
    reseal(copy, lambda data: data["services"]["mail"][tables]["public.command_result"].update(rows=2))
    answer = run(original, "restore", copy, "--force")
    assert answer.exit_code == 1
    assert "public.command_result" in answer.output
    assert marks(original) == ["original"]


def test_force_moves_the_old_league_aside(whole: Path, original: Home) -> None:
    with scratch() as folder:
        home = Home(folder / "league")
        assert run(home, "restore", whole).exit_code == 0
        with database(home) as server:
            asyncio.run(_mark(server, "played on"))
        (home.servers() / "nats" / "store").mkdir(parents=True)
        (home.root / UNFINISHED).write_text("an earlier restore was cut short")
        answer = run(home, "restore", whole, "--force")
        assert answer.exit_code == 0, answer.output
        assert marks(home) == ["original"]
        [old] = home.servers().glob("replaced-*")
        assert str(old) in answer.output
        assert (old / "nats" / "store").exists(), "the broker's copy of the other history is gone too"
        assert not (home.servers() / "nats").exists()
        assert (old / "postgres" / "data" / "PG_VERSION").exists()
        assert not (home.root / "restoring").exists()
        assert not (home.root / UNFINISHED).exists()


def test_a_league_that_runs_is_not_replaced(whole: Path) -> None:
    with scratch() as folder:
        home = Home(folder / "league")
        assert run(home, "restore", whole).exit_code == 0
        lock = home.lock()
        assert "already up" in run(home, "restore", whole, "--force").output
        os.close(lock)
        with database(home):
            assert "still run" in run(home, "restore", whole, "--force").output


def test_a_restore_cut_short_in_the_swap_is_not_started_on() -> None:
    with scratch() as folder:
        home = Home(folder / "league")
        home.create()
        (home.root / UNFINISHED).write_text("x")
        runtime = Runtime(home, lambda _text: None)
        with pytest.raises(RuntimeError, match="cut short"):
            runtime.up()
        runtime.down()


def test_a_server_of_ones_own_is_left_alone(
    original: Home, whole: Path, empty: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOLARIS_DATABASE_URL", "postgresql://somebody@127.0.0.1:1/x")
    assert "server of your own" in run(original, "backup", whole.parent / "x", "--with-keys").output
    assert "server of your own" in refused(empty, whole)


def test_a_cut_in_which_a_reader_knows_too_much_is_seen() -> None:
    league, mail = Cut("1", 9, 5, {}), Cut("1", 9, 0, {"league": 5})
    assert not disagreements({"league": league, "mail": mail})
    ahead = dataclasses.replace(mail, imports={"league": 6})
    assert disagreements({"league": league, "mail": ahead}) == ["mail has imported 6 of 5 from league"]
    assert disagreements({"mail": mail})


async def test_cuts_that_never_agree_are_refused(original: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solaris_local.backup.cut.disagreements", lambda _cuts: ["ahead"])
    with database(original) as server:
        urls = {name: server.address(SUPERUSER, server.password, name) for name in NAMES}
        with pytest.raises(BackupRefused, match="too busy"):
            async with consistent(urls):
                pass
