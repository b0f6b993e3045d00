"""Commands over HTTP: one Idempotency-Key is one command, its answer is stored with its effect and given
again on a repeat.

The key is scoped by caller and path: the same key with the same body gives the same answer, with another
body 422.
"""

import hmac
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends, Header, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncConnection

from solaris_shared.errors import BadRequest, Unavailable
from solaris_shared.http.auth import Principal
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import canonical
from solaris_shared.ids import command_id
from solaris_shared.log.unit_of_work import Command, Transaction

TOKEN_HEADER = "Solaris-Token"
KEY = re.compile(r"[\x21-\x7e]{1,255}")
Work = Callable[[Transaction], Awaitable[dict[str, Any]]]
Present = Callable[[dict[str, Any]], dict[str, Any]]


async def _declared_key(
    idempotency_key: Annotated[
        str | None,
        Header(description="1 to 255 visible ASCII characters; the same key repeats the same command"),
    ] = None,
) -> None:
    """Only tells OpenAPI of the header; run_command checks it."""


Keyed = Depends(_declared_key)
"""For `@router.post(..., dependencies=[Keyed])`: shows the Idempotency-Key header in OpenAPI."""


def idempotency_key(request: Request) -> str:
    """The key. Raises BadRequest `idempotency-key-missing` or `-invalid` (empty, longer than 255, given
    twice)."""
    keys = request.headers.getlist("idempotency-key")
    if not keys:
        raise BadRequest("idempotency-key-missing", "Send an Idempotency-Key header.")
    if len(keys) > 1 or not KEY.fullmatch(keys[0]):
        raise BadRequest("idempotency-key-invalid", "One key of 1 to 255 visible ASCII characters.")
    return keys[0]


def command_of(request: Request, principal: Principal, body: BaseModel | None) -> Command:
    """The command of this request. The digest is keyed: it does not give away what a body with a password
    was."""
    key = idempotency_key(request)
    route = f"{request.method} {request.scope['path']}"
    material = canonical(body.model_dump(mode="json") if body else None, plain=True)
    digest = hmac.digest(context_of(request).derived("digest"), material, "sha256")
    return Command(command_id(principal.key, route, key), digest, principal.key, request.state.correlation_id)


def unchanged(body: dict[str, Any]) -> dict[str, Any]:
    return body


async def run_command(
    request: Request,
    principal: Principal,
    body: BaseModel | None,
    work: Work,
    *,
    status: int = 200,
    present: Present = unchanged,
) -> JSONResponse:
    """Run `work` in one transaction, at most once per key; answer its (stored) result.

    `present` turns the stored result into the answer, for parts that must not be stored (a token is signed
    then). The answer carries `Solaris-Token`: a GET that sends it sees this command's effects.
    """
    result = await context_of(request).store.run(command_of(request, principal, body), work)
    headers = {TOKEN_HEADER: result.token, "Cache-Control": "no-store"}
    if result.replayed:
        headers["Idempotency-Replayed"] = "true"
    return JSONResponse(present(result.body), status, headers)


@asynccontextmanager
async def reading(request: Request, projection: str) -> AsyncIterator[AsyncConnection]:
    """A connection to a live read model; waits (bounded) for the command whose token the request sends."""
    views = context_of(request).views
    token = request.headers.get(TOKEN_HEADER)
    if token and not await views.wait_for(projection, token):
        raise Unavailable("not-yet-visible", "Your change is not visible yet.", headers={"Retry-After": "1"})
    async with views.open(projection) as connection:
        yield connection
