"""Movement points of a 'Mech as it is now: heat, legs and jump jets (BMR, movement; heat scale).

Source: BMR movement, heat scale and critical hits; movement.yaml damage_effects.
"""

from __future__ import annotations

from collections.abc import Mapping

from solaris_combat.engines.battletech.mech import Location
from solaris_combat.engines.battletech.myomer import HOT_FROM, WALK_MORE, strong
from solaris_combat.engines.battletech.tables import table
from solaris_combat.engines.battletech.unit import Unit, legs, legs_lost, lost, out_of_action

HEAT_STEP: int = table("heat")["movement"]["step"]
QUAD: Mapping[str, int] = table("movement")["quad"]
LEG_ACTUATORS = ("upper_leg", "lower_leg", "foot")


def heat_penalty(heat: int) -> int:
    """Walking MP lost to heat (BMR, heat scale: movement)."""
    return heat // HEAT_STEP


def heats_that_slow(hottest: int) -> list[int]:
    """Every heat up to one at which walking MP may change: those of the scale, and of hot myomer."""
    return sorted({*range(0, hottest + 1, HEAT_STEP), HOT_FROM})


def walk_mp(unit: Unit) -> int:
    """Walking MP left after leg damage and heat: hips, then actuators, then heat (BMR, critical hits).

    Hot triple-strength myomer adds to what is left.
    """
    walking = _walk_on_legs(unit)
    hot = WALK_MORE if walking and strong(unit) else 0
    return max(walking - heat_penalty(unit.heat) + hot, 0)


def run_mp(unit: Unit) -> int:
    """Running MP: one and a half times walking, rounded up; without a leg no more than walking."""
    walking = walk_mp(unit)
    return walking if legs_lost(unit) > _may_lack(unit) else _running(walking)


def _running(walking: int) -> int:
    return (walking * 3 + 1) // 2


def mp_on_foot(unit: Unit) -> tuple[int, int]:
    """Walking MP, and running MP of who may run: 0 with a leg gone or without walking MP (BMR, movement)."""
    walking = walk_mp(unit)
    return walking, 0 if legs_lost(unit) > _may_lack(unit) else _running(walking)


def jump_mp(unit: Unit) -> int:
    """Jumping MP: one less for each jump jet hit or lost; heat does not count (BMR, jumping)."""
    jump = unit.design.jump
    return jump and max(jump - sum([out_of_action(unit, at, "jump_jet") for at in unit.structure]), 0)


def _walk_on_legs(unit: Unit) -> int:
    walking = unit.design.walk
    gone = legs_lost(unit)
    if unit.design.quad and gone == 1:
        walking -= QUAD["walk_less_without_one"]
    elif gone:
        return 1 if gone == (QUAD["walks_one_without"] if unit.design.quad else 1) else 0
    hits = _leg_hits(unit) if unit.hits else ()
    hips = {leg for leg, kind in hits if kind == "hip"}
    for leg, kind in hits:
        if kind == "hip":
            walking = (walking + 1) // 2
        elif leg not in hips:
            walking -= 1
    return 0 if len(hips) >= 2 else max(walking, 0)


def _leg_hits(unit: Unit) -> list[tuple[Location, str]]:
    """Hits on hips and actuators of legs that stand, in their order: a hip halves what is left by then.

    Those of which no order is known come first, hips ahead (movement.yaml damage_effects order; HIP1).
    """
    order = {place: number for number, place in enumerate(unit.leg_hits, 1)}
    standing = [leg for leg in legs(unit.design) if not lost(unit, leg)]
    found = [(at, n, unit.design.slots[at][n - 1].kind) for at, n in unit.hits if at in standing]
    counted = [hit for hit in found if hit[2] == "hip" or hit[2] in LEG_ACTUATORS]
    counted.sort(key=lambda hit: (order.get(hit[:2], 0), hit[2] != "hip", hit))
    return [(at, kind) for at, _, kind in counted]


def can_run(unit: Unit) -> bool:
    """False with a leg gone or without walking MP (BMR, movement)."""
    return mp_on_foot(unit)[1] > 0


def _may_lack(unit: Unit) -> int:
    """Legs that may be gone without an end to running."""
    return int(QUAD["run_without_legs"]) if unit.design.quad else 0
