"""What the fight aggregate asks of a game, and nothing else.

An engine is a set of pure functions over its own frozen state, orders and events. The aggregate never looks
inside those: it carries orders as JSON, events as dataclasses named by `event_types`, views and options as
JSON objects. What crosses this border as JSON is built of dict, list, str, int, bool and None; no floats.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from solaris_combat.engines.dice import Dice

Side = str
Json = dict[str, Any]
Result = Literal["win", "draw", "loss"]

State = TypeVar("State")
Orders = TypeVar("Orders")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class UnitSetup:
    """One seat's unit as the schedule names it; `name` is the callsign shown in views and logs."""

    side: Side
    name: str
    model: str
    gunnery: int
    piloting: int


@dataclass(frozen=True, slots=True)
class Setup:
    """Terms of a fight; `fight_class` is the league's class (1 to 6), `turns` its length.

    `teams` names the team of each side; a side that it does not name is a team of its own. A
    fight for `permanence` goes on while it is level.
    """

    ruleset: str
    fight_class: int
    arena: str
    turns: int
    units: tuple[UnitSetup, ...]
    teams: Mapping[Side, str] = field(default_factory=dict)
    permanence: bool = False


@dataclass(frozen=True, slots=True)
class Violation:
    """Why orders or a set-up are refused.

    `code` is kebab-case and stable, `pointer` a JSON pointer into what was sent, `rule` a paragraph.
    """

    code: str
    detail: str
    pointer: str = ""
    rule: str = ""


class OrdersInvalid(Exception):
    """Orders do not have the form the ruleset prescribes."""

    def __init__(self, *violations: Violation) -> None:
        super().__init__("; ".join(one.detail for one in violations))
        self.violations = violations


class SetupRefused(Exception):
    """The set-up names something this ruleset does not know or does not play."""

    def __init__(self, *violations: Violation) -> None:
        super().__init__("; ".join(one.detail for one in violations))
        self.violations = violations


@dataclass(frozen=True, slots=True)
class Written:
    """Orders as JSON out of a text, and the special request to the referee that stood beside them."""

    orders: Json
    comment: str = ""


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """What a side must order for which turn; `kind` in the engine's words ("initial", "fire", ...)."""

    turn: int
    kind: str


@dataclass(frozen=True, slots=True)
class Question:
    """Something only one side must decide before its orders can be carried out, and only that side is told.

    `facts` says what happened, `options` what may be answered, both as JSON of the engine.
    """

    turn: int
    kind: str
    facts: Json = field(default_factory=dict)
    options: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """`decide` cannot go on without an answer. Nothing has happened yet: no event, no die used up."""

    questions: Mapping[Side, Question]


