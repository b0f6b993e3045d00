"""Movement on the ground, step by step: what a step costs, whether it is legal, which rolls it asks for.

The mode ("walk" or "run") is chosen before moving and stays. `begin`, then `advance` for each step: F
forward, B back, L and R turn, U stand up, D drop prone, Q, E, Z and C aside (four-legged 'Mechs only).
Nothing is rolled here: `advance` takes it that every roll succeeds, and who resolves a fall goes on from a
Progress with other fields. Jumps: `jumping`.
Source: BMRr movement; movement.yaml and psr.yaml, whose rows the functions name.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.buildings import ENTERED, LEFT, passage_modifier
from solaris_combat.engines.battletech.hex import DIRECTIONS, Hex, turned
from solaris_combat.engines.battletech.mobility import LEG_ACTUATORS, jump_mp, mp_on_foot
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, gyro_hits, immobile, kinds_hit, legs, legs_lost
from solaris_combat.engines.contract import Violation
from solaris_combat.engines.frozen import replace

_TABLE = table("movement")
COST: dict[str, int] = _TABLE["cost"]
MAX_LEVELS: int = _TABLE["limit"]["levels"]
MASC_RUN: int = _TABLE["masc"]["run"]
LATERAL_COST: int = _TABLE["lateral"]["cost"]
_SKID = [(row["hexes"], row["modifier"]) for row in _TABLE["skid"]]

RUNNING_ON_HIP_OR_GYRO = "run_with_damaged_hip_or_gyro"
LANDING_ON_LEG_OR_GYRO = "jump_with_damaged_gyro_or_leg_actuator"
LANDING_ON_LOST_LEG = "jump_with_destroyed_leg"
STANDING_UP = "stand_up"
CLOSED_RULE = "boards-format.md impassable; A, turrets"
SKIDDING = "running_turn_on_pavement"
SKID_RULE = "BMR, skidding (movement.yaml skid)"


@dataclass(frozen=True, slots=True)
class Check:
    """A piloting roll that a movement asks for: its cause (psr.yaml causes) and what that alone adds.

    `modifier` None: the figure of the cause in tables/piloting.toml.
    """

    cause: str
    modifier: int | None = None


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a unit may spend this turn, and what its damage asks for when it does. All in MP.

    `run` 0 = may not run. `hip_or_gyro_hurt` asks for a roll on running, `leg_or_gyro_hurt` on landing;
    `lateral`: it may step aside.
    """

    walk: int
    run: int
    jump: int
    can_stand_up: bool = True
    hip_or_gyro_hurt: bool = False
    leg_or_gyro_hurt: bool = False
    leg_lost: bool = False
    lateral: bool = False


def allowance(unit: Unit) -> Allowance:
    """The allowance of a unit as it is now; all 0 if it cannot move (movement.yaml mp, damage_effects)."""
    if immobile(unit):
        return Allowance(0, 0, 0, can_stand_up=False)
    gyro, gone = gyro_hits(unit), legs_lost(unit)
    walk, run = mp_on_foot(unit)
    hurt = [kind for leg in legs(unit.design) for kind in kinds_hit(unit, leg)] if unit.hits else []
    hips, others = hurt.count("hip"), sum(map(hurt.count, LEG_ACTUATORS))
    return Allowance(
        walk=walk,
        run=run,
        jump=jump_mp(unit),
        can_stand_up=gyro < 2 and gone < len(legs(unit.design)) - int(unit.design.quad),
        hip_or_gyro_hurt=gyro > 0 or hips > 0,
        leg_or_gyro_hurt=gyro > 0 or hips + others > 0,
        leg_lost=gone > 0,
        lateral=unit.design.quad and not gone,
    )


