"""What the source may not contain, and what the database role may not do (cases G09, O, S)."""

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

import solaris_shared
from solaris_shared.database import SERVER_SETTINGS, open_pool
from solaris_shared.definition import KERNEL_MIGRATIONS
from solaris_shared.log.event_log import EventLog
from solaris_shared.log.sequencer import sequence_all
from solaris_shared.log.unit_of_work import Store
from solaris_shared.migrate import migrate
from solaris_shared.settings import Settings
from solaris_shared.testing import counters
from solaris_shared.testing.counters import LOG, Counted
from solaris_shared.testing.failpoints import Failpoint

KERNEL = Path(solaris_shared.__file__).parent
REPOSITORY = KERNEL.parents[2]


@pytest.fixture
def event_log() -> EventLog:
    return LOG


def sources() -> Iterator[tuple[str, str]]:
    """Every module of the kernel and of the services."""
    for root in (KERNEL, *REPOSITORY.glob("services/*/src")):
        for path in root.rglob("*.py"):
            yield str(path.relative_to(REPOSITORY)), path.read_text(encoding="utf-8")


def found(pattern: str) -> set[str]:
    return {name for name, text in sources() if re.search(pattern, text, re.IGNORECASE)}


def test_the_read_query_of_the_log_exists_once():
    """G09: in the kernel; no service writes its own."""
    assert found(r"\bFROM log\b") == {"shared/src/solaris_shared/log/event_log.py"}


def test_nobody_listens_or_notifies():
    """O01: polling with an in-process wake-up."""
    assert not found(r"pg_notify|add_listener|execute\([^)]*\b(LISTEN|NOTIFY)\b")


def test_only_row_locks_and_locks_of_a_transaction():
    """O02: no session advisory locks, which leak under transaction pooling."""
    assert not found(r"pg_(try_)?advisory_(lock|unlock)")


def test_nothing_purges_or_deletes_a_stream():
    """Architecture 3: the relay may create and refill, never purge or delete."""
    assert not found(r"STREAM\.(PURGE|DELETE)|purge_stream|delete_stream")


async def test_every_wait_is_bounded_and_the_database_is_durable(store: Store):
    """Reliability, rule 8 and 2.3."""
    async with store.connection() as conn:
        for name in ("idle_in_transaction_session_timeout", "lock_timeout", "statement_timeout"):
            assert await conn.fetchval(f"SHOW {name}") == SERVER_SETTINGS[name]
        for name in ("fsync", "synchronous_commit", "full_page_writes"):
            assert await conn.fetchval(f"SHOW {name}") == "on"
        assert await conn.fetchval("SHOW transaction_isolation") == "read committed"


@pytest.fixture
async def as_app_role(databases, postgres: str) -> AsyncIterator[str]:
    """A database whose processes use a role that owns nothing of the log."""
    conn = await asyncpg.connect(postgres)
    await conn.execute("DROP ROLE IF EXISTS test_app")
    await conn.execute("CREATE ROLE test_app LOGIN PASSWORD 'app'")
    await conn.close()
    url = await databases.create()
    await migrate(url, KERNEL_MIGRATIONS, "test_app")
    parts = urlsplit(url)
    yield urlunsplit(parts._replace(netloc=f"test_app:app@{parts.hostname}:{parts.port}"))
    await databases.drop(url)
    conn = await asyncpg.connect(postgres)
    await conn.execute("DROP ROLE test_app")
    await conn.close()


async def test_the_app_role_can_work_and_cannot_rewrite(as_app_role: str):
    """Reliability 5.2: insert and select on event, log and outbox; no update, delete or truncate."""
    pool = await open_pool(as_app_role)
    store = Store(pool, LOG)
    async with store.transaction(counters.meta()) as tx:
        await tx.append("counter-a", 0, Counted(1))
        await tx.set_timer("alarm", "one", tx.now, {})
    await sequence_all(store)
    for table in ("event", "log", "outbox"):
        for statement in (f"DELETE FROM {table}", f"TRUNCATE {table} CASCADE", f"DROP TABLE {table} CASCADE"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await pool.execute(statement)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await pool.execute("INSERT INTO clock_offset (shift) VALUES ('1 hour')")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await pool.execute("ALTER TABLE event DISABLE TRIGGER append_only")
    await pool.close()


async def test_the_app_role_can_build_read_models(as_app_role: str):
    from solaris_shared.database import open_engine
    from solaris_shared.processing.projector import Projector

    pool, engine = await open_pool(as_app_role), open_engine(as_app_role)
    projector = Projector(Store(pool, LOG), engine, counters.TOTALS)
    await projector.prepare()
    assert await projector.rebuild() == 2
    await engine.dispose()
    await pool.close()


async def test_migrating_twice_and_at_once_is_harmless(databases):
    import asyncio

    url = await databases.create()
    await asyncio.gather(*(migrate(url, KERNEL_MIGRATIONS) for _ in range(3)))
    await databases.drop(url)


def test_secrets_may_stand_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "url").write_text("postgresql://user:secret@host/db\n")
    monkeypatch.setenv("SOLARIS_DATABASE_URL_FILE", str(tmp_path / "url"))
    monkeypatch.setenv("SOLARIS_NATS_URL", "nats://elsewhere:4222")
    settings = Settings()
    assert settings.database_url == settings.migrator_url == "postgresql://user:secret@host/db"
    assert settings.nats_url == "nats://elsewhere:4222"


def test_every_failpoint_stands_at_one_place_in_the_kernel():
    """Reliability 4.3: a name without a place, or a place without a name, would make a fault test say
    nothing.
    """
    hits = [name for _, text in sources() for name in re.findall(r'failpoints\.hit\("([a-z_.]+)"\)', text)]
    kernel = [name for name in hits if name in set(Failpoint)]
    assert set(kernel) == set(Failpoint)
    assert {name for name in kernel if kernel.count(name) > 1} <= {"proj.rebuild_half"}
