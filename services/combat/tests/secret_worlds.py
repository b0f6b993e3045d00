"""Worlds in memory that differ in something secret, and all that anybody who may not know it can look at.

A `Match` is a fight with its stored events. `seen` is everything that the API can show of it to everybody but
the sides that may know: pages, options, previews, refusals, the log, replays, public facts, and what acts
beside the orders would bring about.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from hmac import digest
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
from hall import scheduled

from solaris_combat.api import presentation
from solaris_combat.application.fights import Referee, terms_of
from solaris_combat.application.memory import FightMemory
from solaris_combat.application.publish import publisher
from solaris_combat.application.telling import PublicStep, tell, view_after
from solaris_combat.application.vault import Vault
from solaris_combat.domain.acts import take
from solaris_combat.domain.commitment import commitment
from solaris_combat.domain.events import ActTaken, AnswerAsked, Box, Opened, OrdersSealed
from solaris_combat.domain.fight import Fight, evolve
from solaris_combat.domain.opening import open_fight
from solaris_combat.domain.resolution import Questions, resolve
from solaris_combat.domain.sealing import check_orders
from solaris_combat.engines.battletech.engine import build
from solaris_combat.engines.battletech.lot import orders_by_lot
from solaris_combat.engines.canonical import canonical, plain
from solaris_combat.engines.contract import Question
from solaris_combat.engines.dice import Roll, SeededDice
from solaris_combat.engines.registry import Registry
from solaris_combat.foreign_events import FightScheduled
from solaris_shared.errors import SolarisError

ENGINE = build()
REGISTRY = Registry([ENGINE])
PAGE = Path(__file__).parents[3] / "docs/reference/orders.md"
FORMS = [
    {"turn": 0, **json.loads(twin)}
    for twin in re.findall(r"```orders\n.*?```\s+```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
]
"""One example of everything that can be ordered: those of the published page."""
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
FIGHT = "00000000-0000-4000-8000-000000000001"
SEED = b"\x07" * 32
PERSONS = {"A": "ana", "B": "ben", "C": "cai", "D": "dea"}
PRIVATE_ROLLS = ("trap", "mines", "number of traps", "column of a trap", "row of a trap")
"""Purposes of the rolls that nobody sees."""


@dataclass
class Match:
    """A fight and the events that made it."""

    events: list[Any] = field(default_factory=list)
    fight: Fight | None = None

    def take(self, events: Iterable[Any]) -> "Match":
        """The match after these events."""
        after = Match(list(self.events), self.fight)
        for event in events:
            after.events.append(event)
            after.fight = evolve(REGISTRY, after.fight, event)
        return after

    def resolved(self, orders: dict[str, Any]) -> tuple[Any, ...]:
        """The events of the present request with these orders; answers are the default ones."""
        sealed = {side: Opened(given, "", "") for side, given in orders.items()}
        result = resolve(replace(self.fight, expired=True), sealed, {}, SEED, NOON)
        assert not isinstance(result, Questions)
        return result.events


def make_referee(registry: Registry = REGISTRY) -> Referee:
    """A vault with the same keys in every run."""
    return Referee(registry, Vault("0123456789abcdef" * 4, Random(1).randbytes), FightMemory(registry))


def terms(models: Sequence[str], arena: str, fight_class: int) -> Any:
    """A fight as the league schedules it; more than two sides fight in the teams 1 and 2 by turns."""
    fact = scheduled(FIGHT, ruleset="solaris7/1", arena=arena, turns=8)
    seat, teams = fact["sides"][0], "1212" if len(models) > 2 else (None, None)
    fact["sides"] = [
        {
            **seat,
            "side": side,
            "person_id": PERSONS[side],
            "mechwarrior_id": f"mw-{side}",
            "name": f"Callsign {side}",
            "mech": {**seat["mech"], "instance_id": f"instance-{side}", "model": model},
            "team": team,
        }
        for side, model, team in zip("ABCD", models, teams, strict=False)
    ]
    fact |= {"class": fight_class, "referee": "eve"}
    return terms_of(msgspec.convert(fact, FightScheduled, strict=False))


@cache
def begun(models: tuple[str, ...], arena: str, fight_class: int, requests: int) -> Match:
    """A fight after so many resolved requests."""
    if requests == 0:
        opening = open_fight(REGISTRY, terms(models, arena, fight_class), SEED, Box("", "", ""), NOON)
        return Match().take(opening)
    before = begun(models, arena, fight_class, requests - 1)
    return before.take(before.resolved(chosen(before, bytes([requests]) * 32)))


def chosen(match: Match, seed: bytes) -> dict[str, Any]:
    """Legal orders of every side that is asked."""
    dice = SeededDice(seed)
    return {side: choose(match.fight, side, dice) for side in match.fight.request.sides}


def choose(fight: Fight, side: str, dice: SeededDice) -> Any:
    """Legal orders of one side, by lot from everything that may be ordered."""
    return ENGINE.orders_json(orders_by_lot(fight.game, side, dice))


def with_sealed(referee: Referee, match: Match, orders: Any, comment: str, side: str = "B") -> Match:
    """The match after a side sealed these orders with a comment, legal or not."""
    fight = match.fight
    place = f"fight-{fight.terms.fight_id}/{fight.request.turn}/{fight.request.kind}/{side}"
    salt = referee.vault.random(32)
    box = referee.vault.seal(place, {"orders": orders, "salt": salt.hex()})
    beside = referee.vault.seal(f"{place}/comment", comment) if comment else None
    hashed = commitment(salt, orders)
    request = fight.request
    return match.take([OrdersSealed(side, request.turn, request.kind, box, hashed, NOON, beside)])


def with_question(referee: Referee, match: Match, side: str = "B") -> Match:
    """The match after a side that has sealed was asked how it goes on after a fall."""
    request = match.fight.request
    question = Question(request.turn, "fall", {"hex": "0101"}, {"attempts": 2})
    place = f"fight-{match.fight.terms.fight_id}/{request.turn}/{request.kind}/{side}"
    box = referee.vault.seal(place, plain(question))
    return match.take([AnswerAsked(side, request.turn, request.kind, box, "0" * 64)])


def public(events: Iterable[Any]) -> list[Any]:
    """What the world learns of these events."""
    publish = publisher(REGISTRY)
    facts = [publish(event, f"fight-{FIGHT}") for event in events]
    return [[fact.type, fact.subject, plain(fact.data)] for fact in facts if fact is not None]


def seen(
    referee: Referee, match: Match, knowing: frozenset[str] = frozenset("B"), *, acts: bool = True
) -> bytes:
    """Everything that everybody can look at but the sides that know the secret, as bytes; `acts`: also what
    would follow from acts beside the orders."""
    fight = match.fight
    sides = [side for side in fight.terms.sides if side not in knowing]
    people = [*(PERSONS[side] for side in sides), "eve", "zoe", None]
    looks: list[Any] = [presentation.fight_json(referee, fight, person) for person in people]
    looks.append(presentation.comments_json(referee, fight, None))
    for side in sides:
        looks += _of_side(referee, fight, side)
    looks += [*_of_readers(match), *(_of_acts(referee, match, sides) if acts else ())]
    page = canonical(looks)
    return page if knowing else without_digest(page)


def same(one: bytes, other: bytes, place: Any) -> None:
    """AssertionError with what stands around the first byte that differs: a whole diff takes minutes."""
    if one == other:
        return
    at = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), len(one))
    around = slice(max(0, at - 80), at + 80)
    raise AssertionError(f"{place}: byte {at}: {one[around]!r} is not {other[around]!r}")


def without_digest(page: bytes) -> bytes:
    """A fight that ends opens its record, hidden things included: the record's digest may tell them apart."""
    return re.sub(rb'"record_digest":"[0-9a-f]*"', b'"record_digest":""', page)


