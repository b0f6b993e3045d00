"""A movement on the ground carried out step by step, with its rolls, falls and attempts to stand up.

Source: BMR movement, piloting rolls; movement.yaml stand_up, psr.yaml when_checked, location_after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from solaris_combat.engines.battletech import events
from solaris_combat.engines.battletech.arrival import arrive
from solaris_combat.engines.battletech.buildings import CAUSES as THROUGH_WALLS
from solaris_combat.engines.battletech.buildings import ENTERED
from solaris_combat.engines.battletech.getting_stuck import gets_free, sinks_in
from solaris_combat.engines.battletech.hex import Hex, league_facing
from solaris_combat.engines.battletech.hex_way import letters
from solaris_combat.engines.battletech.injury import fall, roll_piloting
from solaris_combat.engines.battletech.mires import CAUSES
from solaris_combat.engines.battletech.movement import (
    SKIDDING,
    Allowance,
    Check,
    Progress,
    advance,
    allowance,
    begin,
    end_checks,
    stand_up_cost,
    with_masc,
)
from solaris_combat.engines.battletech.myomer import masc_works
from solaris_combat.engines.battletech.orders import Movement, Recovery, WayOut
from solaris_combat.engines.battletech.piloting import piloting_number
from solaris_combat.engines.battletech.play import AnswerNeeded, Play
from solaris_combat.engines.battletech.question import fallen_question
from solaris_combat.engines.battletech.skid import holds_the_road, slide
from solaris_combat.engines.battletech.unit import immobile
from solaris_combat.engines.battletech.walls_passed import pass_wall
from solaris_combat.engines.battletech.way import allowed_for, ground_mode
from solaris_combat.engines.contract import Violation
from solaris_combat.engines.frozen import replace

STAND_UP = "stand_up"


@dataclass(frozen=True, slots=True)
class Bars:
    """Hexes closed to a unit: those of `way` cannot be entered (`reason` says why), in those of `rest` nobody
    may fall, and those of `late` are closed to one who goes on after a fall."""

    way: frozenset[Hex] = frozenset()
    rest: frozenset[Hex] = frozenset()
    late: frozenset[Hex] = frozenset()
    reason: str = "occupied"


@dataclass(slots=True)
class Walk:
    """One side's movement in progress: what is still to do, where it stands, where it has been."""

    side: str
    mode: str
    todo: list[str]
    here: Progress
    allowed: Allowance
    bars: Bars
    recoveries: list[Recovery]
    track: list[Hex]
    segment: list[events.Stepped] = field(default_factory=list)
    start: Hex | None = None
    falls: int = 0

    @classmethod
    def of(
        cls, play: Play, side: str, move: Movement, answers: Sequence[Recovery | WayOut], bars: Bars
    ) -> Walk:
        """The movement of a side before its first step."""
        unit = play.unit(side)
        assert unit.position is not None
        allowed = allowed_for(unit, move)
        mode = ground_mode(allowed, move.mode if move.mode != "jump" else "walk")
        answered = [answer for answer in answers if isinstance(answer, Recovery)]
        recoveries = [*([move.if_fallen] if move.if_fallen else []), *answered]
        begun = begin(play.board, unit, mode)
        return cls(side, mode, list(letters(unit, move)), begun, allowed, bars, recoveries, [unit.position])

    @property
    def limit(self) -> int:
        """Movement points of the mode."""
        return {"run": self.allowed.run, "walk": self.allowed.walk}.get(self.mode, 0)

    @property
    def closed(self) -> frozenset[Hex]:
        """Hexes it cannot enter now."""
        return self.bars.way | self.bars.rest | self.bars.late if self.falls else self.bars.way


