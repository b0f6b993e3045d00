"""The embedded NATS: every write synced, crashes survived, each user confined to its grants."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import nats
import pytest
from nats.errors import TimeoutError as NoAnswer
from nats.js.errors import APIError

from solaris_local.embedded import accounts, testing
from solaris_local.embedded.nats import NatsServer

SERVICES = ("combat", "economy")


def test_the_store_syncs_always_and_monitoring_is_local() -> None:
    with testing.nats_server() as server:
        answer = server.varz()
        assert answer["jetstream"]["config"]["sync_always"] is True  # type: ignore[index]
        assert answer["http_host"] == "127.0.0.1"
        assert answer["host"] == "127.0.0.1"
        assert "sync_interval: always" in (server.folder / "nats.conf").read_text()


async def test_stored_messages_survive_kill_and_vanish_by_wipe() -> None:
    with testing.nats_server() as server:
        async with client(server) as user:
            await user.jetstream().add_stream(name="COMBAT", subjects=["solaris.combat.>"])
            await user.jetstream().publish("solaris.combat.fight.1.opened.v1", b"{}")
        port = server.port
        server.kill()
        server.start()
        assert server.port == port
        async with client(server) as user:
            assert (await user.jetstream().stream_info("COMBAT")).state.last_seq == 1
        server.stop()
        server.wipe()
        server.start()
        async with client(server) as user:
            with pytest.raises(APIError):
                await user.jetstream().stream_info("COMBAT")


@asynccontextmanager
async def client(server: NatsServer, name: str = "", seed: str = "") -> AsyncIterator[nats.NATS]:
    options = {"nkeys_seed_str": seed, "inbox_prefix": f"_INBOX.{name}"} if seed else {}
    connection = await nats.connect(server.url, allow_reconnect=False, error_cb=_quiet, **options)
    try:
        yield connection
    finally:
        await connection.close()


async def _quiet(_: Exception) -> None:
    return None


@pytest.fixture
def seeds(tmp_path: Path) -> dict[str, str]:
    names = [f"{service}-{role}" for service in SERVICES for role in ("relay", "importer")]
    return {name: accounts.user_seed(tmp_path / name) for name in [*names, "operator"]}


async def test_users_do_their_own_work_and_nothing_else(seeds: dict[str, str]) -> None:
    with testing.scratch_folder("nats") as folder:
        server = NatsServer(folder, accounts.accounts_conf(SERVICES, seeds), leashed=True)
        server.start()
        try:
            await _relay_publishes(server, seeds["combat-relay"])
            await _importer_pulls(server, seeds["economy-importer"])
            await _stranger_is_refused(server)
        finally:
            server.stop()


async def _relay_publishes(server: NatsServer, seed: str) -> None:
    async with client(server, "combat-relay", seed) as relay:
        stream = relay.jetstream(timeout=1)
        await stream.add_stream(name="COMBAT", subjects=["solaris.combat.>"])
        acknowledgement = await stream.publish("solaris.combat.fight.1.opened.v1", b"{}")
        assert acknowledgement.seq == 1
        for forbidden in (
            stream.publish("solaris.economy.account.1.opened.v1", b"{}"),
            stream.purge_stream("COMBAT"),
            stream.delete_stream("COMBAT"),
            stream.add_stream(name="ECONOMY", subjects=["solaris.economy.>"]),
        ):
            with pytest.raises((NoAnswer, APIError)):
                await forbidden


async def _importer_pulls(server: NatsServer, seed: str) -> None:
    async with client(server, "economy-importer", seed) as importer:
        stream = importer.jetstream(timeout=1)
        puller = await stream.pull_subscribe("solaris.combat.>", durable="economy", stream="COMBAT")
        [message] = await puller.fetch(1, timeout=1)
        await message.ack_sync(timeout=1)
        assert message.data == b"{}"
        with pytest.raises((NoAnswer, APIError)):
            await stream.publish("solaris.combat.fight.1.opened.v1", b"{}")
        with pytest.raises((NoAnswer, APIError)):
            await stream.pull_subscribe("solaris.combat.>", durable="mail", stream="COMBAT")


async def _stranger_is_refused(server: NatsServer) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    await reader.readline()
    writer.write(b'CONNECT {"verbose":false}\r\nPING\r\n')
    assert b"Authorization Violation" in await reader.readline()
    writer.close()
    await writer.wait_closed()
