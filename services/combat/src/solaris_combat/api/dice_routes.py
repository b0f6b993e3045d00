"""What the dice have shown, with the band in which honest dice stay 19 times of 20."""

from math import isqrt
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from solaris_combat.engines.contract import Json
from solaris_combat.projections import dice
from solaris_shared.http.commands import reading
from solaris_shared.http.etags import tagged

CHANCES = {
    "face": {value: 6 for value in range(1, 7)},
    "total": {value: 6 - abs(7 - value) for value in range(2, 13)},
}
"""Chances of each value in 36."""
OF = 36
BAND_HUNDREDTHS = 196
"""Half the width of a 95 % band in hundredths of a standard deviation."""
Month = Annotated[str | None, Query(pattern=r"^[0-9]{4}-[0-9]{2}$")]
Person = Annotated[str | None, Query(max_length=64)]


def dice_router() -> APIRouter:
    """The route of the dice statistics."""
    router = APIRouter(prefix="/v1", tags=["dice"])

    @router.get("/dice/statistics")
    async def statistics(
        request: Request, response: Response, person_id: Person = None, month: Month = None
    ) -> Json:
        """How often each face of a die and each total of two came, for a player or the whole league, ever
        or in one month, each with its 95 % band."""
        async with reading(request, dice.NAME) as conn:
            found = await dice.counts(conn, person_id, month)
        shown = {kind: histogram(kind, found[kind]) for kind in CHANCES}
        view = {"person_id": person_id, "month": month, "faces": shown["face"], "totals": shown["total"]}
        return tagged(request, response, view)

    return router


def histogram(kind: str, counts: dict[int, int]) -> Json:
    """Every value with its count, the band honest dice stay in, and whether it does."""
    rolled = sum(counts.values())
    rows = [_row(value, counts.get(value, 0), rolled, chance) for value, chance in CHANCES[kind].items()]
    return {"rolled": rolled, "values": rows}


def _row(value: int, count: int, rolled: int, chance: int) -> Json:
    """The band: n p -+ 1.96 sqrt(n p (1 - p)), its ends rounded outwards."""
    spread = isqrt(BAND_HUNDREDTHS**2 * rolled * chance * (OF - chance)) + 1
    least = max(0, (100 * rolled * chance - spread) // (100 * OF))
    most = -(-(100 * rolled * chance + spread) // (100 * OF)) if rolled else 0
    return {"value": value, "count": count, "band": [least, most], "inside": least <= count <= most}
