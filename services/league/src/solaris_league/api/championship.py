"""The whole championship as one file in open text, for anybody."""

from typing import Any

from fastapi import APIRouter, Request, Response

from solaris_league.api.office import Office
from solaris_league.application import championship
from solaris_shared.http.context import context_of

FORM = "application/x-ndjson"
NAMED = 'attachment; filename="championship.s7c"'


def championship_router(office: Office) -> APIRouter:
    router = APIRouter(prefix="/v1", tags=["public"])
    content = {FORM: {"schema": {"type": "string"}}}
    answers: dict[int | str, Any] = {200: {"content": content, "description": "A file of the form s7c/1"}}

    @router.get("/championship", response_class=Response, responses=answers)
    async def exported(request: Request) -> Response:
        """Mechwarriors, closed rounds, what counts of their fights, and the league table, as one file that
        another league takes in (docs/reference/championship.md). A round that is going on is not in it."""
        data = await championship.export(context_of(request).store, office.rules)
        return Response(data, media_type=FORM, headers={"Content-Disposition": NAMED})

    return router
