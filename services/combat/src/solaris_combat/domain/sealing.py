"""What a side may seal: orders for the present request, or the answer to its own open question.

Every refusal here depends only on what is public and on the side's own sealed orders: what is accepted or
refused tells a side nothing about the other's progress.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

from solaris_combat.domain.fight import Fight, check_rules
from solaris_combat.engines.canonical import plain
from solaris_combat.engines.contract import OrdersInvalid, Question, Violation, Written
from solaris_shared.errors import Rejected, Unprocessable

TOO_LATE = ("loadout-locked",)
"""Violations that are no fault of the orders: they could have been given earlier (409)."""
LONGEST_COMMENT = 1000
"""Characters of a special request to the referee."""


@dataclass(frozen=True, slots=True)
class Received:
    """What a side sent: orders or an answer as JSON, and its special request to the referee."""

    orders: Any
    comment: str = ""

    @property
    def answers(self) -> bool:
        """Whether this answers a question rather than giving orders."""
        return isinstance(self.orders, dict) and "answers" in self.orders


def received(fight: Fight, side: str, data: object) -> Received:
    """Orders out of the JSON that was sent, or out of the text in its field `text`; Unprocessable if the text
    is not understood."""
    if not isinstance(data, dict):
        return Received(data)
    comment = data.get("comment") or ""
    if not isinstance(comment, str) or len(comment) > LONGEST_COMMENT:
        detail = f"a comment is a text of at most {LONGEST_COMMENT} characters"
        refuse([Violation("comment-invalid", detail, "/comment")], "orders-malformed")
    orders = {name: value for name, value in data.items() if name != "comment"}
    if "text" not in orders:
        return Received(orders, comment)
    written = _written(fight, side, orders)
    return Received(written.orders, "\n".join(filter(None, (written.comment, comment))))


def _written(fight: Fight, side: str, orders: Any) -> Written:
    if len(orders) > 1 or not isinstance(orders["text"], str):
        detail = "orders are a text, or an object with their parts, not both"
        refuse([Violation("text-or-parts", detail, "/text")], "orders-malformed")
    if fight.game is None or fight.ended:
        raise Rejected("fight-over", "this fight takes no more orders", state=fight.ended)
    try:
        return fight.playing.read_text(fight.game, side, orders["text"])
    except OrdersInvalid as invalid:
        refuse(invalid.violations, "orders-malformed")


def check_orders(fight: Fight, side: str, data: object, now: datetime | None) -> Any:
    """Canonical JSON of legal orders; Rejected (phase over) or Unprocessable (malformed, illegal)."""
    check_open(fight, side, now)
    if side in fight.asked or any(asked_side == side for asked_side, _ in fight.answers):
        raise Rejected("orders-fixed", "these orders are being carried out; only an answer is open")
    orders = parse(fight, data)
    refuse_any(fight.playing.check(fight.game, side, orders))
    return fight.playing.orders_json(orders)


def check_answer(fight: Fight, side: str, question: Question, data: object, now: datetime | None) -> Any:
    """The canonical JSON of a legal answer to the open question of `side`."""
    check_open(fight, side, now)
    answer = parse(fight, data)
    refuse_any(fight.playing.check_answer(fight.game, side, question, answer))
    return fight.playing.orders_json(answer)


def check_open(fight: Fight, side: str, now: datetime | None) -> None:
    """Rejected unless `side` is asked for orders now; the deadline is an open end."""
    if fight.request is None:
        raise Rejected("fight-over", "this fight takes no more orders", state=fight.ended)
    check_rules(fight)
    if fight.expired or (now and fight.deadline and now >= fight.deadline):
        server_time = now.isoformat() if now else None
        raise Rejected("phase-closed", "the deadline of this phase has passed", server_time=server_time)
    if side not in fight.request.sides:
        raise Rejected("not-asked", "nothing is asked of this side now")


def parse(fight: Fight, data: object) -> Any:
    """The engine's orders; Unprocessable with a pointer for every fault of form."""
    try:
        return fight.playing.parse_orders(data)
    except OrdersInvalid as invalid:
        refuse(invalid.violations, "orders-malformed")


def refuse_any(violations: Iterable[Violation], code: str = "orders-illegal") -> None:
    """Unprocessable with every violation; Rejected for what came too late; nothing if there is none."""
    found = list(violations)
    late = next((one for one in found if one.code in TOO_LATE), None)
    if late:
        raise Rejected(late.code, late.detail, late.rule)
    if found:
        refuse(found, code)


def refuse(violations: Sequence[Violation], code: str) -> NoReturn:
    """Unprocessable with every violation."""
    errors = [plain(violation) for violation in violations]
    raise Unprocessable(code, errors[0]["detail"], errors=errors)
