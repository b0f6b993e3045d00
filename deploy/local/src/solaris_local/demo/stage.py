"""The demonstration from the first registration to the printed figures, on a running league."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from solaris_local import services
from solaris_local.databases import publications
from solaris_local.demo import cast, pilots, season, sparring, telling
from solaris_local.demo.client import Client
from solaris_local.demo.invitation import Invitation, invite
from solaris_local.demo.season import Season
from solaris_local.home import Home, write_private
from solaris_local.runtime import Runtime

Say = Callable[[str], None]


def perform(runtime: Runtime, say: Say) -> None:
    """Seed, play and tell; what already happened happens no second time."""
    if not marker(runtime.home).exists():
        bootstrap(runtime)
    invitation = asyncio.run(_perform(runtime, say))
    sparring.begin(runtime, invitation, passwords(runtime.home))


def marker(home: Home) -> Path:
    """Written once the round is over and settled; holds its id, so that a later start only tells."""
    return home.root / "round-1"


def bootstrap(runtime: Runtime) -> None:
    """The commission's first account: the one thing that no public API can do."""
    log, environment = runtime.home.log("bootstrap"), runtime.children["league-api"].environment
    password = str(password_file(runtime.home, cast.COMMISSION))
    arguments = ["bootstrap", "--handle", cast.COMMISSION, "--password-file", password]
    pid = runtime.nursery.start("bootstrap", "solaris_league", arguments, environment, log)
    if runtime.nursery.wait(pid) != 0:
        raise RuntimeError(f"the commission's account cannot be made:\n{log.read_text()[-2000:]}")


def password_file(home: Home, handle: str) -> Path:
    """The password of a person of the demonstration, made once."""
    return home.secret(f"demo-password-{handle}", lambda: secrets.token_hex(8))


def passwords(home: Home) -> Callable[[str], str]:
    """Handle -> password of a person of the demonstration."""
    return lambda handle: password_file(home, handle).read_text().strip()


async def _perform(runtime: Runtime, say: Say) -> Invitation:
    bases = {name: runtime.api(name) for name in services.NAMES}
    async with connections() as http:
        public = Client(http, bases)
        done = marker(runtime.home).exists()
        found = await (returned(public, runtime.home) if done else played(public, runtime.home, say))
        invited = await invite(public, found.commission, runtime.home, passwords(runtime.home))
        await _tell(public, found, runtime.home, say)
    say("Publicaciones hasta ahora")
    for service, number in (await publications(runtime.postgres.url)).items():
        say(f"  {service:10} {number:>8}")
    say("Una de las cartas")
    say(telling.result_letter(runtime.home.letters, cast.FIGHTERS[0].address))
    _tell_console(runtime, invited, say)
    return invited


def _tell_console(runtime: Runtime, invited: Invitation, say: Say) -> None:
    """Where a person can play, and as whom."""
    say("")
    say("Juega en tu navegador")
    say(f"  {runtime.console}" + (f"/fights/{invited.fight_id}" if invited.fight_id else ""))
    if invited.why:
        say(f"  {telling.WITHOUT_FIGHT[invited.why].format(number=invited.number)}")
    say(f"  usuario {cast.PLAYER.handle}   contraseña {passwords(runtime.home)(cast.PLAYER.handle)}")


async def played(public: Client, home: Home, say: Say) -> Season:
    """Seed the league and play its first round; safe to repeat from wherever it was cut off."""
    say("  sembrando la liga: la Comisión, ocho mechwarriors de la casa, sus 'Mechs, la ronda 1")
    say("  seeding: the commission, eight house mechwarriors, their 'Mechs, round 1")
    found = await season.seed(public, passwords(home), home.letters)
    say("  jugando la ronda 1: cada bando sella sus órdenes por la API")
    say("  playing round 1: every side seals its orders through the API")
    await pilots.play_round(public, found, say)
    await telling.settled(public, found)
    write_private(marker(home), found.round_id)
    return found


async def returned(public: Client, home: Home) -> Season:
    """The league as it was left: only the commission logs in."""
    password = passwords(home)(cast.COMMISSION)
    commission, _ = await season.log_in(public, cast.COMMISSION, password)
    return Season(commission, (), marker(home).read_text())


async def _tell(public: Client, found: Season, home: Home, say: Say) -> None:
    """One fight in words, then the figures."""
    figures = await telling.figures(public, found)
    fight_id = figures.fights[0]["fight_id"]
    record = await public.raw("combat", f"/v1/fights/{fight_id}/record")
    keep_record(home, fight_id, record)
    say("")
    for line in [*telling.story(record, "es"), "", *telling.tables(figures)]:
        say(line)


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
