"""A partner pulls and acknowledges its own durable and hears the public subjects; all else is refused."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import nats
import pytest
from nats.errors import TimeoutError as NoAnswer

from solaris_local.embedded import accounts, testing
from solaris_local.embedded.nats import NatsServer

SERVICES = ("combat", "league")
FACT = "solaris.combat.fight.1.fight-opened.v1"


@pytest.fixture
def seeds(tmp_path: Path) -> dict[str, str]:
    names = [f"{service}-{role}" for service in SERVICES for role in ("relay", "importer")]
    return {name: accounts.user_seed(tmp_path / name) for name in [*names, "operator", "ana", "other"]}


@pytest.fixture
def server(seeds: dict[str, str]) -> Iterator[NatsServer]:
    keys = {name: accounts.public_key(seeds[name]) for name in ("ana", "other")}
    with testing.scratch_folder("nats") as folder:
        one = NatsServer(folder, accounts.accounts_conf(SERVICES, seeds, keys), leashed=True)
        one.start()
        try:
            yield one
        finally:
            one.stop()


class User:
    """A connection that remembers what the server refused it."""

    def __init__(self) -> None:
        self.refused: list[str] = []
        self.client = nats.NATS()

    async def note(self, error: Exception) -> None:
        self.refused.append(str(error).lower())


@asynccontextmanager
async def connected(server: NatsServer, seed: str, name: str) -> AsyncIterator[User]:
    user = User()
    options = {"nkeys_seed_str": seed, "inbox_prefix": f"_INBOX.{name}", "allow_reconnect": False}
    await user.client.connect(server.url, error_cb=user.note, **options)
    try:
        yield user
    finally:
        await user.client.close()


@asynccontextmanager
async def stage(server: NatsServer, seeds: dict[str, str]) -> AsyncIterator[tuple[User, User]]:
    """The operator and the partner ana, whose durables the operator has made; three facts are out."""
    async with (
        connected(server, seeds["operator"], "operator") as operator,
        connected(server, seeds["ana"], "partner-ana") as partner,
    ):
        js = operator.client.jetstream()
        for service in SERVICES:
            await js.add_stream(name=service.upper(), subjects=[f"solaris.{service}.>"])
            for durable in ("partner-ana", "partner-other"):
                await js.add_consumer(service.upper(), durable_name=durable, ack_policy="explicit")
        for number in (1, 2, 3):
            await js.publish(FACT, b"%d" % number)
        yield operator, partner


async def pull(user: User, durable: str, stream: str = "COMBAT", batch: int = 10) -> list[nats.aio.msg.Msg]:
    puller = await user.client.jetstream().pull_subscribe_bind(durable, stream)
    return list(await puller.fetch(batch, timeout=1))


async def test_it_pulls_and_acknowledges_its_durable(server: NatsServer, seeds: dict[str, str]) -> None:
    async with stage(server, seeds) as (operator, partner):
        messages = await pull(partner, "partner-ana", batch=2)
        assert [(m.data, m.metadata.sequence.stream, m.subject) for m in messages] == [
            (b"1", 1, FACT),
            (b"2", 2, FACT),
        ]
        for message in messages:
            await message.ack_sync(timeout=1)
        info = await operator.client.jetstream().consumer_info("COMBAT", "partner-ana")
        assert (info.ack_floor.stream_seq, info.num_ack_pending, info.num_pending) == (2, 0, 1)
        assert [message.data for message in await pull(partner, "partner-ana")] == [b"3"]
        assert partner.refused == []


async def test_it_hears_the_public_subjects_as_they_come(server: NatsServer, seeds: dict[str, str]) -> None:
    async with stage(server, seeds) as (operator, partner):
        heard = await partner.client.subscribe("solaris.combat.>")
        await partner.client.flush()
        await operator.client.jetstream().publish(FACT, b"4")
        assert (await heard.next_msg(timeout=10)).data == b"4"
        assert partner.refused == []


SUBSCRIBE = [
    ">", "*", "*.>", "$JS.>", "$JS.API.>", "$SYS.>", "_INBOX.>", "_INBOX.combat-importer.>", "other.subject",
    "$JS.ACK.COMBAT.partner-other.>", "$JS.EVENT.ADVISORY.>",
]  # fmt: skip


@pytest.mark.parametrize("subject", SUBSCRIBE)
async def test_it_may_subscribe_to_nothing_else(
    server: NatsServer, seeds: dict[str, str], subject: str
) -> None:
    async with stage(server, seeds) as (_, partner):
        for queue in ("", "group"):
            partner.refused.clear()
            await partner.client.subscribe(subject, queue=queue)
            await partner.client.flush()
            await asyncio.sleep(0.05)
            assert any("permissions violation for subscription" in text for text in partner.refused)


PUBLISH = [
    FACT, "solaris.league.round.1.round-opened.v1", "anything", "_INBOX.combat-relay.x",
    "$JS.API.INFO", "$JS.API.STREAM.NAMES", "$JS.API.STREAM.LIST", "$JS.API.STREAM.INFO.COMBAT",
    "$JS.API.STREAM.CREATE.X", "$JS.API.STREAM.UPDATE.COMBAT", "$JS.API.STREAM.DELETE.COMBAT",
    "$JS.API.STREAM.PURGE.COMBAT", "$JS.API.STREAM.MSG.GET.COMBAT", "$JS.API.STREAM.MSG.DELETE.COMBAT",
    "$JS.API.DIRECT.GET.COMBAT", "$JS.API.STREAM.SNAPSHOT.COMBAT", "$JS.API.STREAM.RESTORE.COMBAT",
    "$JS.API.CONSUMER.CREATE.COMBAT.x", "$JS.API.CONSUMER.CREATE.COMBAT.x.solaris.combat.>",
    "$JS.API.CONSUMER.DURABLE.CREATE.COMBAT.x", "$JS.API.CONSUMER.CREATE.COMBAT.partner-ana",
    "$JS.API.CONSUMER.DELETE.COMBAT.partner-ana", "$JS.API.CONSUMER.INFO.COMBAT.partner-ana",
    "$JS.API.CONSUMER.NAMES.COMBAT", "$JS.API.CONSUMER.LIST.COMBAT",
    "$JS.API.CONSUMER.PAUSE.COMBAT.partner-ana", "$JS.API.CONSUMER.MSG.NEXT.COMBAT.partner-other",
    "$JS.API.CONSUMER.MSG.NEXT.COMBAT.economy", "$JS.ACK.COMBAT.partner-other.1.1.1.1.1",
    "$JS.API.ACCOUNT.PURGE.SOLARIS", "$SYS.REQ.SERVER.PING",
]  # fmt: skip


async def test_it_may_publish_and_ask_for_nothing_else(server: NatsServer, seeds: dict[str, str]) -> None:
    async with stage(server, seeds) as (operator, partner):
        for subject in PUBLISH:
            partner.refused.clear()
            with pytest.raises(NoAnswer):
                await partner.client.request(subject, b"{}", timeout=0.15)
            assert any("permissions violation for publish" in text for text in partner.refused), subject
        info = await operator.client.jetstream().stream_info("COMBAT")
        assert (info.state.last_seq, info.state.messages) == (3, 3)
        assert {c.name for c in await operator.client.jetstream().consumers_info("COMBAT")} == {
            "partner-ana",
            "partner-other",
        }


async def test_the_wall_is_the_account_and_not_only_the_users_permissions(
    server: NatsServer, seeds: dict[str, str]
) -> None:
    """The same partner with every permission inside its own account still reaches nothing but its imports."""
    keys = {name: accounts.public_key(seeds[name]) for name in ("ana", "other")}
    text = accounts.accounts_conf(SERVICES, seeds, keys)
    head, _, rest = text.partition("  PARTNER_ANA {")
    user = f"users: [ {{ nkey: {keys['ana']}"
    begin = rest.index(user) + len(user)
    opened = rest[:begin] + " } ]" + rest[rest.index("\n", begin) :]
    server.stop()
    server.accounts = f"{head}  PARTNER_ANA {{{opened}"
    server.start()
    async with stage(server, seeds) as (operator, partner):
        for subject in PUBLISH[4:]:
            with pytest.raises((NoAnswer, nats.errors.NoRespondersError)):
                answer = await partner.client.request(subject, b"{}", timeout=0.15)
                assert b'"error"' in answer.data, (subject, answer.data)
                raise NoAnswer
        heard = await partner.client.subscribe(">")
        await partner.client.flush()
        await operator.client.publish("private.subject", b"secret")
        await operator.client.jetstream().publish(FACT, b"4")
        assert (await heard.next_msg(timeout=1)).subject == FACT
        assert (await operator.client.jetstream().stream_info("COMBAT")).state.messages == 4


def test_a_name_that_could_break_out_is_refused(seeds: dict[str, str]) -> None:
    for name in ("", "a", "Ana", "a b", 'x"', "a.b", "a}", "-x", "x" * 40):
        with pytest.raises(ValueError, match="no name of a partner"):
            accounts.accounts_conf(SERVICES, seeds, {name: "U"})
