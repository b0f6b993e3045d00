"""What needs me: fights that wait for my orders, my money, my letters, my rank. Every part stands alone."""

import asyncio
from typing import Any

from starlette.responses import Response

from solaris_console.apis import Panel, panel
from solaris_console.visit import Visit

Json = dict[str, Any]
FEW = 5
WAITING = ("orders", "answer")


async def home(visit: Visit) -> Response:
    """The first page, for a person or for anybody."""
    return await (_mine(visit) if visit.session.logged_in else _anybody(visit))


async def _mine(visit: Visit) -> Response:
    caller = visit.caller
    fights, letters, accounts, me = await asyncio.gather(
        panel(caller.get("combat", "/v1/fights", mine="true")),
        panel(caller.get("mail", "/v1/me/letters", limit=FEW)),
        panel(caller.get("economy", "/v1/balances")),
        panel(caller.get("league", "/v1/me")),
    )
    contact = await panel(caller.get("mail", "/v1/me/contact"))
    rank = await _rank(visit, me)
    return visit.page(
        "home.html", fights=fights, waiting=_waiting(fights), letters=letters, accounts=accounts, me=me,
        contact=contact, rank=rank,
    )  # fmt: skip


def _waiting(fights: Panel[Json]) -> list[Json]:
    """Fights that ask something of the person, the most urgent first."""
    items = [one for one in (fights.value or {}).get("items", []) if one["task"] in WAITING]
    return sorted(items, key=lambda one: (one["task"] != "answer", one["deadline"] or ""))


async def _rank(visit: Visit, me: Panel[Json]) -> Panel[Json]:
    who = (me.value or {}).get("mechwarrior_id")
    if not who:
        return Panel(trouble=me.trouble)
    return await panel(visit.caller.get("league", f"/v1/standings/{who}/explanation"))


async def _anybody(visit: Visit) -> Response:
    fights, standings = await asyncio.gather(
        panel(visit.caller.get("combat", "/v1/fights", limit=FEW)),
        panel(visit.caller.get("league", "/v1/standings", **{"class": 3})),
    )
    return visit.page("welcome.html", fights=fights, standings=standings)
