"""House pilots at the table: each is a person that orders through the REST API like anybody else."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from solaris_combat.engines.battletech.house_pilot import choose
from solaris_combat.engines.contract import Dice
from solaris_combat.engines.dice import SeededDice
from solaris_local.demo import telling
from solaris_local.demo.client import Client, Refused, until
from solaris_local.demo.season import Entrant, Season

LEVEL: Final = 2
STALE: Final = ("not-asked", "already-answered", "deadline-passed")
FIGHT_SECONDS: Final = 300.0

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of one fight with the entrant who plays it."""

    fight_id: str
    side: str
    entrant: Entrant


async def play_round(public: Client, season: Season, report: Report) -> list[str]:
    """Play every fight of the round to its end; the ids of the fights in the order of the draw."""
    scheduled = await until(lambda: fights_of(public, season.round_id), "the fights of the round")
    await asyncio.gather(*(play(public, season, fight, report) for fight in scheduled))
    return [fight["fight_id"] for fight in scheduled]


async def fights_of(public: Client, round_id: str) -> list[dict[str, Any]]:
    """The fights of a round; empty until the schedule has followed the draw, which makes all or none."""
    return [fight async for fight in public.pages("league", "/v1/fights", round_id=round_id)]


async def play(public: Client, season: Season, scheduled: dict[str, Any], report: Report) -> None:
    """Play one fight to its end."""
    fight_id = scheduled["fight_id"]
    by_id = {entrant.mechwarrior_id: entrant for entrant in season.entrants}
    seats = [Seat(fight_id, side["side"], by_id[side["mechwarrior_id"]]) for side in scheduled["sides"]]
    await until(lambda: opened(public, fight_id), "combat to open the fight")
    end = asyncio.get_running_loop().time() + FIGHT_SECONDS
    while (state := await public.get("combat", f"/v1/fights/{fight_id}"))["state"] == "open":
        if asyncio.get_running_loop().time() > end:
            raise TimeoutError(f"fight {fight_id} stands at {state['request']}")
        ordered = [await order(seat) for seat in seats]
        if not any(ordered):
            await asyncio.sleep(0.05)
    names = " - ".join(seat.entrant.fighter.callsign for seat in seats)
    report(f"    {names}: {state['result']['turns']} turnos, {outcome(state)}")


async def opened(public: Client, fight_id: str) -> bool:
    """True once combat has heard of the fight."""
    try:
        await public.get("combat", f"/v1/fights/{fight_id}")
    except Refused as refusal:
        if refusal.status != 404:
            raise
        return False
    return True


async def order(seat: Seat) -> bool:
    """Seal what is asked of this side, once; True if orders were handed in."""
    client, path = seat.entrant.client, f"/v1/fights/{seat.fight_id}"
    page = await client.get("combat", path)
    you = page["you"]
    if page["state"] != "open" or not you["asked"] or (you["sealed"] and not you["question"]):
        return False
    offered = await client.get("combat", f"{path}/options")
    if not offered["request"]:
        return False
    label = f"{seat.fight_id}/{seat.side}/{offered['request']}/{offered['question']}"
    key = hashlib.sha256(label.encode()).hexdigest()
    orders = choose(page["game"], offered["options"], LEVEL, luck(key))
    try:
        await client.put("combat", f"{path}/orders", key, orders)
    except Refused as refusal:
        if refusal.code not in STALE:
            raise
        return False
    return True


def luck(key: str) -> Dice:
    """A pilot's own luck: the same moment of the same fight gives the same choice."""
    return SeededDice(bytes.fromhex(key))


def outcome(state: dict[str, Any]) -> str:
    """One line of a result."""
    points = {side["side"]: side for side in state["result"]["sides"]}
    return ", ".join(
        f"{name} {telling.RESULTS[side['result']]} ({side['victory_points']} PV)"
        for name, side in points.items()
    )
