"""Standings, and for each row why it stands there."""

from starlette.responses import Response

from solaris_console.apis import panel
from solaris_console.visit import Visit

CLASSES = ("3", "4", "5")


async def standings(visit: Visit) -> Response:
    """The ranking of a class."""
    chosen = visit.query("class") if visit.query("class") in CLASSES else "3"
    table = await panel(visit.caller.get("league", "/v1/standings", **{"class": chosen}))
    return visit.page("standings.html", 503 if table.trouble else 200, table=table, chosen=chosen)


async def explanation(visit: Visit) -> Response:
    """Fights, points, the rounds that count, ties, experience."""
    who = visit.path["mechwarrior_id"]
    person = await visit.caller.get("league", f"/v1/mechwarriors/{who}")
    found = await visit.caller.get("league", f"/v1/standings/{who}/explanation")
    return visit.page("explanation.html", person=person, found=found)
