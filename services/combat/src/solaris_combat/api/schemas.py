"""Bodies the routes take. The form of orders is the ruleset's; the engine checks it and points at faults."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, Strict, StringConstraints

from solaris_shared.http.schemas import Body, Key, Text

Turns = Annotated[int, Strict(), Field(ge=1, le=99)]
PersonId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
"""The form of the ids that the league makes; whether there is such a person only the league knows."""
Seconds = Annotated[int, Strict(), Field(ge=1, le=10**7)]


class OrdersBody(Body):
    """Orders or an answer as the ruleset prescribes (docs/reference/orders.md): their parts, or a `text`.

    `comment` goes to the referee when the orders are opened; it is no part of them.
    """

    model_config = ConfigDict(
        extra="allow",
        frozen=True,
        json_schema_extra={"example": {"turn": 1, "movement": {"mode": "walk", "steps": ["F", "L", "F"]}}},
    )


class LengthBody(Body):
    """How many turns the fight shall last (R 4.2)."""

    turns: Turns


class YieldBody(Body):
    """How a side gives up."""

    how: Literal["surrender", "flight"]


class CorrectionBody(Body):
    """What stands wrong for one side, and why; the ruleset says what may be corrected."""

    side: Key
    changes: dict[str, Any] = Field(min_length=1, examples=[{"armor": {"CT": [10, 5]}, "heat": 3}])
    reason: Text


class ExtensionBody(Body):
    """More time for the request whose deadline is named."""

    deadline: Text = Field(examples=["2026-12-02T20:00:00Z"])
    seconds: Seconds
    reason: Text


class SubstitutionBody(Body):
    """Who plays a side from here on."""

    side: Key
    person_id: PersonId
    reason: Text
