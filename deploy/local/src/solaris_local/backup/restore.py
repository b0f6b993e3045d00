"""`solaris restore`: all is checked, built beside the old data, compared, and only then put in place."""

import asyncio
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import asyncpg

from solaris_local import migrations, services
from solaris_local.backup import dump, manifest
from solaris_local.backup.cut import cut_of, portrait
from solaris_local.backup.manifest import BackupRefused, Manifest, Saved
from solaris_local.backup.save import addresses, fingerprints, refuse_other_server, release
from solaris_local.databases import NAMES, create_databases
from solaris_local.embedded.postgres import PostgresServer, leftover
from solaris_local.home import UNFINISHED, Home
from solaris_local.runtime import marked

Say = Callable[[str], None]
ESSENTIAL: Final = ("combat-data", "mail-data", "token-signing.jwk", "jwks.json")
"""Without the same ones sealed orders and seeds cannot be opened, nor codes and tokens be recognised."""


def restore(home: Home, source: Path, force: bool, digest: str, say: Say) -> Path | None:
    """Put the back-up of `source` in place; where the replaced data went, None if there were none."""
    refuse_other_server()
    made = manifest.read(source, digest)
    check_release(made)
    check_keys(made, home)
    if occupied(home, made) and not force:
        raise BackupRefused(f"{home.root} holds a league already; --force moves it aside")
    say(f"  the back-up of {made.made_at} is whole")
    home.create()
    lock = home.lock()
    try:
        _check_still(home)
        stage = _build(home, source, made, say)
        return _swap(home, stage)
    finally:
        release(lock)


def check_release(made: Manifest) -> None:
    """This release must know exactly these services with exactly these schemas."""
    if set(made.services) != set(NAMES):
        raise BackupRefused(f"a back-up of {', '.join(sorted(made.services))}, not of {', '.join(NAMES)}")
    for name, saved in made.services.items():
        head = migrations.head(name)
        if saved.cut.revision != head:
            raise BackupRefused(
                f"schema of {name}: {saved.cut.revision} in the back-up, {head} in this release;"
                f" restore with release {made.release}, then upgrade"
            )


def check_keys(made: Manifest, home: Home) -> None:
    """A back-up without keys needs the same ones in place."""
    if made.keys == manifest.INCLUDED:
        return
    known = fingerprints(home) if (home.root / "keys").is_dir() else {}
    if wrong := [name for name in ESSENTIAL if known.get(name) != made.fingerprints.get(name)]:
        raise BackupRefused(
            f"the back-up was made without keys: put the league's own into {home.root / 'keys'} first"
            f" (missing or different: {', '.join(wrong)})"
        )


def occupied(home: Home, made: Manifest) -> bool:
    """Whether something would be replaced: data, or keys by the back-up's."""
    if not home.root.exists():
        return False
    data = home.servers() / "postgres" / "data"
    keys = home.root / "keys"
    replaced = made.keys == manifest.INCLUDED and keys.is_dir() and any(keys.iterdir())
    return data.exists() or replaced


def _check_still(home: Home) -> None:
    if list(marked(home)) or leftover(home.servers() / "postgres" / "data"):
        raise BackupRefused(f"processes of the league on {home.root} still run: `solaris down` first")


def _build(home: Home, source: Path, made: Manifest, say: Say) -> Home:
    """A second home inside the first, whole and compared with the manifest; the first is untouched."""
    stage = Home(home.root / "restoring")
    shutil.rmtree(stage.root, ignore_errors=True)
    stage.create()
    folder = stage.servers()
    shutil.rmtree(folder / "postgres", ignore_errors=True)
    keys = source / "keys" if made.keys == manifest.INCLUDED else home.root / "keys"
    for path in keys.iterdir():
        shutil.copy2(path, stage.root / "keys" / path.name)
        (stage.root / "keys" / path.name).chmod(0o600)
    server = PostgresServer(folder / "postgres", leashed=True)
    try:
        server.start()
        asyncio.run(_load(stage, server, source, made, say))
    finally:
        server.stop()
    return stage


async def _load(stage: Home, server: PostgresServer, source: Path, made: Manifest, say: Say) -> None:
    await create_databases(server.url, [services.access(stage, name) for name in NAMES])
    for name, url in addresses(server).items():
        await asyncio.to_thread(dump.restore, server.binaries, url, source / f"{name}.dump")
    services.write_database_files(stage, server)
    await migrations.migrate_all(stage)
    for name, url in addresses(server).items():
        await _compare(name, url, made.services[name])
        say(f"  {name:8} restored; every table equals the original")


async def _compare(name: str, url: str, saved: Saved) -> None:
    connection = await asyncpg.connect(url)
    try:
        cut, tables = await cut_of(connection), await portrait(connection)
    finally:
        await connection.close()
    different = sorted(_different(saved.tables, tables))
    if cut != saved.cut or different:
        raise BackupRefused(f"the restored database {name} differs from the original: {different or cut}")


def _different(one: Mapping[str, object], other: Mapping[str, object]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def _swap(home: Home, stage: Home) -> Path | None:
    """Old data aside, new data in place; cut short, the marker keeps the runtime from starting on half."""
    marker = home.root / UNFINISHED
    stamp = f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"
    old_servers, old_home = home.servers() / stamp, home.root / stamp
    marker.write_text(f"see {old_home} and {old_servers}\n", encoding="utf-8")
    manifest.sync([marker, home.root])
    moved = [
        _aside(home.servers() / "postgres", old_servers),
        _aside(home.servers() / "nats", old_servers),
        _aside(home.root / "keys", old_home),
    ]
    (stage.servers() / "postgres").rename(home.servers() / "postgres")
    (stage.root / "keys").rename(home.root / "keys")
    home.write_state({})
    shutil.rmtree(stage.servers(), ignore_errors=True)
    shutil.rmtree(stage.root, ignore_errors=True)
    manifest.sync([home.servers(), home.root])
    marker.unlink()
    return home.servers() / stamp if any(moved[:2]) else (old_home if moved[2] else None)


def _aside(path: Path, target: Path) -> bool:
    """Move a folder with content aside; an empty one goes."""
    if not path.exists():
        return False
    if not any(path.iterdir()):
        path.rmdir()
        return False
    target.mkdir(mode=0o711, exist_ok=True)
    path.rename(target / path.name)
    return True
