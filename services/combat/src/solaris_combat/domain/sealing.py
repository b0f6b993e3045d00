"""What a side may seal: orders for the present request, or the answer to its own open question.

Every refusal here depends only on what is public and on the side's own sealed orders: what is accepted or
refused tells a side nothing about the other's progress.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from solaris_combat.domain.fight import Fight
from solaris_combat.engines.canonical import plain
from solaris_combat.engines.contract import OrdersInvalid, Question, Violation
from solaris_shared.errors import Rejected, Unprocessable


def check_orders(fight: Fight, side: str, data: object, now: datetime | None) -> Any:
    """Canonical JSON of legal orders; Rejected (phase over) or Unprocessable (malformed, illegal)."""
    check_open(fight, side, now)
    if side in fight.asked or any(asked_side == side for asked_side, _ in fight.answers):
        raise Rejected("orders-fixed", "these orders are being carried out; only an answer is open")
    orders = parse(fight, data)
    refuse(fight.playing.check(fight.game, side, orders))
    return fight.playing.orders_json(orders)


def check_answer(fight: Fight, side: str, question: Question, data: object, now: datetime | None) -> Any:
    """The canonical JSON of a legal answer to the open question of `side`."""
    check_open(fight, side, now)
    answer = parse(fight, data)
    refuse(fight.playing.check_answer(fight.game, side, question, answer))
    return fight.playing.orders_json(answer)


def check_open(fight: Fight, side: str, now: datetime | None) -> None:
    """Rejected unless `side` is asked for orders now; the deadline is an open end."""
    if fight.request is None:
        raise Rejected("fight-over", "this fight takes no more orders", state=fight.ended)
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


def refuse(violations: Iterable[Violation], code: str = "orders-illegal") -> None:
    """Unprocessable with every violation; nothing if there is none."""
    errors = [plain(violation) for violation in violations]
    if errors:
        raise Unprocessable(code, errors[0]["detail"], errors=errors)