def with_masc(allowed: Allowance) -> Allowance:
    """The allowance of a 'Mech that uses its MASC (movement.yaml mp.masc_run)."""
    return replace(allowed, run=allowed.walk * MASC_RUN) if allowed.run else allowed


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a unit stands within its movement.

    `mp` spent so far, `cost` and `checks` of the last step, `hexes` entered (counted anew when it changes
    between forward and backward). `heading` is the facing with which it last entered a hex. `free_turns`
    while it has just stood up.
    """

    mode: str
    index: int
    facing: int
    heading: int
    prone: bool = False
    mp: int = 0
    cost: int = 0
    hexes: int = 0
    steps: int = 0
    backward: bool = False
    free_turns: bool = False
    entered_water: bool = False
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """A movement as far as it is legal: the state after each step, and the violation that ended it."""

    start: Progress
    taken: tuple[Progress, ...]
    end_checks: tuple[Check, ...]
    violation: Violation | None = None

    @property
    def end(self) -> Progress:
        """The state after the last legal step."""
        return self.taken[-1] if self.taken else self.start


def begin(board: Board, unit: Unit, mode: str) -> Progress:
    """The state before the first step."""
    return Progress(mode, board.index(unit.hex), unit.facing, unit.facing, unit.prone)


def follow(
    board: Board,
    allowed: Allowance,
    start: Progress,
    steps: Sequence[str],
    occupied: frozenset[Hex] = frozenset(),
) -> Track:
    """Play steps from a state; the pointer of a violation is the number of the step, from 0."""
    taken: list[Progress] = []
    here = start
    for number, step in enumerate(steps):
        after = advance(board, allowed, here, step, occupied)
        if isinstance(after, Violation):
            return Track(start, tuple(taken), end_checks(allowed, here), replace(after, pointer=f"/{number}"))
        taken.append(after)
        here = after
    return Track(start, tuple(taken), end_checks(allowed, here))


def end_checks(allowed: Allowance, end: Progress) -> tuple[Check, ...]:
    """Rolls at the end of a movement: running with a damaged hip or gyro (psr.yaml causes)."""
    ran = end.mode == "run" and end.steps > 0
    return (Check(RUNNING_ON_HIP_OR_GYRO),) if ran and allowed.hip_or_gyro_hurt else ()


def advance(
    board: Board, allowed: Allowance, here: Progress, step: str, occupied: frozenset[Hex] = frozenset()
) -> Progress | Violation:
    """The state after one more step, or why it is illegal. `occupied` hexes cannot be entered."""
    if here.mode == "run" and allowed.run == 0:
        return _no("cannot-run", "the unit may not run", "movement.yaml damage_effects")
    if here.mode == "run" and here.entered_water:
        return _no("water-ends-run", "a run ends in the water it entered", "movement.yaml mode.run")
    if step in ("L", "R"):
        return _turn(allowed, here, step)
    if step == "U":
        return _stand_up(allowed, here)
    if step == "D":
        return _drop(allowed, here)
    return _enter(board, allowed, here, step, occupied)


def _no(code: str, detail: str, rule: str) -> Violation:
    return Violation(code, detail, rule=rule)


def _limit(allowed: Allowance, mode: str) -> int:
    return allowed.run if mode == "run" else allowed.walk


def _spend(allowed: Allowance, here: Progress, cost: int, minimum: bool = False) -> Violation | None:
    """A violation if the MP do not suffice; `minimum`: this step is the one hex that is always allowed."""
    limit = _limit(allowed, here.mode)
    if here.mp + cost <= limit or (minimum and limit > 0):
        return None
    detail = f"{here.mp + cost} MP needed, {limit} there for mode {here.mode}"
    return _no("too-few-mp", detail, "movement.yaml mode")


def _turn(allowed: Allowance, here: Progress, step: str) -> Progress | Violation:
    """One hexside; free right after standing up, as a part of it: then nothing skids (stand_up.facing)."""
    facing = turned(here.facing, 1 if step == "R" else -1)
    if here.free_turns:
        return _moved(here, 0, facing=facing, heading=facing)
    cost = COST["facing"]
    return _spend(allowed, here, cost) or _moved(here, cost, facing=facing)


def _moved(here: Progress, cost: int, **changes: object) -> Progress:
    fields: dict[str, Any] = {
        "cost": cost,
        "mp": here.mp + cost,
        "steps": here.steps + 1,
        "checks": (),
        **changes,
    }
    return replace(here, **fields)


def stand_up_cost(allowed: Allowance) -> int:
    """MP of one attempt to stand up (movement.yaml actions.stand_up)."""
    return COST["stand_up_at_one_run" if max(allowed.run, allowed.walk) == 1 else "stand_up"]


def _stand_up(allowed: Allowance, here: Progress) -> Progress | Violation:
    """An attempt to stand up, taken to succeed (movement.yaml stand_up)."""
    if not here.prone:
        return _no("not-prone", "the unit stands", "movement.yaml stand_up")
    if not allowed.can_stand_up:
        return _no("cannot-stand-up", "gyro or both legs are gone", "movement.yaml stand_up")
    cost = stand_up_cost(allowed)
    checks = (Check(STANDING_UP),)
    return _spend(allowed, here, cost) or _moved(here, cost, prone=False, free_turns=True, checks=checks)


def _drop(allowed: Allowance, here: Progress) -> Progress | Violation:
    """Going prone on purpose: no roll, no damage (movement.yaml actions.drop_prone)."""
    if here.prone:
        return _no("already-prone", "the unit lies already", "movement.yaml actions")
    cost = COST["drop_prone"]
    return _spend(allowed, here, cost) or _moved(here, cost, prone=True, free_turns=False)


ASIDE = {"Q": -1, "E": 1, "Z": -2, "C": 2}
"""Hexsides off the facing of a quad's steps aside: ahead to the left, right, back to the left, right."""
BACKWARD = ("B", "Z", "C")


def way_of(step: str, facing: int) -> int:
    """The direction of a step that leaves the hex."""
    return turned(facing, 3 if step == "B" else ASIDE.get(step, 0))


