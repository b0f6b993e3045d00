"""Switching anti-missile systems on and off: what a side may order, and what counts where it says nothing.

Every system is on in turn 1 unless declared off; later only those that the orders of the turn before name.
With a system goes the launcher it is to shoot at. A side's setting is its own business until it fires.
Source: D, sistema antimisiles; ams.yaml switched_on, uses_per_turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from solaris_combat.engines.battletech.anti_missile import (
    ON_AT_FIRST,
    SHOT_AT,
    rounds_left,
    systems,
    works,
)
from solaris_combat.engines.battletech.orders import AmsOn, Initial
from solaris_combat.engines.battletech.state import State
from solaris_combat.engines.battletech.unit import Unit
from solaris_combat.engines.battletech.weapons import WEAPONS
from solaris_combat.engines.contract import Violation

RULE = "D, anti-missile system"


def first_setting(unit: Unit, initial: Initial) -> tuple[AmsOn, ...]:
    """What is on in turn 1."""
    if initial.ams is not None:
        return initial.ams
    return tuple(AmsOn(gear.id) for gear in systems(unit)) if ON_AT_FIRST else ()


def check_setting(state: State, side: str, setting: Sequence[AmsOn], at: str) -> Iterator[Violation]:
    """What is illegal about the systems an order switches on."""
    aboard = {gear.id for gear in systems(state.units[side])}
    for number, one in enumerate(setting):
        place = f"{at}/ams/{number}"
        if one.ams not in aboard:
            yield Violation("unknown-ams", f"no anti-missile system {one.ams!r} aboard", f"{place}/ams", RULE)
        elif one.ams in {other.ams for other in setting[:number]}:
            yield Violation("ams-twice", f"{one.ams} shoots at one salvo a turn", f"{place}/ams", RULE)
        if one.side is not None and one.side not in state.enemies(side):
            yield Violation("unknown-target", f"{one.side!r} is no enemy", f"{place}/side", RULE)
        elif one.launcher is not None and one.launcher not in launchers(state, side, one.side):
            detail = f"no enemy has a launcher {one.launcher!r}"
            yield Violation("unknown-launcher", detail, f"{place}/launcher", RULE)


def launchers(state: State, side: str, enemy: str | None) -> list[str]:
    """Ids of the missile launchers of the enemies, or of one."""
    return [
        mount.id
        for foe in ([enemy] if enemy else state.enemies(side))
        for mount in state.units[foe].design.mounts
        if WEAPONS[mount.weapon].kind in SHOT_AT
    ]


def offered_setting(state: State, side: str) -> dict[str, Any]:
    """The systems aboard, whether each works and is on now, and the launchers it may be told to shoot at."""
    unit = state.units[side]
    on = {one.ams: one for one in state.ams.get(side, ())}
    return {
        "systems": [
            {
                "ams": gear.id,
                "location": str(gear.location),
                "works": works(unit, gear),
                "on": gear.id in on,
                "launcher": on[gear.id].launcher if gear.id in on else None,
                "side": on[gear.id].side if gear.id in on else None,
            }
            for gear in systems(unit)
        ],
        "rounds": rounds_left(unit),
        "launchers": {foe: launchers(state, side, foe) for foe in state.foes(side)},
    }
