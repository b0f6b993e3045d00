"""The list of fights: combat's; while combat is away, the league's schedule."""

from starlette.responses import Response

from solaris_console.apis import Panel, panel
from solaris_console.visit import Visit

STATES = ("open", "parked", "concluded", "voided", "refused")


async def fight_list(visit: Visit) -> Response:
    """All fights, or mine, newest first."""
    state, cursor = visit.query("state"), visit.query("cursor")
    query = {"state": state} if state in STATES else {}
    mine = visit.query("mine") == "yes" and visit.session.logged_in
    query |= ({"mine": "true"} if mine else {}) | ({"cursor": cursor} if cursor else {})
    fights = await panel(visit.caller.get("combat", "/v1/fights", limit=20, **query))
    schedule = await _schedule(visit) if fights.trouble else Panel()
    return visit.page("fights.html", fights=fights, schedule=schedule, state=state, mine=mine)


async def _schedule(visit: Visit) -> Panel:
    return await panel(visit.caller.get("league", "/v1/fights", limit=50))