def walk(play: Play, going: Walk) -> tuple[Hex, ...]:
    """Carry out a movement; the hexes the unit was in, in order."""
    if going.limit == 0 or not going.todo:
        _close(play, going, "not-able" if going.todo else "")
        return tuple(going.track)
    if not gets_free(play, going.side, ordered=bool(going.todo)):
        _close(play, going, "stuck")
        return tuple(going.track)
    _go(play, going)
    checks = end_checks(going.allowed, going.here) if not going.here.prone else ()
    for check in checks:
        if not _passes(play, going, check):
            _tumble(play, going, check, None)
            _go(play, going)
            break
    return tuple(going.track)


def _go(play: Play, going: Walk) -> None:
    """Do what is left to do, step by step; a fall on the way changes what that is."""
    while going.todo:
        step = going.todo.pop(0)
        if step != "U":
            _step(play, going, step)
        elif going.here.prone:
            _try_to_stand(play, going)
    _close(play, going, "")


def _step(play: Play, going: Walk, step: str) -> None:
    """One step with its rolls; a step that is not possible ends the movement."""
    after = advance(play.board, going.allowed, going.here, step, going.closed)
    if isinstance(after, Violation):
        going.todo.insert(0, step)
        _close(play, going, _why(going, after))
        going.todo.clear()
        return
    before = play.board.hex_at(going.here.index)
    skid = next((check for check in after.checks if check.cause == SKIDDING), None)
    if skid is not None and _skids(play, going, skid):
        return
    _take(play, going, step, after)
    if step == "D":
        _close(play, going, "", more=True)
        play.emit(events.WentProne(play.turn, going.side, str(before)))
    for check in after.checks:
        if check is skid:
            continue
        _close(play, going, "", more=True)
        if check.cause in THROUGH_WALLS:
            through = after.index if check.cause == ENTERED else play.board.index(before)
            pass_wall(play, going.side, through, check)
        elif check.cause in CAUSES:
            _wade(play, going, check.cause)
        elif not _passes(play, going, check):
            _tumble(play, going, check, before)
            return
    if play.board.hex_at(after.index) != before:
        _come_into(play, going, after.index)


def _skids(play: Play, going: Walk, check: Check) -> bool:
    """The roll after a turn at a run on pavement; who fails slides on and ends his movement."""
    _close(play, going, "", more=True)
    if holds_the_road(play, going.side, check):
        return False
    going.track += slide(play, going.side, going.here.heading, going.here.hexes)
    _lie(play, going)
    going.todo.clear()
    return True


def _wade(play: Play, going: Walk, cause: str) -> None:
    """A roll against getting stuck: who does goes no further."""
    if sinks_in(play, going.side, cause, play.board.hex_at(going.here.index)):
        _close(play, going, "stuck")
        going.todo.clear()


def _come_into(play: Play, going: Walk, index: int) -> None:
    """The ground of the hex entered: hidden things, mines, walls; it may end the movement or the 'Mech."""
    terrain = play.board.ground_at(index).terrain
    fell = arrive(play, going.side, play.board.hex_at(index), lambda: _close(play, going, "", more=True))
    if fell:
        _lie(play, going)
        _ask(play, going)
        return
    if play.board.ground_at(index).terrain.mire and not terrain.mire:
        cause = next(cause for cause in play.board.ground_at(index).terrain.checks if cause in CAUSES)
        _wade(play, going, cause)
    if immobile(play.unit(going.side)):
        _close(play, going, "not-able" if going.todo else "", more=True)
        going.todo.clear()


def _why(going: Walk, refused: Violation) -> str:
    if refused.code == "occupied":
        return going.bars.reason
    return "movement-points" if refused.code == "too-few-mp" else "not-possible"


def _take(play: Play, going: Walk, step: str, after: Progress) -> None:
    """The step is made: note it for the next event."""
    if going.start is None:
        going.start = play.board.hex_at(going.here.index)
    place = play.board.hex_at(after.index)
    going.segment.append(events.Stepped(step, str(place), league_facing(after.facing), after.cost))
    going.here = after
    going.track.append(place)


