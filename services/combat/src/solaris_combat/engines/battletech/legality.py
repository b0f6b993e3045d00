"""Which orders are legal now: everything a side may know is held against them, nothing of the rival's orders.

Movement ordered together with fire must fit the MP left by the heat that fire makes: the least it can be. If
damage then takes more, the movement is carried out as far as it goes.
Source: R 4.6 and BMR, weapon attacks, movement; to_hit.yaml prone_attacker_restrictions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from solaris_combat.engines.battletech.ams_orders import check_setting
from solaris_combat.engines.battletech.declaration import (
    declare,
    feeding_bins,
    number_of,
    posed,
    target_of,
)
from solaris_combat.engines.battletech.ejection import check_ejection
from solaris_combat.engines.battletech.events import DeclaredShot
from solaris_combat.engines.battletech.firing_modes import refusal
from solaris_combat.engines.battletech.hex_way import apart, letters, spelled
from solaris_combat.engines.battletech.jumping import chosen_route, follow_jump
from solaris_combat.engines.battletech.loading import LOCKED, check_initial
from solaris_combat.engines.battletech.mech import ARMS, can_flip_arms, mount
from solaris_combat.engines.battletech.mires import may_leave
from solaris_combat.engines.battletech.movement import Allowance, stand_up_cost
from solaris_combat.engines.battletech.munitions import Belt
from solaris_combat.engines.battletech.myomer import masc_works
from solaris_combat.engines.battletech.options import heat_after, known_heat, moving_unit
from solaris_combat.engines.battletech.orders import Fire, Initial, Movement, Orders, Shot
from solaris_combat.engines.battletech.physical_legality import check_physical
from solaris_combat.engines.battletech.shooting import heat_of, rounds_of
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Unit, can_twist
from solaris_combat.engines.battletech.way import allowed_for, follow_steps
from solaris_combat.engines.battletech.weapons import WEAPONS, Weapon
from solaris_combat.engines.contract import Violation
from solaris_combat.engines.frozen import replace

RULE = "R 4.6"
PARTS = {
    "initial": ("initial",),
    "movement": ("movement",),
    "fire_and_movement": ("fire", "movement"),
    "fire": ("fire",),
}


def check(state: State, side: str, orders: Orders) -> list[Violation]:
    """Everything that is illegal about these orders now."""
    wanted = state.wanted
    if wanted is None:
        return [Violation("fight-over", "nothing can be ordered any more", "", RULE)]
    if orders.initial is not None and "initial" not in PARTS[wanted.kind]:
        return [LOCKED]
    if orders.turn != wanted.turn:
        detail = f"orders for turn {wanted.turn} are wanted, not {orders.turn}"
        return [Violation("wrong-turn", detail, "/turn", RULE)]
    found = list(_parts(wanted.kind, orders))
    if not found and orders.initial is not None:
        found += check_initial(state, side, orders.initial)
        found += check_setting(state, side, orders.initial.ams or (), "/initial")
    if not found and orders.fire is not None:
        found += _fire(state, side, orders.fire)
    if not found and orders.movement is not None:
        found += _movement(state, side, orders)
    return found


def idle(state: State, side: str) -> bool:
    """Whether a side has nothing but the default to order, while another has more (R 4.6, DL3).

    Unconscious, it neither fires in the last turn nor moves when only movement is asked for; along with fire
    it orders the next movement, for it may be back by then.
    """
    wanted = state.wanted
    if wanted is None or wanted.kind not in ("fire", "movement"):
        return False
    nothing = {one: not state.units[one].conscious for one in state.active}
    return nothing[side] and not all(nothing.values())


def _parts(kind: str, orders: Orders) -> Iterator[Violation]:
    for part in ("initial", "fire", "movement"):
        there = getattr(orders, part) is not None
        if there and part not in PARTS[kind]:
            yield Violation("part-not-asked", f"no {part} is asked for now", f"/{part}", RULE)
        elif not there and part in PARTS[kind]:
            yield Violation("part-missing", f"{part} must be ordered now", "", RULE)
    if orders.answers:
        yield Violation("answer-not-asked", "no question is open", "/answers", RULE)


def _fire(state: State, side: str, fire: Fire) -> Iterator[Violation]:
    unit = state.units[side]
    moved = fire.shots or fire.twist or fire.physical or fire.flip_arms
    if moved and (unit.shutdown or not unit.conscious):
        yield Violation("out-of-action", "shut down or unconscious: no fire", "/fire", "BMR")
    elif fire.twist and unit.prone:
        yield Violation("prone-no-twist", "a prone 'Mech cannot twist its torso", "/fire/twist", "BMR")
    elif fire.twist and not can_twist(unit):
        yield Violation("quad-no-twist", "a four-legged 'Mech has no torso to twist", "/fire/twist", "BMR")
    else:
        yield from _arms(unit, fire)
        yield from _shots(state, side, fire)
        yield from check_physical(state, side, fire)
    if fire.ams and not unit.conscious:
        yield Violation("out-of-action", "unconscious: nobody switches a system on", "/fire/ams", "BMR")
    yield from check_setting(state, side, fire.ams, "/fire")


def _arms(unit: Unit, fire: Fire) -> Iterator[Violation]:
    if fire.flip_arms and not can_flip_arms(unit.design):
        detail = "arms with a lower arm or a hand do not point to the rear"
        yield Violation("cannot-flip", detail, "/fire/flip_arms", "BMR, arm flipping")
    elif fire.flip_arms and unit.prone:
        yield Violation("cannot-flip", "a prone 'Mech does not flip its arms", "/fire/flip_arms", "BMR")


def _shots(state: State, side: str, fire: Fire) -> Iterator[Violation]:
    unit = state.units[side]
    turned = replace(state, units={**state.units, side: posed(unit, fire)})
    left = dict(unit.belts)
    seen: Counter[str] = Counter()
    known = [one for one in fire.shots if one.hex or one.target in state.foes(side)]
    targets = [target for target in map(target_of, known) if target]
    for number, shot in enumerate(fire.shots):
        at = f"/fire/shots/{number}"
        seen[shot.weapon] += 1
        if seen[shot.weapon] > 1:
            yield Violation("weapon-twice", f"{shot.weapon} fires once a turn", f"{at}/weapon", "BMR")
        else:
            yield from _shot(turned, side, shot, at, left, targets)
    yield from _one_arm(unit, fire)


def _shot(
    state: State, side: str, shot: Shot, at: str, left: dict[str, Belt], targets: list[str]
) -> Iterator[Violation]:
    unit = state.units[side]
    if shot.weapon not in {found.id for found in unit.design.mounts}:
        yield Violation("unknown-weapon", f"no weapon {shot.weapon!r} aboard", f"{at}/weapon")
        return
    if shot.target not in state.foes(side) and (shot.target or shot.aim):
        yield Violation("unknown-target", f"{shot.target!r} cannot be fired at", f"{at}/target")
        return
    weapon = WEAPONS[mount(unit.design, shot.weapon).weapon]
    refused = refusal(weapon, shot.mode, state.terms.fight_class) if shot.mode else None
    if refused is not None:
        yield Violation(*refused, f"{at}/mode", RULE)
        return
    if shot.second_bin is not None and rounds_of(shot.mode) < 2:
        detail = f"{shot.weapon} fires one round: no second bin"
        yield Violation("bin-not-needed", detail, f"{at}/second_bin", "R 4.5.2")
        return
    if _second_unfed(unit, shot, left):
        detail = f"{shot.second_bin!r} cannot feed {shot.weapon}"
        yield Violation("no-ammunition", detail, f"{at}/second_bin", "R 4.5.2")
        return
    declared = declare(unit, shot, left)
    number = number_of(state, side, declared, targets)
    if not number.possible:
        detail = f"{shot.weapon} cannot hit {shot.target or shot.hex or 'anything'}: {number.reason}"
        yield Violation("shot-impossible", detail, at, "BMR, weapon attacks")
    yield from _unfed(weapon, shot, declared, at)


def _second_unfed(unit: Unit, shot: Shot, left: dict[str, Belt]) -> bool:
    """Whether the first round of two has its ammunition, and the bin named for the second has none for it."""
    if shot.second_bin is None or feeding_bins(unit, shot, left):
        return False
    return bool(feeding_bins(unit, replace(shot, second_bin=None, mode=""), left))


def _unfed(weapon: Weapon, shot: Shot, declared: DeclaredShot, at: str) -> Iterator[Violation]:
    """A shot without the ammunition it needs, or with a bin it has no use for."""
    if weapon.ammunition and not declared.salvos:
        left = f"no {weapon.ammunition} left"
        detail = left if shot.bin is None else f"{shot.bin!r} cannot feed {shot.weapon}"
        yield Violation("no-ammunition", detail, f"{at}/bin", "R 4.6.5")
    elif shot.bin is not None and not weapon.ammunition:
        yield Violation("bin-not-needed", f"{shot.weapon} takes no ammunition", f"{at}/bin")


def _one_arm(unit: Unit, fire: Fire) -> Iterator[Violation]:
    """A prone 'Mech props itself on one arm: the weapons of only one arm may fire."""
    known = {found.id: found.location for found in unit.design.mounts}
    arms = {known[shot.weapon] for shot in fire.shots if known.get(shot.weapon) in ARMS}
    if unit.prone and len(arms) > 1:
        detail = "a prone 'Mech fires the weapons of one arm only"
        yield Violation("prone-one-arm", detail, "/fire/shots", "BMR, prone 'Mechs")


