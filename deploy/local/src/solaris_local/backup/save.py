"""`solaris backup`: of a league that runs, or of one that stands still."""

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from solaris_local.backup import dump, manifest
from solaris_local.backup.cut import Snapshot, consistent, portrait
from solaris_local.backup.manifest import BackupRefused, Manifest, Saved
from solaris_local.databases import NAMES
from solaris_local.embedded.binaries import Binaries
from solaris_local.embedded.postgres import SUPERUSER, PostgresServer, leftover
from solaris_local.home import Home

Say = Callable[[str], None]
DATABASE_VARIABLE = "SOLARIS_DATABASE_URL"
REWRITTEN = ".url"
"""Ending of files in keys/ that hold this start's ports and are written anew at every start"""


def refuse_other_server() -> None:
    """A PostgreSQL of one's own is backed up by one's own means."""
    if os.environ.get(DATABASE_VARIABLE):
        raise BackupRefused(
            f"{DATABASE_VARIABLE} names a server of your own: see docs/how-to/back-up-and-restore.md"
        )


def save(home: Home, target: Path, with_keys: bool, say: Say) -> str:
    """Make a back-up in the new folder `target`; its digest."""
    refuse_other_server()
    if target.exists():
        raise BackupRefused(f"{target} exists already: a back-up gets a folder of its own")
    if not home.root.exists() or not (home.servers() / "postgres" / "data" / "PG_VERSION").exists():
        raise BackupRefused(f"there is no league on {home.root}")
    part = target.with_name(f".{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True, mode=0o700)
    try:
        with database_server(home) as server:
            digest = asyncio.run(_fill(home, server, part, with_keys, say))
        part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    manifest.sync([target.parent])
    return digest


@contextmanager
def database_server(home: Home) -> Iterator[PostgresServer]:
    """The league's PostgreSQL: the one that runs, else started for the length of the block."""
    server = PostgresServer(home.servers() / "postgres", leashed=True)
    if leftover(server.data):
        server.port = int(home.read_state()["ports"]["postgres"])
        yield server
        return
    lock = home.lock()
    try:
        server.start()
        yield server
    finally:
        server.stop()
        release(lock)


def release(lock: int) -> None:
    """Give a home back."""
    os.close(lock)


def addresses(server: PostgresServer) -> dict[str, str]:
    """Superuser's address of each database."""
    return {name: server.address(SUPERUSER, server.password, name) for name in NAMES}


async def _fill(home: Home, server: PostgresServer, folder: Path, with_keys: bool, say: Say) -> str:
    urls = addresses(server)
    services = {}
    async with consistent(urls) as snapshots:
        major = snapshots[0].connection.get_server_version().major
        for snapshot in snapshots:
            services[snapshot.service] = await _save(server.binaries, urls, snapshot, folder)
            rows = sum(table.rows for table in services[snapshot.service].tables.values())
            say(f"  {snapshot.service:8} {rows:>8} rows, publication {snapshot.cut.publication}")
    if with_keys:
        copy_keys(home, folder / "keys")
    return manifest.write(
        folder,
        Manifest(
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            release=version("solaris-local"),
            postgres=major,
            keys=manifest.INCLUDED if with_keys else manifest.EXCLUDED,
            fingerprints=fingerprints(home),
            files=manifest.contents(folder),
            services=services,
        ),
    )


async def _save(binaries: Binaries, urls: dict[str, str], snapshot: Snapshot, folder: Path) -> Saved:
    file, url = folder / f"{snapshot.service}.dump", urls[snapshot.service]
    await asyncio.to_thread(dump.dump, binaries, url, snapshot.name, file)
    return Saved(snapshot.cut, await portrait(snapshot.connection))


def key_files(home: Home) -> list[Path]:
    """The keys that must live as long as the league."""
    return sorted(path for path in (home.root / "keys").iterdir() if path.suffix != REWRITTEN)


def copy_keys(home: Home, target: Path) -> None:
    """Copy them, private as they are."""
    target.mkdir(mode=0o700)
    for path in key_files(home):
        shutil.copy2(path, target / path.name)


def fingerprints(home: Home) -> dict[str, str]:
    """Digest of each key: random values of 256 bits, so nothing can be learned from it."""
    return {path.name: manifest.content(path).sha256 for path in key_files(home)}