def _close(play: Play, going: Walk, stopped: str, *, more: bool = False) -> None:
    """Tell the stretch walked since the last event; nothing if there is none and it was told before."""
    begun = going.here.steps > 0
    if not going.segment and not stopped and (more or begun):
        return
    place = play.board.hex_at(going.here.index)
    play.emit(
        events.UnitMoved(
            turn=play.turn,
            side=going.side,
            mode=going.mode if begun else "stand",
            start=str(going.start or place),
            steps=tuple(going.segment),
            hex=str(place),
            facing=league_facing(going.here.facing),
            hexes=going.here.hexes,
            mp=going.here.mp,
            mp_available=going.limit,
            stopped=stopped,
            left_out=len(going.todo) if stopped else 0,
            roof=play.unit(going.side).roof and play.unit(going.side).position == place,
        )
    )
    going.segment.clear()
    going.start = None


def _passes(play: Play, going: Walk, check: Check) -> bool:
    unit = play.unit(going.side)
    return roll_piloting(play, unit, check.cause, piloting_number(unit, check.cause))


def _tumble(play: Play, going: Walk, check: Check, before: Hex | None) -> None:
    """The unit falls in the hex it is entering, or in the one before if the rival is there; then it is asked.

    It falls as many levels as it was going down (psr.yaml location_after).
    """
    place = play.board.hex_at(going.here.index)
    levels = _levels_down(play, before, place)
    if before is not None and place in going.bars.rest:
        place, levels = before, 0
        going.track.append(before)
    fall(play, going.side, (check.cause,), levels, place)
    _lie(play, going)
    _ask(play, going)


def _levels_down(play: Play, before: Hex | None, place: Hex) -> int:
    if before is None:
        return 0
    floors = play.board.floors
    return max(floors[play.board.index(before)] - floors[play.board.index(place)], 0)


def _lie(play: Play, going: Walk) -> None:
    """Go on from where the unit lies; damage of the fall may have changed what it can do."""
    unit = play.unit(going.side)
    assert unit.position is not None
    going.falls += 1
    going.allowed = with_masc(allowance(unit)) if unit.moved.masc and masc_works(unit) else allowance(unit)
    index = play.board.index(unit.position)
    going.here = replace(going.here, index=index, facing=unit.facing, prone=True, checks=(), free_turns=False)


def _ask(play: Play, going: Walk) -> None:
    """What now? As ordered in advance, as answered, or the question goes out to this side alone."""
    left = len(going.todo)
    going.todo.clear()
    if not can_stand_up(going):
        return
    if not going.recoveries:
        asked = fallen_question(play, going.side, going.here, going.allowed, left, going.falls)
        raise AnswerNeeded(going.side, asked)
    recovery = going.recoveries.pop(0)
    going.todo += ["U"] * recovery.attempts
    going.todo += recovery.steps


def can_stand_up(going: Walk) -> bool:
    """Whether an attempt to stand up is possible and paid for."""
    enough = going.here.mp + stand_up_cost(going.allowed) <= going.limit
    return going.allowed.can_stand_up and going.limit > 0 and enough


def _try_to_stand(play: Play, going: Walk) -> None:
    """One attempt; on failure the unit falls again and tries as often as was ordered."""
    if not can_stand_up(going):
        _close(play, going, "movement-points")
        going.todo.clear()
        return
    _close(play, going, "", more=True)
    cost = stand_up_cost(going.allowed)
    going.here = replace(going.here, mp=going.here.mp + cost, steps=going.here.steps + 1)
    play.emit(events.StandUpAttempted(play.turn, going.side, going.mode, cost, going.here.mp))
    unit = play.unit(going.side)
    if roll_piloting(play, unit, STAND_UP, piloting_number(unit, STAND_UP)):
        play.emit(events.UnitStoodUp(play.turn, going.side, str(unit.position)))
        going.here = replace(going.here, prone=False, free_turns=True)
        return
    fall(play, going.side, (STAND_UP,))
    _lie(play, going)
    if "U" not in going.todo[:1]:
        going.todo.clear()
