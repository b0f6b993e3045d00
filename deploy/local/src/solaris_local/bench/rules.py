"""How fast the BattleTech engine is: the CPU time of one core, spent by this one process.

Units, boards and the lines between hexes are prepared; no result is remembered. What is measured runs in
rounds; the best one counts, as what else runs on the machine can only slow a round down.
"""

import gc
import json
import os
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.catalogue import CATALOGUE
from solaris_combat.engines.battletech.hex import Hex
from solaris_combat.engines.battletech.line_of_sight import LineOfSight, line_of_sight
from solaris_combat.engines.battletech.movement import Allowance, allowance
from solaris_combat.engines.battletech.reach import run_reach
from solaris_combat.engines.battletech.to_hit import to_hit_number
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_combat.engines.frozen import replace
from solaris_local.bench import boards, match
from solaris_local.cases.battletech_attack import Scenario, scenario

CHECKOUT = Path(__file__).resolve().parents[5]
CASES = "cases/battletech/tohit.jsonl"
BOARDS, LINES, STARTS, FIGHTS = 20, 2_000, 400, 12
"""Boards, lines and starts that the rounds go over, and fights in a round."""


class CasesMissing(Exception):
    """The scenarios of a bench are not there; the text is one line for the user."""


def to_hit(seconds: float) -> dict[str, Any]:
    """Numbers to hit with their modifiers, on the scenarios of the case file; `with_lines`: lines counted."""
    scenarios = [scenario(json.loads(line)) for line in _case_lines()]
    lines = [_line(one) for one in scenarios]
    prepared = list(zip(scenarios, lines, strict=True))

    def numbers() -> None:
        for (attacker, target, mount, weapon, board, rank, aim), line in prepared:
            to_hit_number(attacker, target, mount, weapon, board, line, rank, aim)

    def with_lines() -> None:
        for one in scenarios:
            attacker, target, mount, weapon, board, rank, aim = one
            to_hit_number(attacker, target, mount, weapon, board, _line(one), rank, aim)

    rates = _rates(numbers, len(prepared), seconds)
    return {**rates, "with_lines": _rates(with_lines, len(prepared), seconds)["per_cpu_second"]}


def _line(one: Scenario) -> LineOfSight:
    attacker, target = one.attacker, one.target
    return line_of_sight(one.board, attacker.hex, target.hex, attacker.prone, target.prone)


def _case_lines() -> list[str]:
    shared = Path(os.environ.get("SOLARIS_SHARED", CHECKOUT.parent / "shared"))
    try:
        return (shared / CASES).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise CasesMissing(f"no scenarios: {error}; SOLARIS_SHARED names the folder") from error


class _Look(NamedTuple):
    board: Board
    attacker: Hex
    target: Hex


def los(seconds: float) -> dict[str, Any]:
    """Lines of sight between standing 'Mechs on boards drawn by lot, whatever the distance."""
    random = Random(1)
    fields = [boards.board(random) for _ in range(BOARDS)]
    looks = [_Look(field, *random.sample(field.hexes(), 2)) for field in random.choices(fields, k=LINES)]

    def lines() -> None:
        for board, attacker, target in looks:
            line_of_sight(board, attacker, target)

    return _rates(lines, len(looks), seconds)


def reach(seconds: float) -> dict[str, Any]:
    """Everything a run can reach, each hex with each facing and its cheapest MP, of models drawn by lot.

    `listed`: the sets spelled out hex by hex as well.
    """
    random = Random(2)
    fields = [boards.board(random) for _ in range(BOARDS)]
    starts = [_start(random, field) for field in random.choices(fields, k=STARTS)]

    def sets() -> None:
        for board, unit, allowed in starts:
            run_reach(board, unit, allowed)

    def listed() -> None:
        for board, unit, allowed in starts:
            run_reach(board, unit, allowed).by_facing()

    rates = _rates(sets, len(starts), seconds)
    return {**rates, "listed": _rates(listed, len(starts), seconds)["per_cpu_second"]}


def _start(random: Random, board: Board) -> tuple[Board, Unit, Allowance]:
    (model,) = boards.models(random, 1)
    unit = fresh_unit("A", CATALOGUE[model])
    unit = replace(unit, position=random.choice(board.hexes()), facing=random.randrange(6))
    return board, unit, allowance(unit)


def fight(seconds: float) -> dict[str, Any]:
    """Whole duels of pilots of level 0; what a submitted turn of a duel and of four against four costs."""
    numbers = range(FIGHTS)

    def fights() -> None:
        for number in numbers:
            match.played(number)

    rates = _rates(fights, len(numbers), seconds)
    duels = list(_turns(numbers, 2))
    macro = list(_turns(range(4), 8))
    return {**rates, "turn_p99_cpu_ms": _p99(duels), "macro_turn_p99_cpu_ms": _p99(macro)}


def _turns(numbers: Iterable[int], seats: int) -> Iterable[float]:
    """CPU milliseconds of each request carried out: orders in, events out, state after."""
    for number in numbers:
        one = match.drawn(number, seats)
        for orders in one:
            begun = time.process_time()
            one.carry_out(orders)
            yield (time.process_time() - begun) * 1000


def _p99(figures: Sequence[float]) -> float:
    return round(sorted(figures)[max(0, -(-99 * len(figures) // 100) - 1)], 2)


def _rates(work: Callable[[], None], count: int, seconds: float) -> dict[str, Any]:
    """How often a second the work's `count` things are done, over rounds of a CPU tenth of the time each."""
    work()
    gc.collect()
    gc.freeze()
    rounds: list[float] = []
    until = time.process_time() + seconds
    while not rounds or time.process_time() < until:
        rounds.append(count / _round(work, seconds / 20))
    gc.unfreeze()
    return {
        "per_cpu_second": round(max(rounds)),
        "median": round(statistics.median(rounds)),
        "rounds": len(rounds),
    }


def _round(work: Callable[[], None], least: float) -> float:
    """CPU seconds of one run of the work, as the mean of as many as fill a round."""
    begun, runs = time.process_time(), 0
    while runs == 0 or time.process_time() - begun < least:
        work()
        runs += 1
    return (time.process_time() - begun) / runs


BENCHES: dict[str, Callable[[float], dict[str, Any]]] = {
    "to-hit": to_hit,
    "los": los,
    "reach": reach,
    "fight": fight,
}
