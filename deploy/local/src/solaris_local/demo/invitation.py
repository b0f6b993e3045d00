"""A fight for the person at the console: the next round, in which a player of flesh and blood takes part."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from solaris_local.demo import season, telling
from solaris_local.demo.cast import EVERYBODY, PARTNER, PLAYER
from solaris_local.demo.client import Client, until
from solaris_local.demo.pilots import fights_of, opened
from solaris_local.home import Home, write_private

Password = Callable[[str], str]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Invitation:
    """The round that is on, and the player's fight in it; "" where he has none: `why` says whether he
    "rests", is "hurt" or "dead"."""

    number: int
    round_id: str
    fight_id: str
    why: str = ""


def file_of(home: Home) -> Path:
    """Where the invitation is kept, so that a later start goes on with it."""
    return home.root / "invitation.json"


def kept(home: Home) -> Invitation | None:
    """The invitation of the last start."""
    file = file_of(home)
    return Invitation(**json.loads(file.read_text())) if file.exists() else None


async def invite(public: Client, commission: Client, home: Home, password: Password) -> Invitation:
    """Enter the player and draw the next round, once; the same steps again change nothing."""
    known = kept(home)
    if known and not await telling.round_closed(public, known.round_id):
        return known
    made = await _draw(public, commission, home, password, known.number + 1 if known else 2)
    write_private(file_of(home), json.dumps(asdict(made)))
    return made


async def _draw(
    public: Client, commission: Client, home: Home, password: Password, number: int
) -> Invitation:
    entrants = [await season.enter(public, one, password(one.handle)) for one in (PARTNER, PLAYER)]
    for entrant in entrants:
        await season.confirm_contact(entrant, home.letters)
    await season.register_mechs(commission, (PARTNER, PLAYER))
    round_id = await season.draw_round(commission, number, EVERYBODY)
    drawn = await until(lambda: round_of(commission, round_id), "the round to be drawn or off")
    off = drawn["state"] == "voided"
    fights = [] if off else await until(lambda: fights_of(public, round_id), "the fights of the round")
    for fight in fights:
        await until(lambda fight=fight: opened(public, fight["fight_id"]), "combat to open the fight")
    ids = [fight["fight_id"] for fight in fights]
    await until(
        lambda: telling.letters_out(commission, telling.SCHEDULED_KIND, ids),
        "the letters of the round",
        telling.LETTER_SECONDS,
    )
    me = entrants[-1].mechwarrior_id
    mine = [f["fight_id"] for f in fights if me in [side["mechwarrior_id"] for side in f["sides"]]]
    why = "" if mine else await without_fight(public, me, number)
    return Invitation(number, round_id, "".join(mine), why)


async def round_of(public: Client, round_id: str) -> Json | None:
    """The round once it is more than open."""
    found: Json = await public.get("league", f"/v1/rounds/{round_id}")
    return None if found["state"] == "open" else found


async def without_fight(public: Client, mechwarrior_id: str, number: int) -> str:
    """Why the lot left a mechwarrior out of round `number`."""
    who = await public.get("league", f"/v1/mechwarriors/{mechwarrior_id}")
    hurt = who["out_until"] >= number
    return "dead" if who["dead"] else "hurt" if hurt else "rests"
