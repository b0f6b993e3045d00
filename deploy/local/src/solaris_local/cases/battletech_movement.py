"""Cases of movement: steps one by one, and what can be reached.

The files name no mode. A step is a walk while a walk can go so far, else a run: both are played.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import Any

from solaris_combat.engines.battletech.board import Board
from solaris_combat.engines.battletech.hex import Hex, neighbour, turned
from solaris_combat.engines.battletech.jumping import follow_jump, usable_jump_mp
from solaris_combat.engines.battletech.mech import ARMS, Location, MechDesign, Slot
from solaris_combat.engines.battletech.mobility import jump_mp, run_mp, walk_mp
from solaris_combat.engines.battletech.modifiers import Modifier
from solaris_combat.engines.battletech.movement import (
    SKID_RULE,
    SKIDDING,
    Allowance,
    Check,
    Progress,
    Track,
    allowance,
    begin,
    follow,
    with_masc,
)
from solaris_combat.engines.battletech.piloting import PilotingNumber, piloting_number
from solaris_combat.engines.battletech.reach import jump_reach, run_reach, walk_reach
from solaris_combat.engines.battletech.unit import Unit, fresh_unit
from solaris_local.cases import agreement
from solaris_local.cases.agreement import NotBuilt
from solaris_local.cases.battletech_geometry import board_of_case
from solaris_local.cases.battletech_units import location_of

Row = Mapping[str, Any]

NOT_COUNTED = ("entered_swamp",)
"""Rolls that the files mark as `danger` and leave out of `piloting_checks` (README there, movement.jsonl)."""
_LIMB = {
    "leg": ("hip", "upper_leg", "lower_leg", "foot"),
    "arm": ("shoulder", "upper_arm", "lower_arm", "hand"),
}
_SLOTS = {
    Location.HD: ("life_support", "sensors", "cockpit", "empty", "sensors", "life_support"),
    Location.CT: (*("engine",) * 3, *("gyro",) * 4, *("engine",) * 3),
    Location.RT: (),
    Location.LT: (),
    Location.RA: _LIMB["arm"],
    Location.LA: _LIMB["arm"],
    Location.RL: _LIMB["leg"],
    Location.LL: _LIMB["leg"],
}
_STEPS = {"F": "F", "B": "B", "L": "L", "R": "R", "UP": "U", "SL": "Q", "SR": "E"}


def unit_of_case(facts: Row) -> Unit:
    """The unit of a movement scenario from its inlined facts, with its damage."""
    jets = {location_of(name): count for name, count in facts.get("jump_jets", {}).items()}
    layout = _SLOTS | (dict.fromkeys(ARMS, _LIMB["leg"]) if facts["quad"] else {})
    slots = {at: (*map(Slot, layout[at]), *(Slot("jump_jet"),) * jets.get(at, 0)) for at in Location}
    if facts.get("tsm"):
        slots[Location.RT] += (Slot("tsm"),) * 6
    design = MechDesign(
        model=facts["mech"],
        name=facts["mech"],
        tons=facts["tons"],
        walk=facts["walk"],
        jump=facts["jump"],
        heat_sinks=10,
        double_heat_sinks=False,
        engine="fusion",
        engine_rating=facts["tons"] * facts["walk"],
        armor={at: (1, 0) for at in Location},
        structure={at: 1 for at in Location},
        slots=slots,
        mounts=(),
        bins=(),
        quad=facts["quad"],
    )
    unit = fresh_unit("A", design, facts["gunnery"], facts["piloting"])
    return replace(
        unit,
        position=Hex.parse(facts["hex"]),
        facing=facts["facing"],
        prone=facts.get("prone", False),
        heat=facts.get("heat", 0),
        hits=_hits(slots, facts.get("damage", {}).get("criticals", ())),
    )


def _hits(slots: Mapping[Location, Sequence[Slot]], criticals: Sequence[Sequence[str]]) -> frozenset:
    hits: set[tuple[Location, int]] = set()
    for place, kind in criticals:
        at = location_of(place)
        numbers = (n for n, slot in enumerate(slots[at], 1) if slot.kind == kind and (at, n) not in hits)
        hits |= {(at, n) for n in islice(numbers, 1)}
    return frozenset(hits)


def _movement(row: Row) -> tuple[Any, Any]:
    given = row["input"]
    board, unit = board_of_case(given["board"]), unit_of_case(given["unit"])
    got = {"walk_mp": walk_mp(unit), "run_mp": run_mp(unit), "jump_mp": jump_mp(unit)}
    got["base_piloting"] = _roll(piloting_number(unit))
    allowed = allowance(unit)
    if "reach" in given:
        got |= _reach(board, unit, allowed, given["reach"])
    elif given["steps"][:1] == ["JUMP"]:
        got |= _jump(board, unit, allowed, given["steps"])
    else:
        masc = given["unit"].get("masc")
        got |= _ground(board, unit, with_masc(allowed) if masc else allowed, given["steps"])
    return agreement.pair(agreement.movement, got, row["result"])


def _ground(board: Board, unit: Unit, allowed: Allowance, steps: Sequence[str]) -> Row:
    """A walk or a run; who has moved on the ground cannot jump any more (movement.yaml cannot_combine)."""
    grounded = list(takewhile(lambda step: step != "JUMP", steps))
    if unknown := [step for step in grounded if step not in _STEPS]:
        raise NotBuilt(f"step {unknown[0]}")
    orders = [_STEPS[step] for step in grounded]
    walk, run = (follow(board, allowed, begin(board, unit, mode), orders) for mode in ("walk", "run"))
    best = run if len(run.taken) > len(walk.taken) else walk
    types = ["walk"] * len(walk.taken) + ["run"] * (len(best.taken) - len(walk.taken))
    illegal = best.violation is not None or len(grounded) < len(steps)
    if illegal:
        states = [_state(board, unit, _modeless(s), t) for s, t in zip(best.taken, types, strict=True)]
        states.append({"type": "illegal"})
    else:
        states = [_state(board, unit, s, t) for s, t in zip(best.taken, types, strict=True)]
    return {"steps": states, **_whole(unit, best, "illegal" if illegal else best.start.mode)}


def _modeless(state: Progress) -> Progress:
    """A path that is illegal as a whole is no run: nothing in it skids."""
    return replace(state, checks=tuple(check for check in state.checks if check.cause != SKIDDING))


def _state(board: Board, unit: Unit, state: Progress, kind: str) -> Row:
    return {
        "hex": str(board.hex_at(state.index)),
        "facing": state.facing,
        "type": kind,
        "mp": state.cost,
        "mp_total": state.mp,
        "elevation": board.floors[state.index] - board.levels[state.index],
        "hexes": state.hexes,
        "piloting_checks": [_check(unit, one) for one in state.checks if one.cause not in NOT_COUNTED],
    }


def _whole(unit: Unit, track: Track, kind: str) -> Row:
    return {
        "path_legal": kind != "illegal",
        "path_type": kind,
        "mp_used": track.end.mp,
        "hexes_moved": track.end.hexes,
        "end_piloting_checks": [_check(unit, check) for check in track.end_checks],
    }


def _check(unit: Unit, check: Check) -> Row:
    if check.modifier is None:
        return _roll(piloting_number(unit, check.cause))
    return _roll(piloting_number(unit, extra=(Modifier(check.modifier, check.cause, SKID_RULE),)))


def _roll(number: PilotingNumber) -> Row:
    return {
        "possible": not number.fails,
        "value": number.value,
        "modifiers": [(modifier.value, modifier.reason) for modifier in number.modifiers],
    }


def _reach(board: Board, unit: Unit, allowed: Allowance, mode: str) -> Row:
    """Forward and within the MP; running holds what can be walked to as well; a jump names no facings."""
    if mode == "jump":
        return {
            "max_mp": usable_jump_mp(board, unit, allowed),
            "cheapest_mp": _numbered(jump_reach(board, unit, allowed).cheapest()),
        }
    limit = allowed.run if mode == "run" else allowed.walk
    parts = [walk_reach(board, unit, allowed, backward=False)]
    if mode == "run" and allowed.run:
        parts.append(run_reach(board, unit, allowed))
    cheapest: dict[Hex, dict[int, int]] = {}
    for part in parts:
        for at, facings in part.by_facing().items():
            best = cheapest.setdefault(at, {})
            best.update({f: min(mp, best.get(f, mp)) for f, mp in facings.items() if mp <= limit})
    cheapest = {at: facings for at, facings in cheapest.items() if facings}
    return {
        "max_mp": limit,
        "cheapest_mp": _numbered({at: min(facings.values()) for at, facings in cheapest.items()}),
        "cheapest_mp_by_facing": _numbered(cheapest),
    }


def _numbered(by_hex: Mapping[Hex, Any]) -> Row:
    return {str(at): value for at, value in by_hex.items()}


def _jump(board: Board, unit: Unit, allowed: Allowance, steps: Sequence[str]) -> Row:
    path, facings, counts = [], [], []
    here, facing = unit.position, unit.facing
    for step in steps[1:]:
        if step == "F":
            here = neighbour(here, facing)
            path.append(here)
        elif step in ("L", "R"):
            facing = turned(facing, 1 if step == "R" else -1)
        else:
            raise NotBuilt(f"step {step} in a jump")
        facings.append(facing)
        counts.append(len(path))
    jump = follow_jump(board, unit, allowed, path)
    states = []
    for step, f, n in zip(steps, [unit.facing, *facings], [0, *counts], strict=True):
        if n > jump.mp or usable_jump_mp(board, unit, allowed) == 0:
            states.append({"type": "illegal"})
            break
        at = path[n - 1] if n else unit.position
        states.append(
            {
                "hex": str(at),
                "facing": f,
                "type": "jump",
                "mp": int(step == "F"),
                "mp_total": n,
                "elevation": board.ground(at).floor - board.ground(at).level,
                "hexes": n,
                "piloting_checks": [],
            }
        )
    legal = states[-1]["type"] == "jump"
    return {
        "steps": states,
        "path_legal": legal,
        "path_type": "jump" if legal else "illegal",
        "mp_used": jump.mp,
        "hexes_moved": jump.mp,
        "end_piloting_checks": [_check(unit, check) for check in jump.checks],
    }


KINDS = {"movement": _movement}