@dataclass(frozen=True, slots=True)
class SideOutcome:
    """How it ended for one side; `facts` are what other services need, merged into FightConcluded.

    BattleTech: "mech": {"damaged", "destroyed", "reason"}, "pilot": {"wounds", "conscious", "dead"}, "kills".
    """

    side: Side
    result: Result
    victory_points: int
    facts: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a fight: after which turn, by what ("turn-limit", "destruction", ...), and for whom how."""

    turns: int
    ended_by: str
    sides: tuple[SideOutcome, ...]


class Engine(Protocol[State, Orders, Event]):
    """A game. Only `decide` rolls; every event that rolled carries `rolls: tuple[Roll, ...]`.

    Each face stands in exactly one event, and over the list of events in drawing order.
    """

    ruleset: str
    """Id a fight pins, such as "solaris7/1"."""
    version: int
    """Raised by every change that would alter a golden record."""
    ruleset_hash: str
    """SHA-256 (hex) of the canonical ruleset and every table it uses."""
    event_types: Mapping[str, type]
    """Stored kebab-case name -> frozen dataclass of each engine event."""
    publish_names: Mapping[str, str]
    """Stored name -> public name of those engine events the world may see."""
    lengths: Mapping[str, str]
    """Stored name of each event that changes how long a fight lasts -> its field with the new last turn."""
    models: Mapping[str, Json]
    """Every unit model of the catalogue, as `GET /v1/mechs/{model}` shows it; `playable` False where every
    set-up refuses it (absent: it does not)."""
    arenas: Mapping[str, Json]
    """Every arena a set-up may name, as `GET /v1/arenas/{id}` shows it."""
    rules: Json
    """The ruleset as `GET /v1/rulesets/{id}` shows it: every switch with its mark."""

    def check_setup(self, setup: Setup) -> list[Violation]:
        """Everything wrong or not played about a set-up; empty when `open` would accept it."""
        ...

    def open(self, setup: Setup) -> tuple[Event, ...]:
        """First events; raises SetupRefused. No dice yet: their key needs the nonces in the first orders."""
        ...

    def evolve(self, state: State | None, event: Event) -> State:
        """Next state; None before the first event of `open`."""
        ...

    def request(self, state: State, side: Side) -> OrderRequest | None:
        """What `side` is asked to order now, or None: also for one that has nothing but the default to order,
        unless that holds for every side `decide` waits for."""
        ...

    def waiting_for(self, state: State) -> frozenset[Side]:
        """Sides whose orders the next `decide` needs; empty when the fight is over."""
        ...

    def parse_orders(self, data: object) -> Orders:
        """Orders, or an answer to a Question, from JSON; OrdersInvalid with pointers; knows no state."""
        ...

    def read_text(self, state: State, side: Side, text: str) -> Written:
        """Orders, or an answer, written as text; OrdersInvalid with line and column of what is not
        understood. The turn asked for and the only rival need not be named."""
        ...

    def write_text(self, orders: Orders, language: str) -> str:
        """The text ("es" or "en") of orders; read again it gives equal orders."""
        ...

    def orders_json(self, orders: Orders) -> Json:
        """Canonical JSON of orders; `parse_orders` of it gives equal orders."""
        ...

    def nonce(self, orders: Orders) -> bytes:
        """32 bytes a side contributes to the dice with its first orders; `NO_NONCE` where it gave none."""
        ...

    def with_nonce(self, orders: Orders, nonce: bytes) -> Orders:
        """First orders carrying this nonce (used off-line, where nonces derive from the seed)."""
        ...

    def check(self, state: State, side: Side, orders: Orders) -> list[Violation]:
        """What is illegal about these orders now; never looks at anything the rival has not shown."""
        ...

    def default_orders(self, state: State, side: Side) -> Orders:
        """What is carried out for a side that sent nothing in time."""
        ...

    def check_answer(self, state: State, side: Side, question: Question, answer: Orders) -> list[Violation]:
        """Whether this is a legal answer to the question."""
        ...

    def default_answer(self, state: State, side: Side, question: Question) -> Orders:
        """The answer of a side that did not answer in time."""
        ...

    def add_answer(self, orders: Orders, answer: Orders) -> Orders:
        """The side's orders with one more answer, for the next run of `decide`."""
        ...

    def decide(self, state: State, orders: Mapping[Side, Orders], dice: Dice) -> tuple[Event, ...] | Asked:
        """Carry out the orders of every side in `waiting_for`, all at once."""
        ...

    def withheld(self, events: tuple[Event, ...]) -> tuple[str, ...]:
        """Parts of the orders that `decide` set aside and asks for anew: the rival learns them from the
        record, when the fight is over."""
        ...

    def act(self, state: State, name: str, data: Json) -> tuple[Event, ...]:
        """What follows from an act beside the orders, without dice; OrdersInvalid where it is not allowed.

        "lengthen" {"turns"}: the length was agreed. "yield" {"side", "how": "surrender" or "flight"}: a side
        gives up. "correct" {"side", "changes", "reason"}: the referee puts right what stands wrong.
        """
        ...

    def options(self, state: State, side: Side) -> Json:
        """What `side` may order now, factored (hexes per mode, targets per weapon, ...)."""
        ...

    def preview(self, state: State, side: Side, orders: Orders) -> Json:
        """Costs, to-hit numbers and heat of orders, from what `side` may know; draws no dice."""
        ...

    def view(self, state: State, viewer: Side | None) -> Json:
        """The fight as `viewer` may see it (None: a spectator), built up from what he may see; `turns` is its
        length as it is now."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """How it ended, or None while it goes on."""
        ...

    def describe(self, event: Event, language: str, names: Mapping[Side, str] | None = None) -> str:
        """One readable sentence about an event ("es" or "en"); empty where there is nothing to say."""
        ...

    def words(self, language: str) -> Mapping[str, str]:
        """Name of every reason, place, part and weapon that views, options and events name by a key."""
        ...
