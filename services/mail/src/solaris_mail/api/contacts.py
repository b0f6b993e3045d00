"""A person's contact: give an address, prove it by the code sent there."""

from typing import Any

from fastapi import APIRouter, Request, Response

from solaris_mail.api.policy import POLICY
from solaris_mail.api.schemas import CodeBody, Confirmed, ContactBody, ContactView, Saved
from solaris_mail.application.contacts import Wish, confirm, find_contact, put_contact
from solaris_mail.application.desk import Desk
from solaris_mail.domain.address import check_address
from solaris_mail.domain.contact import check_zone
from solaris_shared.errors import NotFound
from solaris_shared.http.auth import CurrentPrincipal
from solaris_shared.http.commands import Keyed, run_command
from solaris_shared.http.context import context_of
from solaris_shared.http.etags import require_match, tagged
from solaris_shared.http.limits import cost
from solaris_shared.log.unit_of_work import Transaction


def contact_view(row: Any) -> dict[str, Any]:
    """As its owner sees it."""
    bounce = {"address": row["bounced_address"], "at": row["bounced_at"], "reason": row["bounce_reason"]}
    names = ("address", "pending_address", "language", "zone", "channels", "confirmed_at")
    return {name: row[name] for name in names} | {"bounce": bounce if row["bounced_at"] else None}


def read_routes() -> APIRouter:
    """Questions."""
    router = APIRouter(prefix="/v1", tags=["contact"])

    @router.get("/me/contact", response_model=ContactView)
    async def my_contact(request: Request, response: Response, principal: CurrentPrincipal) -> Any:
        """One's own contact."""
        POLICY.require(principal, "contact.read", principal.person)
        row = await find_contact(context_of(request).store.pool, principal.person)
        if row is None:
            raise NotFound("contact-unknown", "no contact has been given yet")
        response.headers["Cache-Control"] = "no-store"
        return tagged(request, response, contact_view(row))

    return router


def write_routes(desk: Desk, code_key: bytes) -> APIRouter:
    """Commands. `code_key` proves codes."""
    router = APIRouter(prefix="/v1", tags=["contact"])

    @router.put("/me/contact", response_model=Saved, dependencies=[Keyed])
    async def save(body: ContactBody, request: Request, principal: CurrentPrincipal) -> Response:
        """Give or change one's contact; a change needs If-Match. A new address gets a code by mail."""
        POLICY.require(principal, "contact.write", principal.person)
        address = check_address(body.address)
        wish = Wish(address, body.language, check_zone(body.zone), tuple(body.channels))

        async def work(tx: Transaction) -> dict[str, Any]:
            known = await find_contact(tx.conn, principal.person)
            if known is not None:
                require_match(request, contact_view(known))
            return await put_contact(tx, desk, principal.person, wish)

        return await run_command(request, principal, body, work)

    @router.post("/contact-confirmations", status_code=201, response_model=Confirmed, dependencies=[Keyed])
    @cost("login")
    async def prove(body: CodeBody, request: Request, principal: CurrentPrincipal) -> Response:
        """Prove an address with the code that was sent there; whoever holds it may."""
        POLICY.require(principal, "contact.confirm")

        async def work(tx: Transaction) -> dict[str, Any]:
            return await confirm(tx, code_key, body.token)

        return await run_command(request, principal, body, work, status=201)

    return router
