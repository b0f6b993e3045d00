"""The BattleTech engine as the fight aggregate sees it (engines/contract.py).

Only a face: each topic stands in its own module. `build()` is the one place where it is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from solaris_combat.engines.battletech import (
    events,
    house_pilot,
    legality,
    log,
    opening,
    options,
    order_paste,
    order_reading,
    order_writing,
    orders,
    outcome,
    preview,
    question,
    ruling_events,
    rulings,
    shown,
    turn,
    view,
)
from solaris_combat.engines.battletech.orders import Orders
from solaris_combat.engines.battletech.ruleset import RULESET, ruleset_hash
from solaris_combat.engines.battletech.state import State, evolve
from solaris_combat.engines.contract import (
    Asked,
    Json,
    OrderRequest,
    Outcome,
    Question,
    Setup,
    Side,
    Violation,
    Written,
)
from solaris_combat.engines.dice import Dice

VERSION = 1
"""Of the engine; what counts as a new one stands in docs/reference/record.md."""


class BattleTech:
    """The duel of the league over the BattleTech Master Rules. Holds no state."""

    ruleset = RULESET
    version = VERSION
    event_types = events.EVENT_TYPES
    publish_names = events.PUBLISH_NAMES
    lengths = ruling_events.LENGTHS
    choose = staticmethod(house_pilot.choose)

    @cached_property
    def ruleset_hash(self) -> str:
        """See the contract."""
        return ruleset_hash()

    @cached_property
    def models(self) -> Mapping[str, Json]:
        """See the contract."""
        return shown.models()

    @cached_property
    def arenas(self) -> Mapping[str, Json]:
        """See the contract."""
        return shown.arenas()

    @cached_property
    def rules(self) -> Json:
        """See the contract."""
        return shown.rules()

    def check_setup(self, setup: Setup) -> list[Violation]:
        """See the contract."""
        return opening.check_setup(setup)

    def open(self, setup: Setup) -> tuple[object, ...]:
        """See the contract."""
        return opening.open_duel(setup)

    def evolve(self, state: State | None, event: object) -> State:
        """See the contract."""
        return evolve(state, event)

    def request(self, state: State, side: Side) -> OrderRequest | None:
        """See the contract; all sides that are asked are asked the same."""
        if state.wanted is None or side not in state.active or legality.idle(state, side):
            return None
        return OrderRequest(state.wanted.turn, state.wanted.kind)

    def waiting_for(self, state: State) -> frozenset[Side]:
        """See the contract."""
        return frozenset() if state.wanted is None else frozenset(state.active)

    def parse_orders(self, data: object) -> Orders:
        """See the contract."""
        return orders.parse_orders(data)

    def read_text(self, state: State, side: Side, text: str) -> Written:
        """See the contract."""
        turn = state.wanted.turn if state.wanted else None
        rivals = [other for other in state.units if other != side]
        known = order_reading.Known(turn, rivals[0] if len(rivals) == 1 else None)
        return order_reading.read(order_paste.as_typed(text), known)

    def write_text(self, ordered: Orders, language: str) -> str:
        """See the contract."""
        return order_writing.write(orders.orders_json(ordered), language)

    def orders_json(self, ordered: Orders) -> Json:
        """See the contract."""
        return orders.orders_json(ordered)

    def nonce(self, ordered: Orders) -> bytes:
        """See the contract."""
        return orders.nonce(ordered)

    def with_nonce(self, ordered: Orders, nonce: bytes) -> Orders:
        """See the contract."""
        return orders.with_nonce(ordered, nonce)

    def check(self, state: State, side: Side, ordered: Orders) -> list[Violation]:
        """See the contract."""
        return legality.check(state, side, ordered)

    def default_orders(self, state: State, side: Side) -> Orders:
        """See the contract: full bins, no fire, no movement."""
        return legality.default_orders(state)

    def check_answer(self, state: State, side: Side, asked: Question, answer: Orders) -> list[Violation]:
        """See the contract."""
        return list(question.check_answer(state, asked, answer))

    def default_answer(self, state: State, side: Side, asked: Question) -> Orders:
        """See the contract: it stays down."""
        return question.default_answer(asked)

    def add_answer(self, ordered: Orders, answer: Orders) -> Orders:
        """See the contract."""
        return orders.add_answer(ordered, answer)

    def decide(self, state: State, ordered: Mapping[Side, Orders], dice: Dice) -> tuple[object, ...] | Asked:
        """See the contract."""
        return turn.decide(state, ordered, dice)

    def withheld(self, decided: tuple[object, ...]) -> tuple[str, ...]:
        """See the contract."""
        return turn.withheld(decided)

    def act(self, state: State, name: str, data: Json) -> tuple[object, ...]:
        """See the contract."""
        return rulings.act(state, name, data)

    def options(self, state: State, side: Side) -> Json:
        """See the contract."""
        return options.options(state, side)

    def preview(self, state: State, side: Side, ordered: Orders) -> Json:
        """See the contract."""
        return preview.preview(state, side, ordered)

    def view(self, state: State, viewer: Side | None) -> Json:
        """See the contract."""
        return view.view(state, viewer)

    def outcome(self, state: State) -> Outcome | None:
        """See the contract."""
        return outcome.outcome(state)

    def describe(self, event: Any, language: str, names: Mapping[Side, str] | None = None) -> str:
        """See the contract."""
        return log.describe(event, language, names)

    def words(self, language: str) -> Mapping[str, str]:
        """See the contract."""
        return log.words(language)


def build() -> BattleTech:
    """The engine for `solaris7/1`, with its tables read from the package."""
    return BattleTech()