def _of_side(referee: Referee, fight: Fight, side: str) -> list[Any]:
    """Options, own orders, and what a side hears of legal, late, foreign and unreadable ones."""
    offered = presentation.options_json(referee, fight, side)
    looks: list[Any] = [offered, presentation.own_orders_json(referee, fight, side)]
    looks.append(presentation.comments_json(referee, fight, side))
    if fight.request is None or side not in fight.request.sides:
        return looks
    legal = choose(fight, side, SeededDice(b"look".ljust(32)))
    looks.append(plain(ENGINE.preview(fight.game, side, ENGINE.parse_orders(legal))))
    for orders in (legal, {**legal, "turn": 99}, {"turn": legal["turn"], "odd": 1}, FORMS[4], 7):
        try:
            looks.append(check_orders(fight, side, orders, NOON))
        except SolarisError as refusal:
            looks.append([refusal.code, refusal.detail, plain(refusal.extra)])
    return looks


def _of_readers(match: Match) -> list[Any]:
    """The log in both languages, the last replay and every public fact."""
    facts = public(match.events)
    publish, stored, steps = publisher(REGISTRY), [], []
    names = {cls: name for name, cls in ENGINE.event_types.items()}
    for number, event in enumerate(match.events, 1):
        kind = names.get(type(event), type(event).__name__)
        stored.append(SimpleNamespace(event=event, version=number, type=kind, recorded_at=NOON))
        if publish(event, f"fight-{FIGHT}") is not None:
            steps.append(PublicStep(len(steps) + 1, stored[-1]))
    log = [list(tell(match.fight, steps, language)) for language in ("es", "en")]
    return [facts, log, view_after(REGISTRY, stored, steps, len(steps))]


def _of_acts(referee: Referee, match: Match, sides: Sequence[str]) -> list[Any]:
    """What the world would see of a surrender, a flight, a longer fight and a correction."""
    acts = [("yield", {"side": side, "how": how}) for side in sides for how in ("surrender", "flight")]
    acts.append(("lengthen", {"turns": 9}))
    acts.append(("correct", {"side": "B", "changes": {"heat": 3}, "reason": "why"}))
    looks: list[Any] = []
    for name, data in acts:
        try:
            events = take(match.fight, ActTaken(name, data, "", "eve", NOON), SEED, NOON)
        except SolarisError as refusal:
            looks.append([refusal.code, refusal.detail, plain(refusal.extra)])
            continue
        page = presentation.fight_json(referee, match.take(events).fight, None)
        looks.append([public(events), page])
    return looks


class TwoStreams:
    """The dice of a fight, with the rolls that nobody sees on a stream of their own.

    So two worlds whose secrets differ show the same faces in public until something shows. `pair` gives each
    pair of worlds rolls of its own.
    """

    pair = 0

    def __init__(self, key: bytes, position: int = 0) -> None:
        self.open = SeededDice(key, position)
        self.hidden = SeededDice(digest(key, b"%d" % self.pair, "sha256"))

    @property
    def position(self) -> int:
        """Bytes used of the public stream."""
        return self.open.position

    def roll(self, count: int, sides: int, purpose: str) -> Roll:
        """Next faces."""
        stream = self.hidden if purpose in PRIVATE_ROLLS else self.open
        return stream.roll(count, sides, purpose)
