"""What orders would cost and need, from what their side may know; no dice, and no word about the rival's."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from solaris_combat.engines.battletech.anti_missile import systems
from solaris_combat.engines.battletech.blows_at_ground import is_hex
from solaris_combat.engines.battletech.declaration import (
    declared_shots,
    number_of,
    posed,
    target_of,
    weapon_fired,
)
from solaris_combat.engines.battletech.ejection import ordered_number
from solaris_combat.engines.battletech.events import DeclaredShot
from solaris_combat.engines.battletech.hex import league_facing
from solaris_combat.engines.battletech.jumping import chosen_route, follow_jump, usable_jump_mp
from solaris_combat.engines.battletech.legality import check, unit_after_fire
from solaris_combat.engines.battletech.loading import loadout, special_loads
from solaris_combat.engines.battletech.myomer import masc_number
from solaris_combat.engines.battletech.options import heat_after, known_heat
from solaris_combat.engines.battletech.orders import Fire, Initial, Movement, Orders, Strike
from solaris_combat.engines.battletech.physical import damage
from solaris_combat.engines.battletech.physical_legality import blow_number, blow_of
from solaris_combat.engines.battletech.ruleset import ruleset
from solaris_combat.engines.battletech.shooting import heat_of
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.to_hit import TargetNumber
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.battletech.way import allowed_for, follow_steps, ground_mode

Json = dict[str, Any]


def preview(state: State, side: str, orders: Orders) -> Json:
    """Whether orders are legal, and what is known about what they do; details only where they are."""
    violations = check(state, side, orders)
    out: Json = {"legal": not violations, "violations": [asdict(one) for one in violations]}
    if violations:
        return out
    if orders.initial is not None:
        out["initial"] = _initial(state, side, orders.initial)
    if orders.fire is not None:
        out["fire"] = _fire(state, side, orders.fire)
    if orders.movement is not None:
        unit = unit_after_fire(state, side, orders.fire)
        out["movement"] = _movement(state, unit, orders.movement)
    return out


def _initial(state: State, side: str, initial: Initial) -> Json:
    """The belts as they will be, and what the special ammunition among them costs."""
    belts = loadout(state.units[side].design, initial, state.terms)
    special = special_loads(belts, ruleset())
    return {
        "belts": {name: list(belt) for name, belt in belts.items()},
        "special": [asdict(one) for one in special],
        "charge": sum(one.price for one in special),
    }


def _fire(state: State, side: str, fire: Fire) -> Json:
    unit = posed(state.units[side], fire)
    turned = replace(state, units={**state.units, side: unit})
    targets = [one for one in map(target_of, fire.shots) if one]
    declared = declared_shots(unit, fire.shots)
    shots = [_shot(turned, side, shot, targets) for shot in declared]
    strikes = [_strike(turned, side, strike) for strike in fire.physical]
    made = sum(shot["heat"] for shot in shots)
    known, on = known_heat(state, side), {one.ams for one in fire.ams}
    return {
        "shots": shots,
        "physical": strikes,
        "heat": {**known, "fired": made, "after_at_least": heat_after(known, made)},
        "ams_off_next_turn": [gear.id for gear in systems(unit) if gear.id not in on],
    }


def _shot(state: State, side: str, shot: DeclaredShot, targets: list[str]) -> Json:
    return {
        "weapon": shot.weapon,
        "target": shot.target or None,
        "hex": shot.hex or None,
        "intent": shot.intent or None,
        "salvos": list(shot.salvos),
        "heat": heat_of(weapon_fired(state.units[side], shot), shot.mode),
        "mode": shot.mode or None,
        **_number(number_of(state, side, shot, targets)),
    }


def _strike(state: State, side: str, strike: Strike) -> Json:
    """Number and points of a physical attack, if the weapons of the turn leave it as it is now."""
    if is_hex(strike.target):
        return _strike_thing(state, side, strike)
    found = blow_number(state, side, strike.target, blow_of(strike))
    return {
        "attack": strike.attack,
        "limb": None if strike.limb is None else str(strike.limb),
        "target": strike.target,
        "damage": found.damage,
        "own_damage": found.own_damage,
        **_number(found.number),
    }


def _strike_thing(state: State, side: str, strike: Strike) -> Json:
    """A blow at a turret, wall or building: it hits without a roll."""
    return {
        "attack": strike.attack,
        "limb": None if strike.limb is None else str(strike.limb),
        "target": strike.target,
        "damage": damage(blow_of(strike), state.units[side]),
        "own_damage": 0,
        "number": None,
        "modifiers": [],
    }


def _number(number: TargetNumber) -> Json:
    return {
        "number": number.value,
        "modifiers": [{"value": m.value, "reason": m.reason, "rule": m.rule} for m in number.modifiers],
    }


def _movement(state: State, unit: Unit, move: Movement) -> Json:
    """Cost and end of a movement if every roll on the way succeeds, and the causes of those rolls."""
    board, allowed = state.board, allowed_for(unit, move)
    if move.mode == "stand":
        return {"mode": "stand", "hex": str(unit.position), "facing": league_facing(unit.facing), "mp": 0}
    if move.mode == "eject":
        return {"mode": "eject", "number": sum(one.value for one in ordered_number(board, unit))}
    if move.mode == "jump":
        jump = follow_jump(board, unit, allowed, chosen_route(unit.hex, move.path))
        facing = league_facing(unit.facing if move.facing is None else move.facing)
        most = usable_jump_mp(board, unit, allowed)
        rolls = [check.cause for check in jump.checks]
        return _moved("jump", str(jump.landing), facing, jump.mp, most, jump.mp, rolls)
    track = follow_steps(board, unit, allowed, move)
    mode, end = ground_mode(allowed, move.mode), track.end
    rolls = [check.cause for step in track.taken for check in step.checks]
    rolls += [check.cause for check in track.end_checks]
    most = allowed.run if mode == "run" else allowed.walk
    facing = league_facing(end.facing)
    moved = _moved(mode, str(board.hex_at(end.index)), facing, end.mp, most, end.hexes, rolls)
    return moved | ({"masc_fails_at_or_below": masc_number(unit)} if move.masc else {})


def _moved(mode: str, where: str, facing: int, mp: int, most: int, hexes: int, rolls: list[str]) -> Json:
    return {
        "mode": mode,
        "hex": where,
        "facing": facing,
        "mp": mp,
        "mp_available": most,
        "hexes": hexes,
        "rolls": rolls,
    }
