"""A fight for the person at the console: the next round, in which a player of flesh and blood takes part."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from solaris_local.demo import season, telling
from solaris_local.demo.cast import EVERYBODY, PARTNER, PLAYER
from solaris_local.demo.client import Client, until
from solaris_local.demo.pilots import fights_of, opened
from solaris_local.home import Home, write_private

Password = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Invitation:
    """The round that is on, and the player's fight in it; "" where he rests, or is out by his injuries."""

    number: int
    round_id: str
    fight_id: str


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
    fights = await until(lambda: fights_of(public, round_id), "the fights of the round")
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
    return Invitation(number, round_id, "".join(mine))
