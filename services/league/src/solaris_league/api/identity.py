"""Routes of identity: register, log in, tokens, roles, keys."""

import json
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from solaris_league.api.office import Office
from solaris_league.api.policy import POLICY
from solaris_league.api.schemas import (
    Id,
    Login,
    PasswordChange,
    Registration,
    Renewal,
    RolesChange,
    TokenRequest,
)
from solaris_league.application import identity
from solaris_league.domain.names import fold
from solaris_league.projections import standings
from solaris_shared.errors import Forbidden
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.commands import Keyed, reading, run_command
from solaris_shared.http.context import context_of
from solaris_shared.http.limits import cost

NO_STORE = {"Cache-Control": "no-store"}


def identity_router(office: Office) -> APIRouter:
    router = APIRouter()
    for add in (_keys, _persons, _sessions, _me, _tokens):
        add(router, office)
    return router


def _keys(router: APIRouter, _office: Office) -> None:
    @router.get("/.well-known/jwks.json", tags=["public"])
    async def jwks(request: Request) -> Response:
        """The public keys with which every service verifies tokens."""
        keys = json.loads(context_of(request).settings.jwks_file.read_text(encoding="utf-8"))
        return JSONResponse(keys, headers={"Cache-Control": "public, max-age=300"})


def _persons(router: APIRouter, office: Office) -> None:
    @router.post("/v1/persons", status_code=201, dependencies=[Keyed], tags=["public"])
    @cost("login")
    async def register(body: Registration, request: Request, principal: CurrentPrincipal) -> Response:
        """Register a person; whoever registers is a player."""
        POLICY.require(principal, "person.register")
        hashed = await office.passwords.hash(body.password)
        registration = identity.Registration(body.handle, hashed)
        return await run_command(
            request, principal, body, lambda tx: identity.register(tx, registration), status=201
        )

    @router.put("/v1/persons/{person_id}/roles", dependencies=[Keyed], tags=["commission"])
    async def change_roles(
        person_id: Id, body: RolesChange, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """Give and take roles; tokens that carry a role taken away are revoked."""
        POLICY.require(principal, "roles.change", person_id)
        return await run_command(
            request, principal, body, lambda tx: identity.change_roles(tx, person_id, body.roles)
        )


def _sessions(router: APIRouter, office: Office) -> None:
    @router.post("/v1/sessions", status_code=201, tags=["public"])
    @cost("login")
    async def log_in(body: Login, request: Request, principal: CurrentPrincipal) -> Response:
        """Log in: a token of 15 minutes with all the person's roles."""
        POLICY.require(principal, "session.open")
        context = context_of(request)
        context.limiter.take(f"account:{fold(body.handle)}", "account")
        session = await identity.log_in(context.store, office.passwords, body.handle, body.password)
        return JSONResponse(_session(office, session), 201, NO_STORE)

    @router.post("/v1/sessions/renewals", status_code=201, tags=["public"])
    @cost("login")
    async def renew(body: Renewal, request: Request, principal: CurrentPrincipal) -> Response:
        """Go on with a session: a fresh token for the renewal ticket of the last one."""
        POLICY.require(principal, "session.open")
        session = await identity.renew(context_of(request).store, office.renewals.read(body.renewal))
        return JSONResponse(_session(office, session), 201, NO_STORE)


def _session(office: Office, session: identity.Session) -> dict[str, Any]:
    claims = session.claims
    return {
        "token": office.sign(claims),
        "token_type": "Bearer",
        "expires_in": claims.expires_at - claims.issued_at,
        "renewal": office.renewals.issue(session.ticket, claims.issued_at),
        "person_id": claims.person,
        "roles": sorted(claims.roles),
    }


def _me(router: APIRouter, office: Office) -> None:
    @router.get("/v1/me", tags=["player"])
    async def me(request: Request, response: Response, principal: CurrentPrincipal) -> dict[str, Any]:
        """Who am I, and which mechwarrior is mine."""
        POLICY.require(principal, "me.read", principal.person)
        response.headers.update(NO_STORE)
        account = await identity.account_of(context_of(request).store, principal.person)
        async with reading(request, standings.NAME) as conn:
            mine = await standings.of_person(conn, principal.person)
        return {
            "person_id": principal.person,
            "handle": account["handle"],
            "roles": sorted(principal.roles - {"public"}),
            "scopes": sorted(principal.scopes),
            "mechwarrior_id": mine,
        }

    @router.put("/v1/me/password", dependencies=[Keyed], tags=["player"])
    @cost("login")
    async def change_password(
        body: PasswordChange, request: Request, principal: CurrentPrincipal
    ) -> Response:
        """A new password for the old one."""
        POLICY.require(principal, "password.change", principal.person)
        person, store = principal.person, context_of(request).store
        context_of(request).limiter.take(f"account:{person}", "account")
        account = await identity.account_of(store, person)
        if not await office.passwords.verify(account["password_hash"], body.old_password):
            raise Forbidden("password-wrong", "The old password is wrong.")
        hashed = await office.passwords.hash(body.new_password)
        return await run_command(
            request, principal, body, lambda tx: identity.change_password(tx, person, hashed)
        )


def _tokens(router: APIRouter, office: Office) -> None:
    @router.post("/v1/tokens", status_code=201, dependencies=[Keyed], tags=["player"])
    async def issue(body: TokenRequest, request: Request, principal: CurrentPrincipal) -> Response:
        """A personal token. It is shown in this answer and never again."""
        POLICY.require(principal, "token.issue", principal.person)
        person = principal.person

        def present(stored: dict[str, Any]) -> dict[str, Any]:
            return {**stored, "token": office.sign(identity.claims_of(stored, person))}

        return await run_command(
            request,
            principal,
            body,
            lambda tx: identity.issue_token(tx, person, body.name, body.scopes, body.days),
            status=201,
            present=present,
        )

    @router.get("/v1/tokens", tags=["player"])
    async def listed(request: Request, response: Response, principal: CurrentPrincipal) -> dict[str, Any]:
        """My personal tokens, without the tokens themselves."""
        POLICY.require(principal, "token.list", principal.person)
        response.headers.update(NO_STORE)
        return {"items": await identity.list_tokens(context_of(request).store, principal.person)}

    @router.delete("/v1/tokens/{token_id}", dependencies=[Keyed], tags=["player"])
    async def revoke(token_id: Id, request: Request, principal: CurrentPrincipal) -> Response:
        """Revoke one of my tokens; every service refuses it as soon as the fact has reached it."""
        POLICY.require(principal, "token.revoke", principal.person)
        return await run_command(
            request, principal, None, lambda tx: identity.revoke_token(tx, principal.person, token_id)
        )