def _movement(state: State, side: str, orders: Orders) -> Iterator[Violation]:
    assert orders.movement is not None
    unit = unit_after_fire(state, side, orders.fire)
    move, allowed = orders.movement, allowed_for(unit, orders.movement)
    if move.mode == "jump":
        yield from _jump(state, unit, allowed, move)
    elif move.mode == "eject":
        yield from check_ejection(state, side)
    elif move.masc and not masc_works(unit):
        yield Violation("no-masc", "no MASC that works is aboard", "/movement/masc", "BMR, MASC")
    elif move.mode != "stand":
        yield from _steps(state, unit, allowed, move)


def unit_after_fire(state: State, side: str, fire: Fire | None) -> Unit:
    """The unit as it will move at best: with the heat left after the fire ordered along with it."""
    unit = moving_unit(state, side)
    if fire is None:
        return unit
    fired = sum(heat_of(WEAPONS[mount(unit.design, shot.weapon).weapon], shot.mode) for shot in fire.shots)
    return replace(unit, heat=heat_after(known_heat(state, side), fired))


def _jump(state: State, unit: Unit, allowed: Allowance, move: Movement) -> Iterator[Violation]:
    if not may_leave(unit.stuck, move.mode):
        yield Violation("stuck", f"stuck in {unit.stuck}: no jump", "/movement/mode", "A, FAQ 12")
        return
    jump = follow_jump(state.board, unit, allowed, chosen_route(unit.hex, move.path))
    if jump.violation:
        yield replace(jump.violation, pointer=f"/movement/path{jump.violation.pointer}")