def _enter(
    board: Board, allowed: Allowance, here: Progress, step: str, occupied: frozenset[Hex]
) -> Progress | Violation:
    """One hex forward, back or aside (movement.yaml terrain_cost_per_hex, level_change, sideways_step)."""
    back = step in BACKWARD
    if step in ASIDE and not allowed.lateral:
        return _no("no-lateral-steps", "only a 'Mech on four legs steps aside", "movement.yaml sideways_step")
    to = board.step(here.index, way_of(step, here.facing))
    refused = _cannot_enter(board, here, to, back, occupied)
    if refused:
        return refused
    cost = step_cost(board, here.index, to) + (LATERAL_COST if step in ASIDE else 0)
    minimum = here.steps == 0 and step == "F" and (here.mode == "run" or allowed.run == 0)
    return _spend(allowed, here, cost, minimum) or _moved(
        here,
        cost,
        index=to,
        heading=here.facing,
        hexes=here.hexes + 1 if back == here.backward else 1,
        backward=back,
        free_turns=False,
        entered_water=here.entered_water or into_water(board, here.index, to),
        checks=_entry_checks(board, here, to),
    )


def _cannot_enter(
    board: Board, here: Progress, to: int, back: bool, occupied: frozenset[Hex]
) -> Violation | None:
    levels = abs(board.floors[to] - board.floors[here.index])
    if here.prone:
        return _no("prone", "a prone unit cannot leave its hex", "movement.yaml prone")
    if board.grounds[to] is None:
        return _no("off-board", "the board ends there", "movement.yaml off_board")
    if to in board.closed:
        return _no("closed", f"nobody can enter {board.hex_at(to)}", CLOSED_RULE)
    if board.hex_at(to) in occupied:
        return _no("occupied", f"{board.hex_at(to)} is occupied", "movement.yaml stacking")
    if barred_by_roof(board, here.index, to):
        return _no("roof-to-building", "no way from a roof into a building is built", "BMR, buildings")
    if levels > MAX_LEVELS:
        return _no("too-steep", f"{levels} levels at once", "movement.yaml level_change.max_levels")
    if back and levels:
        return _no("back-on-level-only", "no level change backward", "movement.yaml backward.level_change")
    if back and here.mode == "run":
        return _no("no-running-back", "no running backward", "movement.yaml mode.run")
    if here.mode == "run" and here.steps > 0 and into_water(board, here.index, to):
        return _no("no-running-into-water", "water only as the first hex of a run", "movement.yaml mode.run")
    return None


def into_water(board: Board, start: int, to: int) -> bool:
    """Whether a step leads into deep enough water to end a run; along a road it does not."""
    return board.depths[to] > 0 and not along_road(board, start, to)


def step_cost(board: Board, start: int, to: int) -> int:
    """MP to go from a hex to an adjacent one: its terrain, and the levels between (movement.yaml)."""
    cost = board.ground_at(to).terrain.road_cost if along_road(board, start, to) else board.costs[to]
    return cost + COST["level"] * abs(board.floors[to] - board.floors[start])


def along_road(board: Board, start: int, to: int) -> bool:
    """Whether a step stays on a road or on pavement, which lead out of one hex and into the other.

    Then only the road counts, not the terrain it leads through (movement.yaml road).
    """
    if not board.roads:
        return False
    way = next(way for way in DIRECTIONS if board.step(start, way) == to)
    return bool(board.roads[start] >> way & 1 and board.roads[to] >> turned(way, 3) & 1)


def barred_by_roof(board: Board, start: int, to: int) -> bool:
    """Whether a step would lead from a roof into a building, or back on one: no such way is built."""
    return _on_roof(board, to) or (_on_roof(board, start) and board.ground_at(to).terrain.building)


def _on_roof(board: Board, index: int) -> bool:
    """Whether the floor of a building's hex is its roof, because its unit stands there."""
    ground = board.grounds[index]
    return ground is not None and ground.terrain.building and board.floors[index] == board.tops[index]


def _wall_checks(board: Board, here: Progress, to: int) -> tuple[Check, ...]:
    """Rolls for going through the walls of buildings, out of one and into the next (BMR, buildings).

    Within a building of several hexes there is no wall.
    """
    found = []
    if to in board.houses.get(here.index, ()):
        return ()
    for index, cause in ((here.index, LEFT), (to, ENTERED)):
        ground = board.ground_at(index)
        if ground.terrain.building and not _on_roof(board, index):
            found.append(Check(cause, passage_modifier(ground, here.hexes + 1)))
    return tuple(found)


def _entry_checks(board: Board, here: Progress, to: int) -> tuple[Check, ...]:
    """Rolls for entering a hex: for its terrain, and for skidding (psr.yaml causes, movement.yaml skid)."""
    causes = () if along_road(board, here.index, to) else board.ground_at(to).terrain.checks
    checks = (*map(Check, causes), *_wall_checks(board, here, to))
    paved = board.ground_at(here.index).terrain.paved
    if paved and here.mode == "run" and here.facing != here.heading:
        checks += (Check(SKIDDING, skid_modifier(here.hexes)),)
    return checks


def skid_modifier(hexes: int) -> int:
    """What the hexes moved add to a skid roll; the hex in which the 'Mech turned does not count."""
    return next(modifier for least, modifier in reversed(_SKID) if max(hexes - 1, 0) >= least)
