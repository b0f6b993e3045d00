"""Bodies the routes take. The form of orders is the ruleset's; the engine checks it and points at faults."""

from pydantic import ConfigDict

from solaris_shared.http.schemas import Body


class OrdersBody(Body):
    """Orders or an answer as the ruleset prescribes (docs/reference/orders.md): their parts, or a `text`.

    `comment` goes to the referee when the orders are opened; it is no part of them.
    """

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        json_schema_extra={"example": {"turn": 1, "movement": {"mode": "walk", "steps": ["F", "L", "F"]}}},
    )
