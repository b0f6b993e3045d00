"""The demonstration from the first registration to the printed figures, on a running league."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from solaris_local import services
from solaris_local.databases import publications
from solaris_local.demo import cast, pilots, season, telling
from solaris_local.demo.client import Client
from solaris_local.home import Home
from solaris_local.runtime import Runtime

Say = Callable[[str], None]


def perform(runtime: Runtime, say: Say) -> None:
    """Seed, play and tell; what already happened happens no second time."""
    bootstrap(runtime)
    asyncio.run(_perform(runtime, say))


def bootstrap(runtime: Runtime) -> None:
    """The commission's first account: the one thing that no public API can do."""
    command = [sys.executable, "-m", "solaris_league", "bootstrap", "--handle", cast.COMMISSION]
    command += ["--password-file", str(password_file(runtime.home, cast.COMMISSION))]
    environment = runtime.children["league-api"].environment
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the commission's account cannot be made:\n{done.stderr[-2000:]}")


def password_file(home: Home, handle: str) -> Path:
    """The password of a person of the demonstration, made once."""
    return home.key(f"demo-password-{handle}")


async def _perform(runtime: Runtime, say: Say) -> None:
    bases = {name: runtime.api(name) for name in services.NAMES}
    async with connections() as http:
        public = Client(http, bases)
        say("  seeding: the commission, eight house mechwarriors, their mechs, round 1")
        found = await season.seed(
            public,
            lambda handle: password_file(runtime.home, handle).read_text().strip(),
            runtime.home.letters,
        )
        say("  playing round 1: every side seals its orders through the API")
        fights = await pilots.play_round(public, found, say)
        await telling.settled(public, found)
        record = await public.raw("combat", f"/v1/fights/{fights[0]}/record")
        keep_record(runtime.home, fights[0], record)
        say("")
        for line in telling.story(record, "es"):
            say(line)
        say("")
        for line in telling.tables(await telling.figures(public, found)):
            say(line)
    say("Highest publications")
    for service, number in (await publications(runtime.postgres.url)).items():
        say(f"  {service:10} {number:>8}")
    say("One of the letters")
    say(telling.result_letter(runtime.home.letters, cast.FIGHTERS[0].address))


@asynccontextmanager
async def connections() -> AsyncIterator[httpx.AsyncClient]:
    """One pool of HTTP connections for everybody."""
    limits = httpx.Limits(max_connections=32, max_keepalive_connections=32)
    async with httpx.AsyncClient(timeout=20, limits=limits, trust_env=False) as http:
        yield http


def keep_record(home: Home, fight_id: str, record: bytes) -> None:
    """Keep the record where `solaris verify` can read it."""
    folder = home.root / "records"
    folder.mkdir(exist_ok=True)
    (folder / f"{fight_id}.s7r").write_bytes(record)
