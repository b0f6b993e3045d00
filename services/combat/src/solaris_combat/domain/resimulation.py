"""Playing the fight of a record again from its own lines: set-up, orders, answers and seed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import msgspec

from solaris_combat.domain.acts import take
from solaris_combat.domain.events import ActTaken, Box, Opened, OrdersOpened, Request, Seat, SidePlan, Terms
from solaris_combat.domain.fight import Fight, evolve
from solaris_combat.domain.opening import OFFLINE, open_fight
from solaris_combat.domain.resolution import Questions, question_digest, resolve
from solaris_combat.engines.contract import (
    OrdersInvalid,
    Question,
    Setup,
    SetupRefused,
    UnitSetup,
    Violation,
)
from solaris_combat.engines.registry import AnyEngine, Registry
from solaris_shared.errors import SolarisError

Line = dict[str, Any]
Check = Callable[[Any], list[Violation]]

HEADER: dict[str, type] = {
    "line": str,
    "format": str,
    "release": str,
    "dice": str,
    "fight": str,
    "ruleset": str,
    "ruleset_hash": str,
    "engine": int,
    "class": int,
    "arena": str,
    "turns": int,
    "sides": list,
    "seed_commitment": str,
}
OPTIONAL: Mapping[str, type] = {"teams": dict, "permanence": bool}
LOADOUT: Mapping[str, type] = {
    "line": str,
    "side": str,
    "name": str,
    "model": str,
    "gunnery": int,
    "piloting": int,
    "sheet": str,
}


class RecordRefused(Exception):
    """The record does not prove its fight; the message is one line and names the place."""


def play_again(lines: list[Line], registry: Registry) -> tuple[bytes, ...]:
    """The lines this record should have; RecordRefused where its fight cannot be played."""
    engine = _engine(lines[0], registry)
    alone = Registry([engine])
    seed = bytes.fromhex(lines[-2]["seed"])
    fight = _take(alone, None, _open(alone, lines, seed))
    for number, line in enumerate(lines, 1):
        if line["line"] == "orders":
            fight = _take(alone, fight, _resolve(fight, number, opened_orders(number, line), seed))
        elif line["line"] == "act":
            fight = _take(alone, fight, _act(fight, number, line, seed))
    return fight.lines


def _act(fight: Fight, number: int, line: Line, seed: bytes) -> tuple[object, ...]:
    """What follows from an act of the record."""
    if line.keys() != {"line", "name", "data"} or not isinstance(line["data"], dict):
        raise RecordRefused(f"line {number}: not a line of an act")
    try:
        return take(fight, ActTaken(line["name"], line["data"], "", "", None), seed, None)
    except SolarisError as refused:
        raise RecordRefused(f"line {number}: {refused.detail}") from None


def opened_orders(number: int, line: Line) -> OrdersOpened:
    """The event a line of orders stands for."""
    try:
        plans = [_plan(plan) for plan in line["sides"]]
        return msgspec.convert({"turn": line["turn"], "kind": line["kind"], "plans": plans}, OrdersOpened)
    except (KeyError, TypeError, msgspec.ValidationError):
        raise RecordRefused(f"line {number}: not a line of orders") from None


def _plan(plan: Line) -> Line:
    opened = {name: plan[name] for name in ("orders", "salt", "commitment")}
    return {"side": plan["side"], "opened": opened, "answers": plan["answers"]}


def _engine(header: Line, registry: Registry) -> AnyEngine:
    _expect_fields(1, header, HEADER | {name: kind for name, kind in OPTIONAL.items() if name in header})
    try:
        engine = registry.pinned(header["ruleset"], header["engine"])
    except SetupRefused as refused:
        raise RecordRefused(f"line 1: {refused}; the record is of release {header['release']!r}") from None
    if engine.ruleset_hash != header["ruleset_hash"]:
        raise RecordRefused("line 1: this release's ruleset has another content hash")
    return engine


def _expect_fields(number: int, line: Line, fields: Mapping[str, type]) -> None:
    if line.keys() != fields.keys():
        raise RecordRefused(f"line {number}: fields {sorted(line.keys() ^ fields.keys())} missing or unknown")
    for name, kind in fields.items():
        if type(line[name]) is not kind:
            raise RecordRefused(f"line {number}: {name} is not of type {kind.__name__}")


def _open(registry: Registry, lines: list[Line], seed: bytes) -> tuple[object, ...]:
    events = open_fight(registry, _terms(lines), seed, Box("", "", ""), None, release=lines[0]["release"])
    if len(events) == 1:
        violations: tuple[Violation, ...] = getattr(events[0], "violations", ())
        raise RecordRefused(f"line 1: this fight cannot be set up: {violations[0].detail}")
    return events


def _terms(lines: list[Line]) -> Terms:
    header = lines[0]
    units = tuple(_unit(number, line) for number, line in enumerate(lines, 1) if line["line"] == "loadout")
    teams = header.get("teams", {})
    if any(type(team) is not str for team in teams.values()):
        raise RecordRefused("line 1: a team is named by a text")
    setup = Setup(header["ruleset"], header["class"], header["arena"], header["turns"], units, teams)
    setup = replace(setup, permanence=header.get("permanence", False))
    return offline_terms(header["fight"], setup)


def offline_terms(fight_id: str, setup: Setup) -> Terms:
    """Terms of a fight nobody scheduled: every side is its own person, for no purse and without a clock."""
    seats = tuple(Seat(unit, unit.side, unit.side, unit.side, "organisers") for unit in setup.units)
    return Terms(fight_id, 0, OFFLINE, setup, seats, 0, None, {})


def _unit(number: int, line: Line) -> UnitSetup:
    _expect_fields(number, line, LOADOUT)
    return UnitSetup(line["side"], line["name"], line["model"], line["gunnery"], line["piloting"])


def _take(registry: Registry, fight: Fight | None, events: tuple[object, ...]) -> Fight:
    for event in events:
        fight = evolve(registry, fight, event)
    assert fight is not None
    return fight


def _resolve(fight: Fight, number: int, opened: OrdersOpened, seed: bytes) -> tuple[object, ...]:
    sides = tuple(plan.side for plan in opened.plans)
    if fight.request != Request(opened.turn, opened.kind, sides):
        raise RecordRefused(f"line {number}: these are not the orders the fight asks for next")
    sealed = {plan.side: _orders(fight, number, plan) for plan in opened.plans}
    left = {plan.side: list(plan.answers) for plan in opened.plans}
    answers: dict[tuple[str, str], Opened] = {}
    while isinstance(result := resolve(fight, sealed, answers, seed, None), Questions):
        for side, question in result.questions.items():
            answers[side, question_digest(seed, side, question)] = _answer(
                fight, number, side, question, left
            )
    return result.events


def _orders(fight: Fight, number: int, plan: SidePlan) -> Opened:
    engine = fight.playing
    if plan.opened.commitment:
        _legal(engine, number, plan.side, plan.opened, partial(engine.check, fight.game, plan.side))
    else:
        _default(engine, number, plan.side, plan.opened, engine.default_orders(fight.game, plan.side))
    return plan.opened


def _answer(
    fight: Fight, number: int, side: str, question: Question, left: Mapping[str, list[Opened]]
) -> Opened:
    if not left[side]:
        raise RecordRefused(f"line {number}: an answer of side {side} is missing")
    engine, answer = fight.playing, left[side].pop(0)
    if answer.commitment:
        _legal(engine, number, side, answer, partial(engine.check_answer, fight.game, side, question))
    else:
        _default(engine, number, side, answer, engine.default_answer(fight.game, side, question))
    return answer


def _legal(engine: AnyEngine, number: int, side: str, opened: Opened, check: Check) -> None:
    try:
        violations = tuple(check(engine.parse_orders(opened.orders)))
    except OrdersInvalid as invalid:
        violations = invalid.violations
    if violations:
        raise RecordRefused(f"line {number}: illegal orders of side {side}: {violations[0].detail}")


def _default(engine: AnyEngine, number: int, side: str, opened: Opened, default: Any) -> None:
    if opened.orders != engine.orders_json(default):
        raise RecordRefused(f"line {number}: side {side} committed to nothing; this is not the default")
