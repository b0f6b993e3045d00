"""Ropes: a small complete game, so the fight aggregate is tested without a rule of BattleTech.

Two throwers have breath. Turn 0: each draws a lot. Every turn each throws one to three dice, every die after
the first for a breath; the higher total takes a point. Equal dice tangle: the thrower, and only he, is asked
whether he pulls (a breath, the throw counts) or lets go (it does not). The leader after the last turn wins.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from solaris_combat.engines.canonical import canonical, sha256
from solaris_combat.engines.contract import (
    Asked,
    OrderRequest,
    OrdersInvalid,
    Outcome,
    Question,
    SetupRefused,
    SideOutcome,
    Violation,
    Written,
)
from solaris_combat.engines.dice import NO_NONCE, Roll

BREATH = 8
RULES = {"id": "ropes/1", "breath": BREATH, "most_dice": 3}


@dataclass(frozen=True, slots=True)
class MatchBegan:
    throwers: tuple[str, ...]
    names: tuple[str, ...]
    turns: int


@dataclass(frozen=True, slots=True)
class LotDrawn:
    side: str
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class RopeThrown:
    side: str
    turn: int
    cry: str
    breath: int
    counts: bool
    rolls: tuple[Roll, ...]


@dataclass(frozen=True, slots=True)
class TurnScored:
    turn: int
    winner: str


@dataclass(frozen=True, slots=True)
class Orders:
    turn: int
    nonce: bytes = NO_NONCE
    dice: int = 0
    cry: str = ""
    answers: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Match:
    sides: tuple[str, ...]
    names: tuple[str, ...]
    turns: int
    turn: int = 0
    breath: dict = field(default_factory=dict)
    points: dict = field(default_factory=dict)
    lots: dict = field(default_factory=dict)
    dropped: str = ""


@dataclass(frozen=True, slots=True)
class MatchProlonged:
    turns: int


@dataclass(frozen=True, slots=True)
class RopeDropped:
    side: str


@dataclass(frozen=True, slots=True)
class BreathCorrected:
    side: str
    breath: int
    reason: str


EVENTS = {
    "match-prolonged": MatchProlonged,
    "rope-dropped": RopeDropped,
    "breath-corrected": BreathCorrected,
    "match-began": MatchBegan,
    "lot-drawn": LotDrawn,
    "rope-thrown": RopeThrown,
    "turn-scored": TurnScored,
}


@dataclass(frozen=True)
class Ropes:
    ruleset: str = "ropes/1"
    version: int = 1
    ruleset_hash: str = sha256(canonical(RULES))
    event_types: Mapping = field(default_factory=lambda: EVENTS)
    publish_names: Mapping = field(default_factory=lambda: {name: name for name in EVENTS})
    lengths: Mapping = field(default_factory=lambda: {"match-prolonged": "turns"})
    models: Mapping = field(default_factory=lambda: {"hemp": {"model": "hemp"}, "silk": {"model": "silk"}})
    arenas: Mapping = field(default_factory=lambda: {"quay": {"id": "quay"}})
    rules: Mapping = field(default_factory=lambda: RULES)

    def check_setup(self, setup):
        found = [
            Violation("unknown-model", f"no model {unit.model!r}", f"/sides/{number}/model")
            for number, unit in enumerate(setup.units)
            if unit.model not in self.models
        ]
        if setup.arena not in self.arenas:
            found.append(Violation("unknown-arena", f"no arena {setup.arena!r}", "/arena"))
        return found

    def open(self, setup):
        if found := self.check_setup(setup):
            raise SetupRefused(*found)
        sides = tuple(unit.side for unit in setup.units)
        return (MatchBegan(sides, tuple(unit.name for unit in setup.units), setup.turns),)

    def evolve(self, state, event):
        match event:
            case MatchBegan():
                breath = dict.fromkeys(event.throwers, BREATH)
                return Match(
                    event.throwers,
                    event.names,
                    event.turns,
                    breath=breath,
                    points=dict.fromkeys(event.throwers, 0),
                )
            case LotDrawn():
                lots = {**state.lots, event.side: event.rolls[0].total}
                return replace(state, lots=lots, turn=1 if len(lots) == len(state.sides) else 0)
            case RopeThrown():
                return replace(state, breath={**state.breath, event.side: event.breath})
            case MatchProlonged():
                return replace(state, turns=event.turns)
            case RopeDropped():
                return replace(state, dropped=event.side)
            case BreathCorrected():
                return replace(state, breath={**state.breath, event.side: event.breath})
            case TurnScored():
                points = dict(state.points)
                if event.winner:
                    points[event.winner] += 1
                return replace(state, points=points, turn=state.turn + 1)
        raise TypeError(type(event))

    def request(self, state, side):
        if state.turn > state.turns:
            return None
        return OrderRequest(state.turn, "throw" if state.turn else "initial")

    def waiting_for(self, state):
        return frozenset(state.sides if state.turn <= state.turns and not state.dropped else ())

    def parse_orders(self, data):
        if not isinstance(data, dict) or not isinstance(data.get("turn"), int):
            raise OrdersInvalid(Violation("turn-missing", "orders name their turn", "/turn"))
        turn, rest = data["turn"], {key: value for key, value in data.items() if key != "turn"}
        match rest:
            case {"initial": {"nonce": str(text)}} if len(rest) == 1 and len(text) == 64:
                return Orders(turn, nonce=bytes.fromhex(text))
            case {"throw": {"dice": int(dice), **more}} if len(rest) == 1 and set(more) <= {"cry"}:
                return Orders(turn, dice=dice, cry=str(more.get("cry", ""))[:80])
            case {"answers": [bool(pull)]} if len(rest) == 1:
                return Orders(turn, answers=(pull,))
        raise OrdersInvalid(Violation("unknown-form", "neither initial, throw nor answers", ""))

    def orders_json(self, orders):
        if orders.answers:
            return {"turn": orders.turn, "answers": list(orders.answers)}
        if orders.dice:
            return {"turn": orders.turn, "throw": {"dice": orders.dice, "cry": orders.cry}}
        return {"turn": orders.turn, "initial": {"nonce": orders.nonce.hex()}}

    def read_text(self, state, side, text):
        word, _, rest = text.partition(" ")
        forms = {"throw": lambda: {"throw": {"dice": int(rest)}}, "lot": lambda: {"initial": {"nonce": rest}}}
        forms |= {"pull": lambda: {"answers": [True]}, "let": lambda: {"answers": [False]}}
        if word not in forms:
            raise OrdersInvalid(Violation("text-not-understood", "line 1, column 1: ?", "/text"))
        return Written({"turn": state.turn, **forms[word]()})

    def write_text(self, orders, language):
        if orders.answers:
            return "pull" if orders.answers[0] else "let go"
        return f"throw {orders.dice}" if orders.dice else f"lot {orders.nonce.hex()}"

    def nonce(self, orders):
        return orders.nonce

    def with_nonce(self, orders, nonce):
        return replace(orders, nonce=nonce)

    def check(self, state, side, orders):
        if orders.turn != state.turn or orders.answers or bool(orders.dice) != bool(state.turn):
            return [Violation("wrong-turn", f"asked for turn {state.turn}", "/turn")]
        if state.turn and not 1 <= orders.dice <= min(3, state.breath[side] + 1):
            return [Violation("no-breath", "not that many dice", "/throw/dice", "Ropes 2")]
        return []

    def default_orders(self, state, side):
        return Orders(state.turn, dice=1 if state.turn else 0)

    def check_answer(self, state, side, question, answer):
        if len(answer.answers) != 1 or answer.turn != question.turn:
            return [Violation("no-answer", "answer true or false", "/answers")]
        return []

    def default_answer(self, state, side, question):
        return Orders(question.turn, answers=(False,))

    def add_answer(self, orders, answer):
        return replace(orders, answers=orders.answers + answer.answers)

    def decide(self, state, orders, dice):
        if state.turn == 0:
            return tuple(LotDrawn(side, (dice.roll(1, 6, "lot"),)) for side in state.sides)
        thrown, questions = [], {}
        for side in state.sides:
            event = self._throw(state, side, orders[side], dice)
            if isinstance(event, Question):
                questions[side] = event
            else:
                thrown.append(event)
        if questions:
            return Asked(questions)
        totals = {event.side: event.rolls[0].total if event.counts else 0 for event in thrown}
        best = max(totals.values())
        winners = [side for side, total in totals.items() if total == best]
        return (*thrown, TurnScored(state.turn, winners[0] if len(winners) == 1 else ""))

    def _throw(self, state, side, orders, dice):
        roll = dice.roll(orders.dice, 6, f"throw of {side}")
        breath = state.breath[side] - (orders.dice - 1)
        tangled = len(set(roll.faces)) < len(roll.faces)
        if tangled and not orders.answers:
            return Question(state.turn, "tangled", {"faces": list(roll.faces)}, {"answers": [True, False]})
        pulled = tangled and orders.answers[0]
        breath = max(0, breath - 1) if pulled else breath
        return RopeThrown(side, state.turn, orders.cry, breath, pulled or not tangled, (roll,))

    def withheld(self, events):
        return ()

    def act(self, state, name, data):
        if name == "lengthen" and state.turns < data["turns"] <= 9:
            return (MatchProlonged(data["turns"]),)
        if name == "yield" and data["side"] in state.sides:
            return (RopeDropped(data["side"]),)
        if name == "correct" and data["changes"].keys() == {"breath"}:
            return (BreathCorrected(data["side"], data["changes"]["breath"], data["reason"]),)
        raise OrdersInvalid(Violation("act-unknown", "no such act", "/name"))

    def options(self, state, side):
        return {"dice": list(range(1, min(3, state.breath[side] + 1) + 1))} if state.turn else {"nonce": 64}

    def preview(self, state, side, orders):
        return {"breath": state.breath[side] - max(0, orders.dice - 1)}

    def view(self, state, viewer):
        return {
            "turn": state.turn,
            "turns": state.turns,
            "breath": dict(state.breath),
            "points": dict(state.points),
        }

    def outcome(self, state):
        if state.turn <= state.turns and not state.dropped:
            return None
        best = max(state.points.values())
        leaders = [side for side, points in state.points.items() if points == best]

        def result(side):
            if state.dropped:
                return "loss" if side == state.dropped else "win"
            return "loss" if side not in leaders else "win" if len(leaders) == 1 else "draw"

        sides = tuple(
            SideOutcome(
                side,
                result(side),
                state.points[side],
                {"mech": {"damaged": state.breath[side] < BREATH, "destroyed": False}, "kills": 0},
            )
            for side in state.sides
        )
        return Outcome(state.turns, "turn-limit", sides)

    def describe(self, event, language, names=None):
        return type(event).__name__

    def words(self, language):
        return {"rope": {"es": "cuerda", "en": "rope"}[language]}
