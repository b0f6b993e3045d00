"""House pilots while the person at the console plays: his opponent answers, the other fights keep his pace.

Until he has sealed something nothing moves, so that a league left alone stays as it is. A round in which he
has no fight (he rests, or is hurt) is played without him, and the next one drawn.
"""

import asyncio
from threading import Thread
from typing import Any, Final

from solaris_local import services
from solaris_local.demo import cast, telling
from solaris_local.demo.cast import HOUSE
from solaris_local.demo.client import Client, Refused
from solaris_local.demo.invitation import Invitation, Password, invite
from solaris_local.demo.pilots import Seat, fights_of, order
from solaris_local.demo.season import Entrant, log_in
from solaris_local.runtime import Runtime

PAUSE_SECONDS: Final = 0.7
SESSION_SECONDS: Final = 600.0
Pace = tuple[int, int]
"""Turn and kind of what is asked, in their order."""
OVER: Final[Pace] = (99, 0)
KINDS: Final = ("initial", "movement", "fire_and_movement", "fire")


def begin(runtime: Runtime, invitation: Invitation, password: Password) -> None:
    """Let the house pilots play from now on, beside the runtime."""
    work = _keep_playing(runtime, invitation, password)
    Thread(target=asyncio.run, args=(work,), daemon=True, name="sparring").start()


async def _keep_playing(runtime: Runtime, invitation: Invitation, password: Password) -> None:
    """Play until the runtime stops; a service that is away or restarts is waited for."""
    from solaris_local.demo.stage import connections

    bases = {name: runtime.api(name) for name in services.NAMES}
    async with connections() as http:
        public = Client(http, bases)
        while not runtime.stopping:
            try:
                await _session(runtime, public, invitation, password)
                if waits(invitation) and await telling.round_closed(public, invitation.round_id):
                    commission, _ = await log_in(public, cast.COMMISSION, password(cast.COMMISSION))
                    invitation = await invite(public, commission, runtime.home, password)
            except (Refused, TimeoutError):
                await asyncio.sleep(PAUSE_SECONDS)


async def _session(runtime: Runtime, public: Client, invitation: Invitation, password: Password) -> None:
    """Everybody logs in and plays until the tokens are old."""
    fights = await fights_of(public, invitation.round_id)
    house = {fighter.callsign: fighter for fighter in HOUSE}
    seats = []
    for fight, side in ((one, side) for one in fights for side in one["sides"]):
        if side["name"] in house:
            fighter = house[side["name"]]
            client, person = await log_in(public, fighter.handle, password(fighter.handle))
            entrant = Entrant(fighter, client, person, side["mechwarrior_id"])
            seats.append(Seat(fight["fight_id"], side["side"], entrant))
    until = asyncio.get_running_loop().time() + SESSION_SECONDS
    seen: Pace | None = None
    while not runtime.stopping and asyncio.get_running_loop().time() < until:
        if waits(invitation) and await telling.round_closed(public, invitation.round_id):
            return
        pace = await _pace(public, invitation)
        asked = seats if pace != seen else [s for s in seats if s.fight_id == invitation.fight_id]
        moved = [await order(seat) for seat in asked if await _due(public, invitation, seat, pace)]
        seen = None if any(moved) else pace
        await asyncio.sleep(PAUSE_SECONDS)


def waits(invitation: Invitation) -> bool:
    """Whether the player waits for the next round: he has no fight in this one, and is not dead."""
    return not invitation.fight_id and invitation.why != "dead"


async def _pace(public: Client, invitation: Invitation) -> Pace:
    """How far the player's fight has come; a player without a fight holds nobody up."""
    mine = invitation.fight_id
    return _progress(await public.get("combat", f"/v1/fights/{mine}")) if mine else OVER


async def _due(public: Client, invitation: Invitation, seat: Seat, pace: Pace) -> bool:
    """The opponent always; the others as long as they are behind the player's fight."""
    if seat.fight_id == invitation.fight_id:
        return True
    fight = await public.get("combat", f"/v1/fights/{seat.fight_id}")
    return fight["state"] == "open" and _progress(fight) < pace


def _progress(fight: dict[str, Any]) -> Pace:
    """How far a fight has come."""
    asked = fight["request"]
    return (asked["turn"], KINDS.index(asked["kind"])) if asked else OVER
