"""Partners of the league on NATS: a key, an account of its own, and a durable consumer on every stream."""

import asyncio
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from solaris_local.databases import NAMES
from solaris_local.embedded.accounts import PARTNER_NAME, partner_durable, user_seed
from solaris_local.home import Home
from solaris_local.services import nkey_file
from solaris_shared.messaging.jetstream import Bus, BusAway

RESTART_SECONDS = 30.0


class NotAdded(RuntimeError):
    """The partner cannot be let in now."""


@dataclass(frozen=True, slots=True)
class Partner:
    """What a partner is told: where the server is, its key, its consumer on each of the streams."""

    url: str
    seed_file: Path
    durable: str
    streams: tuple[str, ...]


def add_partner(home: Home, name: str) -> Partner:
    """Let `name` in, on a league that is up; again = the same. Raises NotAdded.

    NATS is restarted: after a mere reload a new account has no use of its imports (nats-io/nats-server#8560).
    The league's runtime does that by itself, and its services outlive it.
    """
    if not PARTNER_NAME.fullmatch(name):
        raise NotAdded("a partner's name has small letters, digits and hyphens, 2 to 32 of them")
    state = home.read_state()
    process = state.get("processes", {}).get("nats")
    if not process:
        raise NotAdded("the league is not up: start it with `make run` or `solaris up`")
    seed_file = nkey_file(home, f"partner-{name}")
    if not seed_file.exists():
        user_seed(seed_file)
        os.kill(process["pid"], signal.SIGTERM)
    url = f"nats://127.0.0.1:{state['ports']['nats']}"
    asyncio.run(_make_durables(url, user_seed(nkey_file(home, "operator")), partner_durable(name)))
    return Partner(url, seed_file, partner_durable(name), tuple(service.upper() for service in NAMES))


def add_elsewhere(secrets: Path, url: str, name: str) -> Partner:
    """Make the consumers of a partner whom `solaris secrets --partner` has given a key, on a broker that
    knows the new accounts already. Raises NotAdded."""
    seed_file = secrets / f"nats-{partner_durable(name)}.nk"
    if not url or not seed_file.exists():
        raise NotAdded("say where NATS answers (--nats), after `solaris secrets FOLDER --partner NAME`")
    operator = (secrets / "nats-operator.nk").read_text(encoding="utf-8").strip()
    asyncio.run(_make_durables(url, operator, partner_durable(name)))
    return Partner(url, seed_file, partner_durable(name), tuple(service.upper() for service in NAMES))


async def _make_durables(url: str, seed: str, durable: str) -> None:
    """As the operator; streams appear with the first relay, so a league that has just begun is waited for."""
    bus = Bus(url, "operator", seed)
    try:
        async with asyncio.timeout(RESTART_SECONDS):
            for service in NAMES:
                while not await _make(bus, service, durable):  # noqa: ASYNC110 - the broker tells nobody
                    await asyncio.sleep(0.2)
    except TimeoutError as error:
        raise NotAdded("the broker does not answer, or a stream is missing; try again") from error
    finally:
        await bus.close()


async def _make(bus: Bus, service: str, durable: str) -> bool:
    """Whether the consumer on the stream of `service` is there now; it begins at message 1."""
    try:
        puller = await bus.consumer(
            service.upper(), durable, f"solaris.{service}.>", 1, anew=False, reset=False
        )
    except BusAway:
        return False
    if puller is None:
        return False
    await puller.close()
    return True
