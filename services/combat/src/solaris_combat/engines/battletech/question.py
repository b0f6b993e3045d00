"""The questions of this ruleset: to a side whose unit fell while moving, and to one that a leap missed.

Does it stand up, how often, and how does it go on? To which hex does it step aside? Only that side is asked,
and it is told nothing but its own situation (R 4.6).
Source: R 4.6; movement.yaml stand_up; physical.yaml dfa.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from solaris_combat.engines.battletech.hex import Hex, internal_facing, league_facing
from solaris_combat.engines.battletech.loading import LOCKED
from solaris_combat.engines.battletech.movement import Allowance, Progress, follow, stand_up_cost
from solaris_combat.engines.battletech.orders import Orders, Recovery, WayOut
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.play import Play
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.contract import Question, Violation
from solaris_combat.engines.frozen import replace

Json = dict[str, Any]
RULE = "R 4.6"
STAND_UP = "stand_up"


def fallen_question(
    play: Play, side: str, here: Progress, allowed: Allowance, left: int, falls: int
) -> Question:
    """What the fallen side is asked; `left` steps of its order were not made, it is its `falls`-th fall."""
    unit = play.unit(side)
    number = piloting_number(unit, STAND_UP)
    limit = allowed.run if here.mode == "run" else allowed.walk
    cost = stand_up_cost(allowed)
    recovery: Json = {
        "hex": str(play.board.hex_at(here.index)),
        "facing": league_facing(here.facing),
        "mode": here.mode,
        "mp": {"used": here.mp, "left": limit - here.mp, "walk": allowed.walk, "run": allowed.run},
        "stand_up_mp": cost,
        "attempts_at_most": (limit - here.mp) // cost,
        "number": None if number.fails else number.value,
        "modifiers": [{"value": m.value, "reason": m.reason, "rule": m.rule} for m in number.modifiers],
    }
    facts = {"fall": falls, "hex": recovery["hex"], "steps_left_out": left}
    options = {"turn": play.turn, "kind": "fallen", "recovery": recovery}
    return Question(play.turn, "fallen", facts, options)


def way_out_question(play: Play, side: str, ways: Sequence[Hex]) -> Question:
    """What the target of a death from above that missed is asked; the first way leads straight away."""
    offered = [{"hex": str(hex_), "level": play.board.ground(hex_).level} for hex_ in ways]
    facts = {"hex": str(play.unit(side).hex)}
    return Question(play.turn, "way_out", facts, {"turn": play.turn, "kind": "way_out", "ways": offered})


def check_answer(state: State, question: Question, answer: Orders) -> Iterator[Violation]:
    """What is illegal about an answer: one hex of those offered, or a recovery that the MP left pay for."""
    if answer.turn != question.turn:
        detail = f"the question is about turn {question.turn}, not {answer.turn}"
        yield Violation("wrong-turn", detail, "/turn", RULE)
    if answer.initial is not None:
        yield LOCKED
    for part in ("fire", "movement"):
        if getattr(answer, part) is not None:
            yield Violation("part-not-asked", "only an answer is wanted now", f"/{part}", RULE)
    if len(answer.answers) != 1:
        yield Violation("one-answer", "one question takes one answer", "/answers", RULE)
        return
    given = answer.answers[0]
    if isinstance(given, WayOut) != (question.kind == "way_out"):
        yield Violation("other-question", f"asked is {question.kind}", "/answers/0", RULE)
    elif isinstance(given, WayOut):
        if str(given.hex) not in [way["hex"] for way in question.options["ways"]]:
            yield Violation("no-way-out", f"{given.hex} is none of the ways out", "/answers/0/hex", RULE)
    else:
        yield from _check_recovery(state, question.options["recovery"], given)


def _check_recovery(state: State, asked: Json, recovery: Recovery) -> Iterator[Violation]:
    if recovery.attempts > asked["attempts_at_most"]:
        detail = f"{asked['mp']['left']} MP are left for {asked['attempts_at_most']} attempts"
        yield Violation("too-many-attempts", detail, "/answers/0/attempts", RULE)
        return
    track = follow(state.board, _allowed(asked), _start(state, asked, recovery), recovery.steps)
    if track.violation:
        at = f"/answers/0/steps{track.violation.pointer}"
        yield replace(track.violation, pointer=at)


def _allowed(asked: Json) -> Allowance:
    return Allowance(asked["mp"]["walk"], asked["mp"]["run"], 0)


def _start(state: State, asked: Json, recovery: Recovery) -> Progress:
    """Where the steps begin: standing after the first attempt, or still lying if none is made."""
    facing = internal_facing(asked["facing"])
    index = state.board.index(Hex.parse(asked["hex"]))
    lying = Progress(asked["mode"], index, facing, facing, prone=True, mp=asked["mp"]["used"], steps=1)
    if not recovery.attempts:
        return lying
    return replace(lying, prone=False, free_turns=True, mp=lying.mp + asked["stand_up_mp"])


def default_answer(question: Question) -> Orders:
    """The answer of a side that gave none in time: it stays down, or goes straight away."""
    if question.kind == "way_out":
        return Orders(question.turn, answers=(WayOut(Hex.parse(question.options["ways"][0]["hex"])),))
    return Orders(question.turn, answers=(Recovery(),))