def _steps(state: State, unit: Unit, allowed: Allowance, move: Movement) -> Iterator[Violation]:
    if move.mode == "run" and allowed.run == 0:
        yield Violation("cannot-run", "the unit may not run", "/movement/mode", "BMR, movement")
        return
    if allowed.walk == 0:
        yield Violation("cannot-move", "no movement points", "/movement/mode", "BMR, movement")
        return
    if found := apart(unit, move):
        yield found
        return
    track = follow_steps(state.board, unit, allowed, move)
    if track.violation:
        place = _place_of(spelled(unit, move), int(track.violation.pointer[1:]))
        yield replace(track.violation, pointer=f"/movement/steps/{place}")
    else:
        yield from _attempts(allowed, move, letters(unit, move))


def _attempts(allowed: Allowance, move: Movement, steps: tuple[str, ...]) -> Iterator[Violation]:
    tries = next((n for n, step in enumerate(steps) if step != "U"), len(steps))
    limit = allowed.run if move.mode == "run" else allowed.walk
    if tries * stand_up_cost(allowed) > limit:
        detail = f"{limit} MP do not pay for {tries} attempts"
        yield Violation("too-few-mp", detail, "/movement/steps", "BMR, movement")


def _place_of(steps: tuple[tuple[str, int], ...], number: int) -> int:
    """Index in the order of the step that is `number` once repeated attempts are taken as one."""
    kept = [place for n, (step, place) in enumerate(steps) if step != "U" or n == 0 or steps[n - 1][0] != "U"]
    return kept[number]


def default_orders(state: State) -> Orders:
    """What is carried out for a side that sent nothing: full bins, no fire, no movement."""
    wanted = state.wanted
    kind = "initial" if wanted is None else wanted.kind
    return Orders(
        turn=0 if wanted is None else wanted.turn,
        initial=Initial() if kind == "initial" else None,
        fire=Fire() if "fire" in PARTS[kind] else None,
        movement=Movement() if "movement" in PARTS[kind] else None,
    )
