"""A side's own business: its options, its sealed orders, their preview. Shown and open to that side alone."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Request, Response

from solaris_combat.api.plain_text import PLAIN_TEXT, TextOrJson
from solaris_combat.api.policy import POLICY
from solaris_combat.api.presentation import options_json, own_orders_json, texts_json
from solaris_combat.api.schemas import OrdersBody
from solaris_combat.application.fights import Referee, seal, seat
from solaris_combat.application.reading import read_fight
from solaris_combat.domain.distinct_keys import repeated_keys
from solaris_combat.domain.fight import Fight, check_rules
from solaris_combat.domain.sealing import parse, received
from solaris_combat.engines.canonical import plain
from solaris_combat.engines.contract import Json
from solaris_shared.errors import NotFound, Rejected
from solaris_shared.http.auth import CurrentPrincipal, Principal
from solaris_shared.http.commands import Keyed, run_command
from solaris_shared.http.context import context_of
from solaris_shared.http.limits import cost
from solaris_shared.http.problems import Violation, invalid
from solaris_shared.log.unit_of_work import Transaction


async def distinct(request: Request) -> None:
    """Refuses orders in which a key stands twice."""
    body = await request.body()
    if found := repeated_keys(body) if body else []:
        detail = "this key stands more than once in its object"
        raise invalid([Violation(pointer, "key-repeated", detail) for pointer in found])


Distinct = Depends(distinct)


def order_router(referee: Referee) -> APIRouter:
    """Routes of a side's own orders below /v1/fights."""
    router = APIRouter(prefix="/v1/fights", tags=["orders"], route_class=TextOrJson)

    async def own(request: Request, principal: Principal, fight_id: UUID) -> tuple[Fight, str]:
        POLICY.require(principal, "order", principal.person)
        fight = await read_fight(context_of(request).store, referee.memory, str(fight_id))
        return fight, seat(fight, principal.person or "")

    @router.get("/{fight_id}/options")
    @cost("options")
    async def get_options(fight_id: UUID, request: Request, principal: CurrentPrincipal) -> Json:
        """What the caller's side may order now."""
        return options_json(referee, *await own(request, principal, fight_id))

    @router.get("/{fight_id}/orders/mine")
    @cost("orders")
    async def get_own_orders(
        fight_id: UUID, request: Request, response: Response, principal: CurrentPrincipal
    ) -> Json:
        """What the caller's side has sealed for the present request; its ETag is for If-Match."""
        sealed = own_orders_json(referee, *await own(request, principal, fight_id))
        if sealed is None:
            raise NotFound("nothing-sealed", "your side has sealed nothing for this request")
        response.headers["ETag"] = f'"{sealed["commitment"]}"'
        return sealed

    @router.put("/{fight_id}/orders", dependencies=[Keyed, Distinct], openapi_extra=PLAIN_TEXT)
    @cost("orders")
    async def put_orders(
        fight_id: UUID,
        body: OrdersBody,
        request: Request,
        principal: CurrentPrincipal,
        if_match: Annotated[str | None, Header()] = None,
    ) -> Response:
        """Seal orders, replace them before the deadline, or answer an open question; the receipt."""
        POLICY.require(principal, "order", principal.person)
        known = None if if_match in (None, "*") else if_match.strip('"')

        async def work(tx: Transaction) -> Json:
            return await seal(tx, referee, str(fight_id), principal.person or "", body.model_dump(), known)

        return await run_command(request, principal, body, work)

    @router.post("/{fight_id}/orders/preview", dependencies=[Distinct], openapi_extra=PLAIN_TEXT)
    @cost("orders")
    async def preview_orders(
        fight_id: UUID, body: OrdersBody, request: Request, principal: CurrentPrincipal
    ) -> Json:
        """Whether orders are legal and what they would cost; rolls no dice and seals nothing."""
        return preview(*await own(request, principal, fight_id), body.model_dump())

    return router


def preview(fight: Fight, side: str, data: Json) -> Json:
    """Legality and known numbers of orders for the present request; refused as orders are where the tables
    are not those the fight began with."""
    if fight.request is None or side not in fight.request.sides:
        raise Rejected("not-asked", "nothing is asked of this side now")
    check_rules(fight)
    engine = fight.playing
    orders = parse(fight, received(fight, side, data).orders)
    violations = engine.check(fight.game, side, orders)
    known = {} if violations else engine.preview(fight.game, side, orders)
    twin = engine.orders_json(orders)
    return {
        "legal": not violations,
        "violations": plain(violations),
        "preview": known,
        "orders": twin,
        "text": texts_json(fight, twin),
    }
