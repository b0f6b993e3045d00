"""What the dice have shown, of the league or of a player, beside what honest dice would show."""

import re
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from solaris_console.apis import panel
from solaris_console.visit import Visit

Json = dict[str, Any]
MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
PLAYER = re.compile(r"[0-9a-f-]{36}")


@dataclass(frozen=True, slots=True)
class Mark:
    """One value of a table drawn to its scale of a hundred: the band, what is expected, what came."""

    least: float
    most: float
    expected: float
    count: float


async def dice(visit: Visit) -> Response:
    """Faces of one die and totals of two, ever or in a month."""
    month = visit.query("month") if MONTH.fullmatch(visit.query("month")) else ""
    who = visit.query("mechwarrior") if PLAYER.fullmatch(visit.query("mechwarrior")) else ""
    person = await visit.caller.get("league", f"/v1/mechwarriors/{who}") if who else None
    asked = {"month": month} if month else {}
    asked |= {"person_id": person["person_id"]} if person else {}
    found = await panel(visit.caller.get("combat", "/v1/dice/statistics", **asked))
    status = 503 if found.trouble else 200
    return visit.page("dice.html", status, person=person, month=month, found=found, marks=marks)


def marks(table: Json) -> list[Mark]:
    """Where everything lies on the scale that all rows of a table share."""
    rows = table["values"]
    scale = 100 / max([1, *(row["count"] for row in rows), *(row["band"][1] for row in rows)])
    return [
        Mark(*(round(scale * value, 1) for value in (*row["band"], row["expected"], row["count"])))
        for row in rows
    ]
